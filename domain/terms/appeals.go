package terms

// The words of the challenge and appeal contract (source 2.3 and 3.1) and those of this project.

type (
	// A Subject is what an appeal may target (source 2.3.1).
	Subject = Term[subjectKind]
	// A StandingCategory is the category of an appellant (source 2.3.2).
	StandingCategory = Term[standingKind]
	// A Trigger is the ground of an appeal (source 2.3.3).
	Trigger = Term[triggerKind]
	// An Outcome is what an appeal may lead to (source 2.3.4); advisory until a human records it.
	Outcome = Term[outcomeKind]
	// A FactorCode is an approved reason code (source 2.3.5).
	FactorCode = Term[factorKind]
	// A CaseStatus is the status of an appeal case (source 3.1).
	CaseStatus = Term[caseStatusKind]
	// A NoticeState says how far the notice to the parties has come (source 3.1).
	NoticeState = Term[noticeKind]
	// An AppealPolicyStatus is the status of an appeal policy (this project's choice).
	AppealPolicyStatus = Term[appealPolicyStatusKind]
	// A RedactionStatus says whether the source has redacted a case (this project's choice).
	RedactionStatus = Term[redactionKind]
	// A RequestedEffect is asked for and never granted (this project's choice, source 2.3.6).
	RequestedEffect = Term[requestedEffectKind]
)

type (
	subjectKind            struct{}
	standingKind           struct{}
	triggerKind            struct{}
	outcomeKind            struct{}
	factorKind             struct{}
	caseStatusKind         struct{}
	noticeKind             struct{}
	appealPolicyStatusKind struct{}
	redactionKind          struct{}
	requestedEffectKind    struct{}
)

// The sets of the vocabularies of appeals that other packages name, and what a case may declare.
type (
	OutcomeSet      = Set[outcomeKind]
	FactorSet       = Set[factorKind]
	CaseStatusSet   = Set[caseStatusKind]
	DeclaredEffects = Declared[requestedEffectKind]
)

// The vocabularies of appeals, for parsing and listing.
var (
	Subjects             Terms[subjectKind]
	StandingCategories   Terms[standingKind]
	Triggers             Terms[triggerKind]
	Outcomes             Terms[outcomeKind]
	FactorCodes          Terms[factorKind]
	CaseStatuses         Terms[caseStatusKind]
	NoticeStates         Terms[noticeKind]
	AppealPolicyStatuses Terms[appealPolicyStatusKind]
	RedactionStatuses    Terms[redactionKind]
	RequestedEffects     Terms[requestedEffectKind]
)

// Subjects, source 2.3.1.
var subjectWords = WordList{"appeal subject", []string{
	"claim", "evidence_row", "baseline_concern", "disclosure_decision", "externality_trigger", "completion_state",
	"policy_flag",
}}

// Standing categories, source 2.3.2.
const (
	StandingParticipant StandingCategory = iota + 1
	StandingCounterparty
	StandingAffectedParty
	StandingReviewer
	StandingAdminSafety
	StandingExternalVerifier
)

var standingWords = WordList{"standing category", []string{
	"participant", "counterparty", "affected_party", "reviewer", "admin_safety", "external_verifier",
}}

// Triggers, source 2.3.3.
const (
	DuplicateProof Trigger = iota + 1
	CoerciveBaseline
	WrongScopeEvidence
	MaterialFactualError
	PrivacyDisclosureError
	ExternalityRemedyGap
	ReviewerConflict
	PolicyMisapplied
)

var triggerWords = WordList{"appeal trigger", []string{
	"duplicate_proof", "coercive_baseline", "wrong_scope_evidence", "material_factual_error",
	"privacy_disclosure_error", "externality_remedy_gap", "reviewer_conflict", "policy_misapplied",
}}

// Outcomes, source 2.3.4.
const (
	UpholdDecision Outcome = iota + 1
	RequestEvidence
	RouteHumanReview
	OpenChallengeWindow
	BlockReliance
	RecordRemedy
	CloseUnresolved
	CorrectRecord
)

var outcomeWords = WordList{"outcome", []string{
	"uphold_decision", "request_evidence", "route_human_review", "open_challenge_window", "block_reliance",
	"record_remedy", "close_unresolved", "correct_record",
}}

// Approved factor codes, source 2.3.5.
const (
	SpecificReviewedClaim FactorCode = iota + 1
	StandingEstablished
	AffectedPartyStanding
	EvidenceScopeNamed
	DuplicateProofReview
	CoerciveBaselineReview
	WrongScopeEvidenceReview
	MaterialFactualErrorReview
	PrivacyDisclosureReview
	ExternalityRemedyReview
	ReviewerConflictReview
	PolicyFlagReview
	ChallengeWindowRequired
	HumanReviewRequired
	NoUnrelatedMoralDisagreement
	ProvenanceActivityRequired
	PrivateDetailsRedacted
)

var factorWords = WordList{"factor code", []string{
	"specific_reviewed_claim", "standing_established", "affected_party_standing", "evidence_scope_named",
	"duplicate_proof_review", "coercive_baseline_review", "wrong_scope_evidence_review",
	"material_factual_error_review", "privacy_disclosure_review", "externality_remedy_review",
	"reviewer_conflict_review", "policy_flag_review", "challenge_window_required", "human_review_required",
	"no_unrelated_moral_disagreement", "provenance_activity_required", "private_details_redacted",
}}

// Appeal case statuses, source 3.1.
const (
	CaseDraft CaseStatus = iota + 1
	CaseFiled
	CaseNoticed
	CaseUnderNeutralReview
	CaseCorrectionRequested
	CaseUpheld
	CaseCorrected
	CaseDismissed
	CaseClosedUnresolved
	CaseSuperseded
	CaseStale
)

var caseStatusWords = WordList{"appeal case status", []string{
	"draft", "filed", "noticed", "under_neutral_review", "correction_requested", "upheld", "corrected", "dismissed",
	"closed_unresolved", "superseded", "stale",
}}

// Notice states, source 3.1.
const (
	NoticeMissingState NoticeState = iota + 1
	NoticeQueued
	NoticeDelivered
	NoticeFailed
	NoticeNotRequired
)

var noticeWords = WordList{"notice state", []string{
	"missing", "queued", "delivered", "failed", "not_required_for_stage",
}}

// Appeal policy statuses.
const (
	AppealPolicyDraft AppealPolicyStatus = iota + 1
	AppealPolicyFrozen
	AppealPolicySuperseded
	AppealPolicyRetired
)

var appealPolicyStatusWords = WordList{"appeal policy status", []string{"draft", "frozen", "superseded", "retired"}}

// Redaction statuses.
const (
	RedactionDone RedactionStatus = iota + 1
	RedactionPending
)

var redactionWords = WordList{"redaction status", []string{"redacted", "pending"}}

// Requested effects.
const (
	WaiveSafetyBlocker RequestedEffect = iota + 1
	ReopenSettledObligation
	ChangeParentRecord
	ShowPrivateDetails
)

var requestedEffectWords = WordList{"requested effect", []string{
	"waive_safety_blocker", "reopen_settled_obligation", "change_parent_record", "show_private_details",
}}

func (subjectKind) WordList() *WordList { return &subjectWords }

func (standingKind) WordList() *WordList { return &standingWords }

func (triggerKind) WordList() *WordList { return &triggerWords }

func (outcomeKind) WordList() *WordList { return &outcomeWords }

func (factorKind) WordList() *WordList { return &factorWords }

func (caseStatusKind) WordList() *WordList { return &caseStatusWords }

func (noticeKind) WordList() *WordList { return &noticeWords }

func (appealPolicyStatusKind) WordList() *WordList { return &appealPolicyStatusWords }

func (redactionKind) WordList() *WordList { return &redactionWords }

func (requestedEffectKind) WordList() *WordList { return &requestedEffectWords }
