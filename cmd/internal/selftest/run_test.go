package selftest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
)

// secluded gives the test a temporary folder and a home of its own, and returns a function that tells what lies there.
func secluded(t *testing.T) func() []string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		folder := filepath.Join(root, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, folder)
	}
	return func() []string {
		left, err := filepath.Glob(filepath.Join(root, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
}

// runs runs hooks of a program now.
func runs(t *testing.T, p program, names ...string) []Result {
	t.Helper()
	results, err := runOn(t.Context(), p, Options{Names: names, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestEveryHookPassesAndLeavesNothingBehind(t *testing.T) {
	for _, hook := range Hooks() {
		t.Run(hook.Name, func(t *testing.T) {
			left := secluded(t)
			results := runs(t, thisProgram(), hook.Name)
			if len(results) != 1 || results[0].Hook != hook.Name || results[0].Area != hook.Kind.String() {
				t.Fatalf("results %+v", results)
			}
			if results[0].Status != terms.Pass {
				t.Error(results[0].Evidence)
			}
			if !strings.ContainsAny(results[0].Evidence, "0123456789") {
				t.Errorf("the evidence %q has no count", results[0].Evidence)
			}
			if strings.Contains(results[0].Evidence, canary) || strings.Contains(results[0].Evidence, os.TempDir()) {
				t.Errorf("the evidence %q holds what is no code or count", results[0].Evidence)
			}
			if files := left(); len(files) > 0 {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}

func TestWhatABrokenPartLeavesIsRemovedToo(t *testing.T) {
	left := secluded(t)
	broken := thisProgram()
	broken.append = nil
	results := runs(t, broken, "challenge_appeal_enforce_route_contract")
	if results[0].Status != terms.Blocked || !strings.Contains(results[0].Evidence, "broke off") {
		t.Errorf("a panic reads as %+v", results[0])
	}
	if files := left(); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestNamedHooksRunOnceInTheOrderOfTheReports(t *testing.T) {
	last, first := "background_private_overlap_route_contract_smoke", "challenge_appeal_scope_smoke"
	var ran []string
	for _, result := range runs(t, thisProgram(), last, first, last) {
		ran = append(ran, result.Hook)
	}
	if !slices.Equal(ran, []string{first, last}) {
		t.Errorf("ran %v", ran)
	}
}

func TestAnUnknownNameRunsNothing(t *testing.T) {
	left := secluded(t)
	_, err := Run(t.Context(), Options{Names: []string{"challenge_appeal_scope_smoke", "no_such_hook"}, Now: time.Now})
	if !errors.Is(err, ErrUnknownHook) {
		t.Errorf("error %v", err)
	}
	if files := left(); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestARunThatIsInterruptedReportsNoHook(t *testing.T) {
	left := secluded(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	results, err := Run(ctx, Options{Now: time.Now})
	if !errors.Is(err, context.Canceled) || results != nil {
		t.Errorf("%d results, error %v", len(results), err)
	}
	if files := left(); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestWithoutATemporaryFolderThereIsAnErrorAndNoResult(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	t.Setenv("TEMP", os.Getenv("TMPDIR"))
	results, err := Run(t.Context(), Options{Now: time.Now})
	if err == nil || results != nil {
		t.Errorf("%d results, error %v", len(results), err)
	}
}

func TestTheHooksHoldAtAnyTime(t *testing.T) {
	moments := []string{"2060-02-29T23:59:59Z", "2026-01-01T00:00:00Z"}
	if os.Getenv("DOCKET_LONG") != "1" {
		moments = moments[:1]
	}
	for _, at := range moments {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		results, err := Run(t.Context(), Options{Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			if result.Status != terms.Pass {
				t.Errorf("at %s: %s: %s", at, result.Hook, result.Evidence)
			}
		}
	}
}
