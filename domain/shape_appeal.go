package domain

import "docket/domain/shape"

// The shapes of the two appeal tables, in the order in which they are documented. Only the members marked required
// must be there: any other that is absent is for the rules to judge.

var appealPolicyShape = shape.New(
	shape.Required(idMember("policyId", func(p *AppealPolicy) *ID { return &p.PolicyID })),
	shape.Required(shape.VersionMember[reading]("policyVersion", func(p *AppealPolicy) *int64 { return &p.PolicyVersion })),
	shape.Required(stringMember("contractVersion", func(p *AppealPolicy) *string { return &p.ContractVersion })),
	shape.Required(wordMember("status", func(p *AppealPolicy) *AppealPolicyStatus { return &p.Status })),
	timeMember("frozenAt", func(p *AppealPolicy) *Instant { return &p.FrozenAt }),
	timeMember("effectiveFrom", func(p *AppealPolicy) *Instant { return &p.EffectiveFrom }),
	shape.Nullable(timeMember("effectiveUntil", func(p *AppealPolicy) *Instant { return &p.EffectiveUntil })),
	shape.ObjectMember("outcomeRules", outcomeRulesShape, func(p *AppealPolicy) *OutcomeRules { return &p.OutcomeRules }),
	hashMember("policyHash", func(p *AppealPolicy) *Hash { return &p.PolicyHash }),
)

var outcomeRulesShape = func() *shapeOf[OutcomeRules] {
	members := make([]member[OutcomeRules], 0, Triggers.Len())
	for _, trigger := range Triggers.All() {
		members = append(members, shape.ObjectMember(trigger.String(), outcomeRuleShape,
			func(r *OutcomeRules) *OutcomeRule { return &r[trigger] }))
	}
	return shape.New(members...)
}()

var outcomeRuleShape = shape.New(
	wordMember("advisory", func(r *OutcomeRule) *Outcome { return &r.Advisory }),
	wordsMember("compatible", func(r *OutcomeRule) *OutcomeSet { return &r.Compatible }),
)

var appealCaseShape = shape.New(
	shape.Required(idMember("caseId", func(c *AppealCase) *ID { return &c.CaseID })),
	shape.Required(shape.VersionMember[reading]("revision", func(c *AppealCase) *int64 { return &c.Revision })),
	shape.Required(looseMember("contractVersion", func(c *AppealCase) *Text { return &c.ContractVersion })),
	shape.Required(wordMember("status", func(c *AppealCase) *CaseStatus { return &c.Status })),
	idMember("policyId", func(c *AppealCase) *ID { return &c.PolicyID }),
	shape.VersionMember[reading]("policyVersion", func(c *AppealCase) *int64 { return &c.PolicyVersion }),
	hashMember("policyHash", func(c *AppealCase) *Hash { return &c.PolicyHash }),
	wordMember("subject", func(c *AppealCase) *Subject { return &c.Subject }),
	idMember("subjectId", func(c *AppealCase) *ID { return &c.SubjectID }),
	wordMember("trigger", func(c *AppealCase) *Trigger { return &c.Trigger }),
	shape.ObjectMember("standing", standingShape, func(c *AppealCase) *Standing { return &c.Standing }),
	shape.ObjectMember("notice", noticeShape, func(c *AppealCase) *Notice { return &c.Notice }),
	timeMember("filedAt", func(c *AppealCase) *Instant { return &c.FiledAt }),
	timeMember("deadline", func(c *AppealCase) *Instant { return &c.Deadline }),
	shape.ObjectMember("evidenceScope", evidenceScopeShape, func(c *AppealCase) *EvidenceScope { return &c.EvidenceScope }),
	hashMember("scopeHash", func(c *AppealCase) *Hash { return &c.ScopeHash }),
	shape.ObjectMember("nonRetaliation", shape.New(
		flagMember("acknowledged", func(n *NonRetaliation) *Flag { return &n.Acknowledged }),
	), func(c *AppealCase) *NonRetaliation { return &c.NonRetaliation }),
	idMember("originalDeciderId", func(c *AppealCase) *ID { return &c.OriginalDeciderID }),
	idsMember("partyIds", func(c *AppealCase) *[]ID { return &c.PartyIDs }),
	shape.ObjectMember("neutralReview", neutralReviewShape, func(c *AppealCase) *NeutralReview { return &c.NeutralReview }),
	shape.Nullable(wordMember("requestedOutcome", func(c *AppealCase) *Outcome { return &c.RequestedOutcome })),
	declaredMember("requestedEffects", func(c *AppealCase) *DeclaredEffects { return &c.RequestedEffects }),
	textMember("remedyGap", func(c *AppealCase) *Text { return &c.RemedyGap }),
	shape.ObjectMember("redaction", shape.New(
		wordMember("status", func(r *RedactionClaim) *RedactionStatus { return &r.Status }),
	), func(c *AppealCase) *RedactionClaim { return &c.Redaction }),
	hashMember("caseHash", func(c *AppealCase) *Hash { return &c.CaseHash }),
)

var standingShape = shape.New(
	wordMember("category", func(s *Standing) *StandingCategory { return &s.Category }),
	flagMember("accepted", func(s *Standing) *Flag { return &s.Accepted }),
	textMember("privacySafeSummary", func(s *Standing) *Text { return &s.PrivacySafeSummary }),
)

var noticeShape = shape.New(
	wordMember("state", func(n *Notice) *NoticeState { return &n.State }),
	timeMember("deliveredAt", func(n *Notice) *Instant { return &n.DeliveredAt }),
)

var evidenceScopeShape = shape.New(
	idsMember("items", func(e *EvidenceScope) *[]ID { return &e.Items }),
	textMember("statement", func(e *EvidenceScope) *Text { return &e.Statement }),
)

var neutralReviewShape = shape.New(
	flagMember("assigned", func(n *NeutralReview) *Flag { return &n.Assigned }),
	idMember("reviewerId", func(n *NeutralReview) *ID { return &n.ReviewerID }),
	flagMember("conflictChecked", func(n *NeutralReview) *Flag { return &n.ConflictChecked }),
	flagMember("conflictFound", func(n *NeutralReview) *Flag { return &n.ConflictFound }),
	idsMember("recusedReviewerIds", func(n *NeutralReview) *[]ID { return &n.RecusedReviewerIDs }),
)
