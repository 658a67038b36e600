package records_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

func unreadable(t *testing.T, what string, area terms.Area, document []byte) {
	t.Helper()
	record, err := domaintest.Reread(area, document)
	if !errors.Is(err, records.ErrEnforcement) || record.Document() != nil {
		t.Errorf("%s is read: %v", what, err)
	}
}

func TestChallengeAppealEnforcementRecordSchemaContract(t *testing.T) {
	isClosed(t, terms.Appeals)
}

func TestAgreementAmendmentEnforcementRecordSchemaContract(t *testing.T) {
	isClosed(t, terms.Amendments)
}

// isClosed holds the records of an area to having the members of their shape and no other.
func isClosed(t *testing.T, area terms.Area) {
	t.Helper()
	for _, record := range domaintest.Records(t) {
		if terms.AreaOf(record.Table()) != area {
			continue
		}
		document := domaintest.Parsed(string(record.Document()))
		if len(document) != len(records.EnforcementShape(area).Members) {
			t.Errorf("%d members", len(document))
		}
		for _, pointer := range domaintest.Pointers(document, "") {
			if steps := strings.Split(pointer, "/"); len(steps) == 2 || steps[1] == "reviewer" || steps[1] == "logHead" {
				unreadable(t, "without "+pointer, terms.AreaOf(record.Table()), domaintest.Edited(record, domaintest.Del(pointer)))
			}
		}
		for _, pointer := range []string{"/canary", "/reviewer/canary", "/logHead/canary", "/private", "/Gate"} {
			added := domaintest.Edited(record, domaintest.Set(pointer, "canary"))
			unreadable(t, "with "+pointer, terms.AreaOf(record.Table()), added)
			if _, err := domaintest.Reread(terms.AreaOf(record.Table()), added); strings.Contains(err.Error(), "canary") {
				t.Errorf("the refusal repeats what it does not know: %v", err)
			}
		}
	}
}

// Some members have to be of their form, some have to follow from others.
func TestRecordsThatContradictThemselvesAreRefused(t *testing.T) {
	appealing, amending := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice")), domaintest.View(t, domaintest.Correction(), domaintest.Del("/record/notice"))
	one := domaintest.Recorded(t, &appealing, domaintest.ChoiceFor(&appealing, terms.DeadlineExpired, terms.ScopeMissing))
	two := domaintest.Recorded(t, &amending, domaintest.ChoiceFor(&amending, terms.PolicyStale))
	passed := domaintest.View(t, domaintest.Correction())
	three := domaintest.Recorded(t, &passed, domaintest.ChoiceFor(&passed))
	shared := append(edits(`/gate = "pass"; /gate = "open"; /gate = null;
		/computedBlockers = ["notice_missing", "notice_missing"]; /computedBlockers = ["canary"];
		/computedBlockers = null; /reviewerBlockers = ["notice_missing"]; /factorCodes = [];
		/factorCodes = ["human_review_required", "specific_reviewed_claim"];
		/factorCodes = ["human_review_required", "human_review_required"]; /factorCodes = [null];
		/stateMutation = "none"; /stateMutation = true; /recordId = "x"; /recordId = null;
		/supersedes = "x"; /reviewer/role = "admin"; /reviewer/id = "a b"; /reviewer = null;
		/reviewer/keyFingerprint = null; /reviewer/keyFingerprint = "";
		/reviewer/keyFingerprint = "+49 30 901820"; /logHead/size = -1; /logHead/size = 0.5;
		/logHead/root = null; /packetDigest = null; /sectionsViewed = ["canary"]; /openedAt = null;
		/evaluatedAt = "2026-06-15"; /recordedAt = "2026-06-15T14:00:00+02:00";
		/evaluatedAt = "2026-06-15T12:00:00.Z"; /evaluatedAt = "2026-06-15T12:00:00.0000000000Z";
		/noteDigest = "none"; /policyVersion = 0; /contractVersion = null; /policyHash = ""`),
		domaintest.Set("/reviewer/keyFingerprint", domaintest.Fingerprint[1:]),
		domaintest.Set("/reviewer/keyFingerprint", domaintest.Fingerprint+"x"),
		domaintest.Set("/packetDigest", strings.ToUpper(domaintest.OtherHash)))
	for _, test := range []struct {
		record records.Enforcement
		edits  []domaintest.Edit
	}{
		{one, shared}, {two, shared},
		{one, edits(`/provenanceActivity = "decision_upheld"; /traceabilityBusinessStep = "review";
			/reviewScope = []; /reviewScope = ["claim"]; /subject = "claim"; /outcome = "close_unresolved";
			/outcome = null; /advisoryOutcome = null;
			/reviewerBlockers = ["scope_missing", "deadline_expired"];
			/reviewerBlockers = ["policy_stale"]; /caseRevision = 0; /caseId = null`)},
		{two, edits(`/blockedTransitions = []; /blockedTransitions = ["payment_capture"];
			/transition = "destination_change"; /transition = null; /ownerId = null;
			/reviewerBlockers = ["scope_missing"]; /amendmentRevision = null`)},
		{three, edits(`/gate = "blocked"; /blockedTransitions = ["terms_snapshot_update"];
			/computedBlockers = ["notice_missing"]; /reviewerBlockers = ["notice_missing"]`)},
	} {
		for _, e := range test.edits {
			unreadable(t, e.Pointer+" "+string(domaintest.Encoded(e.Value)), terms.AreaOf(test.record.Table()), domaintest.Edited(test.record, e))
		}
	}
}

func TestRecordsInAnyOtherFormAreRefused(t *testing.T) {
	for _, record := range domaintest.Records(t) {
		document := string(record.Document())
		area := terms.AreaOf(record.Table())
		other := terms.Appeals + terms.Amendments - area
		for what, changed := range map[string]string{
			"nothing":    "",
			"a space":    document + " ",
			"indented":   strings.Replace(document, ",", ", ", 1),
			"an escape":  strings.Replace(document, `"gate"`, `"g\u0061te"`, 1),
			"twice":      strings.Replace(document, `"gate"`, `"gate":"pass","gate"`, 1),
			"a fraction": strings.Replace(document, `"size":41`, `"size":41.0`, 1),
			"cut":        document[:len(document)-1],
			"reordered": `{"stateMutation":"append_only_enforcement_record",` +
				strings.Replace(document[1:], `,"stateMutation":"append_only_enforcement_record"`, "", 1),
			"an array":     "[" + document + "]",
			"broken UTF-8": strings.Replace(document, "SHA256", "SHA\xff256", 1),
			"too long":     document + strings.Repeat(" ", 65536),
		} {
			unreadable(t, what, area, []byte(changed))
		}
		unreadable(t, "of the other area", other, record.Document())
		unreadable(t, "of no area", 0, record.Document())
	}
}

// The error names the member at fault.
func TestAMemberAtFaultIsNamed(t *testing.T) {
	for _, record := range domaintest.Records(t) {
		for pointer, change := range map[string]domaintest.Edit{
			"/gate": domaintest.Set("/gate", "CANARY"), "/reviewer/role": domaintest.Set("/reviewer/role", nil), "/logHead/size": domaintest.Set("/logHead/size", -1),
			"/recordId": domaintest.Del("/recordId"), "": domaintest.Set("/CANARY", 1),
		} {
			_, err := domaintest.Reread(terms.AreaOf(record.Table()), domaintest.Edited(record, change))
			var fault *json.Fault
			if !errors.As(err, &fault) || fault.Pointer != pointer || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("%q: %v", pointer, err)
			}
		}
	}
}

// A time has a fraction of one to nine digits or none, so that the same instant can be written in several ways. The record keeps the one
// that was signed.
func TestATimeOfARecordMayEndInZeros(t *testing.T) {
	for _, from := range []func() domaintest.Scene{domaintest.Appeal, domaintest.Correction} {
		v, later := domaintest.View(t, from()), domaintest.LookAgain(t, from(), domaintest.RecheckedAt)
		honest := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		area, want := terms.AreaOf(honest.Table()), honest.Members()
		for member, at := range map[string]terms.Instant{"openedAt": want.OpenedAt, "evaluatedAt": want.EvaluatedAt, "recordedAt": want.RecordedAt} {
			for _, zeros := range []string{".0", "0", "00000", ".000000000"} {
				text, hasFraction := strings.TrimSuffix(at.String(), "Z"), strings.Contains(at.String(), ".")
				if hasFraction == strings.HasPrefix(zeros, ".") {
					continue
				}
				text += zeros + "Z"
				document := domaintest.Edited(honest, domaintest.Set("/"+member, text))
				read, err := records.ReadEnforcement(&packets.Reader{}, area, document)
				if err != nil || !strings.Contains(string(read.Document()), `"`+member+`":"`+text+`"`) {
					t.Errorf("%s %s: %v", member, text, err)
					continue
				}
				if m := read.Members(); m.OpenedAt != want.OpenedAt || m.EvaluatedAt != want.EvaluatedAt || m.RecordedAt != want.RecordedAt {
					t.Errorf("%s %s is read as another time", member, text)
				}
				if replayed := read.Replay(v.Policy(), v.Record(), domaintest.SampleSalt); len(replayed.Findings) > 0 {
					t.Errorf("%s %s: %v", member, text, replayed.Findings)
				}
				if err := read.Recheck(&later, ""); err != nil {
					t.Errorf("%s %s: %v", member, text, err)
				}
			}
		}
	}
}
