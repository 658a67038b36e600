package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"docket/contracts/report"
	"docket/domain/terms"
)

func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// changed replaces a text in the published report, which must hold it.
func changed(t *testing.T, kind report.Kind, from, to string) []byte {
	t.Helper()
	text := published(t, kind)
	if !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s is not in the report", from)
	}
	return bytes.ReplaceAll(text, []byte(from), []byte(to))
}

func examined(t *testing.T, text []byte) report.Examination {
	t.Helper()
	found, err := newExaminer(t).Examine(text, now)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAnOwnReportPassesAndDiffersInNothing(t *testing.T) {
	for _, kind := range report.Kinds() {
		found := examined(t, published(t, kind))
		if !found.OK() || found.Kind != kind || !found.VersionKnown || len(found.Differences) != 0 || len(found.Private) != 0 {
			t.Errorf("%s: %v %v %v", kind, found.Blockers(), found.Differences, found.Private)
		}
	}
}

func TestOtherJSONThanAReportIsRefusedWithPlaceAndReason(t *testing.T) {
	good := string(published(t, report.Appeals))
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "empty input on line 1"},
		"no JSON":               {"Kanarienvogel", "unexpected character on line 1"},
		"truncated":             {good[:strings.Index(good, `"baseline_concern"`)], "/publicContract/subjects"},
		"truncated in a string": {good[:strings.Index(good, `_concern"`)], "/publicContract/subjects/2: unexpected end of input"},
		"a duplicate member":    {strings.Replace(good, `"ok": true,`, `"ok": true, "ok": true,`, 1), "duplicate member name on line 2"},
		"a duplicate within":    {strings.Replace(good, `"stateMutation": false,`, `"stateMutation": false, "stateMutation": false,`, 1), "/publicContract: duplicate member name"},
		"an unknown duplicate":  {`{"Kanarienvogel": {"a": 1, "a": 1}}`, "duplicate member name"},
		"bytes after it":        {good + "x", "bytes after the value"},
		"a giant number":        {strings.Replace(good, `"ok": true`, `"ok": 1e10000000`, 1), "/ok: a number of 2^53 or more"},
		"broken UTF-8":          {strings.Replace(good, `"claim"`, "\"\xff\"", 1), "/publicContract/subjects/0: invalid UTF-8"},
		"too deep":              {strings.Repeat("[", 100), "nested too deep"},
		"too many values":       {"[" + strings.Repeat("1,", 70_000) + "1]", "more than 65,536 values"},
		"a schema":              {`{"$schema": "https://json-schema.org/draft/2020-12/schema"}`, "/$schema: is not a member of a report"},
		"another dialect":       {strings.Replace(good, `{`, `{"$schema": "x",`, 1), "/$schema: is not a member of a report"},
		"an array":              {"[]", "is not a contract report"},
		"a packet":              {`{"table": "Kanarienvogel", "record": {}}`, "is not a contract report"},
		"no body":               {`{"contractVersion": "trade-challenge-appeal-v0.3", "validation": {}}`, "is not a contract report"},
		"another contract":      {`{"contractVersion": "Kanarienvogel", "validation": {}, "publicContract": {"Kanarienvogel": 1}}`, "trade-agreement-amendments-v0.1-2026-06"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newExaminer(t).Examine([]byte(c.text), now)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), "Kanarienvogel") {
				t.Errorf("the error repeats the input: %v", err)
			}
		})
	}
}

func TestAReportOfOneHundredMegabytesIsNotReadToItsEnd(t *testing.T) {
	endless := &counting{}
	if _, err := report.Read(endless); !errors.Is(err, report.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if endless.read > 2*report.MaxSize {
		t.Errorf("%d bytes were read", endless.read)
	}
	if _, err := report.Read(iotest.ErrReader(os.ErrDeadlineExceeded)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a reader's error became %v", err)
	}
	text, err := report.Read(bytes.NewReader(make([]byte, report.MaxSize)))
	if err != nil || len(text) != report.MaxSize {
		t.Errorf("a report of just the size is refused: %v", err)
	}
}

// counting yields blanks without end.
type counting struct{ read int }

func (c *counting) Read(p []byte) (int, error) {
	c.read += len(p)
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestAReportOfAnUnknownVersionIsHeldAgainstTheContractWithoutItsWordings(t *testing.T) {
	text := changed(t, report.Amendments, "trade-agreement-amendments-v0.1-2026-06", "trade-agreement-amendments-v0.2-2027-01")
	text = bytes.Replace(text, []byte("After lock, an evidence standard"), []byte("Once locked, an evidence standard"), 1)
	found := examined(t, text)
	if found.Kind != report.Amendments || found.VersionKnown {
		t.Fatalf("it was taken for %s, version known %v", found.Kind, found.VersionKnown)
	}
	if got := strings.Join(found.Blockers(), " "); got != "report-schema contract-version" {
		t.Errorf("it falls short of %s", got)
	}
	for _, check := range found.EnvelopeChecks {
		if check.ID != "contract-version" {
			continue
		}
		for _, version := range report.Versions() {
			if !strings.Contains(check.Evidence, version) {
				t.Errorf("the evidence does not name %s: %s", version, check.Evidence)
			}
		}
	}
	text = bytes.Replace(text, []byte("      \"destination_change\"\n    ],\n    \"subjectTypes\""), []byte("      \"other\"\n    ],\n    \"subjectTypes\""), 1)
	if found := examined(t, text); !strings.Contains(strings.Join(found.Blockers(), " "), "transition-coverage") {
		t.Errorf("a changed vocabulary passes under an unknown version: %v", found.Blockers())
	}
}

func TestAContractIsKnownByItsVersionElseByItsValidatorElseByItsBody(t *testing.T) {
	for _, kind := range report.Kinds() {
		contract := kind.Contract()
		text := changed(t, kind, contract.Version, "unheard-of")
		if found := examined(t, text); found.Kind != kind || found.VersionKnown {
			t.Errorf("%s is not known by its validator", kind)
		}
		text = bytes.ReplaceAll(text, []byte(contract.ValidatorName), []byte("nobody"))
		if found := examined(t, text); found.Kind != kind || found.VersionKnown {
			t.Errorf("%s is not known by its body", kind)
		}
	}
}

// A body that shares three members with a contract is of it, and one that shares two is of none.
func TestABodyIsKnownByThreeOfItsMembers(t *testing.T) {
	for members, known := range map[string]bool{
		`"subjects":[],"appealTriggers":[]`:                      false,
		`"subjects":[],"appealTriggers":[],"allowedOutcomes":[]`: true,
		`"subjects":[],"appealTriggers":[],"other":1,"more":[]`:  false,
	} {
		found, err := newExaminer(t).Examine([]byte(`{"contractVersion":"other","validation":{},"publicContract":{`+members+`}}`), now)
		if known && (err != nil || found.Kind != report.Appeals || found.VersionKnown) || !known && !errors.Is(err, report.ErrUnknownContract) {
			t.Errorf("%s: %v, %v", members, found.Kind, err)
		}
	}
}

func TestADecisionIsReadyExactlyWhenItHasNoBlockers(t *testing.T) {
	const ready = `"status": "ready_for_human_review"`
	found := examined(t, changed(t, report.Appeals, ready, `"status": "blocked"`))
	var told []string
	for _, check := range found.Checks {
		for _, problem := range check.Problems {
			told = append(told, problem.String())
		}
	}
	if text := strings.Join(told, "\n"); !strings.Contains(text, "a decision is ready exactly when it has no blockers") {
		t.Errorf("the problems are:\n%s", text)
	}
}

func TestAReportOfTooManyValuesIsRefused(t *testing.T) {
	const most = 1 << 16
	for name, text := range map[string]string{
		"numbers": "[" + strings.Repeat("1,", most-1) + "1]",
		"lists":   "[" + strings.Repeat("[],", most-1) + "[]]",
		"objects": "[" + strings.Repeat("{},", most-1) + "{}]",
	} {
		if _, err := newExaminer(t).Examine([]byte(text), now); err == nil || !strings.Contains(err.Error(), "has more than 65,536 values") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	if _, err := newExaminer(t).Examine([]byte("["+strings.Repeat("1,", most-2)+"1]"), now); err == nil || strings.Contains(err.Error(), "65,536") {
		t.Errorf("as many as there may be: %.200v", err)
	}
}

// code64 is a code of 64 characters, all of whose parts stand in the contract, with an s at its end, too.
var code64 = strings.Repeat("claim_", 10) + "case"

func TestADifferenceHasPointerBuiltInAndFound(t *testing.T) {
	for name, c := range map[string]struct{ from, to, pointer, builtin, found string }{
		"a word replaced":                {`"dismissed"`, `"withdrawn"`, "/publicContract/appealCaseStatuses/7", `"dismissed"`, `"withdrawn"`},
		"a word removed":                 {"\"claim\",\n", "", "/publicContract/subjects/0", `"claim"`, "absent"},
		"a word added":                   {`"claim",`, `"claim", "appeal_case",`, "/publicContract/subjects/1", "absent", `"appeal_case"`},
		"an unknown word":                {`"claim",`, `"jane_doe",`, "/publicContract/subjects/0", `"claim"`, "a text of 8 characters"},
		"a code of its parts":            {`"claim",`, `"reviewed_claim",`, "/publicContract/subjects/0", `"claim"`, `"reviewed_claim"`},
		"another type":                   {`"reviewScope": [`, `"reviewScope": 12345678, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "a number"},
		"a small number":                 {`"reviewScope": [`, `"reviewScope": 3, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "3"},
		"a number that is shown":         {`"reviewScope": [`, `"reviewScope": 999, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "999"},
		"a number too large to be shown": {`"reviewScope": [`, `"reviewScope": 1000, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "a number"},
		"zero":                           {`"reviewScope": [`, `"reviewScope": 0, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "0"},
		"a number below zero":            {`"reviewScope": [`, `"reviewScope": -1, "x": [`, "/publicContract/sampleDecision/reviewScope", "an array of 1 entry", "a number"},
		"a code of 64 characters":        {`"claim",`, `"` + code64 + `",`, "/publicContract/subjects/0", `"claim"`, `"` + code64 + `"`},
		"a code of 65 characters":        {`"claim",`, `"` + code64 + `s",`, "/publicContract/subjects/0", `"claim"`, "a text of 65 characters"},
		"a code with eight digits":       {`"claim",`, `"claim_v4711.v2000",`, "/publicContract/subjects/0", `"claim"`, `"claim_v4711.v2000"`},
		"a code with nine digits":        {`"claim",`, `"claim_v4711.v2000.v1",`, "/publicContract/subjects/0", `"claim"`, "a text of 20 characters"},
		"an object":                      {`"standingAccepted": true`, `"standingAccepted": {"name": "Jane"}`, "/publicContract/sampleDecision/standingAccepted", "true", "an object of 1 member"},
		"an unknown member":              {`"auth":`, `"jane": 1, "auth":`, "/publicContract/enforcementRoute", "absent", "1 member not known, with a name that is not shown"},
		"another order":                  {"\"claim\",\n      \"evidence_row\",", "\"evidence_row\",\n      \"claim\",", "/publicContract/subjects", "the order of the contract", "the same entries in another order"},
		"a wording":                      {"A requested outcome is advisory and must fit the trigger before routing.", "What is asked for is advisory and must fit the trigger before routing.", "/publicContract/invariants/6", `"A requested outcome is advisory and must fit the trigger before routing."`, "a text of 70 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			found := examined(t, bytes.Replace(published(t, report.Appeals), []byte(c.from), []byte(c.to), 1))
			for _, difference := range found.Differences {
				if difference.Pointer == c.pointer && difference.Builtin == c.builtin && difference.Found == c.found {
					return
				}
			}
			t.Errorf("got %+v", found.Differences)
		})
	}
}

func TestAProblemOfACheckNamesMissingExtraAndOtherEntries(t *testing.T) {
	for name, c := range map[string]struct{ from, to, pointer, reason string }{
		"a member that is gone":           {`"rawValueRetention": "forbidden",`, "", "/publicContract/namespaceRules/0/rawValueRetention", `"forbidden" is missing`},
		"a member that is another":        {`"rawValueRetention": "forbidden",`, `"rawValueRetention": "blocked",`, "/publicContract/namespaceRules/0/rawValueRetention", `must be "forbidden"; found "blocked"`},
		"a member that nobody knows":      {`"rawValueRetention": "forbidden",`, `"rawValueRetention": "forbidden", "jane": 1,`, "/publicContract/namespaceRules/0", "1 member not known, with a name that is not shown is too much"},
		"a member that is no text at all": {`"rawValueRetention": "forbidden",`, `"rawValueRetention": null,`, "/publicContract/namespaceRules/0/rawValueRetention", `must be "forbidden"; found null`},
	} {
		t.Run(name, func(t *testing.T) {
			found := examined(t, bytes.Replace(published(t, report.Overlap), []byte(c.from), []byte(c.to), 1))
			objected := 0
			for _, check := range found.Checks {
				for _, problem := range check.Problems {
					if problem.Pointer == c.pointer && problem.Reason == c.reason {
						objected++
						if check.Status != terms.Blocked || !strings.Contains(check.Evidence, c.reason) {
							t.Errorf("%s has the status %s with the evidence %q", check.ID, check.Status, check.Evidence)
						}
					}
				}
			}
			if objected == 0 {
				t.Errorf("no check says %q of %s, but %+v", c.reason, c.pointer, found.Checks)
			}
		})
	}
}

func TestFiftyOfManyProblemsAreListedAndTheRestCounted(t *testing.T) {
	text := bytes.ReplaceAll(published(t, report.Amendments), []byte("_"), []byte("-"))
	text = bytes.ReplaceAll(text, []byte(": [\n"), []byte(": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,\n"))
	var most int
	for _, check := range examined(t, text).Checks {
		if most = max(most, len(check.Problems)); len(check.Problems) == 51 && !strings.HasSuffix(check.Problems[50].Reason, " more problems") {
			t.Errorf("%s ends with %q", check.ID, check.Problems[50].Reason)
		}
	}
	if most != 51 {
		t.Errorf("at most %d problems are listed", most)
	}
}

func TestAReportFromTheFutureIsObjectedTo(t *testing.T) {
	found := examined(t, changed(t, report.Overlap, "2026-07-01T00:00:00Z", "2026-07-01T00:01:01Z"))
	if got := strings.Join(found.Blockers(), " "); got != "time-of-check" {
		t.Errorf("it falls short of %q", got)
	}
	found = examined(t, changed(t, report.Overlap, "2026-07-01T00:00:00Z", "2026-07-01T00:01:00Z"))
	if !found.OK() {
		t.Errorf("a report of this moment falls short of %v", found.Blockers())
	}
}

func TestAnExaminationIsOneJSONDocumentWithEverythingInIt(t *testing.T) {
	found := examined(t, changed(t, report.Appeals, `"dismissed"`, `"withdrawn"`))
	text, err := json.Marshal(&found)
	if err != nil {
		t.Fatal(err)
	}
	want := "ok contract contractVersion versionKnown knownVersions checks envelopeChecks differences private blockers"
	if got := strings.Join(decoded(t, text).names, " "); got != want {
		t.Errorf("it has %s", got)
	}
	if n := len(found.Checks); n != len(report.Appeals.CheckTitles()) {
		t.Errorf("it has %d checks", n)
	}
	for _, check := range append(found.Checks, found.EnvelopeChecks...) {
		if check.Evidence == "" || (check.Status == terms.Pass) != (len(check.Problems) == 0) {
			t.Errorf("%s has no evidence, or does not follow from its problems", check.ID)
		}
	}
}

func TestTheVersionOfTheValidationIsThatOfTheReport(t *testing.T) {
	text := bytes.Replace(published(t, report.Appeals), []byte(`    "contractVersion": "trade-challenge-appeal-v0.3"`),
		[]byte(`    "contractVersion": "trade-challenge-appeal-v0.2"`), 1)
	want := report.Problem{Pointer: "/validation/contractVersion", Reason: "must be the contractVersion of the report"}
	for _, check := range examined(t, text).EnvelopeChecks {
		if slices.Contains(check.Problems, want) {
			return
		}
	}
	t.Errorf("no check has the problem %v", want)
}

func TestTheSchemaSaysWhichValuesThereAre(t *testing.T) {
	for name, c := range map[string]struct {
		kind                      report.Kind
		from, to, pointer, reason string
	}{
		"a pattern": {report.Appeals, `"stateMutation": "append_only_enforcement_record"`, `"stateMutation": "x"`, "/publicContract/enforcementRoute/stateMutation",
			"must be append_only_enforcement_record, in this or another spelling"},
		"a time":           {report.Appeals, `"checkedAt": "`, `"checkedAt": "x`, "/checkedAt", "must be an ISO 8601 time in UTC such as 2026-01-31T09:00:00Z"},
		"a word of a list": {report.Overlap, `"status": "pass",`, `"status": "fine",`, "/validation/status", "must be one of pass, blocked"},
		"the one value":    {report.Overlap, `"validatorName": "`, `"validatorName": "x`, "/validation/validatorName", `must be "background-private-overlap-design"`},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			for _, check := range examined(t, bytes.Replace(published(t, c.kind), []byte(c.from), []byte(c.to), 1)).EnvelopeChecks {
				for _, problem := range check.Problems {
					if told = append(told, problem.Pointer+": "+problem.Reason); check.ID == "report-schema" && problem.Pointer == c.pointer && problem.Reason == c.reason {
						return
					}
				}
			}
			t.Errorf("%q", told)
		})
	}
}
