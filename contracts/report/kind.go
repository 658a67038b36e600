package report

import (
	"fmt"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/overlap"
	"docket/domain/terms"
)

// A Kind is one of the three contracts that are published as reports. The zero value is none of them.
type Kind uint8

// The kinds, in the order of the source.
const (
	Appeals Kind = iota + 1
	Overlap
	Amendments
)

// kindSpec holds the properties of a kind of report that its file does not state.
type kindSpec struct {
	name      string // as a command takes it
	contract  terms.Contract
	liveReady bool // validation has the member liveReady, which is false
	stated    func() *statement
}

// kinds is indexed by Kind.
var kinds = [...]kindSpec{
	0:          {stated: func() *statement { return &statement{} }},
	Appeals:    {"appeals", terms.AppealContract, false, statementOf("appeals")},
	Overlap:    {"overlap", overlap.Contract, true, statementOf("overlap")},
	Amendments: {"amendments", terms.AmendmentContract, false, statementOf("amendments")},
}

// Kinds lists the kinds in the order of the source.
func Kinds() []Kind { return []Kind{Appeals, Overlap, Amendments} }

// ParseKind returns the kind of that name; an unknown name is an error.
func ParseKind(name string) (Kind, error) {
	for _, kind := range Kinds() {
		if kind.String() == name {
			return kind, nil
		}
	}
	return 0, fmt.Errorf("no such contract report: %s, %s and %s are there", Appeals, Overlap, Amendments)
}

func (k Kind) spec() *kindSpec {
	if int(k) >= len(kinds) {
		return &kinds[0]
	}
	return &kinds[k]
}

// String returns the name under which a command takes the kind; "" for none.
func (k Kind) String() string { return k.spec().name }

// Title is the name of the contract for reading.
func (k Kind) Title() string { return k.spec().stated().title }

// Contract names the contract and its validator (source 9).
func (k Kind) Contract() terms.Contract { return k.spec().contract }

// Purpose is the one sentence in which the report states what the contract is for.
func (k Kind) Purpose() string { return k.spec().stated().purpose }

// PublicNonClaim is what the report says that the contract does not claim; "" where the report has no such member.
func (k Kind) PublicNonClaim() string { return k.spec().stated().nonClaim }

// ContractTests are the names of the contract's test hooks (source 2.5.4), in the source's order.
func (k Kind) ContractTests() []string {
	return listTexts(k.spec().stated().body.Member("contractTests"))
}

// A Title names a check without running it.
type Title struct{ ID, Label string }

// CheckTitles lists the checks of the contract in the order in which the source publishes them (source 2.6).
func (k Kind) CheckTitles() []Title {
	var titles []Title
	for _, check := range k.checks() {
		titles = append(titles, Title{check.id, check.label})
	}
	return titles
}

// Versions lists the contract versions that this program knows, in the order of the kinds.
func Versions() []string {
	var versions []string
	for _, kind := range Kinds() {
		versions = append(versions, kind.Contract().Version)
	}
	return versions
}

// checks are those of the contract, in the order in which the source publishes them (source 2.6).
func (k Kind) checks() []check { return k.spec().stated().checks }

// body is the body as this program publishes it.
func (k Kind) body() ordered.Object { return objectOf(k.spec().stated().body) }

// builtin is the body as its JSON reads.
func (k Kind) builtin() canonical.Value { return k.spec().stated().body }
