package overlap

import "docket/domain"

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
	auditReasonWords = domain.NewWordList("overlap audit reason", "release_state_gated", "crypto_review_open")
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
	auditReasonList     struct{}
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
func (auditReasonList) WordList() *domain.WordList     { return auditReasonWords }
func (blockerList) WordList() *domain.WordList         { return blockerWords }
