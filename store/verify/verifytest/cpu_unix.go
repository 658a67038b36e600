//go:build unix

package verifytest

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time that this process has used on all cores.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
