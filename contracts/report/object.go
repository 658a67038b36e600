package report

import (
	"fmt"

	"docket/domain"
	"docket/domain/canonical"
)

// texts writes words as they stand in a report; never nil.
func texts[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}

// parsed reads JSON strictly into a value that keeps its own memory.
func parsed(text []byte) (canonical.Value, error) {
	doc := new(canonical.Document)
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		return canonical.Value{}, &domain.Fault{Reason: fault.Reason, Offset: fault.Offset}
	}
	return doc.Root(), nil
}
