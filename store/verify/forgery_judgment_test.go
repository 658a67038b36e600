package verify_test

import (
	"bytes"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func caseRef(id terms.ID, revision int64) verify.Ref {
	return verify.Ref{Table: terms.AppealCases, Key: packets.Key{ID: id, Number: revision}}
}

// holdLeaky holds a case of which a text was masked, and decides it.
func holdLeaky(l *verifytest.Log) verify.Ref {
	return holdText(l, "leaky", "write to someone@example.org")
}

// holdText holds a case with a text, and decides it.
func holdText(l *verifytest.Log, id, text string) verify.Ref {
	ref := l.HoldSealed([]byte(`{"table": "trade_appeal_cases", "record": {"caseId": "` + id + `", "revision": 1,
		"contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "originalDeciderId": "decider-1", "redaction": {"status": "redacted"},
		"remedyGap": "` + text + `"}}`))
	l.Append(l.Decide(ref, assigned, nil))
	return ref
}

var mask, slipped = []byte(`{"masked":["e-mail address"]}`), []byte(`"write to someone@example.org"`)

var packetForgeries = []forgery{
	{"a policy that is gone", byHand(func(l *verifytest.Log) {
		delete(l.Held, verify.Ref{Table: terms.AmendmentPolicies, Key: packets.Key{ID: "amendment-policy", Number: 1}})
	}), true},
	{"a case sealed again", byHand(func(l *verifytest.Log) {
		l.Hold(terms.AppealCases, verifytest.AppealCase("case-3", 1).With(verifytest.Record{"subjectId": "row-9"}))
	}), true},
	{"a policy sealed again", byHand(func(l *verifytest.Log) {
		l.Hold(terms.AmendmentPolicies, verifytest.AmendmentPolicy("amendment-policy", 1).With(verifytest.Record{"frozenAt": "2026-01-06T09:00:00Z"}))
	}), true},
	{"other redactions beside a case", byHand(func(l *verifytest.Log) {
		l.Held[caseRef("case-3", 1)] = bytes.Replace(l.Held[caseRef("case-3", 1)], []byte(`"redactions":[]`),
			[]byte(`"redactions":[{"category":"contact_data","count":1}]`), 1)
	}), true},
	{"a masked text", byHand(func(l *verifytest.Log) { holdLeaky(l) }), false},
	{"a text that is masked no more", byHand(func(l *verifytest.Log) {
		ref := holdLeaky(l)
		l.Held[ref] = bytes.Replace(l.Held[ref], mask, slipped, 1)
	}), true},
	{"a text that the scan ought to have masked", byHand(func(l *verifytest.Log) {
		ref := holdText(l, "leaky", "write to someone")
		l.Held[ref] = bytes.Replace(l.Held[ref], []byte(`"write to someone"`), slipped, 1)
	}), true},
}

func outcome(o terms.Outcome) verifytest.Record {
	effect := views.EffectOf(o)
	return verifytest.Record{"outcome": o.String(), "provenanceActivity": effect.ProvenanceActivity, "traceabilityBusinessStep": effect.TraceabilityStep}
}

var admin = verifytest.Person("admin-1", terms.SafetyAdmin)

// inTheNameOf appends a record on a case that names someone as its reviewer, made by a safety admin and then changed.
func inTheNameOf(someone, assignedTo string) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-own", 1).With(verifytest.Record{"neutralReview": verifytest.Review(assignedTo)}))
		tighten := func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) }
		forgedOn(l, ref, admin, tighten, verifytest.Record{"reviewer": reviewer(someone, "neutral_reviewer", someone)})
	})
}

// recordedAfter are the members of a record that was recorded later by so much, its id included.
func recordedAfter(record records.Enforcement, d time.Duration) verifytest.Record {
	at := terms.InstantOf(record.Members().RecordedAt.Time().Add(d))
	return verifytest.Record{"recordedAt": at.String(), "recordId": records.NewRecordID(at, [10]byte{9: 77})}
}

// tightened holds the second revision of a case to whose first a person added a blocker.
func tightened(l *verifytest.Log) verify.Ref {
	first := newCase(l)
	l.Append(l.Decide(first, assigned, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) }))
	return l.Hold(terms.AppealCases, verifytest.AppealCase(string(first.Key.ID), 2).With(verifytest.Record{"policyVersion": 7}))
}

var decisionForgeries = []forgery{
	{"a blocker that the rules do not find",
		altered(verifytest.Record{"computedBlockers": []string{"notice_missing"}, "gate": "blocked"}), true},
	{"a blocker left out", byHand(func(l *verifytest.Log) {
		ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-late", 1).With(verifytest.Record{"policyVersion": 7, "notice": nil}))
		forgedOn(l, ref, assigned, nil, verifytest.Record{"computedBlockers": []string{}, "gate": "pass"})
	}), true},
	{"a newer revision that the reviewer did not see",
		altered(verifytest.Record{"computedBlockers": []string{"appeal_case_stale"}, "gate": "blocked",
			"advisoryOutcome": "block_reliance", "latestRevision": 2}), true},
	{"another advisory outcome",
		altered(verifytest.Record{"advisoryOutcome": "uphold_decision"}), true},
	{"the rules of another version",
		altered(verifytest.Record{"rulesVersion": "trade-challenge-appeal-validator-v9"}), true},
	{"another packet view",
		altered(verifytest.Record{"packetDigest": terms.HashOf(nil).String()}), true},
	{"a safety admin who blocks another's case", byHand(func(l *verifytest.Log) {
		forgedOn(l, newCase(l), admin, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) }, nil)
	}), false},
	{"the decider in their own case", inTheNameOf(verifytest.Decider, verifytest.Decider), true},
	{"a recused reviewer", inTheNameOf(verifytest.Recused, verifytest.Recused), true},
	{"a party in their own cause", inTheNameOf(verifytest.Party, verifytest.Party), true},
	{"another reviewer's case", inTheNameOf("reviewer-8", verifytest.Assigned), true},
	{"a safety admin who passes another's case",
		altered(verifytest.Record{"reviewer": reviewer("admin-1", "safety_admin", "admin-1")}), true},
	{"an outcome that the policy does not permit", byHand(func(l *verifytest.Log) {
		fresh(l, assigned, outcome(terms.RecordRemedy))
	}), true},
	{"an outcome that a blocked gate does not permit", byHand(func(l *verifytest.Log) {
		block := func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NoticeMissing) }
		forgedOn(l, newCase(l), assigned, block, outcome(terms.CorrectRecord))
	}), true},
	{"another outcome than the advised one without reasons",
		altered(verifytest.Record{"statementDigest": nil}), true},
	{"closed unresolved without reasons", byHand(func(l *verifytest.Log) {
		closed := func(c *records.Choice) { c.Outcome = terms.CloseUnresolved }
		forgedOn(l, newCase(l), assigned, closed, verifytest.Record{"statementDigest": nil})
	}), true},
	{"an added blocker without reasons", byHand(func(l *verifytest.Log) {
		block := func(c *records.Choice) {
			c.Outcome, c.AddedBlockers = terms.BlockReliance, terms.SetOf(terms.NoticeMissing)
		}
		forgedOn(l, newCase(l), assigned, block, verifytest.Record{"statementDigest": nil})
	}), true},
	{"an amendment's added blocker without reasons", byHand(func(l *verifytest.Log) {
		ref := l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-late", 1))
		tighten := func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.PolicyStale) }
		forgedOn(l, ref, assigned, tighten, verifytest.Record{"statementDigest": nil})
	}), true},
	{"silence about a blocker that a person added on an earlier revision", byHand(func(l *verifytest.Log) {
		forgedOn(l, tightened(l), assigned, func(c *records.Choice) { c.Outcome = terms.OpenChallengeWindow }, verifytest.Record{"statementDigest": nil})
	}), true},
	{"reasons about a blocker that a person added on an earlier revision", byHand(func(l *verifytest.Log) {
		forgedOn(l, tightened(l), assigned, nil, nil)
	}), false},
	{"the advised outcome without reasons", byHand(func(l *verifytest.Log) {
		advised := func(c *records.Choice) { c.Outcome = terms.OpenChallengeWindow }
		forgedOn(l, newCase(l), assigned, advised, verifytest.Record{"statementDigest": nil})
	}), false},
	{"recorded before it was evaluated",
		altered(verifytest.Record{"recordedAt": "2026-06-15T11:59:59Z"}), true},
	{"recorded six minutes before the record before it", ahead(6 * time.Minute), true},
	{"recorded four minutes before the record before it", ahead(4 * time.Minute), false},
	{"recorded before it was opened",
		altered(verifytest.Record{"openedAt": "2026-06-16T11:59:59Z"}), true},
}

func idAt(l *verifytest.Log, sequence int) string {
	return string(l.Record(sequence).Members().RecordID)
}

var chainForgeries = []forgery{
	{"a chain that goes on", byHand(func(l *verifytest.Log) {
		forgedOn(l, caseRef("case-1", 1), assigned, nil, verifytest.Record{"supersedes": idAt(l, 3)})
	}), false},
	{"superseding what is not there",
		altered(verifytest.Record{"supersedes": "019ecb6a-4e00-7abc-8def-0123456789ab"}), true},
	{"superseding what comes later", byHand(func(l *verifytest.Log) {
		later := l.Decide(caseRef("case-3", 1), assigned, nil)
		ref := newCase(l)
		forgedOn(l, ref, assigned, nil, verifytest.Record{"supersedes": string(later.Members().RecordID)})
		l.AppendSigned(later.Table(), l.Forged(later, verifytest.Record{"supersedes": idAt(l, last)}), verifytest.Key(verifytest.Assigned))
	}), true},
	{"superseding a record on another case", byHand(func(l *verifytest.Log) {
		fresh(l, assigned, verifytest.Record{"supersedes": idAt(l, 3)})
	}), true},
	{"superseding a record on an amendment", byHand(func(l *verifytest.Log) {
		fresh(l, assigned, verifytest.Record{"supersedes": idAt(l, 1)})
	}), true},
	{"superseding what is superseded", byHand(func(l *verifytest.Log) {
		forgedOn(l, caseRef("case-1", 1), assigned, nil, verifytest.Record{"supersedes": idAt(l, 0)})
	}), true},
	{"not naming the record in force", byHand(func(l *verifytest.Log) {
		forgedOn(l, caseRef("case-3", 1), assigned, nil, nil)
	}), true},
}
