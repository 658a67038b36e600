//go:build unix

package main_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
	"docket/contracts/report"
)

// testName is the name of the Go test that answers a hook.
func testName(hook string) string {
	name := "Test"
	for _, word := range strings.Split(hook, "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// testFunction matches the declaration of a test.
var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// TestEveryHookIsATest holds the 19 hooks of the reports (source 2.5.4) to a test each, of the hook's name.
func TestEveryHookIsATest(t *testing.T) {
	t.Parallel()
	declared := map[string]int{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range testFunction.FindAllSubmatch(text, -1) {
			declared[string(match[1])]++
		}
		return err
	})
	must(t, err)
	hooks := 0
	for _, kind := range report.Kinds() {
		for _, hook := range kind.ContractTests() {
			hooks++
			if declared[testName(hook)] != 1 {
				t.Errorf("%s: %d tests are called %s", hook, declared[testName(hook)], testName(hook))
			}
		}
	}
	if hooks != 19 {
		t.Errorf("%d hooks", hooks)
	}
}

// TestTechnicalSpecChallengeAppealSmoke takes a packet with a private member the whole way: imported,
// judged, decided, signed, logged, exported and verified, with nothing private in any file.
func TestTechnicalSpecChallengeAppealSmoke(t *testing.T) {
	t.Parallel()
	site := programtest.EmptySite(t)
	site.Done("docket", programtest.InitAs("--no-passphrase")...)
	sealed := site.Done("docket", "seal", programtest.Testdata(t, "packets", "appeals.json")).Stdout
	private := strings.ReplaceAll(sealed, `"table":"trade_appeal_cases"`,
		`"private":{"contact_data":"`+programtest.Canary+`"},"table":"trade_appeal_cases"`)
	if private == sealed {
		t.Fatal("the sealed packets have another form")
	}
	site.Write("packets.jsonl", private)
	site.Done("docket", "import", site.At("packets.jsonl"))
	site.Remove("packets.jsonl")
	id := strings.TrimSpace(site.Done("docket-decide", programtest.SampleCase, "open_challenge_window").Stdout)
	var record struct {
		Record struct{ Gate, Outcome, ProvenanceActivity, TraceabilityBusinessStep string }
	}
	shown := site.Done("docket", "show", id, "--json").Stdout
	if err := json.Unmarshal([]byte(shown), &record); err != nil || record.Record.Gate != "pass" ||
		record.Record.ProvenanceActivity != "challenge_window_opened" ||
		record.Record.TraceabilityBusinessStep != "challenge_opened" {
		t.Errorf("%v: %s", err, shown)
	}
	site.Done("docket", "export", site.At("bundle"))
	for _, args := range [][]string{nil, {site.At("bundle")}} {
		if verdict, plain := site.Verify(args...); !verdict.Verified || verdict.Records != 1 {
			t.Errorf("%q: %+v\n%s", args, verdict, plain)
		}
	}
	programtest.HoldNoTrace(t, site.Folder, []byte(programtest.Canary))
}
