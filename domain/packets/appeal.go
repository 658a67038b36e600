package packets

import (
	"slices"

	"docket/domain/json"
	"docket/domain/terms"
)

// An AppealPolicy is the frozen rule set that an appeal case names (table trade_appeal_policies). Every member but the
// first four may be absent; an absent one blocks where a rule reads it.
type AppealPolicy struct {
	PolicyID        terms.ID
	PolicyVersion   int64
	ContractVersion string
	Status          terms.AppealPolicyStatus
	FrozenAt        terms.Instant
	EffectiveFrom   terms.Instant
	EffectiveUntil  terms.Instant
	OutcomeRules    OutcomeRules
	PolicyHash      terms.Hash
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

// An OutcomeRule says what the policy advises for a trigger and which outcomes a reviewer may choose (source 2.3.4).
type OutcomeRule struct {
	Advisory   terms.Outcome
	Compatible terms.OutcomeSet
}

// Usable reports whether the rule advises something that it also permits. The zero rule does not.
func (r OutcomeRule) Usable() bool { return r.Compatible.Has(r.Advisory) }

// An AppealCase is one revision of an appeal (table trade_appeal_cases, source 2.3). Every member but the first four may
// be absent.
type AppealCase struct {
	CaseID            terms.ID
	Revision          int64
	ContractVersion   Text // of any length; "" is one, too
	Status            terms.CaseStatus
	PolicyID          terms.ID
	PolicyVersion     int64
	PolicyHash        terms.Hash
	Subject           terms.Subject
	SubjectID         terms.ID
	Trigger           terms.Trigger
	Standing          Standing
	Notice            Notice
	FiledAt           terms.Instant
	Deadline          terms.Instant
	EvidenceScope     EvidenceScope
	ScopeHash         terms.Hash
	NonRetaliation    NonRetaliation
	OriginalDeciderID terms.ID
	PartyIDs          []terms.ID
	NeutralReview     NeutralReview
	RequestedOutcome  terms.Outcome
	RequestedEffects  terms.DeclaredEffects
	RemedyGap         Text
	Redaction         RedactionClaim
	CaseHash          terms.Hash
}

// HasParty reports whether the person is a party to the appeal: its appellant, or another with a stake in it.
func (c *AppealCase) HasParty(person terms.ID) bool { return slices.Contains(c.PartyIDs, person) }

// Standing is the category of the appellant and whether it was accepted (source 2.3.2).
type Standing struct {
	Category           terms.StandingCategory
	Accepted           terms.Flag
	PrivacySafeSummary Text
}

// Notice says how far the notice to the parties has come.
type Notice struct {
	State       terms.NoticeState
	DeliveredAt terms.Instant
}

// DeliveredBy reports whether the notice is delivered and that time has come.
func (n Notice) DeliveredBy(now terms.Instant) bool {
	return n.State == terms.NoticeDelivered && n.DeliveredAt.NotAfter(now)
}

// EvidenceScope names the evidence the appeal is about.
type EvidenceScope struct {
	Items     []terms.ID
	Statement Text
}

// NonRetaliation says whether the parties acknowledged the rule against retaliation.
type NonRetaliation struct{ Acknowledged terms.Flag }

// NeutralReview says who reviews and whether that person is free of conflicts.
type NeutralReview struct {
	Assigned           terms.Flag
	ReviewerID         terms.ID
	ConflictChecked    terms.Flag
	ConflictFound      terms.Flag
	RecusedReviewerIDs []terms.ID
}

// Recuses reports whether the person is on the list of recused reviewers.
func (n NeutralReview) Recuses(person terms.ID) bool {
	return slices.Contains(n.RecusedReviewerIDs, person)
}

// RedactionClaim is the source's own word on whether it has redacted the case.
type RedactionClaim struct{ Status terms.RedactionStatus }

// HoldsMaskedText reports whether any text of the case, its contract version included, is masked.
func (c *AppealCase) HoldsMaskedText() bool {
	return c.ContractVersion.Masked() || c.Standing.PrivacySafeSummary.Masked() || c.EvidenceScope.Statement.Masked() || c.RemedyGap.Masked()
}

// The shapes of the two appeal tables, in the order in which they are documented. Only the members marked required
// must be there: any other that is absent is for the rules to judge.

var appealPolicyShape = json.NewReader(
	json.Required(IDMember("policyId", func(p *AppealPolicy) *terms.ID { return &p.PolicyID })),
	json.Required(json.VersionMember[Reading]("policyVersion", func(p *AppealPolicy) *int64 { return &p.PolicyVersion })),
	json.Required(versionMember(func(p *AppealPolicy, v Text) { p.ContractVersion = v.String() })),
	json.Required(TermMember("status", func(p *AppealPolicy) *terms.AppealPolicyStatus { return &p.Status })),
	TimeMember("frozenAt", func(p *AppealPolicy) *terms.Instant { return &p.FrozenAt }),
	TimeMember("effectiveFrom", func(p *AppealPolicy) *terms.Instant { return &p.EffectiveFrom }),
	json.Nullable(TimeMember("effectiveUntil", func(p *AppealPolicy) *terms.Instant { return &p.EffectiveUntil })),
	json.ObjectMember("outcomeRules", outcomeRulesShape, func(p *AppealPolicy) *OutcomeRules { return &p.OutcomeRules }),
	statedHash("policyHash", func(p *AppealPolicy) *terms.Hash { return &p.PolicyHash }),
)

var outcomeRulesShape = func() *ShapeOf[*OutcomeRules] {
	members := make([]Member[*OutcomeRules], 0, terms.Triggers.Len())
	for _, trigger := range terms.Triggers.All() {
		members = append(members, json.ObjectMember(trigger.String(), outcomeRuleShape,
			func(r *OutcomeRules) *OutcomeRule { return &r[trigger] }))
	}
	return json.NewReader(members...)
}()

var outcomeRuleShape = json.NewReader(
	TermMember("advisory", func(r *OutcomeRule) *terms.Outcome { return &r.Advisory }),
	TermsMember("compatible", func(r *OutcomeRule) *terms.OutcomeSet { return &r.Compatible }),
)

var appealCaseShape = json.NewReader(
	json.Required(IDMember("caseId", func(c *AppealCase) *terms.ID { return &c.CaseID })),
	json.Required(json.VersionMember[Reading]("revision", func(c *AppealCase) *int64 { return &c.Revision })),
	json.Required(versionMember(func(c *AppealCase, v Text) { c.ContractVersion = v })),
	json.Required(TermMember("status", func(c *AppealCase) *terms.CaseStatus { return &c.Status })),
	IDMember("policyId", func(c *AppealCase) *terms.ID { return &c.PolicyID }),
	json.VersionMember[Reading]("policyVersion", func(c *AppealCase) *int64 { return &c.PolicyVersion }),
	HashMember("policyHash", func(c *AppealCase) *terms.Hash { return &c.PolicyHash }),
	TermMember("subject", func(c *AppealCase) *terms.Subject { return &c.Subject }),
	IDMember("subjectId", func(c *AppealCase) *terms.ID { return &c.SubjectID }),
	TermMember("trigger", func(c *AppealCase) *terms.Trigger { return &c.Trigger }),
	json.ObjectMember("standing", standingShape, func(c *AppealCase) *Standing { return &c.Standing }),
	json.ObjectMember("notice", noticeShape, func(c *AppealCase) *Notice { return &c.Notice }),
	TimeMember("filedAt", func(c *AppealCase) *terms.Instant { return &c.FiledAt }),
	TimeMember("deadline", func(c *AppealCase) *terms.Instant { return &c.Deadline }),
	json.ObjectMember("evidenceScope", evidenceScopeShape, func(c *AppealCase) *EvidenceScope { return &c.EvidenceScope }),
	statedHash("scopeHash", func(c *AppealCase) *terms.Hash { return &c.ScopeHash }),
	json.ObjectMember("nonRetaliation", json.NewReader(
		flagMember("acknowledged", func(n *NonRetaliation) *terms.Flag { return &n.Acknowledged }),
	), func(c *AppealCase) *NonRetaliation { return &c.NonRetaliation }),
	IDMember("originalDeciderId", func(c *AppealCase) *terms.ID { return &c.OriginalDeciderID }),
	idsMember("partyIds", func(c *AppealCase) *[]terms.ID { return &c.PartyIDs }),
	json.ObjectMember("neutralReview", neutralReviewShape, func(c *AppealCase) *NeutralReview { return &c.NeutralReview }),
	json.Nullable(TermMember("requestedOutcome", func(c *AppealCase) *terms.Outcome { return &c.RequestedOutcome })),
	declaredMember("requestedEffects", func(c *AppealCase) *terms.DeclaredEffects { return &c.RequestedEffects }),
	textMember("remedyGap", func(c *AppealCase) *Text { return &c.RemedyGap }),
	json.ObjectMember("redaction", json.NewReader(
		TermMember("status", func(r *RedactionClaim) *terms.RedactionStatus { return &r.Status }),
	), func(c *AppealCase) *RedactionClaim { return &c.Redaction }),
	statedHash("caseHash", func(c *AppealCase) *terms.Hash { return &c.CaseHash }),
)

var standingShape = json.NewReader(
	TermMember("category", func(s *Standing) *terms.StandingCategory { return &s.Category }),
	flagMember("accepted", func(s *Standing) *terms.Flag { return &s.Accepted }),
	textMember("privacySafeSummary", func(s *Standing) *Text { return &s.PrivacySafeSummary }),
)

var noticeShape = json.NewReader(
	TermMember("state", func(n *Notice) *terms.NoticeState { return &n.State }),
	TimeMember("deliveredAt", func(n *Notice) *terms.Instant { return &n.DeliveredAt }),
)

var evidenceScopeShape = json.NewReader(
	idsMember("items", func(e *EvidenceScope) *[]terms.ID { return &e.Items }),
	textMember("statement", func(e *EvidenceScope) *Text { return &e.Statement }),
)

var neutralReviewShape = json.NewReader(
	flagMember("assigned", func(n *NeutralReview) *terms.Flag { return &n.Assigned }),
	IDMember("reviewerId", func(n *NeutralReview) *terms.ID { return &n.ReviewerID }),
	flagMember("conflictChecked", func(n *NeutralReview) *terms.Flag { return &n.ConflictChecked }),
	flagMember("conflictFound", func(n *NeutralReview) *terms.Flag { return &n.ConflictFound }),
	idsMember("recusedReviewerIds", func(n *NeutralReview) *[]terms.ID { return &n.RecusedReviewerIDs }),
)
