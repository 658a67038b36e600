package records_test

import (
	"errors"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
)

// restoreStatement is a whole statement of a restore.
func restoreStatement() records.LogStatement {
	s := logStatement()
	s.Kind = records.LogRestored
	s.Restore = records.Restore{OldKey: "docket/00+0+a", NewKey: "docket/01+1+b", Reason: records.KeyLost, Known: []records.KnownHead{
		{From: records.KnownFromAnchor, Size: 5, Root: terms.HashOf([]byte("five"))},
		{From: records.KnownFromReceipt, Size: 4, Root: terms.HashOf([]byte("four"))},
	}}
	return s
}

func TestARestoreSaysHowManyRecordsAreLost(t *testing.T) {
	s := restoreStatement()
	if s.Lost() != 2 || s.Restore.NewOrigin() != "docket/01" {
		t.Errorf("%d records lost, and %q begins", s.Lost(), s.Restore.NewOrigin())
	}
	s.Restore.Known = nil
	if s.Lost() != 0 {
		t.Errorf("%d records lost that nobody knew", s.Lost())
	}
}

func TestEveryLineOfARestoreCounts(t *testing.T) {
	good := restoreStatement()
	for name, wrong := range map[string]func(r *records.Restore){
		"no reason":                   func(r *records.Restore) { r.Reason = 0 },
		"another log ends":            func(r *records.Restore) { r.OldKey = "docket/02+0+a" },
		"the same log begins":         func(r *records.Restore) { r.NewKey = "docket/00+1+b" },
		"a service's log begins":      func(r *records.Restore) { r.NewKey = "docket/service/01+1+b" },
		"a log of no docket begins":   func(r *records.Restore) { r.NewKey = "example.org/01+1+b" },
		"a head known from nowhere":   func(r *records.Restore) { r.Known[0].From = 0 },
		"a head of less than nothing": func(r *records.Restore) { r.Known[0].Size = -1 },
		"a head without a root":       func(r *records.Restore) { r.Known[0].Root = terms.Hash{} },
		"more heads than are stated":  func(r *records.Restore) { r.Known = make([]records.KnownHead, records.MostKnown+1) },
		"a line break in a key":       func(r *records.Restore) { r.OldKey = "docket/00+0+a\nb" },
	} {
		s := good
		s.Restore.Known = append([]records.KnownHead(nil), good.Restore.Known...)
		wrong(&s.Restore)
		if again, err := records.ReadLogStatement(s.Text()); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("%s: read as %+v", name, again)
		}
	}
	for _, cut := range []string{good.Text()[:len(good.Text())-1], good.Text() + "\n", good.Text() + "more\n"} {
		if _, err := records.ReadLogStatement(cut); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("read: %q", cut)
		}
	}
}
