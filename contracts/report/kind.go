package report

import (
	"fmt"

	"docket/domain/overlap"
	"docket/domain/terms"
)

// A Kind is one of the three contracts published as reports; the zero value is none of them.
type Kind uint8

// The kinds, in the order of the source.
const (
	Appeals Kind = iota + 1
	Overlap
	Amendments
)

var kinds = [...]struct {
	name     string // as a command takes it
	title    string
	contract terms.Contract
	paths    []path
}{
	Appeals:    {"appeals", "Challenge and appeal contract", terms.AppealContract, appealPaths},
	Overlap:    {"overlap", "Private-overlap pilot guardrail", overlap.Contract, overlapPaths},
	Amendments: {"amendments", "Agreement-amendment governance", terms.AmendmentContract, amendmentPaths},
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
	return 0, fmt.Errorf("there is no report of that name; name one of %s, %s, %s", Appeals, Overlap, Amendments)
}

func (k Kind) known() bool { return k > 0 && int(k) < len(kinds) }

// String returns the name under which a command takes the kind; "" for none.
func (k Kind) String() string {
	if !k.known() {
		return ""
	}
	return kinds[k].name
}

// Title is the name of the contract for reading.
func (k Kind) Title() string { return kinds[k].title }

// Contract names the contract and its validator (source 9).
func (k Kind) Contract() terms.Contract { return kinds[k].contract }

// Purpose is the one sentence in which the report states what the contract is for.
func (k Kind) Purpose() string { return k.builtin().root.Member("purpose").Text() }

// PublicNonClaim is what the report says that the contract does not claim; "" if it says nothing.
func (k Kind) PublicNonClaim() string { return k.builtin().root.Member("publicNonClaim").Text() }

// ContractTests are the names of the contract's test hooks (source 2.5.4), in the source's order.
func (k Kind) ContractTests() []string {
	return texts(k.builtin().root.Member(bodyMember).Member("contractTests"))
}

// Versions lists the contract versions that this program knows, in the order of the kinds.
func Versions() []string {
	var versions []string
	for _, kind := range Kinds() {
		versions = append(versions, kind.Contract().Version)
	}
	return versions
}
