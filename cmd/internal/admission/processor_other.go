//go:build !linux

package admission

import "time"

// Measure does work and returns 0: without the clock of a thread, a request costs the least cost of its route.
func Measure(work func()) time.Duration {
	work()
	return 0
}
