package cli

import "runtime/debug"

// How much garbage piles up before it is collected, in percent of what is in use.
const (
	// consoleGarbage is little: with a million cases in the queue what is in use is large, and there is time to collect
	// while a reviewer reads.
	consoleGarbage = 15
	// checkingGarbage is much: checking a log keeps next to nothing and throws away all that it reads.
	checkingGarbage = 400
)

// letPileUp sets that, unless whoever started the program has with GOGC.
func (p *program) letPileUp(percent int) {
	if p.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
