package settings

import "fmt"

// A Problem says what is wrong with the settings, and where. It never repeats what was written there.
type Problem struct {
	Place  string // the file, the environment variable or the flag
	Line   int    // in the file, from 1; 0 elsewhere
	Reason string // with what to write instead
}

// Error writes the place as compilers do.
func (p *Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.Place, p.Line, p.Reason)
	}
	return fmt.Sprintf("%s: %s", p.Place, p.Reason)
}
