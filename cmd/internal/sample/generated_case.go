package sample

import (
	"slices"

	"time"

	"docket/domain/terms"
)

// generatedCase is a synthetic appeal case before it is written. A new one passes; a defect may follow.
type generatedCase struct {
	generatedReview
	policy                     generatedPolicy
	id, contract, status       string
	subject, subjectID         string
	trigger, outcome           string
	standing, summary          string
	accepted, acknowledged     bool
	filedAt, deadline          time.Time
	items, effects             []string
	statement, remedyGap       string
	redaction                  string
	editedScope, editedContent bool // after sealing
}

// caseStatuses are those in which a case waits for its review.
var caseStatuses = []string{"filed", "noticed", "under_neutral_review", "under_neutral_review", "correction_requested"}

// subjectPrefixes begin the ids of reviewed items, indexed by subject.
var subjectPrefixes = [...]string{
	terms.SubjectClaim:              "clm",
	terms.SubjectEvidenceRow:        "evr",
	terms.SubjectBaselineConcern:    "bsl",
	terms.SubjectDisclosureDecision: "dsc",
	terms.SubjectExternalityTrigger: "ext",
	terms.SubjectCompletionState:    "cmp",
	terms.SubjectPolicyFlag:         "pfl",
}

// drawCase makes a case that passes until its deadline.
func (g *generator) drawCase(number int) generatedCase {
	trigger, subject := pick(g, g.triggers), pick(g, g.subjects)
	filedAt := g.ago(1, 30*24)
	c := generatedCase{
		generatedReview: g.drawReview(filedAt),
		policy:          g.policies[currentAppeals],
		id:              g.id("case", number),
		contract:        terms.AppealContract.Version,
		status:          pick(g, caseStatuses),
		subject:         subject.String(),
		subjectID:       g.reference(subjectPrefixes[subject]),
		trigger:         trigger.String(),
		standing:        pick(g, g.standings),
		accepted:        true,
		acknowledged:    true,
		filedAt:         filedAt,
		deadline:        g.ahead(3, 6*7*24),
		items:           []string{g.reference("evr"), g.reference("evr")}[:1+g.random.IntN(2)],
		effects:         []string{},
		statement:       g.statement(trigger),
		redaction:       "redacted",
	}
	if c.standing == "affected_party" {
		c.summary = pick(g, summaries)
	}
	if trigger == terms.ExternalityRemedyGap {
		c.remedyGap = pick(g, remedyGaps)
	}
	if g.random.IntN(2) == 0 {
		c.outcome = pick(g, g.outcomes)
	}
	return c
}

// write writes the record in canonical form without caseHash, and returns the place of that.
func (c *generatedCase) write(w *jsonWriter) ownHash {
	w.start()
	c.writeScope(w)
	w.string("subject", c.subject)
	w.string("subjectId", c.subjectID)
	w.close()
	scopeHash := terms.HashOf(w.Text()).String()
	if c.editedScope {
		c.items = append([]string{"evr-added-later"}, c.items...)
	}

	w.start()
	own := ownHash{len(w.Text()), "caseHash", c.editedContent}
	w.string("caseId", c.id)
	w.string("contractVersion", c.contract)
	w.time("deadline", c.deadline)
	c.writeScope(w)
	w.time("filedAt", c.filedAt)
	c.writeReview(w)
	w.open("nonRetaliation")
	w.bool("acknowledged", c.acknowledged)
	w.close()
	c.writeNotice(w)
	w.string("originalDeciderId", c.decider)
	w.string("policyHash", c.policy.hash)
	w.string("policyId", c.policy.id)
	w.int("policyVersion", c.policy.version)
	w.open("redaction")
	w.string("status", c.redaction)
	w.close()
	w.string("remedyGap", c.remedyGap)
	w.strings("requestedEffects", c.effects)
	w.string("requestedOutcome", c.outcome)
	w.int("revision", 1)
	w.string("scopeHash", scopeHash)
	w.open("standing")
	w.bool("accepted", c.accepted)
	w.string("category", c.standing)
	w.string("privacySafeSummary", c.summary)
	w.close()
	w.string("status", c.status)
	w.string("subject", c.subject)
	w.string("subjectId", c.subjectID)
	w.string("trigger", c.trigger)
	w.close()
	return own
}

func (c *generatedCase) writeScope(w *jsonWriter) {
	w.open("evidenceScope")
	w.strings("items", c.items)
	w.string("statement", c.statement)
	w.close()
}

// A defect gives a generated record a blocker, and perhaps others.
type defect[R any] struct {
	code  terms.Blocker
	apply func(*generator, *R)
}

// caseDefects has one defect for each blocker of an appeal case.
var caseDefects = []defect[generatedCase]{
	{terms.AppealPolicyMissing, func(_ *generator, c *generatedCase) { c.policy.version = 99 }},
	{terms.AppealPolicyNotCurrent, func(g *generator, c *generatedCase) { c.policy = g.policies[formerAppeals] }},
	{terms.AppealCaseMissing, func(_ *generator, c *generatedCase) { c.status = "draft" }},
	{terms.AppealCaseStale, func(_ *generator, c *generatedCase) { c.status = "stale" }},
	{terms.AppealCaseSuperseded, func(_ *generator, c *generatedCase) { c.status = "superseded" }},
	{terms.StandingMissing, func(_ *generator, c *generatedCase) { c.accepted = false }},
	{terms.NoticeMissing, func(_ *generator, c *generatedCase) { c.noticeState = "failed" }},
	{terms.DeadlineMissing, func(_ *generator, c *generatedCase) { c.deadline = time.Time{} }},
	{terms.DeadlineExpired, func(g *generator, c *generatedCase) { c.deadline = g.ago(1, 24*5) }},
	{terms.NeutralReviewMissing, func(_ *generator, c *generatedCase) { c.checked = false }},
	{terms.ScopeMissing, func(_ *generator, c *generatedCase) { c.editedScope = true }},
	{terms.PrivateDetailsUnredacted, func(_ *generator, c *generatedCase) { c.redaction = "pending" }},
	{terms.SafetyBlockerWaiverAttempted,
		func(_ *generator, c *generatedCase) { c.ask("waive_safety_blocker") }},
	{terms.SettledObligationReopenAttempted,
		func(_ *generator, c *generatedCase) { c.ask("reopen_settled_obligation") }},
	{terms.NonRetaliationMissing, func(_ *generator, c *generatedCase) { c.acknowledged = false }},
	{terms.EvidenceScopeMissing, func(_ *generator, c *generatedCase) { c.items = []string{} }},
	{terms.InvalidCaseHash, func(_ *generator, c *generatedCase) { c.editedContent = true }},
	{terms.InvalidPolicyHash, func(g *generator, c *generatedCase) { c.policy.hash = g.hash() }},
}

// ask adds an effect to those that the case asks for.
func (c *generatedCase) ask(effect string) {
	if !slices.Contains(c.effects, effect) {
		c.effects = append(c.effects, effect)
	}
}
