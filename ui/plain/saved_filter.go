package plain

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/queue"
	"docket/ui/wording"
)

// savedFilter applies a saved filter, by its number or its name in any case; without one it lists them.
func (s *session) savedFilter(name string) error {
	for i, filter := range s.saved {
		switch {
		case name == "":
			s.page.say("%d. %s: %s%s.", i+1, filter.Name, filter.Text, s.matches(filter.Text))
		case strings.EqualFold(filter.Name, name) || strconv.Itoa(i+1) == name:
			return s.filterQueue(filter.Text)
		}
	}
	switch {
	case name != "":
		s.page.say("No filter is saved under that name or number. Type saved alone to list the saved filters.")
	case len(s.saved) == 0:
		s.page.say("%s.", wording.Capital(wording.NoSavedFilters))
	default:
		s.page.say("Type saved and a number or a name to apply one.")
	}
	return nil
}

// matches says how many cases of the list's area a filter matches; "" where that is not known.
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
