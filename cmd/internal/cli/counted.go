package cli

import (
	"fmt"
	"time"

	"docket/domain"
)

// counted writes how many there are of a thing whose plural takes an s.
func counted(count int64, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}

// toSecond writes a time for reading; --json has it to the nanosecond. "" for an absent one.
func toSecond(at domain.Instant) string {
	if !at.Present() {
		return ""
	}
	return at.Time().Format(time.RFC3339)
}
