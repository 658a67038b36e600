package domain_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"docket/domain"
)

// records are one of each kind: passed, blocked and tightened, of both areas, sparse and full.
func records(t tb) []domain.Enforcement {
	t.Helper()
	all := []domain.Enforcement{}
	for _, from := range []func() scene{appeal, correction, materialChange, destinationChange} {
		for _, edits := range [][]edit{nil, {del("/record/notice")}, {del("/policy")}} {
			v := view(t, from(), edits...)
			full := choiceFor(&v, domain.NeutralReviewMissing)
			full.Supersedes, full.NoteDigest = otherRecordID, domain.HashOf([]byte("note"))
			all = append(all, recorded(t, &v, choiceFor(&v)), recorded(t, &v, full))
		}
	}
	return all
}

func areaOf(record domain.Enforcement) domain.Area { return domain.AreaOf(record.Table()) }

func TestRecordsAreReadBackAsTheyWereWritten(t *testing.T) {
	for _, record := range records(t) {
		again, err := reread(areaOf(record), record.Document())
		if err != nil {
			t.Fatalf("%v: %s", err, record.Document())
		}
		if !bytes.Equal(again.Document(), record.Document()) || again.Table() != record.Table() {
			t.Errorf("got %s\nwant %s", again.Document(), record.Document())
		}
		if one, two := encoded(again.Members()), encoded(record.Members()); !bytes.Equal(one, two) {
			t.Errorf("members differ:\n%s\n%s", one, two)
		}
	}
}

func unreadable(t *testing.T, what string, area domain.Area, document []byte) {
	t.Helper()
	record, err := reread(area, document)
	if !errors.Is(err, domain.ErrEnforcement) || record.Document() != nil {
		t.Errorf("%s is read: %v", what, err)
	}
}

func TestRecordsWithOneMemberLessOrMoreAreRefused(t *testing.T) {
	for _, record := range records(t) {
		document := parsed(string(record.Document()))
		for _, pointer := range pointers(document, "") {
			if steps := strings.Split(pointer, "/"); len(steps) == 2 || steps[1] == "reviewer" || steps[1] == "logHead" {
				unreadable(t, "without "+pointer, areaOf(record), edited(record, del(pointer)))
			}
		}
		for _, pointer := range []string{"/canary", "/reviewer/canary", "/logHead/canary", "/private", "/Gate"} {
			added := edited(record, set(pointer, "canary"))
			unreadable(t, "with "+pointer, areaOf(record), added)
			if _, err := reread(areaOf(record), added); strings.Contains(err.Error(), "canary") {
				t.Errorf("the refusal repeats what it does not know: %v", err)
			}
		}
	}
}

// Some members have to be of their form, some have to follow from others.
func TestRecordsThatContradictThemselvesAreRefused(t *testing.T) {
	appealing, amending := view(t, appeal(), del("/record/notice")), view(t, correction(), del("/record/notice"))
	one := recorded(t, &appealing, choiceFor(&appealing, domain.DeadlineExpired, domain.ScopeMissing))
	two := recorded(t, &amending, choiceFor(&amending, domain.PolicyStale))
	passed := view(t, correction())
	three := recorded(t, &passed, choiceFor(&passed))
	shared := []edit{
		set("/gate", "pass"), set("/gate", "open"), set("/gate", nil),
		set("/computedBlockers", []string{"notice_missing", "notice_missing"}),
		set("/computedBlockers", []string{"canary"}), set("/computedBlockers", nil),
		set("/reviewerBlockers", []string{"notice_missing"}), set("/factorCodes", []string{}),
		set("/factorCodes", []string{"human_review_required", "specific_reviewed_claim"}),
		set("/factorCodes", []string{"human_review_required", "human_review_required"}), set("/factorCodes", []any{nil}),
		set("/stateMutation", "none"), set("/stateMutation", true), set("/recordId", "x"), set("/recordId", nil),
		set("/supersedes", "x"), set("/reviewer/role", "admin"), set("/reviewer/id", "a b"), set("/reviewer", nil),
		set("/reviewer/keyFingerprint", nil), set("/logHead/size", -1), set("/logHead/size", 0.5), set("/logHead/root", nil),
		set("/packetDigest", nil), set("/packetDigest", strings.ToUpper(otherHash)), set("/sectionsViewed", []string{"canary"}),
		set("/openedAt", nil), set("/evaluatedAt", "2026-06-15"), set("/recordedAt", "2026-06-15T14:00:00+02:00"),
		set("/evaluatedAt", "2026-06-15T12:00:00.500Z"), set("/noteDigest", "none"), set("/policyVersion", 0),
		set("/contractVersion", nil), set("/policyHash", ""),
	}
	for _, test := range []struct {
		record domain.Enforcement
		edits  []edit
	}{
		{one, shared}, {two, shared},
		{one, []edit{set("/provenanceActivity", "decision_upheld"), set("/traceabilityBusinessStep", "review"),
			set("/reviewScope", []string{}), set("/reviewScope", []string{"claim"}), set("/subject", "claim"),
			set("/outcome", "close_unresolved"), set("/outcome", nil), set("/advisoryOutcome", nil),
			set("/reviewerBlockers", []string{"scope_missing", "deadline_expired"}),
			set("/reviewerBlockers", []string{"policy_stale"}), set("/caseRevision", 0), set("/caseId", nil)}},
		{two, []edit{set("/blockedTransitions", []string{}), set("/blockedTransitions", []string{"payment_capture"}),
			set("/transition", "destination_change"), set("/transition", nil), set("/ownerId", nil),
			set("/reviewerBlockers", []string{"scope_missing"}), set("/amendmentRevision", nil)}},
		{three, []edit{set("/gate", "blocked"), set("/blockedTransitions", []string{"terms_snapshot_update"}),
			set("/computedBlockers", []string{"notice_missing"}), set("/reviewerBlockers", []string{"notice_missing"})}},
	} {
		for _, e := range test.edits {
			unreadable(t, e.pointer+" "+string(encoded(e.value)), areaOf(test.record), edited(test.record, e))
		}
	}
}

func TestRecordsInAnyOtherFormAreRefused(t *testing.T) {
	for _, record := range records(t) {
		document := string(record.Document())
		area := areaOf(record)
		other := domain.Appeals + domain.Amendments - area
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

// Whoever hands a record over hears which of its members is at fault.
func TestAMemberAtFaultIsNamed(t *testing.T) {
	for _, record := range records(t) {
		for pointer, change := range map[string]edit{
			"/gate": set("/gate", "CANARY"), "/reviewer/role": set("/reviewer/role", nil), "/logHead/size": set("/logHead/size", -1),
			"/recordId": del("/recordId"), "": set("/CANARY", 1),
		} {
			_, err := reread(areaOf(record), edited(record, change))
			var fault *domain.Fault
			if !errors.As(err, &fault) || fault.Pointer != pointer || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("%q: %v", pointer, err)
			}
		}
	}
}
