package terms

// The words of the agreement-amendment contract (source 2.5 and 3.2) and those of this project.

type (
	// A Transition is what an amendment sets out to do (source 2.5.1).
	Transition = Term[transitionKind]
	// A GuardedAction is something a transition blocks while its gate is blocked (source 2.5.1).
	GuardedAction = Term[guardedKind]
	// A SubjectType is the kind of agreement that is amended (source 2.5.2).
	SubjectType = Term[subjectTypeKind]
	// An AmendmentType is the kind of change (source 2.5.3).
	AmendmentType = Term[amendmentTypeKind]
	// An AmendmentState is the state of an amendment (source 3.2).
	AmendmentState = Term[amendmentStateKind]
	// A ConfirmationState sums up the renewed confirmations (source 3.2).
	ConfirmationState = Term[confirmationKind]
	// An AmendmentPolicyStatus is the status of an amendment policy (this project's choice).
	AmendmentPolicyStatus = Term[amendmentPolicyStatusKind]
	// A ChangedTerm is a term of the agreement that the amendment touches (this project's choice).
	ChangedTerm = Term[changedTermKind]
	// An Effect is a consequence that an amendment declares or rules out (this project's choice).
	Effect = Term[effectKind]
	// A SnapshotSubject is what a policy snapshot bundle was taken for (source 2.3 and 2.5).
	SnapshotSubject = Term[snapshotKind]
)

type (
	transitionKind            struct{}
	guardedKind               struct{}
	subjectTypeKind           struct{}
	amendmentTypeKind         struct{}
	amendmentStateKind        struct{}
	confirmationKind          struct{}
	amendmentPolicyStatusKind struct{}
	changedTermKind           struct{}
	effectKind                struct{}
	snapshotKind              struct{}
)

// The sets that other packages name, and what an amendment or its policy may declare.
type (
	EffectSet           = Set[effectKind]
	GuardedSet          = Set[guardedKind]
	SubjectTypeSet      = Set[subjectTypeKind]
	AmendmentTypeSet    = Set[amendmentTypeKind]
	AmendmentStateSet   = Set[amendmentStateKind]
	DeclaredTransitions = Declared[transitionKind]
	DeclaredTerms       = Declared[changedTermKind]
)

// The vocabularies of amendments, for parsing and listing.
var (
	Transitions             Terms[transitionKind]
	GuardedActions          Terms[guardedKind]
	SubjectTypes            Terms[subjectTypeKind]
	AmendmentTypes          Terms[amendmentTypeKind]
	AmendmentStates         Terms[amendmentStateKind]
	ConfirmationStates      Terms[confirmationKind]
	AmendmentPolicyStatuses Terms[amendmentPolicyStatusKind]
	ChangedTerms            Terms[changedTermKind]
	Effects                 Terms[effectKind]
	SnapshotSubjects        Terms[snapshotKind]
)

// Transitions, source 2.5.1.
const (
	DonationOffsetMaterialChange Transition = iota + 1
	PledgeSwapMaterialChange
	PostLockCorrection
	PauseOrEarlyTermination
	EvidenceStandardChange
	DestinationChange
)

var transitionWords = WordList{"transition", []string{
	"donation_offset_material_change", "pledge_swap_material_change", "post_lock_correction",
	"pause_or_early_termination", "evidence_standard_change", "destination_change",
}}

// Guarded actions, in the order in which source 2.5.1 first names them.
const (
	PaymentCapture GuardedAction = iota + 1
	PublicCompletedClaim
	PayoutRelease
	PerformanceStart
	MatchedTradeLockUpdate
	RelianceBearingPreview
	TermsSnapshotUpdate
	EvidenceAcceptance
	ClearedAgreementUpdate
	PerformancePause
	EarlyTerminationAction
	RefundOrCarryForward
	EvidenceReview
	ImpactClaimPublication
	BreachRemedy
	DestinationReuse
	PublicMoneyMetric
)

var guardedWords = WordList{"guarded action", []string{
	"payment_capture", "public_completed_claim", "payout_release", "performance_start", "matched_trade_lock_update",
	"reliance_bearing_preview", "terms_snapshot_update", "evidence_acceptance", "cleared_agreement_update",
	"performance_pause", "early_termination", "refund_or_carry_forward", "evidence_review",
	"impact_claim_publication", "breach_remedy", "destination_reuse", "public_money_metric",
}}

// Subject types, source 2.5.2.
const (
	LockedDonationOffset SubjectType = iota + 1
	LockedPledgeSwap
	MatchedTradeLockProposal
	ClearedTradeAgreement
)

var subjectTypeWords = WordList{"amendment subject type", []string{
	"locked_donation_offset", "locked_pledge_swap", "matched_trade_lock_proposal", "cleared_trade_agreement",
}}

// Amendment types, source 2.5.3.
const (
	TypeCorrection AmendmentType = iota + 1
	TypeMutualModification
	TypePause
	TypeEarlyTermination
	TypeEvidenceStandardChange
	TypeScheduleChange
	TypeCompensationChange
	TypeDestinationChange
	TypeBaselineCorrection
	TypePrivacyChange
	TypeOther
)

var amendmentTypeWords = WordList{"amendment type", []string{
	"correction", "mutual_modification", "pause", "early_termination", "evidence_standard_change", "schedule_change",
	"compensation_change", "destination_change", "baseline_correction", "privacy_change", "other",
}}

// Amendment states, source 3.2.
const (
	AmendmentDraft AmendmentState = iota + 1
	AmendmentPresented
	AmendmentConfirmed
	AmendmentApproved
	AmendmentApplied
	AmendmentRejected
	AmendmentWithdrawn
	AmendmentSuperseded
	AmendmentStale
)

var amendmentStateWords = WordList{"amendment state", []string{
	"draft", "presented", "confirmed", "approved", "applied", "rejected", "withdrawn", "superseded", "stale",
}}

// Confirmation states, source 3.2.
const (
	ConfirmationMissing ConfirmationState = iota + 1
	ConfirmationStale
	ConfirmationScopeMismatch
	ConfirmationPassed
	ConfirmationNotRequired
)

var confirmationWords = WordList{"confirmation state", []string{
	"missing", "stale", "scope_mismatch", "passed", "not_required_for_stage",
}}

// Amendment policy statuses.
const (
	AmendmentPolicyDraft AmendmentPolicyStatus = iota + 1
	AmendmentPolicyFrozen
	AmendmentPolicyStale
	AmendmentPolicySuperseded
)

var amendmentPolicyStatusWords = WordList{"amendment policy status", []string{
	"draft", "frozen", "stale", "superseded",
}}

// Changed terms.
const (
	TermWording ChangedTerm = iota + 1
	TermAmount
	TermRatio
	TermBaseline
	TermDestination
	TermDonorTreatment
	TermEvidenceStandard
	TermRemedy
	TermSchedule
	TermCompensation
	TermPrivacy
	TermCancellation
)

var changedTermWords = WordList{"changed term", []string{
	"wording", "amount", "ratio", "baseline", "destination", "donor_treatment", "evidence_standard", "remedy",
	"schedule", "compensation", "privacy", "cancellation",
}}

// Effects.
const (
	RetroactivePerformance Effect = iota + 1
	EvidenceClaimRetyped
	ExposureIncrease
	FundsRedirect
	CompensationChange
	CancellationRightsNarrowed
	PrivacyChange
	DonorOfRecordChange
	ThirdPartyObligationChange
)

var effectWords = WordList{"effect", []string{
	"retroactivePerformance", "evidenceClaimRetyped", "exposureIncrease", "fundsRedirect", "compensationChange",
	"cancellationRightsNarrowed", "privacyChange", "donorOfRecordChange", "thirdPartyObligationChange",
}}

// ConfirmableEffects are cured in any transition by live confirmations of every required party.
const ConfirmableEffects = EffectSet(1<<ExposureIncrease | 1<<FundsRedirect | 1<<CompensationChange |
	1<<PrivacyChange | 1<<DonorOfRecordChange | 1<<ThirdPartyObligationChange)

// Snapshot subjects.
const (
	SnapshotAppealCase SnapshotSubject = iota + 1
	SnapshotAgreementAmendment
)

var snapshotWords = WordList{"policy snapshot subject", []string{"appeal_case", "agreement_amendment"}}

func (transitionKind) WordList() *WordList { return &transitionWords }

func (guardedKind) WordList() *WordList { return &guardedWords }

func (subjectTypeKind) WordList() *WordList { return &subjectTypeWords }

func (amendmentTypeKind) WordList() *WordList { return &amendmentTypeWords }

func (amendmentStateKind) WordList() *WordList { return &amendmentStateWords }

func (confirmationKind) WordList() *WordList { return &confirmationWords }

func (amendmentPolicyStatusKind) WordList() *WordList { return &amendmentPolicyStatusWords }

func (changedTermKind) WordList() *WordList { return &changedTermWords }

func (effectKind) WordList() *WordList { return &effectWords }

func (snapshotKind) WordList() *WordList { return &snapshotWords }
