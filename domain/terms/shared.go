package terms

import (
	"fmt"
)

// The vocabularies that appeals and amendments share, and those of recording.

type (
	// An Area is one of the two queues that a reviewer works through.
	Area = Term[areaKind]
	// A Table is one of the four packet tables or the two enforcement tables (source 2.3 and 2.5).
	Table = Term[tableKind]
	// A Blocker is a fail-closed status (source 7.1 and 7.2); three of them are in both lists.
	Blocker = Term[blockerKind]
	// A PrivateCategory is a private member, of which only a count is kept (this project's choice).
	PrivateCategory = Term[privateKind]
	// A Role is the capacity in which a reviewer records (this project's choice).
	Role = Term[roleKind]
	// A DecisionStatus says whether a case may be decided on its merits (source 2.3.7; "blocked" is
	// this project's choice).
	DecisionStatus = Term[decisionStatusKind]
)

type (
	areaKind           struct{}
	tableKind          struct{}
	blockerKind        struct{}
	privateKind        struct{}
	roleKind           struct{}
	decisionStatusKind struct{}
)

// The sets of the shared vocabularies that other packages name.
type (
	BlockerSet         = Set[blockerKind]
	TableSet           = Set[tableKind]
	PrivateCategorySet = Set[privateKind]
)

// The shared vocabularies, for parsing and listing.
var (
	Areas             Terms[areaKind]
	Tables            Terms[tableKind]
	Blockers          Terms[blockerKind]
	PrivateCategories Terms[privateKind]
	Roles             Terms[roleKind]
	DecisionStatuses  Terms[decisionStatusKind]
)

// Areas.
const (
	Appeals Area = iota + 1
	Amendments
)

var areaWords = WordList{"area", []string{"appeals", "amendments"}}

// Tables, packets first.
const (
	AppealPolicies Table = iota + 1
	AppealCases
	AmendmentPolicies
	AmendmentRecords
	AppealEnforcements
	AmendmentEnforcements
)

var tableWords = WordList{"table", []string{
	"trade_appeal_policies", "trade_appeal_cases", "trade_agreement_amendment_policies",
	"trade_agreement_amendment_records", "trade_challenge_appeal_enforcement_records",
	"trade_agreement_amendment_enforcement_records",
}}

// PacketTables are the tables a packet may name.
const PacketTables = TableSet(1<<AppealPolicies | 1<<AppealCases | 1<<AmendmentPolicies | 1<<AmendmentRecords)

// Roles.
const (
	NeutralReviewer Role = iota + 1
	SafetyAdmin
)

var roleWords = WordList{"reviewer role", []string{"neutral_reviewer", "safety_admin"}}

// Decision statuses.
const (
	ReadyForHumanReview DecisionStatus = iota + 1
	DecisionBlocked
)

var decisionStatusWords = WordList{"decision status", []string{"ready_for_human_review", "blocked"}}

// PrivateOther is not a member name: it counts members that are not in the list.
const PrivateOther PrivateCategory = 11

var privateWords = WordList{"private category", []string{
	"private_narrative", "participant_identity", "confirmation_payload", "reviewer_note", "payment_detail",
	"private_baseline", "counterparty_terms", "exact_wish", "contact_data", "sensitive_constraint", "other",
}}

// Blockers: the list of source 7.1, then what source 7.2 adds. Rule books order those of an area.
const (
	AppealPolicyMissing Blocker = iota + 1
	AppealPolicyNotCurrent
	AppealCaseMissing
	AppealCaseStale
	AppealCaseSuperseded
	StandingMissing
	NoticeMissing
	DeadlineMissing
	DeadlineExpired
	NeutralReviewMissing
	ScopeMissing
	PrivateDetailsUnredacted
	SafetyBlockerWaiverAttempted
	SettledObligationReopenAttempted
	NonRetaliationMissing
	EvidenceScopeMissing
	InvalidCaseHash
	InvalidPolicyHash
	PolicyMissing
	PolicyMutable
	PolicyStale
	PolicySuperseded
	AmendmentMissing
	AmendmentUnconfirmed
	AmendmentNotApproved
	AmendmentNotApplied
	AmendmentRejectedOrWithdrawn
	AmendmentStaleBlocker
	AmendmentSupersededBlocker
	ParentRecordEditDetected
	RetroactivePerformanceChange
	EvidenceClaimRetypedBlocker
	ExposureIncreaseUnconfirmed
	FundsRedirectUnconfirmed
	CompensationChangeUnconfirmed
	CancellationRightsNarrowedBlocker
	PrivacyChangeUnconfirmed
	DonorOfRecordChangeUnconfirmed
	ThirdPartyObligationChangeUnconfirmed
	RenewedConfirmationMissing
	RenewedConfirmationStale
	ParticipantConfirmationScopeMismatch
	ReviewerQualityMissing
	BaselineIntegrityMissing
	BeforeTermsHashMissing
	AfterTermsHashMissing
	PolicySnapshotBundleMissing
	InvalidAmendmentHash
)

var blockerWords = WordList{"fail-closed status", []string{
	"appeal_policy_missing", "appeal_policy_not_current", "appeal_case_missing", "appeal_case_stale",
	"appeal_case_superseded", "standing_missing", "notice_missing", "deadline_missing", "deadline_expired",
	"neutral_review_missing", "scope_missing", "private_details_unredacted", "safety_blocker_waiver_attempted",
	"settled_obligation_reopen_attempted", "non_retaliation_missing", "evidence_scope_missing", "invalid_case_hash",
	"invalid_policy_hash",
	"policy_missing", "policy_mutable", "policy_stale", "policy_superseded", "amendment_missing",
	"amendment_unconfirmed", "amendment_not_approved", "amendment_not_applied", "amendment_rejected_or_withdrawn",
	"amendment_stale", "amendment_superseded", "parent_record_edit_detected", "retroactive_performance_change",
	"evidence_claim_retyped", "exposure_increase_without_confirmation", "funds_redirect_without_confirmation",
	"compensation_change_without_confirmation", "cancellation_rights_narrowed",
	"privacy_change_without_confirmation", "donor_of_record_change_without_confirmation",
	"third_party_obligation_change_without_confirmation", "renewed_confirmation_missing",
	"renewed_confirmation_stale", "participant_confirmation_scope_mismatch", "reviewer_quality_missing",
	"baseline_integrity_missing", "before_terms_hash_missing", "after_terms_hash_missing",
	"policy_snapshot_bundle_missing", "invalid_amendment_hash",
}}

func (areaKind) WordList() *WordList { return &areaWords }

func (tableKind) WordList() *WordList { return &tableWords }

func (blockerKind) WordList() *WordList { return &blockerWords }

func (privateKind) WordList() *WordList { return &privateWords }

func (roleKind) WordList() *WordList { return &roleWords }

func (decisionStatusKind) WordList() *WordList { return &decisionStatusWords }

// AreaOf tells to which area the table belongs.
func AreaOf(t Table) Area {
	switch t {
	case AppealPolicies, AppealCases, AppealEnforcements:
		return Appeals
	case AmendmentPolicies, AmendmentRecords, AmendmentEnforcements:
		return Amendments
	}
	return 0
}

// PolicyTable is the table of the policies of an area; that of appeals for no area.
func PolicyTable(area Area) Table {
	if area == Amendments {
		return AmendmentPolicies
	}
	return AppealPolicies
}

// RecordTable is the table of the cases or amendments of an area.
func RecordTable(area Area) Table {
	if area == Amendments {
		return AmendmentRecords
	}
	return AppealCases
}

// EnforcementTable is the table of the records that reviewers leave in an area.
func EnforcementTable(area Area) Table {
	if area == Amendments {
		return AmendmentEnforcements
	}
	return AppealEnforcements
}

// A Contract names one published contract: the revision judged by, and its validator (source 9).
type Contract struct {
	Version          string // contractVersion
	ValidatorName    string
	ValidatorVersion string
}

// The contracts of the two areas, source 9.
var (
	AppealContract = Contract{
		"trade-challenge-appeal-v0.3", "trade-challenge-appeal-contract", "trade-challenge-appeal-validator-v0.1",
	}
	AmendmentContract = Contract{
		"trade-agreement-amendments-v0.1-2026-06", "trade-agreement-amendments-contract",
		"trade-agreement-amendments-validator-v0.1",
	}
)

// ContractOf returns the contract that judges the area; the zero Contract for no area.
func ContractOf(area Area) Contract {
	switch area {
	case Appeals:
		return AppealContract
	case Amendments:
		return AmendmentContract
	}
	return Contract{}
}

// A Gate is the rules' conclusion. The zero value is Blocked: a forgotten one lets nothing through.
type Gate uint8

const (
	Blocked Gate = iota // a blocker holds, or nothing was evaluated
	Pass                // every rule was evaluated and none holds
)

var gateWords = [...]string{Blocked: "blocked", Pass: "pass"}

// Gates lists the words of the gate, pass first, as contracts print them.
func Gates() []string { return []string{gateWords[Pass], gateWords[Blocked]} }

// String returns "pass" or "blocked": any value but Pass is blocked.
func (g Gate) String() string {
	if g == Pass {
		return gateWords[Pass]
	}
	return gateWords[Blocked]
}

// ParseGate reads a gate; an unknown word is an error and Blocked.
func ParseGate(text string) (Gate, error) {
	for gate, word := range gateWords {
		if word == text {
			return Gate(gate), nil
		}
	}
	return Blocked, fmt.Errorf("not a gate: %s or %s is", gateWords[Pass], gateWords[Blocked])
}

// MarshalJSON writes the gate's word.
func (g Gate) MarshalJSON() ([]byte, error) { return []byte(`"` + g.String() + `"`), nil }

// A Flag is a boolean control that may be absent. The zero value is absent: neither yes nor no.
type Flag uint8

const (
	FlagAbsent Flag = iota
	FlagNo
	FlagYes
)

// IsTrue reports whether the control is present and true.
func (f Flag) IsTrue() bool { return f == FlagYes }

// IsFalse reports whether the control is present and false.
func (f Flag) IsFalse() bool { return f == FlagNo }
