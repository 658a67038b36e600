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

// The members of a record, from the specification.
const (
	sharedMembers = "recordId contractVersion rulesVersion policyId policyVersion policyHash computedBlockers " +
		"reviewerBlockers carriedBlockers latestPolicyVersion latestRevision gate reviewer logHead supersedes packetDigest " +
		"sectionsViewed openedAt evaluatedAt recordedAt statementDigest noteDigest stateMutation"
	appealMembers = sharedMembers + " caseId caseRevision caseHash scopeHash subject subjectId trigger advisoryOutcome " +
		"requestedOutcome preliminaryOutcome outcome factorCodes reviewScope provenanceActivity traceabilityBusinessStep"
	amendmentMembers = sharedMembers + " amendmentId amendmentRevision amendmentHash ownerId agreementId transition " +
		"subjectType amendmentType beforeTermsHash afterTermsHash blockedTransitions"
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
	compare(t, record, want, terms.AppealEnforcements, appealMembers)
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
	compare(t, record, want, terms.AmendmentEnforcements, amendmentMembers)
}

func compare(t *testing.T, record records.Enforcement, want string, table terms.Table, members string) {
	t.Helper()
	got, expected := domaintest.Parsed(string(record.Document())), domaintest.Parsed(want)
	for _, name := range strings.Fields(members) {
		value, there := got[name]
		if one, two := string(domaintest.Encoded(value)), string(domaintest.Encoded(expected[name])); !there || one != two {
			t.Errorf("%s:\n got %s\nwant %s", name, one, two)
		}
	}
	if len(got) != len(strings.Fields(members)) || record.Table() != table {
		t.Errorf("%d members for %s", len(got), record.Table())
	}
	if form := string(domaintest.Edited(record)); form != string(record.Document()) {
		t.Errorf("not in canonical form: %s", record.Document())
	}
	names := []string{}
	for _, m := range records.EnforcementShape(record.Members().Area).Members {
		names = append(names, m.Name)
		if !m.Required {
			t.Errorf("%s need not be there", m.Name)
		}
	}
	slices.Sort(names)
	if described := strings.Fields(members); !slices.Equal(names, slices.Sorted(slices.Values(described))) {
		t.Errorf("the shape describes %q", names)
	}
}

func TestAbsentSourceMembersAreNull(t *testing.T) {
	bare := domaintest.Scene(domaintest.Parsed(`{"table":"trade_appeal_cases","at":"` + domaintest.Now + `","record":{"caseId":"bare","revision":1,
		"contractVersion":"x","status":"filed"}}`))
	v := domaintest.Look(t, bare)
	choice := domaintest.ChoiceFor(&v)
	choice.Factors, choice.Outcome, choice.Statement = terms.SetOf(terms.HumanReviewRequired), terms.BlockReliance, records.Statement{}
	document := domaintest.Parsed(string(domaintest.Recorded(t, &v, choice).Document()))
	for _, name := range strings.Fields("caseHash scopeHash subject subjectId trigger policyId policyVersion policyHash " +
		"requestedOutcome preliminaryOutcome supersedes noteDigest statementDigest latestPolicyVersion latestRevision") {
		if value, there := document[name]; !there || value != nil {
			t.Errorf("%s is %v", name, value)
		}
	}
	bare = domaintest.Scene(domaintest.Parsed(`{"table":"trade_agreement_amendment_records","at":"` + domaintest.Now + `","record":{"amendmentId":"bare",
		"revision":1,"contractVersion":"x","ownerId":"owner","state":"draft"}}`))
	v = domaintest.Look(t, bare)
	document = domaintest.Parsed(string(domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v)).Document()))
	for _, name := range strings.Fields("amendmentHash agreementId transition subjectType amendmentType beforeTermsHash " +
		"afterTermsHash policyId policyVersion policyHash supersedes noteDigest statementDigest latestPolicyVersion latestRevision") {
		if value, there := document[name]; !there || value != nil {
			t.Errorf("%s is %v", name, value)
		}
	}
	if domaintest.Joined(document["blockedTransitions"]) != domaintest.EveryAction {
		t.Errorf("holds back %v", document["blockedTransitions"])
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

func TestDirectWritingGivesTheCanonicalForm(t *testing.T) {
	private := domaintest.Set("/private", map[string]any{"contact_data": []string{"a", "b"}, "unheard_of": 1})
	for name, from := range map[string]func() domaintest.Scene{"appeal": domaintest.Appeal, "correction": domaintest.Correction, "material change": domaintest.MaterialChange} {
		for _, edits := range [][]domaintest.Edit{
			nil, {domaintest.Del("/record/notice")}, {domaintest.Set("/policy", nil)}, {domaintest.Set("/latestRevision", 99), domaintest.Set("/latestPolicyVersion", 99)}, {private},
			{domaintest.LateSet("/record/contractVersion", "<b>\"quoted\"\\</b> [2J ~")},
			{domaintest.Del("/record/originalDeciderId"), domaintest.Del("/record/agreementId"), domaintest.Del("/record/subjectId")},
			{domaintest.RawDel("/record/caseHash"), domaintest.RawDel("/record/amendmentHash"), domaintest.RawDel("/record/policyHash"), domaintest.RawDel("/record/scopeHash"), domaintest.RawDel("/policy/policyHash")},
		} {
			v := domaintest.View(t, from(), edits...)
			canonical(t, name, v.Document())
			for _, added := range [][]terms.Blocker{nil, {terms.NoticeMissing, terms.NeutralReviewMissing}} {
				choice := domaintest.ChoiceFor(&v, added...)
				choice.Supersedes, choice.NoteDigest = domaintest.OtherRecordID, terms.HashOf([]byte("note"))
				if v.Area() == terms.Appeals {
					choice.Preliminary = terms.CloseUnresolved
				}
				if record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned)); err == nil {
					canonical(t, name, record.Document())
				}
			}
		}
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
