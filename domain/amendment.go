package domain

// An AmendmentPolicy is the frozen rule set that an amendment names (table trade_agreement_amendment_policies). Every
// member but the first four may be absent.
type AmendmentPolicy struct {
	PolicyID        ID
	PolicyVersion   int64
	ContractVersion string
	Status          AmendmentPolicyStatus
	FrozenAt        Instant
	StaleAfter      Instant
	Transitions     Declared[transitionKind]
	PolicyHash      Hash
}

// An Amendment is one revision of a change to a locked agreement (table trade_agreement_amendment_records, seed 2.5).
// Every member but the first five may be absent.
type Amendment struct {
	AmendmentID          ID
	Revision             int64
	ContractVersion      string
	OwnerID              ID
	State                AmendmentState
	AgreementID          ID
	PolicyID             ID
	PolicyVersion        int64
	PolicyHash           Hash
	Transition           Transition
	SubjectType          SubjectType
	AmendmentType        AmendmentType
	ConfirmationState    ConfirmationState
	BeforeTermsHash      Hash
	AfterTermsHash       Hash
	ChangedTerms         Declared[changedTermKind]
	ParentRecord         ParentRecord
	Effects              EffectFlags
	RequiredParties      []ID
	Confirmations        []Confirmation
	OriginalDeciderID    ID
	NeutralReview        NeutralReview
	Notice               Notice
	ReviewerQuality      ReviewerQuality
	BaselineIntegrity    BaselineIntegrity
	DestinationReview    DestinationReview
	PolicySnapshotBundle PolicySnapshotBundle
	AmendmentHash        Hash
}

// ParentRecord holds the parent record's hash when the agreement was locked and as it is observed now.
type ParentRecord struct{ HashAtLock, HashObserved Hash }

// EffectFlags says for each Effect whether the amendment has it; index 0 is not used.
type EffectFlags [ThirdPartyObligationChange + 1]Flag

// Off tells whether the amendment rules the effect out: only a present false does.
func (e *EffectFlags) Off(effect Effect) bool { return effect.Present() && e[effect].IsFalse() }

// A Confirmation is one party's renewed consent to certain effects under certain terms.
type Confirmation struct {
	PartyRef    ID
	Covers      Set[effectKind]
	TermsHash   Hash
	ConfirmedAt Instant
	ExpiresAt   Instant
}

// live tells whether the confirmation is of those terms and in force now.
func (c *Confirmation) live(terms Hash, now Instant) bool {
	return c.TermsHash.Matches(terms) && c.ConfirmedAt.notAfter(now) && !c.ExpiresAt.notAfter(now)
}

// ReviewerQuality says whether the reviewers met the quality criteria.
type ReviewerQuality struct{ CriteriaMet Flag }

// BaselineIntegrity says whether the baseline was verified.
type BaselineIntegrity struct{ Verified Flag }

// DestinationReview says whether the recipient or destination was reviewed.
type DestinationReview struct{ Completed Flag }

// PolicySnapshotBundle is the snapshot of the policy that was kept with the amendment.
type PolicySnapshotBundle struct {
	Subject    SnapshotSubject
	PolicyHash Hash
}
