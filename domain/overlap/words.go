package overlap

import "docket/domain"

type (
	// A Namespace is a kind of tag that may be blinded (source 2.4, namespaceRules).
	Namespace = domain.Word[namespaceList]
	// A ForbiddenInput is what no request may hold (source 2.4, forbiddenInputs).
	ForbiddenInput = domain.Word[forbiddenInputList]
	// A ForbiddenStoredField is what is never stored (source 2.4, forbiddenStoredFields).
	ForbiddenStoredField = domain.Word[forbiddenStoredList]
	// A StoredField is what may one day be stored of a blinded token (source 2.4, futureStoredFields).
	StoredField = domain.Word[storedFieldList]
	// An OutputField is what a participant may be told (source 2.4, participantOutput.allowed).
	OutputField = domain.Word[outputFieldList]
	// A ForbiddenOutput is what a participant is never told (source 2.4, participantOutput.forbidden).
	ForbiddenOutput = domain.Word[forbiddenOutputList]
	// A ReleaseState is the state of the pilot (source 3.3).
	ReleaseState = domain.Word[releaseStateList]
	// A StorageState is the state of the pilot's storage (source 3.3).
	StorageState = domain.Word[storageStateList]
	// A RawValueRetention says what is kept of a raw value (source 2.4).
	RawValueRetention = domain.Word[retentionList]
	// A StoredRepresentation says as what a value is stored (source 2.4).
	StoredRepresentation = domain.Word[representationList]
	// A RouteStatus is the status of a planned route (source 3.4).
	RouteStatus = domain.Word[routeStatusList]
	// A Review is one of the five that production use waits for (source 3.3; the codes are this project's choice).
	Review = domain.Word[reviewList]
	// A ReviewState is how far a review is. There is one word: this program cannot say that a review is complete.
	ReviewState = domain.Word[reviewStateList]
	// An Action is what a planned route does (this project's choice, after the paths of source 4.3).
	Action = domain.Word[actionList]
	// A ResultBucket is what an answer says of the overlap (this project's choice). There is one word: nothing is
	// evaluated.
	ResultBucket = domain.Word[bucketList]
	// A Blocker is why a request is blocked (this project's choice; source 7.3 shows none).
	Blocker = domain.Word[blockerList]
)

// The vocabularies, for parsing and listing.
var (
	Namespaces            domain.Vocabulary[namespaceList]
	ForbiddenInputs       domain.Vocabulary[forbiddenInputList]
	ForbiddenStoredFields domain.Vocabulary[forbiddenStoredList]
	FutureStoredFields    domain.Vocabulary[storedFieldList]
	AllowedOutputs        domain.Vocabulary[outputFieldList]
	ForbiddenOutputs      domain.Vocabulary[forbiddenOutputList]
	ReleaseStates         domain.Vocabulary[releaseStateList]
	StorageStates         domain.Vocabulary[storageStateList]
	RawValueRetentions    domain.Vocabulary[retentionList]
	StoredRepresentations domain.Vocabulary[representationList]
	RouteStatuses         domain.Vocabulary[routeStatusList]
	Reviews               domain.Vocabulary[reviewList]
	ReviewStates          domain.Vocabulary[reviewStateList]
	Actions               domain.Vocabulary[actionList]
	ResultBuckets         domain.Vocabulary[bucketList]
	Blockers              domain.Vocabulary[blockerList]
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
	namespaceWords = domain.NewWordList("overlap namespace",
		"exact_capability_tag", "exact_constraint_tag", "exact_verification_tag")
	forbiddenInputWords = domain.NewWordList("forbidden overlap input",
		"free_text", "exact_wish", "exact_ask", "raw_source_text", "contact_details", "precise_location")
	forbiddenStoredWords = domain.NewWordList("forbidden stored overlap field",
		"raw_tag", "canonical_tag", "raw_text", "exact_private_wish", "non_overlap_value")
	storedFieldWords = domain.NewWordList("future stored overlap field",
		"blinded_tag", "token_version", "tag_namespace", "expires_at", "audit_reason")
	outputFieldWords = domain.NewWordList("overlap output field",
		"result_bucket", "receipt_id", "blockers")
	forbiddenOutputWords = domain.NewWordList("forbidden overlap output",
		"matching_tag_names", "non_overlap_tags", "raw_tokens", "counterparty_tag_set")
	releaseStateWords   = domain.NewWordList("overlap release state", "governance_gated_pilot")
	storageStateWords   = domain.NewWordList("overlap storage state", "pilot_schema_created")
	retentionWords      = domain.NewWordList("raw value retention", "forbidden")
	representationWords = domain.NewWordList("stored overlap representation", "blinded_token_only")
	routeStatusWords    = domain.NewWordList("overlap route status",
		"governance_gated", "blocked_pending_crypto_review")
	reviewWords = domain.NewWordList("overlap review",
		"dpia_privacy_design_review", "cryptographic_design_review", "threat_model_abuse_case_review",
		"external_security_privacy_review", "redaction_and_deletion_property_tests")
	reviewStateWords = domain.NewWordList("overlap review state", "open")
	actionWords      = domain.NewWordList("overlap action", "check", "refresh_tokens", "delete_tokens")
	bucketWords      = domain.NewWordList("overlap result bucket", "not_evaluated")
	blockerWords     = domain.NewWordList("overlap blocker",
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

func (namespaceList) WordList() *domain.WordList       { return namespaceWords }
func (forbiddenInputList) WordList() *domain.WordList  { return forbiddenInputWords }
func (forbiddenStoredList) WordList() *domain.WordList { return forbiddenStoredWords }
func (storedFieldList) WordList() *domain.WordList     { return storedFieldWords }
func (outputFieldList) WordList() *domain.WordList     { return outputFieldWords }
func (forbiddenOutputList) WordList() *domain.WordList { return forbiddenOutputWords }
func (releaseStateList) WordList() *domain.WordList    { return releaseStateWords }
func (storageStateList) WordList() *domain.WordList    { return storageStateWords }
func (retentionList) WordList() *domain.WordList       { return retentionWords }
func (representationList) WordList() *domain.WordList  { return representationWords }
func (routeStatusList) WordList() *domain.WordList     { return routeStatusWords }
func (reviewList) WordList() *domain.WordList          { return reviewWords }
func (reviewStateList) WordList() *domain.WordList     { return reviewStateWords }
func (actionList) WordList() *domain.WordList          { return actionWords }
func (bucketList) WordList() *domain.WordList          { return bucketWords }
func (blockerList) WordList() *domain.WordList         { return blockerWords }
