package ui

import (
	"errors"
	"slices"
	"testing"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	queuescreen "docket/ui/screen/queue"
)

// shelf keeps saved filters in memory.
type shelf struct {
	kept    []queuescreen.SavedFilter
	failing error
}

func (s *shelf) Save(filter queuescreen.SavedFilter) ([]queuescreen.SavedFilter, error) {
	if s.failing != nil {
		return nil, s.failing
	}
	s.kept = append(slices.DeleteFunc(slices.Clone(s.kept), func(f queuescreen.SavedFilter) bool { return f.Name == filter.Name }), filter)
	return s.kept, nil
}

func (s *shelf) Drop(name string) ([]queuescreen.SavedFilter, error) {
	if s.failing != nil {
		return nil, s.failing
	}
	s.kept = slices.DeleteFunc(slices.Clone(s.kept), func(f queuescreen.SavedFilter) bool { return f.Name == name })
	return s.kept, nil
}

// shelved is a console with saved filters on a shelf and one of the config file.
func shelved(t *testing.T, shelf *shelf) *harness {
	t.Helper()
	b := startHarnessWith(t, workbenchtest.Sample(), 120, 40, Options{Filters: shelf,
		Saved: append([]queuescreen.SavedFilter{{Name: "mine", Text: "is:mine", Fixed: true}}, shelf.kept...)})
	b.run(b.console.Init())
	return b
}

// filterBy types a filter and keeps it.
func (b *harness) filterBy(text string) {
	b.t.Helper()
	b.press("/", "ctrl+u")
	b.typeText(text)
	b.press("enter")
}

func TestTheFilterThatShowsIsSavedUnderANameAndOffered(t *testing.T) {
	kept := &shelf{}
	b := shelved(t, kept)
	b.filterBy("gate:pass AC-20")
	b.press("F")
	b.shows("Save the filter", "gate:pass AC-20 is kept, on this machine")
	b.press("enter")
	b.shows("! a name is needed")
	b.typeText("ready")
	b.press("enter")
	b.shows("saved as ready")
	if len(kept.kept) != 1 || kept.kept[0] != (queuescreen.SavedFilter{Name: "ready", Text: "gate:pass AC-20", Fixed: false}) {
		t.Errorf("%+v", kept.kept)
	}
	b.press("esc", "f", "j")
	b.shows("mine", "❯ ready")
	b.press("enter")
	b.shows("/ gate:pass AC-20")
}

func TestTheFilterIsSavedWhileItIsTyped(t *testing.T) {
	kept := &shelf{}
	b := shelved(t, kept)
	b.press("/")
	b.typeText("gate:pass")
	b.press("ctrl+s")
	b.typeText("ready")
	b.press("enter")
	b.at(action.InFilter)
	b.typed("gate:pass")
	if len(kept.kept) != 1 {
		t.Errorf("%+v", kept.kept)
	}
	b.typeText(" due:soon")
	b.press("ctrl+s")
	b.shows("✗ ")
	if b.console.stage.Overlay != nil {
		t.Error("a filter that cannot be read is to be saved")
	}
}

func TestWithoutAFilterThereIsNothingToSave(t *testing.T) {
	b := shelved(t, &shelf{})
	b.press("F")
	b.shows("✗ no filter to save; / starts one")
}

func TestAFilterOfTheSameNameIsReplacedOnlyAfterAYes(t *testing.T) {
	kept := &shelf{kept: []queuescreen.SavedFilter{{Name: "ready", Text: "gate:pass", Fixed: false}}}
	b := shelved(t, kept)
	b.filterBy("AC-20")
	b.press("F")
	b.typeText("READY")
	b.press("enter")
	b.shows("A filter of that name exists", "ready is now gate:pass")
	b.press("enter")
	if kept.kept[0].Text != "gate:pass" {
		t.Error("it is replaced without a yes")
	}
	b.press("F")
	b.typeText("READY")
	b.press("enter", "y")
	if len(kept.kept) != 1 || kept.kept[0] != (queuescreen.SavedFilter{Name: "ready", Text: "AC-20", Fixed: false}) {
		t.Errorf("%+v", kept.kept)
	}
}

func TestAFilterOfTheConfigFileIsNeitherReplacedNorDeleted(t *testing.T) {
	kept := &shelf{}
	b := shelved(t, kept)
	b.filterBy("AC-20")
	b.press("F")
	b.typeText("mine")
	b.press("enter")
	b.shows("is in the config file")
	b.press("enter", "X", "enter")
	b.shows("! it is in the config file; remove it there")
	b.press("esc", "f", "x")
	b.shows("! it is in the config file; remove it there")
	if len(kept.kept) != 0 || len(b.queue().Saved.All()) != 1 {
		t.Errorf("%+v", b.queue().Saved)
	}
}

func TestASavedFilterIsDeletedAfterAYes(t *testing.T) {
	for name, keys := range map[string][]string{"by its action": {"X", "j", "enter"}, "in the list": {"f", "j", "x"}} {
		t.Run(name, func(t *testing.T) {
			kept := &shelf{kept: []queuescreen.SavedFilter{{Name: "ready", Text: "gate:pass", Fixed: false}}}
			b := shelved(t, kept)
			b.press(keys...)
			b.shows("Delete a saved filter", "ready: gate:pass")
			b.press("enter")
			if len(kept.kept) != 1 {
				t.Fatal("it is deleted without a yes")
			}
			b.press(keys...)
			b.press("y")
			b.shows("filter ready deleted")
			if len(kept.kept) != 0 || len(b.queue().Saved.All()) != 1 {
				t.Errorf("%+v", kept.kept)
			}
		})
	}
}

func TestAFilterThatCannotBeKeptIsReportedAndTheListStays(t *testing.T) {
	b := shelved(t, &shelf{kept: []queuescreen.SavedFilter{{Name: "ready", Text: "gate:pass", Fixed: false}}, failing: errors.New("the disk is full")})
	b.filterBy("AC-20")
	b.press("F")
	b.typeText("other")
	b.press("enter")
	b.shows("The saved filters are unchanged", "the disk is full")
	if n := len(b.queue().Saved.All()); n != 2 {
		t.Errorf("%d filters are offered", n)
	}
}

func TestWithoutAKeeperASavedFilterLastsAsLongAsTheSession(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.filterBy("AC-20")
	b.press("F")
	b.shows("is kept until docket ends")
	b.typeText("twenty")
	b.press("enter", "f")
	b.shows("twenty", "AC-20")
	b.press("x", "y")
	if n := len(b.queue().Saved.All()); n != 0 {
		t.Errorf("%d filters are offered", n)
	}
}

func TestANameThatCannotBeSavedIsRefused(t *testing.T) {
	for name, filter := range map[string]queuescreen.SavedFilter{
		"no name": {Text: "AC"}, "a name of blanks": {Name: "  ", Text: "AC"}, "blanks around it": {Name: " a", Text: "AC"},
		"a hidden character": {Name: "a\u200bb", Text: "AC"}, "an escape in the filter": {Name: "a", Text: "\x1b[0m"},
		"no filter": {Name: "a", Text: "due:soon"}, "a long name": {Name: string(make([]byte, 61)), Text: "AC"},
	} {
		if book, err := (queuescreen.FilterBook{}).Save(filter); err == nil || len(book.All()) != 0 {
			t.Errorf("%s is saved: %v", name, err)
		}
	}
}

func TestCompletionOffersSavedFiltersByTheirNames(t *testing.T) {
	b := shelved(t, &shelf{kept: []queuescreen.SavedFilter{{Name: "soon and ready", Text: "due:<48h gate:pass", Fixed: false}}})
	b.press("/")
	b.typeText("AC so")
	b.shows("soon and ready (saved)")
	b.press("tab")
	b.typed("AC due:<48h gate:pass")
	b.press("ctrl+u")
	b.typeText("m")
	b.press("tab")
	b.typed("is:mine")
	b.press("ctrl+u")
	b.typeText("s")
	b.press("tab", "tab", "tab")
	b.typed("due:<48h gate:pass")
	b.shows("❯soon and ready (saved)")
	b.press("tab")
	b.typed("status:")
	b.press("shift+tab")
	b.typed("due:<48h gate:pass")
	b.press("enter")
	b.at(action.InQueue)
}

func TestASavedFilterIsNotOfferedForANegatedTerm(t *testing.T) {
	b := shelved(t, &shelf{})
	b.press("/")
	b.typeText("-mi")
	b.press("tab")
	b.typed("-mi")
	b.shows("no completion for this word")
}

func TestThePaletteSavesAFilter(t *testing.T) {
	b := shelved(t, &shelf{})
	b.filterBy("AC-20")
	b.press(":")
	b.typeText("current filter")
	b.press("enter")
	b.shows("Save the filter")
	if b.queue().Area != terms.Appeals {
		t.Error("the area has changed")
	}
}
