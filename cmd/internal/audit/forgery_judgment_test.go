package audit_test

import (
	"bytes"
	"time"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/domain"
)

func caseRef(id domain.ID, revision int64) audit.Ref {
	return audit.Ref{Table: domain.AppealCases, Key: domain.Key{ID: id, Number: revision}}
}

// holdLeaky holds a case of which a text was masked, and decides it.
func holdLeaky(l *audittest.Log) audit.Ref {
	ref := l.HoldSealed([]byte(`{"table": "trade_appeal_cases", "record": {"caseId": "leaky", "revision": 1,
		"contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "remedyGap": "write to someone@example.org"}}`))
	l.Append(l.Decide(ref, assigned, nil))
	return ref
}

var mask, slipped = []byte(`{"masked":["e-mail address"]}`), []byte(`"write to someone@example.org"`)

var packetForgeries = []forgery{
	{"a case that is gone", byHand(func(l *audittest.Log) { delete(l.Held, caseRef("case-3", 1)) }), []audit.Kind{audit.PacketMissing}},
	{"a policy that is gone", byHand(func(l *audittest.Log) {
		delete(l.Held, audit.Ref{Table: domain.AmendmentPolicies, Key: domain.Key{ID: "amendment-policy", Number: 1}})
	}), []audit.Kind{audit.PacketMissing}},
	{"an edited case", byHand(func(l *audittest.Log) {
		l.Held[caseRef("case-3", 1)] = bytes.Replace(l.Held[caseRef("case-3", 1)], []byte("row-204"), []byte("row-205"), 1)
	}), []audit.Kind{audit.PacketAltered}},
	{"no packet at all", byHand(func(l *audittest.Log) { l.Held[caseRef("case-3", 1)] = []byte("{}") }), []audit.Kind{audit.PacketAltered}},
	{"another case under its name", byHand(func(l *audittest.Log) {
		l.Held[caseRef("case-3", 1)] = l.Held[caseRef("case-1", 1)]
	}), []audit.Kind{audit.PacketAltered}},
	{"a case sealed anew", byHand(func(l *audittest.Log) {
		l.Hold(domain.AppealCases, audittest.AppealCase("case-3", 1).With(audittest.Record{"subjectId": "row-9"}))
	}), []audit.Kind{audit.PacketDiffers, audit.ViewDiffers}},
	{"a policy sealed anew", byHand(func(l *audittest.Log) {
		l.Hold(domain.AmendmentPolicies, audittest.AmendmentPolicy("amendment-policy", 1).With(audittest.Record{"frozenAt": "2026-01-06T09:00:00Z"}))
	}), []audit.Kind{audit.PacketDiffers, audit.BlockersDiffer, audit.ConclusionDiffers}},
	{"other redactions beside a case", byHand(func(l *audittest.Log) {
		l.Held[caseRef("case-3", 1)] = bytes.Replace(l.Held[caseRef("case-3", 1)], []byte(`"redactions":[]`),
			[]byte(`"redactions":[{"category":"contact_data","count":1}]`), 1)
	}), []audit.Kind{audit.ViewDiffers}},
	{"a masked text", byHand(func(l *audittest.Log) { holdLeaky(l) }), nil},
	{"a text that is masked no more", byHand(func(l *audittest.Log) {
		ref := holdLeaky(l)
		l.Held[ref] = bytes.Replace(l.Held[ref], mask, slipped, 1)
	}), []audit.Kind{audit.PrivatePresent}},
}

// The members that go with an outcome.
func outcome(o domain.Outcome) audittest.Record {
	effect := domain.EffectOf(o)
	return audittest.Record{"outcome": o.String(), "provenanceActivity": effect.ProvenanceActivity, "traceabilityBusinessStep": effect.TraceabilityStep}
}

var admin = audittest.Person("admin-1", domain.SafetyAdmin)

// inTheNameOf appends a record on a case that names someone as its reviewer, made by a safety admin and then changed.
func inTheNameOf(l *audittest.Log, someone, assignedTo string) {
	ref := l.Hold(domain.AppealCases, audittest.AppealCase("case-own", 1).With(audittest.Record{"neutralReview": audittest.Review(assignedTo)}))
	tighten := func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.ScopeMissing) }
	forgedOn(l, ref, admin, tighten, audittest.Record{"reviewer": reviewer(someone, "neutral_reviewer", someone)})
}

// recordedAfter are the members of a record that was recorded later by so much, its id included.
func recordedAfter(record domain.Enforcement, d time.Duration) audittest.Record {
	at := domain.InstantOf(record.Members().RecordedAt.Time().Add(d))
	return audittest.Record{"recordedAt": at.String(), "recordId": domain.NewRecordID(at, [10]byte{9: 77})}
}

var decisionForgeries = []forgery{
	{"a blocker that the rules do not find", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"computedBlockers": []string{"notice_missing"}, "gate": "blocked"})
	}), []audit.Kind{audit.BlockersDiffer, audit.ConclusionDiffers}},
	{"a blocker left out", byHand(func(l *audittest.Log) {
		ref := l.Hold(domain.AppealCases, audittest.AppealCase("case-late", 1).With(audittest.Record{"policyVersion": 7, "notice": nil}))
		forgedOn(l, ref, assigned, nil, audittest.Record{"computedBlockers": []string{}, "gate": "pass"})
	}), []audit.Kind{audit.BlockersDiffer, audit.ConclusionDiffers}},
	{"a newer revision that the reviewer did not see", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"computedBlockers": []string{"appeal_case_stale"}, "gate": "blocked",
			"advisoryOutcome": "block_reliance", "latestRevision": 2})
	}), []audit.Kind{audit.ViewDiffers}},
	{"another advisory outcome", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"advisoryOutcome": "uphold_decision"})
	}), []audit.Kind{audit.ConclusionDiffers}},
	{"the rules of another version", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"rulesVersion": "trade-challenge-appeal-validator-v9"})
	}), []audit.Kind{audit.RulesUnknown}},
	{"another packet view", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"packetDigest": domain.HashOf(nil).String()})
	}), []audit.Kind{audit.ViewDiffers}},
	{"a safety admin who blocks another's case", byHand(func(l *audittest.Log) {
		forgedOn(l, newCase(l), admin, func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.ScopeMissing) }, nil)
	}), nil},
	{"the decider in their own case", byHand(func(l *audittest.Log) {
		inTheNameOf(l, audittest.Decider, audittest.Decider)
	}), []audit.Kind{audit.OwnDecision}},
	{"a recused reviewer", byHand(func(l *audittest.Log) {
		inTheNameOf(l, audittest.Recused, audittest.Recused)
	}), []audit.Kind{audit.Recused}},
	{"a party in their own cause", byHand(func(l *audittest.Log) {
		inTheNameOf(l, audittest.Party, audittest.Party)
	}), []audit.Kind{audit.OwnCause}},
	{"another reviewer's case", byHand(func(l *audittest.Log) {
		inTheNameOf(l, "reviewer-8", audittest.Assigned)
	}), []audit.Kind{audit.NotTheirs}},
	{"a safety admin who passes another's case", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"reviewer": reviewer("admin-1", "safety_admin", "admin-1")})
	}), []audit.Kind{audit.NotTheirs}},
	{"an outcome that the policy does not permit", byHand(func(l *audittest.Log) {
		fresh(l, assigned, outcome(domain.RecordRemedy))
	}), []audit.Kind{audit.ChoiceNotPermitted}},
	{"an outcome that a blocked gate does not permit", byHand(func(l *audittest.Log) {
		block := func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.NoticeMissing) }
		forgedOn(l, newCase(l), assigned, block, outcome(domain.CorrectRecord))
	}), []audit.Kind{audit.ChoiceNotPermitted}},
	{"another outcome than the advised one without reasons", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"statementDigest": nil})
	}), []audit.Kind{audit.ReasonsMissing}},
	{"closed unresolved without reasons", byHand(func(l *audittest.Log) {
		closed := func(c *domain.Choice) { c.Outcome = domain.CloseUnresolved }
		forgedOn(l, newCase(l), assigned, closed, audittest.Record{"statementDigest": nil})
	}), []audit.Kind{audit.ReasonsMissing}},
	{"an added blocker without reasons", byHand(func(l *audittest.Log) {
		block := func(c *domain.Choice) {
			c.Outcome, c.AddedBlockers = domain.BlockReliance, domain.SetOf(domain.NoticeMissing)
		}
		forgedOn(l, newCase(l), assigned, block, audittest.Record{"statementDigest": nil})
	}), []audit.Kind{audit.ReasonsMissing}},
	{"an amendment's added blocker without reasons", byHand(func(l *audittest.Log) {
		ref := l.Hold(domain.AmendmentRecords, audittest.Amendment("amendment-late", 1))
		tighten := func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.PolicyStale) }
		forgedOn(l, ref, assigned, tighten, audittest.Record{"statementDigest": nil})
	}), []audit.Kind{audit.ReasonsMissing}},
	{"the advised outcome without reasons", byHand(func(l *audittest.Log) {
		advised := func(c *domain.Choice) { c.Outcome = domain.OpenChallengeWindow }
		forgedOn(l, newCase(l), assigned, advised, audittest.Record{"statementDigest": nil})
	}), nil},
	{"recorded before it was evaluated", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"recordedAt": "2026-06-15T11:59:59Z"})
	}), []audit.Kind{audit.TimeBackwards}},
	{"recorded six minutes before the record before it", byHand(func(l *audittest.Log) {
		late := l.Decide(newCase(l), assigned, nil)
		early := l.Decide(newCase(l), assigned, nil)
		l.AppendSigned(late.Table(), l.Forged(late, recordedAfter(late, 6*time.Minute)), audittest.Key(audittest.Assigned))
		l.Append(early)
	}), []audit.Kind{audit.TimeBackwards}},
	{"recorded four minutes before the record before it", byHand(func(l *audittest.Log) {
		late := l.Decide(newCase(l), assigned, nil)
		early := l.Decide(newCase(l), assigned, nil)
		l.AppendSigned(late.Table(), l.Forged(late, recordedAfter(late, 4*time.Minute)), audittest.Key(audittest.Assigned))
		l.Append(early)
	}), nil},
	{"recorded before it was opened", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"openedAt": "2026-06-16T11:59:59Z"})
	}), []audit.Kind{audit.TimeBackwards}},
}

// idAt is the id of a record of the log.
func idAt(l *audittest.Log, sequence int) string {
	var reader domain.Reader
	record, err := domain.ReadEnforcement(&reader, domain.AreaOf(l.List[sequence].Table), l.List[sequence].Document)
	if err != nil {
		panic(err)
	}
	return string(record.Members().RecordID)
}

var chainForgeries = []forgery{
	{"a chain that goes on", byHand(func(l *audittest.Log) {
		forgedOn(l, caseRef("case-1", 1), assigned, nil, audittest.Record{"supersedes": idAt(l, 3)})
	}), nil},
	{"superseding what is not there", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"supersedes": "019ecb6a-4e00-7abc-8def-0123456789ab"})
	}), []audit.Kind{audit.SupersedesUnknown}},
	{"superseding what comes later", byHand(func(l *audittest.Log) {
		later := l.Decide(caseRef("case-3", 1), assigned, nil)
		ref := newCase(l)
		forgedOn(l, ref, assigned, nil, audittest.Record{"supersedes": string(later.Members().RecordID)})
		l.AppendSigned(later.Table(), l.Forged(later, audittest.Record{"supersedes": idAt(l, last)}), audittest.Key(audittest.Assigned))
	}), []audit.Kind{audit.SupersedesUnknown}},
	{"superseding a record on another case", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"supersedes": idAt(l, 3)})
	}), []audit.Kind{audit.SupersedesOtherRevision}},
	{"superseding a record on an amendment", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"supersedes": idAt(l, 1)})
	}), []audit.Kind{audit.SupersedesOtherRevision}},
	{"superseding what is superseded", byHand(func(l *audittest.Log) {
		forgedOn(l, caseRef("case-1", 1), assigned, nil, audittest.Record{"supersedes": idAt(l, 0)})
	}), []audit.Kind{audit.SupersedesSuperseded}},
	{"not naming the record in force", byHand(func(l *audittest.Log) {
		forgedOn(l, caseRef("case-3", 1), assigned, nil, nil)
	}), []audit.Kind{audit.SupersedesMissing}},
}
