package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"docket/domain"
)

// A Result is what a hook found.
type Result struct {
	Hook     string      `json:"hook"`
	Area     string      `json:"area"`     // the report that names the hook
	Status   domain.Gate `json:"status"`   // pass if everything is as it has to be
	Evidence string      `json:"evidence"` // codes and counts; on blocked, what is not as it has to be
	Checks   string      `json:"-"`        // what the hook checks, one clause
}

// Options say which hooks to run.
type Options struct {
	Names []string         // in any order; none: all
	Now   func() time.Time // the clock; required
}

// ErrUnknownHook says that there is no hook of a name that was asked for.
var ErrUnknownHook = errors.New("there is no contract test hook of that name")

// Run runs hooks one after the other, in the order of the reports, and leaves nothing behind. What a hook finds amiss is
// in its Result. The error is ErrUnknownHook, that ctx ended, or that there is no temporary folder to work in.
func Run(ctx context.Context, o Options) ([]Result, error) { return runOn(ctx, thisProgram(), o) }

func runOn(ctx context.Context, p program, o Options) (results []Result, err error) {
	chosen, err := choose(o.Names)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "docket-selftest-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder for the selftest: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for _, hook := range chosen {
		result, err := hook.result(ctx, p, folder, o.Now)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

func choose(names []string) ([]Hook, error) {
	for _, name := range names {
		if !slices.ContainsFunc(hooks[:], func(h Hook) bool { return h.Name == name }) {
			return nil, ErrUnknownHook
		}
	}
	return slices.DeleteFunc(Hooks(), func(h Hook) bool { return len(names) > 0 && !slices.Contains(names, h.Name) }), nil
}

// result runs one hook in a folder of its own.
func (h *Hook) result(ctx context.Context, p program, parent string, now func() time.Time) (Result, error) {
	folder, err := os.MkdirTemp(parent, "hook-")
	if err != nil {
		return Result{}, fmt.Errorf("make a temporary folder for the selftest: %w", err)
	}
	b, err := newBench(p, folder, now())
	if err != nil {
		return Result{}, err
	}
	result := Result{Hook: h.Name, Area: h.Kind.String(), Checks: h.Checks}
	evidence, err := h.guarded(ctx, b)
	err = errors.Join(err, b.close())
	if ended := ctx.Err(); ended != nil {
		return Result{}, ended
	}
	if err != nil {
		result.Evidence = err.Error()
		return result, nil
	}
	result.Status, result.Evidence = domain.Pass, evidence
	return result, nil
}

// guarded turns a panic of what is examined into a failure, without what it says: that may quote a packet.
func (h *Hook) guarded(ctx context.Context, b *bench) (evidence string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the check broke off: a part of the program panicked")
		}
	}()
	return h.run(ctx, b)
}
