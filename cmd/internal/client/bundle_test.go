package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/cmd/internal/client"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
)

// exported is the console's log as a bundle.
func exported(t testing.TB, c *console) string {
	t.Helper()
	log, err := c.store.Snapshot(t.Context())
	must(t, err)
	dir := filepath.Join(t.TempDir(), "bundle")
	_, err = bundle.Write(t.Context(), dir, log, bundle.Options{})
	must(t, err)
	return dir
}

// opened is the bundle in a folder, which verifies.
func opened(t *testing.T, dir string) *client.Bundle {
	t.Helper()
	b, report, err := client.OpenBundle(t.Context(), dir, verify.Options{})
	if err != nil || b == nil {
		t.Fatalf("%+v %v", report, err)
	}
	t.Cleanup(func() { must(t, b.Close()) })
	return b
}

func TestABundleIsHandedInLikeTheStoreItWasMadeOf(t *testing.T) {
	c, s, ids := decided(t)
	first := push(t.Context(), opened(t, exported(t, c)), s.client(nil))
	if first.err != nil || first.tally.Of(accepted) != 4 || !slices.Equal(first.met, []string{s.key}) || !slices.Equal(s.order, ids) {
		t.Fatalf("%+v", first)
	}
	for i, result := range first.results {
		if result.RecordID != ids[i] || *result.Receipt != s.answers[ids[i]].Receipt {
			t.Errorf("%+v", result)
		}
	}
	// A later bundle extends it, although nothing was kept; and the store itself finds everything there.
	ids = append(ids, c.decide(terms.AppealCases, "case-2"))
	later := push(t.Context(), opened(t, exported(t, c)), s.client(nil))
	if later.err != nil || !slices.Equal(later.outcomes(), []client.Disposition{already, already, already, already, accepted}) {
		t.Errorf("%+v", later)
	}
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || got.tally.Of(already) != 5 {
		t.Errorf("%+v", got)
	}
	wholly(t, c, s, ids)
}

func TestABundleHasNoRecordBeyondItsEnd(t *testing.T) {
	c, _, ids := decided(t)
	b := opened(t, exported(t, c))
	size := int64(len(ids))
	if head, err := b.Head(t.Context()); err != nil || head.Size != size || !head.Root.Present() || head.Origin == "" {
		t.Errorf("%+v, %v", head, err)
	}
	for after, want := range map[int64]int{size - 2: 1, size - 1: 0, size: 0, 99: 0} {
		if entries, err := b.NotHandedIn(t.Context(), after, 9); err != nil || len(entries) != want {
			t.Errorf("after %d: %d records, %v", after, len(entries), err)
		}
	}
}

func TestABundleThatIsChangedIsNeitherHandedInNorOpened(t *testing.T) {
	c, s, ids := decided(t)
	dir := exported(t, c)
	b := opened(t, dir)
	file := filepath.Join(dir, "records", string(ids[1])+".json")
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, append(text, ' '), 0o600))
	if got := push(t.Context(), b, s.client(nil)); got.err == nil || slices.Contains(s.order, ids[1]) {
		t.Errorf("%+v", got)
	}
	again, report, err := client.OpenBundle(t.Context(), dir, verify.Options{})
	if again != nil || report.OK() || err != nil {
		t.Errorf("%+v %v", report, err)
	}
	if _, _, err := client.OpenBundle(t.Context(), t.TempDir(), verify.Options{}); !errors.Is(err, bundle.ErrNoBundle) {
		t.Errorf("%v", err)
	}
}
