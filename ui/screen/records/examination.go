package records

import (
	"context"

	"docket/domain/records"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// An Examination holds the states of records: those that were on the screen are examined in the background, a windowful at a time, and kept until the records
// are read again.
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

// examine asks for the states of those of a range of sequences that are not known.
func (x *Examination) examine(s *screen.Scene, from, to int64) screen.Cmd {
	if from, to = x.unknown(from, to); x.asked || from >= to {
		return nil
	}
	x.asked = true
	round := x.round
	return s.Background("examining records", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		states, err := workbench.Examine(ctx, from, to)
		return func(*screen.Scene) screen.Cmd {
			x.take(round, from, to, states, err)
			return nil
		}
	})
}

func (x *Examination) Begin() {
	*x = Examination{states: map[int64]records.State{}, asked: x.asked, round: x.round + 1}
}

// take keeps the states found. Records that could not be examined are not asked for again before the next round.
func (x *Examination) take(round int, from, to int64, states []records.State, err error) {
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
	for sequence := from; sequence < to; sequence++ {
		if _, there := x.states[sequence]; !there {
			x.states[sequence] = records.State{Sequence: sequence}
		}
	}
}

func (x *Examination) unknown(from, to int64) (int64, int64) {
	for ; from < to && x.knows(from); from++ {
	}
	for ; from < to && x.knows(to-1); to-- {
	}
	return from, to
}

func (x *Examination) knows(sequence int64) bool {
	_, known := x.states[sequence]
	return known
}

var verdictMarks = [...]line.Line{
	records.Unexamined: line.Of(theme.Warn, "?"),
	records.Holds:      line.Of(theme.Pass, "✓"),
	records.Fails:      line.Of(theme.Bad, "✗"),
}

type side struct {
	head, short string
	label       string // on the page of a record
	of          func(*records.State) records.Check
	holds       string
	unexamined  string
}

var sides = [...]side{
	{"PROOF", "P", "proof", func(s *records.State) records.Check { return s.Proof },
		"inclusion proof valid", "inclusion not checked"},
	{"SIGNED", "S", "signature", func(s *records.State) records.Check { return s.Signature },
		"signature valid", "signature not checked"},
	{"REPLAY", "R", "judged again", func(s *records.State) records.Check { return s.Replay },
		"re-evaluated: same result", "not re-evaluated"},
}

func (d *side) words(s *records.State) line.Line {
	check := d.of(s)
	out := verdictMarks[check.Verdict].And(theme.Plain, " ")
	switch check.Verdict {
	case records.Holds:
		return out.And(theme.Dim, d.holds)
	case records.Fails:
		for i, found := range check.Found {
			if i > 0 {
				out = out.And(theme.Plain, " ")
			}
			out = out.And(theme.Plain, found)
		}
		return out
	}
	return out.And(theme.Dim, d.unexamined)
}

// cells draws a record's columns; dots while its state is not known.
func (x *Examination) cells(sequence int64, wide bool) line.Line {
	state, known := x.states[sequence]
	var out line.Line
	for i := range sides {
		mark := line.Of(theme.Faint, "·")
		if known {
			mark = verdictMarks[sides[i].of(&state).Verdict]
		}
		width := 1
		if wide {
			width = len(sides[i].head)
		}
		out = out.Plus(mark.Pad(width)).And(theme.Plain, " ")
	}
	return out
}

func sideHeads(wide bool) (heads string) {
	for i := range sides {
		if wide {
			heads += sides[i].head + " "
		} else {
			heads += sides[i].short + " "
		}
	}
	return heads
}
