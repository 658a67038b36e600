//go:build unix

package store

import (
	"os"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
)

// What is written to a file that has lost its name is gone with the last program that has it open.
func TestAStoreThatIsNoLongerAtItsPathTakesNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"removed": func(path string) error { return disk.Discard(path) },
		"moved":   func(path string) error { return os.Rename(path, path+".moved") },
		"replaced": func(path string) error {
			content, err := os.ReadFile("sqlite/schema.sql") // any other file
			if err != nil {
				return err
			}
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.WriteFile(path, content, disk.FileMode)
		},
		"without its write-ahead log": func(path string) error { return os.Remove(path + "-wal") },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), anchoredOptions(t))
			must(t, err)
			defer func() { _ = s.Close() }() // its files are gone
			d := fixtureAt(t, s)
			d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
			d.record("case-1", decision{outcome: terms.UpholdDecision})
			caseFile := d.caseFile(terms.AppealCases, "case-1")
			must(t, change(s.Path()))
			_, err = s.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.BlockReliance, supersedes: caseFile.InForce,
				added: []terms.Blocker{terms.ScopeMissing}}))
			mustBe(t, err, ErrReplaced)
			if !strings.Contains(err.Error(), s.Path()) || !strings.Contains(err.Error(), "nothing was written") {
				t.Errorf("it does not say what happened: %v", err)
			}
			mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-9", 1))})), ErrReplaced)
			mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 1}}, "why"), ErrReplaced)
		})
	}
}
