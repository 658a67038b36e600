package store

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// onAllCores does something for each number below count, and returns when all is done.
func onAllCores(count int, do func(i int)) error {
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
