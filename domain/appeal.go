package domain

import "slices"

// An AppealPolicy is the frozen rule set that an appeal case names (table trade_appeal_policies). Every member but the
// first four may be absent; an absent one blocks wherever a rule reads it.
type AppealPolicy struct {
	PolicyID        ID
	PolicyVersion   int64
	ContractVersion string
	Status          AppealPolicyStatus
	FrozenAt        Instant
	EffectiveFrom   Instant
	EffectiveUntil  Instant
	OutcomeRules    OutcomeRules
	PolicyHash      Hash
}

// OutcomeRules holds the rule of each trigger, indexed by Trigger; index 0 is not used.
type OutcomeRules [PolicyMisapplied + 1]OutcomeRule

// For returns the rule for a trigger; the zero rule where there is none, which permits nothing.
func (r *OutcomeRules) For(t Trigger) OutcomeRule {
	if !t.Present() {
		return OutcomeRule{}
	}
	return r[t]
}

// An OutcomeRule says what the policy advises for a trigger and which outcomes a reviewer may choose (seed 2.3.4).
type OutcomeRule struct {
	Advisory   Outcome
	Compatible OutcomeSet
}

// Usable tells whether the rule advises something that it also permits. The zero rule does not.
func (r OutcomeRule) Usable() bool { return r.Compatible.Has(r.Advisory) }

// An AppealCase is one revision of an appeal (table trade_appeal_cases, seed 2.3). Every member but the first four may
// be absent.
type AppealCase struct {
	CaseID            ID
	Revision          int64
	ContractVersion   Text // of any length; "" is one, too
	Status            CaseStatus
	PolicyID          ID
	PolicyVersion     int64
	PolicyHash        Hash
	Subject           Subject
	SubjectID         ID
	Trigger           Trigger
	Standing          Standing
	Notice            Notice
	FiledAt           Instant
	Deadline          Instant
	EvidenceScope     EvidenceScope
	ScopeHash         Hash
	NonRetaliation    NonRetaliation
	OriginalDeciderID ID
	PartyIDs          []ID
	NeutralReview     NeutralReview
	RequestedOutcome  Outcome
	RequestedEffects  DeclaredEffects
	RemedyGap         Text
	Redaction         RedactionClaim
	CaseHash          Hash
}

// HasParty tells whether the person is a party to the appeal: its appellant, or another with a stake in it.
func (c *AppealCase) HasParty(person ID) bool { return slices.Contains(c.PartyIDs, person) }

// Standing says as whom somebody appeals and whether that was accepted (seed 2.3.2).
type Standing struct {
	Category           StandingCategory
	Accepted           Flag
	PrivacySafeSummary Text
}

// Notice says how far the notice to the parties has come.
type Notice struct {
	State       NoticeState
	DeliveredAt Instant
}

// DeliveredBy tells whether the notice is delivered and that time has come.
func (n Notice) DeliveredBy(now Instant) bool {
	return n.State == NoticeDelivered && n.DeliveredAt.NotAfter(now)
}

// EvidenceScope names the evidence the appeal is about.
type EvidenceScope struct {
	Items     []ID
	Statement Text
}

// NonRetaliation says whether the parties acknowledged the rule against retaliation.
type NonRetaliation struct{ Acknowledged Flag }

// NeutralReview says who reviews and whether that person is free of conflicts.
type NeutralReview struct {
	Assigned           Flag
	ReviewerID         ID
	ConflictChecked    Flag
	ConflictFound      Flag
	RecusedReviewerIDs []ID
}

// Recuses tells whether the person is on the list of recused reviewers.
func (n NeutralReview) Recuses(person ID) bool {
	return slices.Contains(n.RecusedReviewerIDs, person)
}

// RedactionClaim is the source's own word on whether it has redacted the case.
type RedactionClaim struct{ Status RedactionStatus }

// HoldsMaskedText tells whether any text of the case, its contract version included, was found to hold private details.
func (c *AppealCase) HoldsMaskedText() bool {
	return c.ContractVersion.Masked() || c.Standing.PrivacySafeSummary.Masked() || c.EvidenceScope.Statement.Masked() || c.RemedyGap.Masked()
}
