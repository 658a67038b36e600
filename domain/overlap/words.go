package overlap

import "docket/domain/terms"

type (
	// A Namespace is a kind of tag that may be blinded (source 2.4, namespaceRules).
	Namespace = terms.Term[namespaceList]
	// A ForbiddenInput is what no request may hold (source 2.4, forbiddenInputs).
	ForbiddenInput = terms.Term[forbiddenInputList]
	// A ForbiddenStoredField is what is never stored (source 2.4, forbiddenStoredFields).
	ForbiddenStoredField = terms.Term[forbiddenStoredList]
	// A StoredField is what may one day be stored of a blinded token (source 2.4, futureStoredFields).
	StoredField = terms.Term[storedFieldList]
	// An OutputField is what a participant may be told (source 2.4, participantOutput.allowed).
	OutputField = terms.Term[outputFieldList]
	// A ForbiddenOutput is what a participant is never told (source 2.4, participantOutput.forbidden).
	ForbiddenOutput = terms.Term[forbiddenOutputList]
	// A ReleaseState is the state of the pilot (source 3.3).
	ReleaseState = terms.Term[releaseStateList]
	// A StorageState is the state of the pilot's storage (source 3.3).
	StorageState = terms.Term[storageStateList]
	// A RawValueRetention says what is kept of a raw value (source 2.4).
	RawValueRetention = terms.Term[retentionList]
	// A StoredRepresentation says in which form a value is stored (source 2.4).
	StoredRepresentation = terms.Term[representationList]
	// A RouteStatus is the status of a planned route (source 3.4).
	RouteStatus = terms.Term[routeStatusList]
	// A Review is one of the five that production use waits for (source 3.3; the codes are this project's choice).
	Review = terms.Term[reviewList]
	// A ReviewState is how far a review is. There is one word: this program cannot say that a review is complete.
	ReviewState = terms.Term[reviewStateList]
	// An Action is what a planned route does (this project's choice, after the paths of source 4.3).
	Action = terms.Term[actionList]
	// A ResultBucket is what an answer says of the overlap (this project's choice). There is one word: nothing is
	// evaluated.
	ResultBucket = terms.Term[bucketList]
	// A Blocker is why a request is blocked (this project's choice; source 7.3 shows none).
	Blocker = terms.Term[blockerList]
)

// The vocabularies, for parsing and listing.
var (
	Namespaces            terms.Terms[namespaceList]
	ForbiddenInputs       terms.Terms[forbiddenInputList]
	ForbiddenStoredFields terms.Terms[forbiddenStoredList]
	FutureStoredFields    terms.Terms[storedFieldList]
	AllowedOutputs        terms.Terms[outputFieldList]
	ForbiddenOutputs      terms.Terms[forbiddenOutputList]
	ReleaseStates         terms.Terms[releaseStateList]
	StorageStates         terms.Terms[storageStateList]
	RawValueRetentions    terms.Terms[retentionList]
	StoredRepresentations terms.Terms[representationList]
	RouteStatuses         terms.Terms[routeStatusList]
	Reviews               terms.Terms[reviewList]
	ReviewStates          terms.Terms[reviewStateList]
	Actions               terms.Terms[actionList]
	ResultBuckets         terms.Terms[bucketList]
	Blockers              terms.Terms[blockerList]
)

// Namespaces.
const (
	ExactCapabilityTag Namespace = iota + 1
	ExactConstraintTag
	ExactVerificationTag
)

// Stored fields.
const (
	FieldBlindedTag StoredField = iota + 1
	FieldTokenVersion
	FieldTagNamespace
	FieldExpiresAt
	FieldAuditReason
)

// Output fields.
const (
	OutputResultBucket OutputField = iota + 1
	OutputReceiptID
	OutputBlockers
)

// The only word of each of these vocabularies.
const (
	GovernanceGatedPilot ReleaseState         = 1
	PilotSchemaCreated   StorageState         = 1
	RetentionForbidden   RawValueRetention    = 1
	BlindedTokenOnly     StoredRepresentation = 1
	ReviewOpen           ReviewState          = 1
	NotEvaluated         ResultBucket         = 1
)

// Route statuses.
const (
	GovernanceGated RouteStatus = iota + 1
	BlockedPendingCryptoReview
)

// Reviews, in the order of source 3.3.
const (
	PrivacyDesignReview Review = iota + 1
	CryptographicDesignReview
	ThreatModelReview
	ExternalReview
	PropertyTests
)

// Actions, in the order of source 4.3.
const (
	CheckOverlap Action = iota + 1
	RefreshTokens
	DeleteTokens
)

// Blockers: the statuses of the routes, the disabled endpoint, then one for each review.
const (
	BlockerGovernanceGated Blocker = iota + 1
	BlockerPendingCryptoReview
	BlockerLiveEndpointDisabled
	BlockerPrivacyDesignReviewOpen
	BlockerCryptographicDesignReviewOpen
	BlockerThreatModelReviewOpen
	BlockerExternalReviewOpen
	BlockerPropertyTestsOpen
)

// The one place where the words of each vocabulary stand, in the order of their constants.
var (
	namespaceWords = terms.NewWordList("overlap namespace",
		"exact_capability_tag", "exact_constraint_tag", "exact_verification_tag")
	forbiddenInputWords = terms.NewWordList("forbidden overlap input",
		"free_text", "exact_wish", "exact_ask", "raw_source_text", "contact_details", "precise_location")
	forbiddenStoredWords = terms.NewWordList("forbidden stored overlap field",
		"raw_tag", "canonical_tag", "raw_text", "exact_private_wish", "non_overlap_value")
	storedFieldWords = terms.NewWordList("future stored overlap field",
		"blinded_tag", "token_version", "tag_namespace", "expires_at", "audit_reason")
	outputFieldWords = terms.NewWordList("overlap output field",
		"result_bucket", "receipt_id", "blockers")
	forbiddenOutputWords = terms.NewWordList("forbidden overlap output",
		"matching_tag_names", "non_overlap_tags", "raw_tokens", "counterparty_tag_set")
	releaseStateWords   = terms.NewWordList("overlap release state", "governance_gated_pilot")
	storageStateWords   = terms.NewWordList("overlap storage state", "pilot_schema_created")
	retentionWords      = terms.NewWordList("raw value retention", "forbidden")
	representationWords = terms.NewWordList("stored overlap representation", "blinded_token_only")
	routeStatusWords    = terms.NewWordList("overlap route status",
		"governance_gated", "blocked_pending_crypto_review")
	reviewWords = terms.NewWordList("overlap review",
		"dpia_privacy_design_review", "cryptographic_design_review", "threat_model_abuse_case_review",
		"external_security_privacy_review", "redaction_and_deletion_property_tests")
	reviewStateWords = terms.NewWordList("overlap review state", "open")
	actionWords      = terms.NewWordList("overlap action", "check", "refresh_tokens", "delete_tokens")
	bucketWords      = terms.NewWordList("overlap result bucket", "not_evaluated")
	blockerWords     = terms.NewWordList("overlap blocker",
		"governance_gated", "blocked_pending_crypto_review", "live_endpoint_disabled",
		"dpia_privacy_design_review_open", "cryptographic_design_review_open", "threat_model_abuse_case_review_open",
		"external_security_privacy_review_open", "redaction_and_deletion_property_tests_open")
)

type (
	namespaceList       struct{}
	forbiddenInputList  struct{}
	forbiddenStoredList struct{}
	storedFieldList     struct{}
	outputFieldList     struct{}
	forbiddenOutputList struct{}
	releaseStateList    struct{}
	storageStateList    struct{}
	retentionList       struct{}
	representationList  struct{}
	routeStatusList     struct{}
	reviewList          struct{}
	reviewStateList     struct{}
	actionList          struct{}
	bucketList          struct{}
	blockerList         struct{}
)

func (namespaceList) WordList() *terms.WordList       { return namespaceWords }
func (forbiddenInputList) WordList() *terms.WordList  { return forbiddenInputWords }
func (forbiddenStoredList) WordList() *terms.WordList { return forbiddenStoredWords }
func (storedFieldList) WordList() *terms.WordList     { return storedFieldWords }
func (outputFieldList) WordList() *terms.WordList     { return outputFieldWords }
func (forbiddenOutputList) WordList() *terms.WordList { return forbiddenOutputWords }
func (releaseStateList) WordList() *terms.WordList    { return releaseStateWords }
func (storageStateList) WordList() *terms.WordList    { return storageStateWords }
func (retentionList) WordList() *terms.WordList       { return retentionWords }
func (representationList) WordList() *terms.WordList  { return representationWords }
func (routeStatusList) WordList() *terms.WordList     { return routeStatusWords }
func (reviewList) WordList() *terms.WordList          { return reviewWords }
func (reviewStateList) WordList() *terms.WordList     { return reviewStateWords }
func (actionList) WordList() *terms.WordList          { return actionWords }
func (bucketList) WordList() *terms.WordList          { return bucketWords }
func (blockerList) WordList() *terms.WordList         { return blockerWords }
