package statement_test

import (
	"io"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/statement"
	"docket/domain/terms"
)

// What a statement costs in the index of an export, which lays each record out and writes it.
func BenchmarkIndex(b *testing.B) {
	v := domaintest.View(b, domaintest.Appeal())
	choice := domaintest.ChoiceFor(&v, terms.NoticeMissing)
	record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
	if err != nil {
		b.Fatal(err)
	}
	in := inputOf(&v, record)
	in.Reasons = choice.Statement
	index, err := statement.NewIndex(io.Discard, "Decisions", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		d := statement.New(&in)
		if err := index.Add(&d); err != nil {
			b.Fatal(err)
		}
	}
}
