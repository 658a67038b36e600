package task

import (
	"context"
	"errors"
	"time"

	"docket/store"
	"docket/ui/screen"
	"docket/ui/screen/findings"
	"docket/ui/wording"
)

// A LogCheck checks the whole log in the background, because that reads every record, and looks
// what any reader has found of it. It does so again while the console is open: what readers and the
// writer hold in memory hides damage that was done to the file since.
type LogCheck struct {
	prove func(ctx context.Context) error // nil: it runs, or is not wanted
	due   time.Time                       // when it is to run again
	met   func() []findings.Finding       // nil: nothing is found
	told  int                             // of those
	late  []findings.Finding              // found while a decision was being recorded
}

// NewLogCheck takes the functions of ui.Options and the number of findings that were told.
func NewLogCheck(prove func(context.Context) error, met func() []findings.Finding, told int) LogCheck {
	return LogCheck{prove: prove, met: met, told: told}
}

// A sound log is checked again after checkEvery, for at most one part in checkShare of the time.
const (
	checkEvery = 30 * time.Second
	checkShare = 20
)

// Start starts the check where it is due.
func (k *LogCheck) Start(s *screen.Scene) screen.Cmd {
	prove, began := k.prove, s.Clock()
	if prove == nil || began.Before(k.due) || !k.due.IsZero() && s.LogCheck.Found() {
		return nil
	}
	k.prove = nil
	if s.LogCheck == screen.NotAsked {
		s.LogCheck = screen.Checking
	}
	return s.Background("checking the log", func(ctx context.Context, _ screen.Workbench) screen.Then {
		err := prove(ctx)
		return func(s *screen.Scene) screen.Cmd {
			now := s.Clock()
			k.due = now.Add(max(checkEvery, checkShare*now.Sub(began)))
			return k.checked(s, prove, err)
		}
	})
}

// checked takes the result; after an error that passes the check is to be started again.
func (k *LogCheck) checked(s *screen.Scene, prove func(context.Context) error, err error) screen.Cmd {
	switch {
	case s.LogCheck.Found():
	case err != nil:
		s.LogCheck = screen.CheckFailed
	default:
		s.LogCheck = screen.Checked
	}
	if err == nil {
		k.prove = prove
		return nil
	}
	if store.Passes(err) && !errors.Is(err, context.Canceled) {
		k.prove, k.due = prove, time.Time{}
	}
	return s.Say("✗ " + wording.LogNotChecked + ": " + err.Error())
}

// Look shows what has been found since. Nothing can be recorded any more, and the page that says so
// covers the current screen; closing it returns there.
func (k *LogCheck) Look(s *screen.Scene) {
	if k.met == nil {
		return
	}
	found := k.met()
	if len(found) <= k.told {
		return
	}
	k.late = append(k.late, found[k.told:]...)
	k.told, s.LogCheck, s.Locked = len(found), screen.Altered, wording.Locked
	if !s.Recording {
		s.Lower()
		k.ShowLate(s)
	}
}

// ShowLate shows the findings that came while a decision was being recorded, once that has ended.
func (k *LogCheck) ShowLate(s *screen.Scene) {
	if k.late != nil {
		s.Show(findings.NewLog(k.late))
		k.late = nil
	}
}
