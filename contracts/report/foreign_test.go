package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// foreign is a report of that kind as another publisher wrote it from source 2: every label, rule, sentence and evidence
// in other words, and the time of the check in another writing of ISO 8601.
func foreign(t testing.TB, kind report.Kind) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "reports", "foreign", kind.String()+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAReportInAnotherPublishersWordsPasses(t *testing.T) {
	for _, kind := range report.Kinds() {
		found := examined(t, foreign(t, kind))
		if !found.OK() || found.Kind != kind {
			t.Errorf("%s: %v", kind, found.Blockers())
		}
		for _, difference := range found.Differences {
			if !difference.Wording {
				t.Errorf("%s: %+v", kind, difference)
			}
		}
		// Nothing that may be worded otherwise is as docket words it.
		own := decoded(t, published(t, kind))
		other := decoded(t, foreign(t, kind))
		same := map[string]bool{}
		own.texts(func(text string) { same[text] = strings.Contains(text, " ") })
		other.texts(func(text string) {
			if same[text] {
				t.Errorf("%s: %q is not in other words", kind, text)
			}
		})
	}
}

// texts visits every text of a document.
func (n node) texts(visit func(string)) {
	visit(n.text)
	for _, inside := range n.members {
		inside.texts(visit)
	}
}

func TestAReportInAnotherPublishersWordsThatWasMutatedDoesNotPass(t *testing.T) {
	t.Parallel()
	examiner, step := newExaminer(t), 2*mutationStep()
	for _, kind := range report.Kinds() {
		lawful, refused := 0, 0
		for i, m := range mutants(foreign(t, kind)) {
			if i%step != 0 && !strings.Contains(m.pointer, "/evidence") {
				continue
			}
			found, err := examiner.Examine(m.text, now)
			passes := err == nil && found.OK()
			if passes != m.lawful() {
				t.Errorf("%s: %s %s: passes %v (%v %v)", kind, m.pointer, m.how, passes, err, found.Blockers())
			}
			if passes {
				lawful++
			} else {
				refused++
			}
		}
		if lawful < 100/step || refused < 1000/step {
			t.Errorf("%s: %d lawful and %d refused mutations are too few", kind, lawful, refused)
		}
	}
}

func TestAnInvisibleTextOrOneWithPrivateDetailsIsNoWording(t *testing.T) {
	for name, c := range map[string]struct{ text, objecting string }{
		"blank":                     {" ", "stated-purpose"},
		"a zero-width space":        {"\u200b", "stated-purpose"},
		"an empty braille pattern":  {"\u2800", "stated-purpose"},
		"a Hangul filler":           {"\u3164", "stated-purpose"},
		"an address":                {"Ask jane@example.org.", "nothing-private"},
		"a letter":                  {"x", ""},
		"letters of another script": {"目的", ""},
		"a sign":                    {"…", ""},
	} {
		text := bytes.Replace(foreign(t, report.Appeals), []byte("Lets somebody with standing challenge a single decision, and nothing wider than that."), []byte(c.text), 1)
		found := examined(t, text)
		if got := strings.Join(found.Blockers(), " "); got != c.objecting {
			t.Errorf("%s: %q objects", name, got)
		}
	}
}

func TestTheEvidenceOfTheTransitionDefinitionsStatesACountOfTwo(t *testing.T) {
	const stated = "donation_offset_material_change=2; pledge_swap_material_change=2; post_lock_correction=2; " +
		"pause_or_early_termination=2; evidence_standard_change=2; destination_change=2"
	for evidence, passes := range map[string]bool{
		"2 required records for each of the six transitions": true, "two each": true, stated: true,
		"required records": false, "12 records": false,
		strings.Replace(stated, "lock_correction=2", "lock_correction=3", 1): false,
	} {
		text := bytes.Replace(foreign(t, report.Amendments), []byte(stated), []byte(evidence), 1)
		if found := examined(t, text); found.OK() != passes {
			t.Errorf("%s: %v", evidence, found.Blockers())
		}
	}
}

func TestEveryISO8601WritingOfUTCIsATimeOfCheck(t *testing.T) {
	t.Parallel()
	for _, writing := range []string{
		"2026-06-30T22:15:00Z", "2026-06-30T22:15:00+00:00", "2026-06-30T22:15:00+00", "2026-06-30T22:15:00.123456789012Z",
		"2026-06-30T22:15:00,5+00:00", "2026-06-30T22:15Z", "2026-06-30T22Z", "2026-06-30T22.5Z", "2026-06-30T22:15,25+00:00",
		"20260630T221500Z", "20260630T221500+0000", "20260630T2215Z", "20260630T22Z", "20260630T221500.5+00",
		"2026-181T22:15:00Z", "2026181T221500Z", "2026-W27-2T22:15:00Z", "2026W272T221500Z",
		"2026-06-29T24:00:00Z", "2026-06-29T24Z", "2026-06-29T23:59:59.95Z", "2016-12-31T23:59:60Z", "2020-W53-7T00:00:00Z", "2024-366T00:00:00Z",
	} {
		if found := examined(t, changed(t, report.Overlap, "2026-07-01T00:00:00Z", writing)); !found.OK() {
			t.Errorf("%s: %v", writing, found.Blockers())
		}
	}
	for _, writing := range []string{
		"", "yesterday", "2026-06-30", "2026-06-30T22:15:00", "2026-06-30 22:15:00Z", "2026-06-30T22:15:00+02:00",
		"2026-06-30T22:15:00-00:00", "2026-06-30T22:15:00+0000", "20260630T22:15:00Z", "2026-06-30T221500Z", "2026-06-30t22:15:00z",
		"2026-06-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-06-30T24:00:01Z", "2026-06-30T25:00:00Z",
		"2026-06-30T22:60:00Z", "2026-06-30T22:15:60Z", "2026-06-30T22:15:61Z", "2026-366T00:00:00Z", "2026-000T00:00:00Z",
		"2026-W54-1T00:00:00Z", "2026-W00-1T00:00:00Z", "2026-W27-0T00:00:00Z", "2026-W27-8T00:00:00Z",
		"2026-W26-8T00:00:00Z", "2025-W79-1T00:00:00Z", "2025-545T00:00:00Z", "26-06-30T22:15:00Z",
		"2026-06-30T22:15:00.Z", "2026-06-30T22:15:00Z ", "+002026-06-30T22:15:00Z", "2026-06T22:15:00Z",
		"2026-06-30T22:15:00." + strings.Repeat("0", 100) + "Z",
	} {
		found := examined(t, changed(t, report.Overlap, "2026-07-01T00:00:00Z", writing))
		if !slices.ContainsFunc(found.EnvelopeChecks, func(c report.Check) bool { return c.ID == "time-of-check" && c.Status != terms.Pass }) {
			t.Errorf("%q is a time of check", writing)
		}
	}
	for writing, passes := range map[string]bool{"20260701T000100Z": true, "20260701T000100,1Z": false, "2026-182T00:02Z": false, "2026-W27-3T24:00Z": false} {
		if found := examined(t, changed(t, report.Overlap, "2026-07-01T00:00:00Z", writing)); found.OK() != passes {
			t.Errorf("%s: %v", writing, found.Blockers())
		}
	}
}

func TestOKSaysThatTheReportWasProduced(t *testing.T) {
	found := examined(t, changed(t, report.Overlap, `"ok": true`, `"ok": false`))
	if got := strings.Join(found.Blockers(), " "); got != "report-schema results-follow-from-checks" {
		t.Errorf("a report that was not produced: %q objects", got)
	}
}

func TestAMissingMemberIsNamedAndNoOtherIs(t *testing.T) {
	text := changed(t, report.Overlap, "\"purpose\": ", "\"Kanarienvogel\": ")
	text = bytes.Replace(text, []byte(`"validatorName": "background-private-overlap-design",`), nil, 1)
	text = bytes.Replace(text, []byte(`"rawValueRetention": "forbidden",`), nil, 1)
	var missing []string
	for _, check := range examined(t, text).EnvelopeChecks {
		for _, problem := range check.Problems {
			if check.ID == "report-schema" && problem.Reason == "is required and absent" {
				missing = append(missing, problem.Pointer)
			}
		}
	}
	want := []string{"/purpose", "/publicContract/namespaceRules/0/rawValueRetention", "/validation/validatorName"}
	slices.Sort(missing)
	slices.Sort(want)
	if !slices.Equal(missing, want) {
		t.Errorf("missing are %q", missing)
	}
}
