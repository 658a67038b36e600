package selftest

import (
	"fmt"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
)

// recordBreakings break the enforcement tables and the reader of records.
func recordBreakings() []breaking {
	var all []breaking
	for hook, area := range map[string]terms.Area{
		"challenge_appeal_enforcement_record_schema_contract":    terms.Appeals,
		"agreement_amendment_enforcement_record_schema_contract": terms.Amendments,
	} {
		table := terms.EnforcementTable(area)
		all = append(all,
			breaking{hook, "the triggers are gone", "takes UPDATE", func(t *testing.T, p *program) {
				p.openStore = after(t, withoutTriggers(t, table))
			}},
			breaking{hook, "the table has another column", "generated columns for", func(t *testing.T, p *program) {
				p.openStore = after(t, func(tableFile) []string {
					return []string{fmt.Sprintf("ALTER TABLE main.%s ADD COLUMN note TEXT GENERATED ALWAYS AS ('') VIRTUAL", table)}
				})
			}},
			breaking{hook, "any record is read", "is taken", func(_ *testing.T, p *program) {
				var last records.Enforcement
				p.readRecord = func(area terms.Area, document []byte) (records.Enforcement, error) {
					if record, err := readRecord(area, document); err == nil {
						last = record
					}
					return last, nil
				}
			}},
			breaking{hook, "a record is written otherwise than it was read", "other bytes", func(_ *testing.T, p *program) {
				p.readRecord = func(area terms.Area, document []byte) (records.Enforcement, error) {
					_, err := readRecord(area, document)
					return records.Enforcement{}, err
				}
			}},
			breaking{hook, "a refusal repeats the record", "repeats it", func(_ *testing.T, p *program) {
				p.readRecord = func(area terms.Area, document []byte) (records.Enforcement, error) {
					record, err := readRecord(area, document)
					if err != nil {
						err = fmt.Errorf("%w: %s", err, document)
					}
					return record, err
				}
			}})
	}
	return all
}

func TestEachStatementThatIsTriedChangesARowOnceTheTriggersAreGone(t *testing.T) {
	for _, try := range changingStatements {
		t.Run(try.name, func(t *testing.T) {
			p := thisProgram()
			table := terms.AppealEnforcements
			p.openStore = after(t, withoutTriggers(t, table))
			path := recorded(t, p)
			before, err := contents(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := openFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			result, err := file.ExecContext(t.Context(), fmt.Sprintf(try.statement, table))
			if err != nil {
				t.Fatal(err)
			}
			changed, err := result.RowsAffected()
			if err != nil || changed != 1 || before[table].rows != 1 {
				t.Errorf("%d of %d rows changed, error %v", changed, before[table].rows, err)
			}
		})
	}
}

// recorded is the path of a closed store with one record on an appeal.
func recorded(t *testing.T, p program) string {
	t.Helper()
	b, err := newBench(p, t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.close() }()
	_, o, _, err := b.withRecord(t.Context(), terms.Appeals)
	if err != nil {
		t.Fatal(err)
	}
	return o.Path
}
