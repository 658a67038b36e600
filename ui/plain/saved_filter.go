package plain

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/queue"
	"docket/ui"
	"docket/ui/wording"
)

// savedFilter applies a saved filter, by its number or its name; without one it lists the saved filters with the number of cases that each matches.
func (s *session) savedFilter(name string) error {
	if name == "" {
		s.saySaved()
		return nil
	}
	filter, found := s.savedBy(name)
	if !found {
		s.page.say("No filter is saved under that name or number. Type saved alone to list the saved filters.")
		return nil
	}
	return s.filterQueue(filter.Text)
}

// saySaved lists the saved filters with their numbers.
func (s *session) saySaved() {
	all := s.saved.All()
	if len(all) == 0 {
		s.page.say("No filter is saved. Type save and a name to save the one of this list.")
		return
	}
	for i, filter := range all {
		s.page.say("%d. %s: %s%s.", i+1, filter.Name, filter.Text, s.matches(filter.Text))
	}
	s.page.say("Type saved and a number or a name to apply one.")
}

// matches says how many cases of the list's area a filter matches; "" where that is not known.
func (s *session) matches(text string) string {
	filter, err := queue.ParseFilter(text)
	if err != nil || !s.queue().read {
		return ""
	}
	shown, err := s.queue().matching(s, filter)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %s of %s", wording.Thousands(len(shown)), wording.Thousands(s.queue().docket.Len()))
}

// savedBy finds a saved filter by its name or its number.
func (s *session) savedBy(name string) (ui.SavedFilter, bool) {
	if filter, found := s.saved.Find(name); found {
		return filter, true
	}
	number, err := strconv.Atoi(name)
	if all := s.saved.All(); err == nil && number >= 1 && number <= len(all) {
		return all[number-1], true
	}
	return ui.SavedFilter{}, false
}

// saveFilter saves the filter of the list under a name.
func (s *session) saveFilter(name string) error {
	filter := ui.SavedFilter{Name: name, Text: s.queue().filter.String()}
	if filter.Text == "" {
		s.page.say("There is no filter to save. Type filter and words first.")
		return nil
	}
	if name == "" {
		var err error
		if filter.Name, err = s.ask("Under which name? Enter not to save it:"); err != nil || filter.Name == "" {
			return err
		}
	}
	if before, there := s.saved.Find(filter.Name); there && !before.Fixed && before.Text != filter.Text {
		replace, err := s.agrees(wording.SameFilter+": "+before.Text+".", "replace it")
		if err != nil || !replace {
			return err
		}
	}
	book, err := s.saved.Save(filter)
	if err != nil {
		return s.trouble("The filter is not saved", err)
	}
	s.saved = book
	kept, _ := book.Find(filter.Name) // as it was written first
	s.page.say("Saved as %s%s.", kept.Name, book.HowLong())
	return nil
}

// forgetFilter deletes a saved filter.
func (s *session) forgetFilter(name string) error {
	filter, found := s.savedBy(name)
	if !found {
		s.page.say("Which one? Type forget and the number or the name of a saved filter.")
		s.saySaved()
		return nil
	}
	if why := filter.WhyNotDrop(); why != "" {
		s.page.say("It cannot be deleted: %s.", why)
		return nil
	}
	agrees, err := s.agrees(filter.Name+": "+filter.Text+".", "delete it")
	if err != nil || !agrees {
		return err
	}
	book, err := s.saved.Drop(filter.Name)
	if err != nil {
		return s.trouble("The filter is not deleted", err)
	}
	s.saved = book
	s.page.say("The filter %s is deleted.", filter.Name)
	return nil
}

// agrees asks for a yes before an action.
func (s *session) agrees(about, what string) (bool, error) {
	s.page.say("%s", about)
	text, err := s.ask(fmt.Sprintf("Type yes to %s, Enter to leave it as it is:", what))
	if err != nil {
		return false, err
	}
	yes := strings.EqualFold(text, "yes")
	if !yes {
		s.page.say("It stays as it is.")
	}
	return yes, nil
}
