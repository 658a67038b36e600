package report_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/report"
	"docket/domain/json"
)

func TestChallengeAppealContractValidator(t *testing.T) { validates(t, report.Appeals) }

func TestBackgroundPrivateOverlapContractValidator(t *testing.T) { validates(t, report.Overlap) }

func TestAgreementAmendmentContractValidator(t *testing.T) { validates(t, report.Amendments) }

// foreign is a report of that kind as another publisher wrote it from source 2: every label, rule, sentence
// and evidence in other words, and the time of the check in another writing of ISO 8601.
func foreign(t testing.TB, kind report.Kind) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "reports", "foreign", kind.String()+".json"))
	must(t, err)
	return text
}

func examined(t testing.TB, text []byte) report.Examination {
	t.Helper()
	found, err := report.Examine(text, now)
	must(t, err)
	return found
}

// validates holds docket's report and that of another publisher to failing no check and to fitting the
// published schema, and each copy with one thing changed to failing one where it is no wording. What the
// schema refuses fails, too.
func validates(t *testing.T, kind report.Kind) {
	t.Helper()
	schema := compiled(t, kind)
	for _, text := range [][]byte{published(t, kind), foreign(t, kind)} {
		found := examined(t, text)
		if !found.OK() || found.Kind != kind || len(found.Pass) == 0 {
			t.Fatalf("%s: %+v", kind, found.Fail)
		}
		var root any
		must(t, stdjson.Unmarshal(text, &root))
		must(t, schema.Validate(root))
		worded := map[string]bool{}
		for _, wording := range found.NotChecked {
			worded[wording.Pointer] = true
		}
		mutants := 0
		mutate("", root, func(now any) { root = now }, func(pointer, what string) {
			mutants++
			changed, err := stdjson.Marshal(root)
			must(t, err)
			found, err := report.Examine(changed, now)
			fails := err != nil || !found.OK()
			if free := isFree(worded, pointer, what); fails == free {
				t.Errorf("%s: %s %s: fails is %t", kind, pointer, what, fails)
			}
			if refused := schema.Validate(root) != nil; refused && !fails {
				t.Errorf("%s: %s %s is refused by the schema only", kind, pointer, what)
			}
		})
		if mutants < 500 {
			t.Errorf("%s: only %d mutants", kind, mutants)
		}
	}
}

// isFree reports whether a change leaves a report a good one: it words a text, or it is of a list of the sample
// decision whose number or order is the publisher's.
func isFree(worded map[string]bool, pointer, what string) bool {
	lists := []string{"requiredArtifacts", "privacyActions"}
	for _, list := range lists {
		if at := "/publicContract/sampleDecision/" + list; pointer == at && what == "one entry more" ||
			strings.HasPrefix(pointer, at+"/") && slices.Contains([]string{"removed", "doubled", "moved"}, what) {
			return true
		}
	}
	if strings.HasPrefix(pointer, "/publicContract/sampleDecision/factorCodes/") {
		return what == "removed" || what == "moved"
	}
	if path := pointer; what == "moved" && worded[path] { // sentences have no order that could be told
		return true
	}
	return worded[pointer] && what == "worded otherwise"
}

// mutate changes one thing at a time, everywhere below a value, and calls try after each change.
func mutate(pointer string, v any, put func(any), try func(pointer, what string)) {
	with := func(at, what string, changed any) {
		put(changed)
		try(at, what)
		put(v)
	}
	switch value := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			less := maps.Clone(value)
			delete(less, name)
			with(pointer+"/"+name, "removed", less)
			mutate(pointer+"/"+name, value[name], func(now any) { value[name] = now }, try)
		}
		more := maps.Clone(value)
		more["kanarienvogel"] = 1
		with(pointer, "one member more", more)
	case []any:
		for i, entry := range value {
			at := pointer + "/" + strconv.Itoa(i)
			with(at, "removed", slices.Delete(slices.Clone(value), i, i+1))
			with(at, "doubled", slices.Insert(slices.Clone(value), i, entry))
			if i > 0 {
				moved := slices.Clone(value)
				moved[i-1], moved[i] = moved[i], moved[i-1]
				with(at, "moved", moved)
			}
			mutate(at, entry, func(now any) { value[i] = now }, try)
		}
		with(pointer, "one entry more", append(slices.Clone(value), "kanarienvogel"))
	case bool:
		with(pointer, "turned round", !value)
	case string:
		with(pointer, "emptied", "")
		with(pointer, "with private details", "write to jane.doe@example.org")
		if pointer != "/checkedAt" {
			with(pointer, "worded otherwise", value+" 2 kanarienvogel")
		}
	}
	with(pointer, "to null", nil)
	with(pointer, "to a number", 7)
}

func compiled(t *testing.T, kind report.Kind) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("it refers to something outside itself") }
	must(t, compiler.AddResource("schema.json", bytes.NewReader(report.Schema(kind))))
	schema, err := compiler.Compile("schema.json")
	must(t, err)
	return schema
}

func TestEverySentenceThatIsNotTabulatedIsShownAndNotJudged(t *testing.T) {
	anything := bytes.ReplaceAll(published(t, report.Appeals), []byte("An appeal targets only the one specific reviewed item"),
		[]byte("Anything goes, and an appeal targets everything else than the item"))
	found := examined(t, anything)
	if !found.OK() || !slices.Contains(found.NotChecked, report.Wording{ID: "narrow-appeal-scope", Pointer: "/publicContract/invariants/0",
		Text: "Anything goes, and an appeal targets everything else than the item named by its subject."}) {
		t.Errorf("%v %+v", found.Fail, found.NotChecked)
	}
	for _, id := range []string{"remedy-and-human-control", "stated-purpose"} {
		if slices.Contains(found.Pass, id) {
			t.Errorf("%s passes, and is about wording alone", id)
		}
	}
	for _, kind := range report.Kinds() {
		var root any
		must(t, stdjson.Unmarshal(published(t, kind), &root))
		shown := map[string]bool{}
		for _, wording := range examined(t, published(t, kind)).NotChecked {
			shown[wording.Text] = true
		}
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for _, inside := range v {
					walk(inside)
				}
			case []any:
				for _, inside := range v {
					walk(inside)
				}
			case string:
				if strings.Contains(v, " ") && !shown[v] && !strings.HasPrefix(v, "approved exact ") {
					t.Errorf("%s: %q is neither shown nor a constant", kind, v)
				}
			}
		}
		walk(root)
	}
}

func TestWhatIsNotTheContractsIsNotShown(t *testing.T) {
	text := strings.NewReplacer(`"claim"`, `"kanarienvogel"`, `"purpose": "`, `"purpose": "Ask jane.doe@example.org: `,
		`"publicContract": {`, `"publicContract": {"reviewerNotes": "kanarienvogel",`).Replace(string(published(t, report.Appeals)))
	found := examined(t, []byte(text))
	said, err := stdjson.Marshal(found)
	must(t, err)
	for _, hidden := range []string{"kanarienvogel", "jane", "reviewerNotes"} {
		if bytes.Contains(said, []byte(hidden)) {
			t.Errorf("%s is shown: %s", hidden, said)
		}
	}
	var failed []string
	for _, failure := range found.Fail {
		failed = append(failed, failure.ID)
	}
	if got := strings.Join(failed, " "); got != "subject-coverage report-schema nothing-private" {
		t.Errorf("it fails %s", got)
	}
}

func TestTheTimeOfACheckIsUTCAndHasCome(t *testing.T) {
	for text, want := range map[string]string{
		"2026-07-01T00:00:30Z": "", "2026-07-01T00:00:30.25+00:00": "", "2026-07-01T00:00Z": "", "20260701T000030,5Z": "",
		"2026-07-01T00:01:01Z": "lies in the future", "2026-07-01T02:00:00+02:00": "UTC", "2026-02-30T00:00:00Z": "UTC",
		"2026-07-01": "UTC", "yesterday": "UTC", "2026-07-01T00:00:00": "UTC",
	} {
		changed := strings.Replace(string(published(t, report.Overlap)), "2026-07-01T00:00:00Z", text, 1)
		found := examined(t, []byte(changed))
		if found.OK() != (want == "") || want != "" && (found.Fail[0].ID != "time-of-check" ||
			!strings.Contains(found.Fail[0].Problems[0].Reason, want)) {
			t.Errorf("%s: %+v", text, found.Fail)
		}
	}
}

func TestTheEvidenceOfTheDefinitionsCountsTwoRecordsAndNoOtherNumber(t *testing.T) {
	published := string(published(t, report.Amendments))
	stated := regexp.MustCompile(`"[^"]*2 required records[^"]*"`).FindString(published)
	for evidence, ok := range map[string]bool{
		"each of the six transitions needs two required records; see section 2.5.1": true,
		"required records: 2 for each of 6":                                         true,
		"each transition lists 1 required record; see section 2.5.1":                false,
		"two records, but one for a pause":                                          false,
		"see section 2.5.1":                                                         false,
		"all are there":                                                             false,
	} {
		found := examined(t, []byte(strings.Replace(published, stated, strconv.Quote(evidence), 1)))
		if found.OK() != ok {
			t.Errorf("%s: %+v", evidence, found.Fail)
		}
	}
}

func TestWhatIsNoReportOfAKnownContractIsRefused(t *testing.T) {
	for text, want := range map[string]error{
		`{}`: report.ErrNotAReport, `[]`: report.ErrNotAReport, `{"contractVersion":"x","publicContract":{}}`: report.ErrNotAReport,
		`{"contractVersion":"x","validation":{},"publicContract":{}}`: report.ErrUnknownContract,
	} {
		if _, err := report.Examine([]byte(text), now); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		`{"publicContract":{"subjects":[`:          "/publicContract/subjects: the JSON stops early; it may be cut off on line 1",
		"{\"ok\":1,\n\"ok\":1}":                    "duplicate member name on line 2",
		`{"kanarienvogel":{"a":`:                   "the JSON stops early; it may be cut off on line 1",
		`{"$schema":"x","publicContract":{}}`:      "/$schema: is not a member of a report: this is a schema, or another dialect",
		`[` + strings.Repeat("1,", 1<<16) + `1]`:   "has more than 65,536 values, and a contract report has some hundreds",
		"{\"validation\":{\"status\":\"\xff\"}}\n": "/validation/status: invalid UTF-8 on line 1",
	} {
		var fault *json.Fault
		if _, err := report.Examine([]byte(text), now); !errors.As(err, &fault) || fault.Error() != want {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	if _, err := report.Read(io.LimitReader(zeros{}, report.MaxSize+1)); !errors.Is(err, report.ErrTooLarge) {
		t.Errorf("a report of more than 16 MiB: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestAReportOfAnotherVersionIsKnownByItsValidator(t *testing.T) {
	found := examined(t, bytes.ReplaceAll(published(t, report.Amendments), []byte("trade-agreement-amendments-v0.1-2026-06"), []byte("v9")))
	if found.Kind != report.Amendments || len(found.Fail) != 1 || found.Fail[0].ID != "contract-version" || len(found.Fail[0].Problems) != 2 {
		t.Errorf("%+v", found.Fail)
	}
}

func TestThereIsNoReportOfNoKindOrWithoutATime(t *testing.T) {
	for _, unknown := range []report.Kind{0, report.Amendments + 1, 99} {
		if _, err := report.Of(unknown, now); err == nil || unknown.String() != "" {
			t.Errorf("a report of the unknown kind %d was made", unknown)
		}
	}
	if _, err := report.Of(report.Appeals, instant("2026-07-01T00:00:00Z")); err != nil {
		t.Error(err)
	}
	if _, err := report.ParseKind("nonsense"); err == nil {
		t.Error("an unknown kind was parsed")
	}
	var none report.Report
	if none.Passes() {
		t.Error("the zero report passes")
	}
}

// Each check states as evidence the codes that it is about.
func TestTheEvidenceOfOwnChecksNamesTheirCodes(t *testing.T) {
	for _, kind := range report.Kinds() {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		var all strings.Builder
		for _, check := range made(t, kind).Checks {
			all.WriteString(check.Evidence + ", ")
		}
		for i, name := range body.names {
			if name == "approvedFactorCodes" || name == "sampleDecision" {
				continue
			}
			for _, entry := range body.members[i].members {
				if code := entry.text; code != "" && !strings.Contains(code, " ") && !strings.Contains(all.String(), code) {
					t.Errorf("%s: no evidence names %s of %s", kind, code, name)
				}
			}
		}
	}
}
