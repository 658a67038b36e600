package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestAnAppealRecordHoldsTheJudgedCaseAndTheDecision(t *testing.T) {
	s := domaintest.Appeal()
	v := domaintest.View(t, s, domaintest.Set("/record/requestedOutcome", "uphold_decision"), domaintest.Del("/record/notice"))
	v = v.Carrying(terms.SetOf(terms.AppealCaseStale, terms.NoticeMissing))
	choice := domaintest.ChoiceFor(&v, terms.ScopeMissing, terms.DeadlineExpired)
	choice.Preliminary, choice.Supersedes = terms.CorrectRecord, domaintest.OtherRecordID
	choice.NoteDigest = records.Note{Salt: "salt", Text: "Ask again in May."}.Digest()
	choice.Statement = records.Statement{Salt: domaintest.SampleSalt, Text: "Nobody was heard."}
	record := domaintest.Recorded(t, &v, choice)
	want := fmt.Sprintf(`{"recordId":%q,"contractVersion":"trade-challenge-appeal-v0.3",
		"rulesVersion":"trade-challenge-appeal-validator-v0.1+docket.2",
		"caseId":"case-17","caseRevision":2,"caseHash":%q,"scopeHash":%q,"subject":"evidence_row","subjectId":"row-204",
		"trigger":"wrong_scope_evidence","policyId":"appeal-policy","policyVersion":3,"policyHash":%q,
		"computedBlockers":["notice_missing"],"reviewerBlockers":["deadline_expired","scope_missing"],
		"carriedBlockers":["appeal_case_stale","notice_missing"],"gate":"blocked","latestPolicyVersion":3,"latestRevision":2,
		"advisoryOutcome":"block_reliance","requestedOutcome":"uphold_decision","preliminaryOutcome":"correct_record",
		"outcome":"route_human_review","factorCodes":["specific_reviewed_claim","wrong_scope_evidence_review",
		"human_review_required","provenance_activity_required"],
		"reviewScope":["evidence_row"],"provenanceActivity":"human_review_routed","traceabilityBusinessStep":"review_routed",
		"reviewer":{"id":"reviewer-7","role":"neutral_reviewer","keyFingerprint":%q},
		"logHead":{"origin":"docket/0123456789abcdef","size":41,"root":%q},"supersedes":%q,"packetDigest":%q,
		"sectionsViewed":["gate","policy","review"],"openedAt":%q,"evaluatedAt":%q,"recordedAt":%q,"noteDigest":%q,
		"statementDigest":%q,
		"stateMutation":"append_only_enforcement_record"}`,
		domaintest.SampleRecordID, s.Record()["caseHash"], s.Record()["scopeHash"], s["policy"].(map[string]any)["policyHash"],
		domaintest.Fingerprint, terms.HashOf([]byte("root")), domaintest.OtherRecordID, v.Digest(domaintest.SampleSalt), domaintest.OpenedAt, domaintest.Now, domaintest.RecordedAt,
		domaintest.HashOf(map[string]string{"salt": "salt", "note": "Ask again in May."}),
		domaintest.HashOf(map[string]string{"salt": string(domaintest.SampleSalt), "statement": "Nobody was heard."}))
	compare(t, record, want, terms.AppealEnforcements)
}

func TestAnAmendmentRecordHoldsTheJudgedAmendmentAndTheDecision(t *testing.T) {
	s := domaintest.MaterialChange()
	v := domaintest.View(t, s)
	record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v, terms.PolicyStale))
	want := fmt.Sprintf(`{"recordId":%q,"contractVersion":"trade-agreement-amendments-v0.1-2026-06",
		"rulesVersion":"trade-agreement-amendments-validator-v0.1+docket.2","amendmentId":"amendment-8","amendmentRevision":4,
		"amendmentHash":%q,"ownerId":"owner-2","agreementId":"agreement-31","transition":"pledge_swap_material_change",
		"subjectType":"locked_pledge_swap","amendmentType":"mutual_modification","beforeTermsHash":%q,"afterTermsHash":%q,
		"blockedTransitions":["performance_start","matched_trade_lock_update","reliance_bearing_preview"],
		"policyId":"amendment-policy","policyVersion":5,"policyHash":%q,
		"computedBlockers":[],"reviewerBlockers":["policy_stale"],"carriedBlockers":[],"gate":"blocked",
		"latestPolicyVersion":5,"latestRevision":4,
		"reviewer":{"id":"reviewer-7","role":"neutral_reviewer","keyFingerprint":%q},
		"logHead":{"origin":"docket/0123456789abcdef","size":41,"root":%q},"supersedes":null,"packetDigest":%q,
		"sectionsViewed":["gate","policy","review"],"openedAt":%q,"evaluatedAt":%q,"recordedAt":%q,"noteDigest":null,
		"statementDigest":%q,
		"stateMutation":"append_only_enforcement_record"}`,
		domaintest.SampleRecordID, s.Record()["amendmentHash"], domaintest.BeforeTerms, domaintest.AfterTerms, s["policy"].(map[string]any)["policyHash"],
		domaintest.Fingerprint, terms.HashOf([]byte("root")), v.Digest(domaintest.SampleSalt), domaintest.OpenedAt, domaintest.Now, domaintest.RecordedAt, domaintest.SampleReasons.Digest())
	compare(t, record, want, terms.AmendmentEnforcements)
}

// compare holds a record and the members of its shape to the document that the specification wants.
func compare(t *testing.T, record records.Enforcement, want string, table terms.Table) {
	t.Helper()
	expected := domaintest.Parsed(want)
	if got, want := string(record.Document()), string(domaintest.CanonicalForm(expected)); got != want || record.Table() != table {
		t.Errorf("%s\n got %s\nwant %s", record.Table(), got, want)
	}
	described := map[string]bool{}
	for _, m := range records.EnforcementShape(record.Members().Area).Members {
		described[m.Name] = true
		if _, there := expected[m.Name]; !there || !m.Required {
			t.Errorf("%s is no member, or need not be there", m.Name)
		}
	}
	if len(described) != len(expected) {
		t.Errorf("the shape describes %d members of %d", len(described), len(expected))
	}
}

func TestAbsentSourceMembersAreNull(t *testing.T) {
	for text, absent := range map[string]string{
		`{"table":"trade_appeal_cases","record":{"caseId":"bare","revision":1,"contractVersion":"x","status":"filed"}}`: "caseHash scopeHash " +
			"subject subjectId trigger requestedOutcome preliminaryOutcome",
		`{"table":"trade_agreement_amendment_records","record":{"amendmentId":"bare","revision":1,"contractVersion":"x","ownerId":"owner","state":"draft"}}`: "amendmentHash " +
			"agreementId transition subjectType amendmentType beforeTermsHash afterTermsHash",
	} {
		bare := domaintest.Scene(domaintest.Parsed(text))
		v := bare.Look(t, domaintest.Instant(domaintest.Now))
		choice := domaintest.ChoiceFor(&v)
		if choice.Statement = (records.Statement{}); v.Area() == terms.Appeals {
			choice.Factors, choice.Outcome = terms.SetOf(terms.HumanReviewRequired), terms.BlockReliance
		}
		document := domaintest.Parsed(string(domaintest.Recorded(t, &v, choice).Document()))
		for _, name := range strings.Fields(absent + " policyId policyVersion policyHash supersedes noteDigest statementDigest latestPolicyVersion latestRevision") {
			if value, there := document[name]; !there || value != nil {
				t.Errorf("%s is %v", name, value)
			}
		}
		if v.Area() == terms.Amendments && domaintest.Joined(document["blockedTransitions"]) != domaintest.EveryAction {
			t.Errorf("holds back %v", document["blockedTransitions"])
		}
	}
}

func TestNotesLeaveADigestThatCannotBeGuessedFromTheTextAlone(t *testing.T) {
	note := records.Note{Salt: "one", Text: "A note."}
	if note.Digest() == (records.Note{Salt: "two", Text: "A note."}).Digest() || !note.Digest().Present() {
		t.Error("the salt does not matter")
	}
	if (records.Note{Salt: "one"}).Digest().Present() {
		t.Error("no note has a digest")
	}
}

// Views and records are written in canonical form. A record is read back as it was written, may be appended while its packets are
// the same, and follows from any of them.
func TestARecordIsReadBackAndFollowsFromItsPackets(t *testing.T) {
	recorded := 0
	for name, from := range map[string]func() domaintest.Scene{"appeal": domaintest.Appeal, "correction": domaintest.Correction, "material change": domaintest.MaterialChange} {
		all := [][]domaintest.Edit{
			nil, edits(`-/record/notice`), edits(`-/policy`), edits(`/policy = null`), edits(`/latestRevision = 9`), edits(`/latestPolicyVersion = 7`),
			edits(`/latestRevision = 20260101; /latestPolicyVersion = 99`), edits(`/private = {"contact_data": ["a", "b"], "unheard_of": 1}`),
			{domaintest.LateSet("/record/contractVersion", "<b>\"quoted\"\\</b> [2J ~")},
			{domaintest.LateSet("/policy/status", "superseded"), domaintest.Set("/latestPolicyVersion", 9)},
			edits(`-/record/originalDeciderId; -/record/agreementId; -/record/subjectId`),
			{domaintest.RawDel("/record/caseHash"), domaintest.RawDel("/record/amendmentHash"), domaintest.RawDel("/record/policyHash"),
				domaintest.RawDel("/record/scopeHash"), domaintest.RawDel("/policy/policyHash")},
		}
		if name == "appeal" {
			all = append(all, []domaintest.Edit{domaintest.SetText("/record/evidenceScope/statement", "ask someone@example.org")})
		}
		for i, edits := range all {
			v := domaintest.View(t, from(), edits...)
			later := domaintest.LookAgain(t, from(), domaintest.RecheckedAt, edits...)
			canonical(t, name, v.Document())
			for _, added := range [][]terms.Blocker{nil, {terms.NoticeMissing, terms.NeutralReviewMissing}} {
				choice := domaintest.ChoiceFor(&v, added...)
				choice.Supersedes, choice.NoteDigest = domaintest.OtherRecordID, terms.HashOf([]byte("note"))
				if v.Area() == terms.Appeals {
					choice.Preliminary = terms.CloseUnresolved
				}
				record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
				if err != nil {
					continue
				}
				recorded++
				canonical(t, name, record.Document())
				again := forged(t, record)
				if one, two := domaintest.Encoded(again.Members()), domaintest.Encoded(record.Members()); string(one) != string(two) ||
					string(again.Document()) != string(record.Document()) || again.Table() != record.Table() {
					t.Errorf("%s, %d: the members differ:\n%s\n%s", name, i, one, two)
				}
				if got := domaintest.Replayed(&v, again); len(got.Findings) > 0 || !slices.Equal(got.Blockers, v.Evaluation().Blockers()) {
					t.Errorf("%s, %d: %+v", name, i, got)
				}
				for _, one := range []records.Enforcement{record, again} {
					if err := one.Recheck(&later, choice.Supersedes); err != nil {
						t.Errorf("%s, %d: %v", name, i, err)
					}
				}
			}
		}
	}
	if recorded < 60 {
		t.Errorf("%d are recorded", recorded)
	}
	var none views.View
	canonical(t, "no view", none.Document())
}

// canonical holds what was written to another implementation of RFC 8785.
func canonical(t *testing.T, name string, written []byte) {
	t.Helper()
	form, err := jcs.Transform(written)
	if err != nil || string(form) != string(written) {
		t.Errorf("%s: %v\n%s", name, err, written)
	}
}
