package bundle_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// relied reads the gate and the reasons of each row of reliance.csv.
func relied(t *testing.T, dir string) map[string]string {
	t.Helper()
	file := need(os.Open(filepath.Join(dir, "reliance.csv")))(t)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%v, %v", rows, err)
	}
	found := map[string]string{}
	for _, row := range rows[1:] {
		found[row[1]] = strings.TrimSpace(row[3] + " " + row[4])
	}
	return found
}

func TestRelianceIsJudgedForTheTimeOfTheExportAndHeldToTheLog(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("applied", 1)), assigned, nil))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("revised", 1)), assigned, nil))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("revised", 2))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("tightened", 1)), assigned, func(c *records.Choice) {
		c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	}))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("undecided", 1))
	dir := filepath.Join(t.TempDir(), "bundle")
	for year, want := range map[int]string{2026: "pass", 2006: "blocked policy_mutable notice_missing"} {
		at := time.Date(year, 6, 16, 0, 0, 0, 0, time.UTC)
		need(bundle.Write(t.Context(), dir, l, bundle.Options{At: terms.InstantOf(at)}))(t)
		got := relied(t, dir)
		if len(got) != 3 || !strings.HasPrefix(got["applied"], want) || !strings.HasSuffix(got["revised"], records.NotLatest) ||
			!slices.Contains(strings.Fields(got["tightened"]), "notice_missing") || !strings.HasSuffix(got["tightened"], records.HeldByGate) {
			t.Errorf("at %v: %q", at, got)
		}
		if report := checked(t, dir, verify.Options{}); !report.OK() {
			t.Errorf("at %v: %v", at, report.Findings)
		}
	}
	path := filepath.Join(dir, "reliance.csv")
	text := need(os.ReadFile(path))(t)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(text), records.NotLatest, "", 1)), 0o644))
	if report := checked(t, dir, verify.Options{}); report.Count(verify.FileDiffers) != 1 {
		t.Errorf("a changed row: %v", report.Findings)
	}
}
