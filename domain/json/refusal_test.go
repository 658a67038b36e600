package json_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/json"
)

func everyStep(json.Step) bool { return true }

func TestRefusalsSayWhyAndWhere(t *testing.T) {
	file, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	var doc json.Document
	reasons, cases := map[string]bool{}, 0
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want, quoted, _ := strings.Cut(line, ": ")
		src, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		cases++
		fault := doc.Parse([]byte(src), json.Limits{})
		if fault == nil {
			t.Errorf("%q is accepted, want %q", src, want)
			continue
		}
		got := fmt.Sprintf("%s at %d", fault.Reason, fault.Offset)
		if path := doc.Where(everyStep); path != "" {
			got += " in " + path
		}
		if got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
		if doc.Root().Exists() {
			t.Errorf("%q is refused and leaves a root", src)
		}
		reasons[fault.Reason] = true
	}
	if len(reasons) != 14 || cases != 131 {
		t.Errorf("%d cases of %d reasons", cases, len(reasons))
	}
}

func TestFaultShowsNothingOfTheInput(t *testing.T) {
	var doc json.Document
	fault := doc.Parse([]byte(`{"secret":{"alias":"hidden","alias":01}}`), json.Limits{})
	if got, want := fault.Error(), "malformed number"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLineCountsLineFeeds(t *testing.T) {
	src := []byte("a\nb\r\n\nc")
	for offset, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 2, 5: 3, 6: 4, 7: 4, 99: 4} {
		if got := json.Line(src, offset); got != want {
			t.Errorf("offset %d: line %d, want %d", offset, got, want)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	nest := func(n int, inner string) []byte {
		return []byte(strings.Repeat("[", n) + inner + strings.Repeat("]", n))
	}
	var doc json.Document
	if fault := doc.Parse(nest(64, "1"), json.Limits{}); fault != nil {
		t.Errorf("64 containers: %v", fault)
	}
	fault := doc.Parse(nest(65, ""), json.Limits{})
	if fault == nil || fault.Reason != json.ReasonDepth || fault.Offset != 64 || strings.Count(doc.Where(everyStep), "/0") != 64 {
		t.Errorf("65 containers: %+v", fault)
	}
	fault = doc.Parse([]byte(`{"a":[{"b":0}]}`), json.Limits{Depth: 2})
	if fault == nil || fault.Reason != json.ReasonDepth || doc.Where(everyStep) != "/a/0" {
		t.Errorf("depth 3 of 2: %+v", fault)
	}
	if fault := doc.Parse(nest(5000, ""), json.Limits{Depth: 5000}); fault != nil {
		t.Errorf("5000 containers of 5000: %v", fault)
	}
	deep := []byte(strings.Repeat("[", 10_000_000))
	allocs := testing.AllocsPerRun(1, func() { fault = doc.Parse(deep, json.Limits{}) })
	if fault == nil || fault.Offset != 64 || allocs > 20 {
		t.Errorf("ten million brackets: %v with %v allocations", fault, allocs)
	}
}

func TestLengthIsBounded(t *testing.T) {
	var doc json.Document
	if fault := doc.Parse([]byte("[1,2]"), json.Limits{Bytes: 5}); fault != nil {
		t.Error(fault)
	}
	fault := doc.Parse([]byte("[1,2] "), json.Limits{Bytes: 5})
	if fault == nil || fault.Reason != json.ReasonSize || fault.Offset != 5 {
		t.Errorf("six bytes of five: %v", fault)
	}
}

func TestTheNumberOfValuesIsBounded(t *testing.T) {
	var doc json.Document
	for text, values := range map[string]int{`1`: 1, `[]`: 1, `[1,2,3]`: 4, `["a,b,c,d,e",2]`: 3, `{"a":[1],"b":2}`: 4, `{"a":{"b":{}}}`: 3} {
		if fault := doc.Parse([]byte(text), json.Limits{Values: values}); fault != nil {
			t.Errorf("%s: %v", text, fault)
		}
		if values == 1 {
			continue
		}
		if fault := doc.Parse([]byte(text), json.Limits{Values: values - 1}); fault == nil || fault.Reason != json.ReasonValues || doc.Root().Exists() {
			t.Errorf("%s, at most %d values: %v", text, values-1, fault)
		}
	}
	fault := doc.Parse([]byte(`{"a":[1,2]}`), json.Limits{Values: 3})
	if fault == nil || fault.Offset != 8 || doc.Where(everyStep) != "/a" {
		t.Errorf("the fourth value: %+v", fault)
	}
}

func TestANumberHasAtMost64Bytes(t *testing.T) {
	var doc json.Document
	for zeros, want := range map[int]string{61: "", 62: json.ReasonNumberLength} {
		got := ""
		if fault := doc.Parse([]byte("0.5"+strings.Repeat("0", zeros)), json.Limits{}); fault != nil {
			got = fault.Reason
		}
		if got != want {
			t.Errorf("%d bytes: %q", zeros+3, got)
		}
	}
}

func TestHugeNumbersAreRefusedAtOnce(t *testing.T) {
	var doc json.Document
	start := time.Now()
	for _, src := range []string{
		strings.Repeat("9", 5_000_000), "0." + strings.Repeat("0", 5_000_000) + "1", "1e" + strings.Repeat("0", 5_000_000),
	} {
		fault := doc.Parse([]byte(src), json.Limits{})
		if fault == nil || fault.Reason != json.ReasonNumberLength {
			t.Errorf("%.10s…: %v", src, fault)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
