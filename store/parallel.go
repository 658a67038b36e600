package store

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do for each number below count, on all processors, and returns when all calls have. A panic is returned as an
// error.
func inParallel(count int, do func(i int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), count)
	failed := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed[w] = fmt.Errorf("panic: %v", r)
				}
			}()
			for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

// concurrently runs do in a goroutine. wait returns its error, or its panic as an error; it has to be called.
func concurrently(do func() error) (wait func() error) {
	var result error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				result = fmt.Errorf("panic: %v", r)
			}
		}()
		result = do()
	}()
	return func() error { <-done; return result }
}
