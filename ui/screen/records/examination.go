package records

import (
	"context"
	"slices"

	"docket/domain/records"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// An Examination holds the states of records: those that were on the screen are examined in the
// background, a windowful at a time, and kept until the records are read again.
type Examination struct {
	states map[int64]records.State // by sequence
	asked  bool                    // an answer is awaited
	round  int                     // how often it was restarted: answers of earlier rounds are old
	// trouble is why records could not be examined, the last time; "" if they could.
	trouble string
}

func NewExamination() *Examination {
	x := &Examination{}
	x.Begin()
	return x
}

// examine examines those of the records at these sequences of which nothing is known.
func (x *Examination) examine(s *screen.Scene, sequences []int64) screen.Cmd {
	sequences = slices.DeleteFunc(sequences, x.knows)
	if x.asked || len(sequences) == 0 {
		return nil
	}
	x.asked = true
	from, to := slices.Min(sequences), slices.Max(sequences)+1
	round := x.round
	return s.Background("examining records", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		states, err := workbench.Examine(ctx, from, to)
		return func(*screen.Scene) screen.Cmd {
			x.take(round, sequences, states, err)
			return nil
		}
	})
}

func (x *Examination) Begin() {
	*x = Examination{states: map[int64]records.State{}, asked: x.asked, round: x.round + 1}
}

// take keeps the states; records not examined are not asked for before the next round.
func (x *Examination) take(round int, sequences []int64, states []records.State, err error) {
	x.asked = false
	if round != x.round {
		return
	}
	x.trouble = ""
	if err != nil {
		x.trouble = err.Error()
	}
	for _, state := range states {
		x.states[state.Sequence] = state
	}
	for _, sequence := range sequences {
		if _, there := x.states[sequence]; !there {
			x.states[sequence] = records.State{Sequence: sequence}
		}
	}
}

func (x *Examination) knows(sequence int64) bool {
	_, known := x.states[sequence]
	return known
}

// mark is that of the three checks of a record in one; a dot while its state is not known.
func (x *Examination) mark(sequence int64) line.Line {
	state, known := x.states[sequence]
	if !known {
		return line.Of(theme.Faint, "·")
	}
	switch state.Verdict() {
	case records.Holds:
		return line.Of(theme.Pass, "✓")
	case records.Fails:
		return line.Of(theme.Bad, "✗")
	}
	return line.Of(theme.Warn, "?")
}
