package verify_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var assigned = verifytest.Person(verifytest.Assigned, terms.NeutralReviewer)

// unjudged is the revision of a packet that no record judged.
const unjudged = 20260101

// sound is a log of five records of all sorts with which nothing is wrong.
func sound(t testing.TB) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	first := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1)), assigned, nil)
	l.Append(first)
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1)), assigned, nil))
	blocked := l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 3).With(verifytest.Record{"policyId": "unheld"}))
	l.Append(l.Decide(blocked, assigned, nil))
	l.Append(l.Decide(verify.Ref{Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}}, assigned, func(c *records.Choice) {
		c.Supersedes = first.Members().RecordID
		c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	}))
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", unjudged))
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-3", 1))
	l.Hold(terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 7))
	l.Append(l.Decide(verify.Ref{Table: terms.AppealCases, Key: packets.Key{ID: "case-3", Number: 1}}, assigned, nil))
	return l
}

func check(t testing.TB, l verify.Source, o verify.Options) verify.Report {
	t.Helper()
	return need(verify.Check(t.Context(), l, o))(t)
}

func TestNothingIsFoundInASoundLog(t *testing.T) {
	l := sound(t)
	report := check(t, l, verify.Options{Depth: verify.Storage})
	for _, finding := range report.Findings {
		t.Error(finding)
	}
	if report.Origin != l.Says.Origin || report.Depth != verify.Storage {
		t.Errorf("of %s, at the depth %v", report.Origin, report.Depth)
	}
	if report.Size != int64(len(l.List)) || report.Appeals != 4 || report.Amendments != 1 || report.Passed != 2 || report.Superseded != 1 {
		t.Errorf("%+v", report)
	}
	if report.Checkpoint.Size != int64(len(l.List)) || !report.Checkpoint.Root.Matches(report.Root) || report.VerifierKey == "" {
		t.Errorf("checkpoint: %+v", report)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

var update = flag.Bool("update", false, "write the list of findings into its page")

// findingsPage holds the list of findings, those with one cure together, between two lines.
var findingsPage = filepath.Join("..", "docs", "trust.md")

const listBegins, listEnds = "<!-- the list of findings -->\n", "<!-- end of the list -->\n"

func TestThePageOfFindingsHoldsTheTable(t *testing.T) {
	text := need(os.ReadFile(findingsPage))(t)
	before, rest, begins := strings.Cut(string(text), listBegins)
	_, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s has no list of findings", findingsPage)
	}
	under := map[string][]string{}
	for _, code := range verify.Codes() {
		line := fmt.Sprintf("- `%s`: %s", code, code.Meaning())
		if !code.Stops() {
			line += " *Recording goes on.*"
		}
		under[code.Cure()] = append(under[code.Cure()], line)
	}
	var shared, single strings.Builder
	for _, code := range verify.Codes() {
		switch lines := under[code.Cure()]; len(lines) {
		case 0:
		case 1:
			fmt.Fprintf(&single, "%s %s\n", lines[0], code.Cure())
		default:
			fmt.Fprintf(&shared, "%s\n\n%s\n\n", code.Cure(), strings.Join(lines, "\n"))
		}
		delete(under, code.Cure())
	}
	lists := "\n" + shared.String() + "Each of these has its own answer:\n\n" + single.String() + "\n"
	want := before + listBegins + lists + listEnds + after
	if *update {
		must(t, os.WriteFile(findingsPage, []byte(want), 0o644))
	} else if want != string(text) {
		t.Errorf("%s does not hold the list of findings; go test ./store/verify -run Page -update writes it", findingsPage)
	}
}

func TestEveryFindingHasItsOwnCodeAMeaningAndACure(t *testing.T) {
	codes := map[string]bool{}
	for _, code := range verify.Codes() {
		if code.String() == "" || codes[code.String()] {
			t.Errorf("code %d has the word %q", code, code)
		}
		codes[code.String()] = true
		if !strings.HasSuffix(code.Meaning(), ".") || !strings.HasSuffix(code.Cure(), ".") {
			t.Errorf("%s: %q %q", code, code.Meaning(), code.Cure())
		}
	}
}
