package sample

import (
	"time"

	"docket/domain"
)

// A defect makes a generated record show a blocker, among others.
type defect[R any] struct {
	code  domain.Blocker
	apply func(*generator, *R)
}

// caseDefects has one defect for each blocker of an appeal case.
var caseDefects = []defect[generatedCase]{
	{domain.AppealPolicyMissing, func(_ *generator, c *generatedCase) { c.policy.version = 99 }},
	{domain.AppealPolicyNotCurrent, func(g *generator, c *generatedCase) { c.policy = g.policies[formerAppeals] }},
	{domain.AppealCaseMissing, func(_ *generator, c *generatedCase) { c.status = "draft" }},
	{domain.AppealCaseStale, func(_ *generator, c *generatedCase) { c.status = "stale" }},
	{domain.AppealCaseSuperseded, func(_ *generator, c *generatedCase) { c.status = "superseded" }},
	{domain.StandingMissing, func(_ *generator, c *generatedCase) { c.accepted = false }},
	{domain.NoticeMissing, func(_ *generator, c *generatedCase) { c.noticeState = "failed" }},
	{domain.DeadlineMissing, func(_ *generator, c *generatedCase) { c.deadline = time.Time{} }},
	{domain.DeadlineExpired, func(g *generator, c *generatedCase) { c.deadline = g.ago(1, 24*5) }},
	{domain.NeutralReviewMissing, func(_ *generator, c *generatedCase) { c.checked = false }},
	{domain.ScopeMissing, func(_ *generator, c *generatedCase) { c.editedScope = true }},
	{domain.PrivateDetailsUnredacted, func(_ *generator, c *generatedCase) { c.redaction = "pending" }},
	{domain.SafetyBlockerWaiverAttempted,
		func(_ *generator, c *generatedCase) { c.effects = append(c.effects, "waive_safety_blocker") }},
	{domain.SettledObligationReopenAttempted,
		func(_ *generator, c *generatedCase) { c.effects = append(c.effects, "reopen_settled_obligation") }},
	{domain.NonRetaliationMissing, func(_ *generator, c *generatedCase) { c.acknowledged = false }},
	{domain.EvidenceScopeMissing, func(_ *generator, c *generatedCase) { c.items = []string{} }},
	{domain.InvalidCaseHash, func(_ *generator, c *generatedCase) { c.editedContent = true }},
	{domain.InvalidPolicyHash, func(g *generator, c *generatedCase) { c.policy.hash = g.hash() }},
}
