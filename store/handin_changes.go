package store

import "docket/domain/visible"

// What is kept of the changes that come with a rejection at most. They are the service's words.
const (
	MostChanges    = 64
	MostChangeText = 300 // characters of one
)

// bounded cuts the changes to what is kept, with nothing in them that a terminal would obey.
func bounded(changes []string) []string {
	kept := make([]string, 0, min(len(changes), MostChanges))
	for _, change := range changes[:min(len(changes), MostChanges)] {
		letters := []rune(visible.String(change))
		kept = append(kept, string(letters[:min(len(letters), MostChangeText)]))
	}
	return kept
}
