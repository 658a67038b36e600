package admission_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"docket/cmd/internal/admission"
)

// A pace that keeps the deadlines that it is given.
func pace(stop context.Context) (admission.Pace, *atomic.Int64) {
	last := &atomic.Int64{}
	return admission.Pace{Rate: 1000, Longest: time.Minute, Stop: stop, Deadline: func(at time.Time) error {
		last.Store(0)
		if !at.IsZero() {
			last.Store(int64(time.Until(at)))
		}
		return nil
	}}, last
}

func bodies(memory, each int64) *admission.Bodies {
	l := admission.DefaultLimits()
	l.Bodies, l.BodiesPerCaller, l.BodyMemory, l.BodyMemoryPerCaller = 4, 2, memory, each
	return admission.NewBodies(l)
}

func TestABodyIsReadWhole(t *testing.T) {
	b := bodies(1<<20, 1<<20)
	p, deadline := pace(t.Context())
	for _, size := range []int{0, 1, 8191, 8192, 8193, 100_000} {
		text := strings.Repeat("x", size)
		for name, reader := range map[string]io.Reader{"at once": strings.NewReader(text), "with its end": iotest.DataErrReader(strings.NewReader(text)),
			"in halves": iotest.HalfReader(strings.NewReader(text))} {
			for _, length := range []int64{int64(size), -1, 1 << 30} {
				got, free, err := b.Read("a", reader, length, 200_000, p)
				if err != nil || string(got) != text && length == int64(size) || len(got) > size {
					t.Fatalf("%s, %d of %d: %d bytes, %v", name, size, length, len(got), err)
				}
				if used, _ := b.Used(); used < int64(len(got)) || used > 200_001 {
					t.Errorf("%s, %d: %d bytes of memory", name, size, used)
				}
				free()
				reader = strings.NewReader("")
			}
		}
	}
	if used, callers := b.Used(); used != 0 || callers != 0 || deadline.Load() != 0 {
		t.Errorf("%d bytes of %d callers stay; deadline %d", used, callers, deadline.Load())
	}
}

func TestABodyTakesMemoryOnlyAsItArrives(t *testing.T) {
	b := bodies(1<<20, 1<<20)
	p, _ := pace(t.Context())
	reading, writing := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, free, err := b.Read("a", reading, 1<<20, 1<<20, p)
		free()
		done <- err
	}()
	if _, err := writing.Write([]byte("{")); err != nil {
		t.Fatal(err)
	}
	if _, err := writing.Write([]byte("}")); err != nil { // so the first one was read
		t.Fatal(err)
	}
	if used, _ := b.Used(); used > 8192 {
		t.Errorf("%d bytes of memory for one that came", used)
	}
	writing.CloseWithError(io.ErrUnexpectedEOF)
	if err := <-done; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if used, _ := b.Used(); used != 0 {
		t.Errorf("%d bytes stay", used)
	}
}

func TestNoCallerTakesAllOfTheMemory(t *testing.T) {
	b := bodies(40_000, 20_000)
	p, _ := pace(t.Context())
	text := strings.Repeat("x", 15_000)
	_, free, err := b.Read("a", strings.NewReader(text), 15_000, 1<<20, p)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := b.Read("a", strings.NewReader(text), 15_000, 1<<20, p)
	if second(); !errors.Is(err, admission.ErrCrowded) {
		t.Errorf("more than its part: %v", err)
	}
	_, other, err := b.Read("b", strings.NewReader(text), 15_000, 1<<20, p)
	if err != nil {
		t.Errorf("another caller: %v", err)
	}
	_, third, err := b.Read("c", strings.NewReader(text), 15_000, 1<<20, p)
	if third(); !errors.Is(err, admission.ErrFull) {
		t.Errorf("more than there is: %v", err)
	}
	free()
	other()
	if used, callers := b.Used(); used != 0 || callers != 0 {
		t.Errorf("%d bytes of %d callers stay", used, callers)
	}
}

func TestSoManyBodiesOfACallerArriveAtATime(t *testing.T) {
	b := bodies(1<<20, 1<<20)
	p, _ := pace(t.Context())
	var ends []*io.PipeWriter
	done := make(chan error, 2)
	for range 2 {
		reading, writing := io.Pipe()
		ends = append(ends, writing)
		go func() {
			_, free, err := b.Read("a", reading, 2, 2, p)
			free()
			done <- err
		}()
		if _, err := writing.Write([]byte("{")); err != nil {
			t.Fatal(err)
		}
	}
	if _, free, err := b.Read("a", strings.NewReader("{}"), 2, 2, p); !errors.Is(err, admission.ErrCrowded) {
		t.Errorf("a third one: %v", err)
	} else {
		free()
	}
	if _, free, err := b.Read("b", strings.NewReader("{}"), 2, 2, p); err != nil {
		t.Errorf("another caller: %v", err)
	} else {
		free()
	}
	for _, end := range ends {
		end.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestABodyHasToArriveAtItsRateAndBeforeTheServiceStops(t *testing.T) {
	b := bodies(1<<20, 1<<20)
	ctx, stop := context.WithCancel(t.Context())
	p, left := pace(ctx)
	reading, writing := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, free, err := b.Read("a", reading, 1<<20, 1<<20, p)
		free()
		done <- err
	}()
	send := func(size int) time.Duration {
		if _, err := writing.Write([]byte(strings.Repeat("x", size))); err != nil {
			t.Fatal(err)
		}
		if _, err := writing.Write(nil); err != nil { // the reader has asked for more
			t.Fatal(err)
		}
		return time.Duration(left.Load())
	}
	if first := send(1); first <= 0 || first > 6*time.Second {
		t.Errorf("%v left after a byte", first)
	}
	if second := send(20_000); second < 6*time.Second || second > 26*time.Second {
		t.Errorf("%v left after 20,000 bytes at 1,000 a second", second)
	}
	if third := send(100_000); third > time.Minute {
		t.Errorf("%v left, more than for any body", third)
	}
	stop()
	for time.Duration(left.Load()) > time.Second {
		runtime.Gosched()
	}
	if send(30_000) > time.Second {
		t.Error("more bytes put the stop off")
	}
	writing.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
