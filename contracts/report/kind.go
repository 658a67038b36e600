package report

import (
	"fmt"

	"docket/domain"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/overlap"
)

// A Kind is one of the three contracts that are published as reports. The zero value is none of them.
type Kind uint8

// The kinds, in the order of the source.
const (
	Appeals Kind = iota + 1
	Overlap
	Amendments
)

// kindSpec is all that tells one kind of report from another.
type kindSpec struct {
	name      string // as a command takes it
	title     string // as a heading
	contract  domain.Contract
	purpose   string // one sentence, seed 1
	nonClaim  string // publicNonClaim; "" where the report has none
	liveReady bool   // validation has the member liveReady, which is false
	hooks     []string
	body      func() (ordered.Object, error)
	checks    []check
}

// kinds is indexed by Kind.
var kinds = [...]kindSpec{
	Appeals: {
		name: "appeals", title: "Challenge and appeal contract", contract: domain.AppealContract,
		purpose: appealPurpose, hooks: appealHooks, body: appealBody, checks: appealChecks,
	},
	Overlap: {
		name: "overlap", title: "Private-overlap pilot guardrail", contract: overlap.Contract,
		purpose: overlapPurpose, nonClaim: overlapNonClaim, liveReady: true, hooks: overlapHooks, body: overlapBody,
		checks: overlapChecks,
	},
	Amendments: {
		name: "amendments", title: "Agreement-amendment governance", contract: domain.AmendmentContract,
		purpose: amendmentPurpose, hooks: amendmentHooks, body: amendmentBody, checks: amendmentChecks,
	},
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
func (k Kind) Title() string { return k.spec().title }

// Contract names the contract and its validator (seed 9).
func (k Kind) Contract() domain.Contract { return k.spec().contract }

// Purpose is the one sentence in which the report states what the contract is for.
func (k Kind) Purpose() string { return k.spec().purpose }

// PublicNonClaim is what the report says that the contract does not claim; "" where the report has no such member.
func (k Kind) PublicNonClaim() string { return k.spec().nonClaim }

// ContractTests are the names of the contract's test hooks (seed 2.5.4), in the source's order.
func (k Kind) ContractTests() []string { return append([]string(nil), k.spec().hooks...) }

// A Title names a check without running it.
type Title struct{ ID, Label string }

// CheckTitles lists the checks of the contract in the order in which the source publishes them (seed 2.6).
func (k Kind) CheckTitles() []Title {
	var titles []Title
	for _, check := range k.spec().checks {
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

// builtin is the body as this program holds it.
func (k Kind) builtin() (canonical.Value, error) {
	body, err := k.spec().body()
	if err != nil {
		return canonical.Value{}, err
	}
	return parsed(body.Text())
}
