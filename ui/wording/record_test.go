package wording_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/wording"
)

func TestEveryReasonForARejectionIsSaidInPlainWords(t *testing.T) {
	said := map[string]bool{}
	for _, reason := range records.RejectionReasons.All() {
		why := wording.WhyRejected(reason)
		if said[why] || strings.Contains(why, "_") || strings.Contains(why, "no reason") || strings.HasSuffix(why, ".") {
			t.Errorf("%s is said %q", reason, why)
		}
		said[why] = true
	}
	if why := wording.WhyRejected(0); !strings.Contains(why, "no reason that is known") {
		t.Errorf("an unknown one is said %q", why)
	}
}

func TestTheRecordInForceIsNamedWithItsLog(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Pull(time.Hour)
	none := workbench.Latest(terms.AppealCases, "AC-2042")
	own := workbench.Decide("AC-2042", terms.RouteHumanReview)
	workbench.Reject(0, records.RecordSuperseded, workbenchtest.Foreign)
	foreign := workbench.Latest(terms.AppealCases, "AC-2042")
	workbench.Decide("AC-2043", terms.RouteHumanReview)
	workbench.Reject(1, records.PacketStale, "")
	gone := workbench.Latest(terms.AppealCases, "AC-2043")
	first := workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Reject(3, records.RecordRefused, first.InForce)
	still := workbench.Latest(terms.AppealCases, "AC-2044")
	for name, test := range map[string]struct {
		caseFile   *queue.CaseFile
		says, stay string
	}{
		"nothing":          {&none, ": ", "it stays in the log"},
		"an own record":    {&own, "decided: route human review; record " + string(own.InForce) + " is in force; a new decision supersedes it", "it stays in the log"},
		"another's":        {&foreign, "in force at the service: record " + string(workbenchtest.Foreign) + ", a record of another console; a new decision supersedes it", "stays in the log there"},
		"the one before":   {&still, "still in force: record " + string(first.InForce) + "; a new decision supersedes it", "it stays in the log"},
		"nothing any more": {&gone, ": ", "it stays in the log"},
	} {
		if standing, text := wording.InForce(test.caseFile); standing+": "+text != test.says {
			t.Errorf("%s: %s: %q", name, standing, text)
		}
		if got := wording.StaysWhere(test.caseFile); !strings.Contains(got, test.stay) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for here, want := range map[bool]string{true: "record " + string(workbenchtest.Foreign), false: ", a record of another console"} {
		rejection := foreign.Rejected().HandIn.Rejection
		if got := wording.InForceThere(&rejection, here); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q", here, got)
		}
	}
	if got := wording.InForceThere(&records.Rejection{}, false); got != "nothing" {
		t.Errorf("nothing in force is said %q", got)
	}
}

// sentences are the texts of four words or more in the code of a folder and of the folders in it but some, without what
// begins and ends them, with the place of each.
func sentences(t *testing.T, folder string, but ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, left := range but {
			if entry.IsDir() && path == filepath.Join(folder, left) {
				return filepath.SkipDir
			}
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, is := n.(*ast.BasicLit); is && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				text = strings.ToLower(strings.Trim(text, " ✗!:;,.%s"))
				if err == nil && len(strings.Fields(text)) > 3 {
					found[text] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("%d sentences in %s", len(found), folder)
	}
	return found
}

func TestNoSentenceIsWrittenInBothConsoles(t *testing.T) {
	full := sentences(t, "..", "plain", "wording", "decision", "internal")
	plain, shared := sentences(t, "../plain"), sentences(t, "../decision")
	maps.Copy(shared, sentences(t, "."))
	for text, path := range plain {
		if other, both := full[text]; both {
			t.Errorf("%q is written in %s and in %s; write it here", text, path, other)
		}
	}
	for text, path := range shared {
		if other := full[text] + plain[text]; other != "" {
			t.Errorf("%q is written in %s and in %s; take it from there", text, path, other)
		}
	}
}

func TestCountsAreWrittenForReading(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1234: "-1,234", -123: "-123", 12345678: "12,345,678"} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
	if got := wording.Plural(1, "case", "cases") + ", " + wording.Plural(0, "case", "cases") + ", " + wording.Plural(2000, "case", "cases"); got != "1 case, 0 cases, 2,000 cases" {
		t.Error(got)
	}
	if got := wording.Moment(terms.Instant{}); got != "–" {
		t.Errorf("no time is written %s", got)
	}
}

func TestASentenceBeginsWithACapitalAndOnlyItsFirstLetterChanges(t *testing.T) {
	for text, want := range map[string]string{"": "", "a case": "A case", "A case": "A case", "écrit": "écrit", "\xffx": "\xffx", "1 case": "1 case"} {
		if got := wording.Capital(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
