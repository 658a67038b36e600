package packets

import (
	"reflect"
	"slices"

	"docket/domain/json"
	"docket/domain/terms"
)

// An AppealPolicy is the frozen rule set that an appeal case names (table trade_appeal_policies).
// Every member but the first four may be absent; an absent one blocks where a rule reads it.
type AppealPolicy struct {
	PolicyID        terms.ID                 `json:"policyId"`
	PolicyVersion   int64                    `json:"policyVersion"`
	ContractVersion string                   `json:"contractVersion"`
	Status          terms.AppealPolicyStatus `json:"status"`
	FrozenAt        terms.Instant            `json:"frozenAt,omitempty"`
	EffectiveFrom   terms.Instant            `json:"effectiveFrom,omitempty"`
	EffectiveUntil  terms.Instant            `json:"effectiveUntil,omitempty" null:"absent"`
	OutcomeRules    OutcomeRules             `json:"outcomeRules,omitempty"`
	PolicyHash      terms.Hash               `json:"policyHash,omitempty"`
}

// OutcomeRules holds the rule of each trigger, indexed by Trigger; index 0 is not used.
type OutcomeRules [terms.PolicyMisapplied + 1]OutcomeRule

// For returns the rule for a trigger; the zero rule where there is none, which permits nothing.
func (r *OutcomeRules) For(t terms.Trigger) OutcomeRule {
	if !t.Present() {
		return OutcomeRule{}
	}
	return r[t]
}

// An OutcomeRule is a policy's advice for a trigger and the outcomes it permits (source 2.3.4).
type OutcomeRule struct {
	Advisory   terms.Outcome
	Compatible terms.OutcomeSet
}

// Usable reports whether the rule advises something that it also permits. The zero rule does not.
func (r OutcomeRule) Usable() bool { return r.Compatible.Has(r.Advisory) }

// An AppealCase is one revision of an appeal (table trade_appeal_cases, source 2.3). Every member
// but the first four may be absent.
type AppealCase struct {
	CaseID            terms.ID              `json:"caseId"`
	Revision          int64                 `json:"revision"`
	ContractVersion   Text                  `json:"contractVersion"` // of any length; "" is one, too
	Status            terms.CaseStatus      `json:"status"`
	PolicyID          terms.ID              `json:"policyId,omitempty"`
	PolicyVersion     int64                 `json:"policyVersion,omitempty"`
	PolicyHash        terms.Hash            `json:"policyHash,omitempty"`
	Subject           terms.Subject         `json:"subject,omitempty"`
	SubjectID         terms.ID              `json:"subjectId,omitempty"`
	Trigger           terms.Trigger         `json:"trigger,omitempty"`
	Standing          Standing              `json:"standing,omitempty"`
	Notice            Notice                `json:"notice,omitempty"`
	FiledAt           terms.Instant         `json:"filedAt,omitempty"`
	Deadline          terms.Instant         `json:"deadline,omitempty"`
	EvidenceScope     EvidenceScope         `json:"evidenceScope,omitempty"`
	ScopeHash         terms.Hash            `json:"scopeHash,omitempty"`
	NonRetaliation    NonRetaliation        `json:"nonRetaliation,omitempty"`
	OriginalDeciderID terms.ID              `json:"originalDeciderId,omitempty"`
	PartyIDs          []terms.ID            `json:"partyIds,omitempty"`
	NeutralReview     NeutralReview         `json:"neutralReview,omitempty"`
	RequestedOutcome  terms.Outcome         `json:"requestedOutcome,omitempty" null:"absent"`
	RequestedEffects  terms.DeclaredEffects `json:"requestedEffects,omitempty"`
	RemedyGap         Text                  `json:"remedyGap,omitempty"`
	Redaction         RedactionClaim        `json:"redaction,omitempty"`
	CaseHash          terms.Hash            `json:"caseHash,omitempty"`
}

// HasParty reports whether the person is the appellant or another with a stake in the appeal.
func (c *AppealCase) HasParty(person terms.ID) bool { return slices.Contains(c.PartyIDs, person) }

// Standing is the category of the appellant and whether it was accepted (source 2.3.2).
type Standing struct {
	Category           terms.StandingCategory `json:"category,omitempty"`
	Accepted           terms.Flag             `json:"accepted,omitempty"`
	PrivacySafeSummary Text                   `json:"privacySafeSummary,omitempty"`
}

// Notice says how far the notice to the parties has come.
type Notice struct {
	State       terms.NoticeState `json:"state,omitempty"`
	DeliveredAt terms.Instant     `json:"deliveredAt,omitempty"`
}

// DeliveredBy reports whether the notice is delivered and that time has come.
func (n Notice) DeliveredBy(now terms.Instant) bool {
	return n.State == terms.NoticeDelivered && n.DeliveredAt.NotAfter(now)
}

// EvidenceScope names the evidence the appeal is about.
type EvidenceScope struct {
	Items     []terms.ID `json:"items,omitempty"`
	Statement Text       `json:"statement,omitempty"`
}

// NonRetaliation says whether the parties acknowledged the rule against retaliation.
type NonRetaliation struct {
	Acknowledged terms.Flag `json:"acknowledged,omitempty"`
}

// NeutralReview says who reviews and whether that person is free of conflicts.
type NeutralReview struct {
	Assigned           terms.Flag `json:"assigned,omitempty"`
	ReviewerID         terms.ID   `json:"reviewerId,omitempty"`
	ConflictChecked    terms.Flag `json:"conflictChecked,omitempty"`
	ConflictFound      terms.Flag `json:"conflictFound,omitempty"`
	RecusedReviewerIDs []terms.ID `json:"recusedReviewerIds,omitempty"`
}

// Recuses reports whether the person is on the list of recused reviewers.
func (n NeutralReview) Recuses(person terms.ID) bool {
	return slices.Contains(n.RecusedReviewerIDs, person)
}

// RedactionClaim is the source's own word on whether it has redacted the case.
type RedactionClaim struct {
	Status terms.RedactionStatus `json:"status,omitempty"`
}

// HoldsMaskedText reports whether any text of the case, its contract version included, is masked.
func (c *AppealCase) HoldsMaskedText() bool {
	return c.ContractVersion.Masked() || c.Standing.PrivacySafeSummary.Masked() ||
		c.EvidenceScope.Statement.Masked() || c.RemedyGap.Masked()
}

func outcomeRulesMember(name string, at func(reflect.Value) *OutcomeRules) Member[reflect.Value] {
	members := make([]Member[*OutcomeRules], 0, terms.Triggers.Len())
	for _, trigger := range terms.Triggers.All() {
		members = append(members, json.ObjectMember(trigger.String(), outcomeRuleShape,
			func(r *OutcomeRules) *OutcomeRule { return &r[trigger] }))
	}
	return json.ObjectMember(name, json.NewReader(members...), at)
}

var outcomeRuleShape = json.NewReader(
	TermMember("advisory", func(r *OutcomeRule) *terms.Outcome { return &r.Advisory }),
	TermsMember("compatible", func(r *OutcomeRule) *terms.OutcomeSet { return &r.Compatible }),
)
