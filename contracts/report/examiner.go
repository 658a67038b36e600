package report

import (
	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
	"docket/domain/terms"
)

// An Examiner holds the schemas and built-in reports that examining needs, for use with several reports. It may be used by
// several goroutines at once.
type Examiner struct {
	words words
	names map[string]bool // of the members of all reports
	kinds map[Kind]*examined
}

// examined holds the schema and the built-in report with which reports of one kind are compared.
type examined struct {
	builtin  canonical.Value // the whole report; its checkedAt is not compared
	schema   canonical.Value
	compiled *jsonschema.Schema
}

// NewExaminer makes an Examiner. It takes some milliseconds. The only errors are of files that the program itself ships.
func NewExaminer() (*Examiner, error) {
	known := knownWords()
	e := &Examiner{words: known, names: map[string]bool{}, kinds: map[Kind]*examined{}}
	for _, kind := range Kinds() {
		against, err := newExamined(kind)
		if err != nil {
			return nil, err
		}
		e.kinds[kind] = against
		for name := range memberNames(against.builtin) {
			e.names[name] = true
		}
	}
	return e, nil
}

func newExamined(kind Kind) (*examined, error) {
	own, err := Of(kind, terms.InstantOf(terms.Instant{}.Time()))
	if err != nil {
		return nil, err
	}
	builtin, err := parsed(own.JSON())
	if err != nil {
		return nil, err
	}
	text := GenerateSchema(kind)
	schema, err := parsed(text)
	if err != nil {
		return nil, err
	}
	compiled, err := dialect.Compile(schemagen.ID(schemaName(kind.String())), text)
	return &examined{builtin, schema, compiled}, err
}
