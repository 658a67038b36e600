package ui

import (
	"context"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// noting is a console to which notes come.
func noting(t *testing.T, notes ...Note) *harness {
	t.Helper()
	b := newHarness(t, workbenchtest.Sample(), 120, 40)
	b.console.notes = func(context.Context) (note Note, more bool) {
		if len(notes) == 0 {
			return Note{}, false
		}
		note, notes = notes[0], notes[1:]
		return note, true
	}
	return b
}

func TestANoteIsToldWhereTheReaderIsAndChangesNothing(t *testing.T) {
	b := noting(t, Note{Text: "east did not cosign: it cannot be reached"})
	b.press("open AC-2041")
	b.run(b.console.notes.Await(b.console))
	b.at(action.InPacket)
	b.shows("! East did not cosign: it cannot be reached.")
	b.press("j")
	b.hides("cannot be reached")
}

func TestAWitnessThatContradictsTheLogStaysInTheHeading(t *testing.T) {
	b := noting(t, Note{Text: "first"}, Note{Text: "east says that THIS LOG WAS ROLLED BACK", Lasting: "A WITNESS CONTRADICTS THIS LOG"})
	b.run(b.console.notes.Await(b.console))
	b.shows("! East says that THIS LOG WAS ROLLED BACK.", "A WITNESS CONTRADICTS THIS LOG")
	b.press("open AC-2041", "j")
	b.shows("A WITNESS CONTRADICTS THIS LOG")
	b.hides("East says")
}

func TestWithoutNotesNothingWaits(t *testing.T) {
	if c := newHarness(t, workbenchtest.Sample(), 120, 40).console; c.notes.Await(c) != nil {
		t.Error("something waits for notes")
	}
}
