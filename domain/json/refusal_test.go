package json_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

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

func TestNamesThatOnlyLookAlikeAreAccepted(t *testing.T) {
	accepted := []string{`{"a":1,"A":2}`, `{"a":1,"a\u0000":2,"":3}`, "{\"\u00e9\":1,\"e\u0301\":2}", `[{"a":1},{"a":1}]`}
	for _, src := range accepted {
		var doc json.Document
		if fault := doc.Parse([]byte(src), json.Limits{}); fault != nil {
			t.Errorf("%q: %v", src, fault)
		}
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
