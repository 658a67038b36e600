package admission

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Measure does work and returns the processor time that it took. The time of other goroutines is not counted.
func Measure(work func()) time.Duration {
	runtime.LockOSThread() // so that the clock of the thread is that of the work
	defer runtime.UnlockOSThread()
	begun := threadTime()
	work()
	return threadTime() - begun
}

// threadTime returns the processor time of the current thread; 0 if the system does not tell.
func threadTime() time.Duration {
	var at unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}
