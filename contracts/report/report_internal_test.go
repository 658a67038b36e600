package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/ordered"
	"docket/domain/terms"
)

var testTime = terms.InstantOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))

func assembled(t *testing.T, kind Kind, change func(ordered.Object) ordered.Object) Report {
	t.Helper()
	r, err := assemble(kind, testTime, change(kind.body()), knownWords())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// without drops a member.
func without(name string) func(ordered.Object) ordered.Object {
	return func(o ordered.Object) ordered.Object {
		return slices.DeleteFunc(slices.Clone(o), func(m ordered.Member) bool { return m.Name == name })
	}
}

func TestStatusOKAndBlockersFollowFromTheChecks(t *testing.T) {
	for _, kind := range Kinds() {
		content := kind.body()
		for _, m := range content {
			r := assembled(t, kind, without(m.Name))
			if r.Passes() || len(r.Blockers()) == 0 {
				t.Errorf("%s without %s passes", kind, m.Name)
				continue
			}
			root, err := parsed(r.JSON())
			if err != nil {
				t.Fatal(err)
			}
			validation := root.Member("validation")
			if string(root.Member("ok").AppendCanonical(nil, "")) != "true" || validation.Member("status").Text() != "blocked" ||
				!slices.Equal(listTexts(root.Member("blockers")), r.Blockers()) ||
				!slices.Equal(listTexts(validation.Member("blockers")), r.Blockers()) {
				t.Errorf("%s without %s: ok, status and blockers do not follow from the checks", kind, m.Name)
			}
			for _, check := range entries(validation.Member("checks")) {
				short := slices.Contains(r.Blockers(), check.Member("id").Text())
				if (check.Member("status").Text() == "blocked") != short || check.Member("evidence").Text() == "" {
					t.Errorf("%s without %s: %s says otherwise", kind, m.Name, check.Member("id").Text())
				}
			}
		}
	}
}

func TestAReportThatStatesItsOwnFailureFailsThatCheckOnly(t *testing.T) {
	text := assembled(t, Appeals, without("noticeStates")).JSON()
	found, err := Examine(text, testTime)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(found.Blockers(), " "); got != "appeal-case-state-coverage report-schema" {
		t.Errorf("it falls short of %s", got)
	}
}

func TestEveryMemberOfABodyIsWatchedByACheck(t *testing.T) {
	for _, kind := range Kinds() {
		content := kind.body()
		for _, m := range content {
			watched := slices.ContainsFunc(kind.checks(), func(c check) bool { return c.watched("/" + m.Name) })
			if !watched {
				t.Errorf("%s: no check watches %s", kind, m.Name)
			}
		}
		for _, c := range kind.checks() {
			for _, pattern := range c.watches {
				name := strings.Split(pattern, "/")[1]
				if !slices.ContainsFunc(content, func(m ordered.Member) bool { return m.Name == name }) {
					t.Errorf("%s: %s watches %s, which is not there", kind, c.id, pattern)
				}
			}
		}
	}
}

func TestEveryPlaceOfASchemaIsDescribedAndNoOtherIs(t *testing.T) {
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, entry := range v {
				walk(entry)
			}
		case map[string]any:
			for name, value := range v {
				if text, isText := value.(string); isText && name == "description" {
					if text == "" {
						t.Error("a member has no description")
					}
					used[text] = true
				}
				walk(value)
			}
		}
	}
	for _, kind := range Kinds() {
		text := GenerateSchema(kind)
		var schema any
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		walk(schema)
	}
	for place, text := range descriptions() {
		if !used[text] {
			t.Errorf("%s is described and stands in no schema", place)
		}
	}
}

func TestTheSamplesAreReadAndJudgedByTheRealRules(t *testing.T) {
	decision, evaluations, err := judgeAppealSamples()
	if err != nil {
		t.Fatal(err)
	}
	if decision.Outcome != terms.OpenChallengeWindow || len(decision.Blockers) != 0 || len(evaluations) != 2 {
		t.Errorf("the complete case comes to %s with %v; %d samples", decision.Outcome, decision.Blockers, len(evaluations))
	}
	packets, err := readSamples(terms.Amendments)
	if err != nil {
		t.Fatal(err)
	}
	judgment, _, err := packets.judge("sample-burden-shift")
	if err != nil {
		t.Fatal(err)
	}
	if !judgment.BlockerSet().Has(terms.ExposureIncreaseUnconfirmed) {
		t.Errorf("the burden-shifting change is blocked for other reasons: %v", judgment.Blockers())
	}
	if _, _, err := packets.judge("no-such-sample"); err == nil {
		t.Error("a sample that is not there was judged")
	}
}

func TestThereIsNoReportOfNoKindOrWithoutATime(t *testing.T) {
	if _, err := Of(0, testTime); err == nil {
		t.Error("a report of no kind was made")
	}
	for _, unknown := range []Kind{Amendments + 1, 99} {
		if _, err := Of(unknown, testTime); err == nil || unknown.String() != "" {
			t.Errorf("a report of the unknown kind %d was made", unknown)
		}
	}
	if _, err := Of(Appeals, terms.Instant{}); err == nil {
		t.Error("a report without a time was made")
	}
	if _, err := ParseKind("nonsense"); err == nil {
		t.Error("an unknown kind was parsed")
	}
	for _, kind := range Kinds() {
		if parsed, err := ParseKind(kind.String()); parsed != kind || err != nil {
			t.Errorf("%s does not parse: %v", kind, err)
		}
	}
}

func TestFiftyProblemsAreListedAndNoneIsCounted(t *testing.T) {
	for _, n := range []int{1, maxProblems, maxProblems + 1} {
		c := Check{Problems: slices.Repeat([]Problem{{"/a", "is missing"}}, n)}
		if !c.fallsShort() || len(c.Problems) != n || (c.Problems[n-1].Pointer == "") != (n > maxProblems) {
			t.Errorf("of %d problems %d are listed: %v", n, len(c.Problems), c.Problems[len(c.Problems)-1])
		}
	}
}

func TestASummaryTellsThreeProblemsAndCountsTheOthers(t *testing.T) {
	for n, want := range map[int]string{
		0: "",
		1: "/a: is missing",
		3: "/a: is missing, /a: is missing, /a: is missing",
		4: "/a: is missing, /a: is missing, /a: is missing, and 1 more",
		9: "/a: is missing, /a: is missing, /a: is missing, and 6 more",
	} {
		if got := summary(slices.Repeat([]Problem{{"/a", "is missing"}}, n)); got != want {
			t.Errorf("of %d problems: %q, want %q", n, got, want)
		}
	}
}

// Each definition of a transition is judged by itself, whatever the schema and the built-in body say of it.
func TestADefinitionNeedsTheFirstClassRecordsAndBlocksSomething(t *testing.T) {
	definitions := func(records, blocks string) string {
		return `{"firstClassRecordTables":["a","b"],"transitions":["one"],"definitions":[{"key":"one","requiredRecords":` + records + `,"blocksTransitions":` + blocks + `}]}`
	}
	for text, want := range map[string]string{
		definitions(`["a","b"]`, `["x"]`):                                             "",
		definitions(`["a"]`, `["x"]`):                                                 "does not require the first-class records",
		definitions(`["b","a"]`, `["x"]`):                                             "does not require the first-class records",
		definitions(`["a","b"]`, `[]`):                                                "blocks nothing",
		`{"firstClassRecordTables":["a","b"],"transitions":["one"],"definitions":[]}`: "does not define each transition once, in their order",
	} {
		read, err := parsed([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		problems := (&body{Value: read}).definitionsHold(&ask{at: "/definitions"})
		if want == "" && len(problems) > 0 || want != "" && (len(problems) != 1 || problems[0].Reason != want) {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// Of the samples one passes and one does not, each is of something that the body lists, and a case comes to what its name says.
func TestTheSamplesOfABodyShowBothGates(t *testing.T) {
	const lists = `{"subjects":["s"],"appealTriggers":["t"],"transitions":["one","two"],"samples":`
	for _, c := range []struct {
		holds   func(*body, *ask) []Problem
		samples string
		want    []string
	}{
		{(*body).caseSamplesHold, `{"s:t:pass":"pass","s:t:blocked":"blocked"}`, nil},
		{(*body).caseSamplesHold, `{"s:t:pass":"pass"}`, []string{"no sample comes to blocked"}},
		{(*body).caseSamplesHold, `{"s:t:blocked":"blocked"}`, []string{"no sample comes to pass"}},
		{(*body).caseSamplesHold, `{}`, []string{"no sample comes to pass", "no sample comes to blocked"}},
		{(*body).caseSamplesHold, `{"s:t:pass":"blocked","s:t:blocked":"pass"}`,
			[]string{"entry 1 does not come to what its name says", "entry 2 does not come to what its name says"}},
		{(*body).caseSamplesHold, `{"s:t:pass":"pass","s:t:blocked":"blocked","s:x:pass":"pass"}`, []string{"entry 3 is not called <subject>:<trigger>:<pass or blocked>"}},
		{(*body).amendmentSamplesHold, `{"one":"pass","two":"blocked"}`, nil},
		{(*body).amendmentSamplesHold, `{"one":"pass","two":"pass"}`, []string{"no sample comes to blocked"}},
		{(*body).amendmentSamplesHold, `{"one":"pass","two":"blocked","three":"pass"}`, []string{"entry 3 is not of a transition that the body lists"}},
	} {
		read, err := parsed([]byte(lists + c.samples + "}"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, problem := range c.holds(&body{Value: read}, &ask{at: "/samples"}) {
			got = append(got, problem.Reason)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.samples, got, c.want)
		}
	}
}

func TestATimeOfMoreThan64BytesIsNotRead(t *testing.T) {
	for length, read := range map[int]bool{64: true, 65: false} {
		text := "2026-07-01T00:00:00."
		text += strings.Repeat("0", length-len(text)-1) + "Z"
		if _, ok := parseUTC(text); ok != read {
			t.Errorf("of %d bytes: %t", len(text), ok)
		}
	}
}
