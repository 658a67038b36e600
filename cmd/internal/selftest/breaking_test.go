package selftest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store"
)

// A breaking is one way in which a part of the program could be wrong, and what the hook has to say of it.
type breaking struct {
	hook  string
	what  string
	says  string // part of the evidence
	apply func(t *testing.T, p *program)
}

// breakings lists them for every hook, a file for each family.
func breakings() []breaking {
	return slices.Concat(contractBreakings(), evaluateBreakings(), enforceBreakings(), recordBreakings(), packetBreakings(),
		judgeBreakings(), wholeBreakings(), overlapBreakings(), healthBreakings(), mountedBreakings())
}

func TestABrokenPartFailsTheHookThatChecksIt(t *testing.T) {
	for _, b := range breakings() {
		t.Run(b.hook+"/"+b.what, func(t *testing.T) {
			left := secluded(t)
			broken := thisProgram()
			b.apply(t, &broken)
			result := runs(t, broken, b.hook)[0]
			if result.Status != terms.Blocked {
				t.Fatalf("the hook passes: %s", result.Evidence)
			}
			if !strings.Contains(result.Evidence, b.says) {
				t.Errorf("the evidence is %q, want %q", result.Evidence, b.says)
			}
			if strings.Contains(result.Evidence, canary) {
				t.Error("the evidence repeats what is private")
			}
			if files := left(); len(files) > 0 {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}

func TestEveryHookHasAPartThatCanBreakIt(t *testing.T) {
	for _, hook := range Hooks() {
		if !slices.ContainsFunc(breakings(), func(b breaking) bool { return b.hook == hook.Name }) {
			t.Errorf("nothing breaks %s", hook.Name)
		}
	}
}

// altering puts a change of the decoded document behind a part that writes one.
func altering(t *testing.T, text []byte, change func(object) object) []byte {
	t.Helper()
	o, err := decoded(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded(change(o))
}

// after opens stores on which statements were run with another program.
func after(t *testing.T, statements func(f tableFile) []string) func(context.Context, store.Options) (*store.Store, error) {
	return func(ctx context.Context, o store.Options) (*store.Store, error) {
		s, err := store.Open(ctx, o)
		if err != nil {
			return nil, err
		}
		file, err := openFile(o.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range statements(file) {
			if _, err := file.ExecContext(ctx, statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		return s, file.Close()
	}
}

// withoutTriggers drops the triggers of a table.
func withoutTriggers(t *testing.T, table terms.Table) func(f tableFile) []string {
	return func(f tableFile) []string {
		names, err := f.texts(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", table.String())
		if err != nil || len(names) == 0 {
			t.Fatal("no triggers", err)
		}
		for i := range names {
			names[i] = "DROP TRIGGER main." + names[i]
		}
		return names
	}
}
