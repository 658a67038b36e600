package cli

import "fmt"

// counted writes how many there are of a thing whose plural takes an s.
func counted(count int64, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}
