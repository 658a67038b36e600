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

func (s *session) saySaved() {
	if len(s.saved) == 0 {
		s.page.say("%s.", wording.Capital(wording.NoSavedFilters))
		return
	}
	for i, filter := range s.saved {
		s.page.say("%d. %s: %s%s.", i+1, filter.Name, filter.Text, s.matches(filter.Text))
	}
	s.page.say("Type saved and a number or a name to apply one.")
}

func (s *session) matches(text string) string {
	filter, err := queue.ParseFilter(text)
	if err != nil || !s.queue().read {
		return ""
	}
	shown, err := s.queue().matching(s, filter, func([]uint32) {})
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %s of %s", wording.Thousands(len(shown)), wording.Thousands(s.queue().docket.Len()))
}

func (s *session) savedBy(name string) (ui.SavedFilter, bool) {
	for i, filter := range s.saved {
		if strings.EqualFold(filter.Name, name) || strconv.Itoa(i+1) == name {
			return filter, true
		}
	}
	return ui.SavedFilter{}, false
}
