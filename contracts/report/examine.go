package report

import (
	"encoding/json"

	"docket/domain/canonical"
	"docket/domain/terms"
)

// An Examination is the result of checking a published report. It holds no text of the report except words that the built-in
// contracts know, so all of it may be shown.
type Examination struct {
	Kind           Kind             // which contract the report is of
	VersionKnown   bool             // whether it is of the version that this program knows
	Checks         []Check          // the contract's own checks, put to the report's body
	EnvelopeChecks []Check          // those that every report has to pass, in the order of EnvelopeTitles
	Differences    []Difference     // to the built-in report, those of wording included; never nil. checkedAt is not compared
	Private        []PrivateFinding // never nil; the first hundred
}

// OK reports whether every check passes.
func (e *Examination) OK() bool { return len(e.Blockers()) == 0 }

// Blockers are the ids of the checks that fall short, those of the envelope last; never nil.
func (e *Examination) Blockers() []string {
	return append(shortOf(e.Checks), shortOf(e.EnvelopeChecks)...)
}

// MarshalJSON writes the examination as `docket contract check --json` prints it: {"ok", "contract", "contractVersion",
// "versionKnown", "knownVersions", "checks", "envelopeChecks", "differences", "private", "blockers"}. contractVersion is
// that of the built-in contract.
func (e *Examination) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		OK             bool             `json:"ok"`
		Contract       string           `json:"contract"`
		Version        string           `json:"contractVersion"`
		VersionKnown   bool             `json:"versionKnown"`
		KnownVersions  []string         `json:"knownVersions"`
		Checks         []Check          `json:"checks"`
		EnvelopeChecks []Check          `json:"envelopeChecks"`
		Differences    []Difference     `json:"differences"`
		Private        []PrivateFinding `json:"private"`
		Blockers       []string         `json:"blockers"`
	}{e.OK(), e.Kind.String(), e.Kind.Contract().Version, e.VersionKnown, Versions(), e.Checks, e.EnvelopeChecks,
		e.Differences, e.Private, e.Blockers()})
}

// Examine is Examine of a new Examiner.
func Examine(text []byte, now terms.Instant) (Examination, error) {
	examiner, err := NewExaminer()
	if err != nil {
		return Examination{}, err
	}
	return examiner.Examine(text, now)
}

// Examine reads a report strictly, finds out which contract it is of, and runs the same checks on it that are run on this
// program's own. now bounds the times of the report, which may not lie in the future. The error is a *shape.Fault for a text that
// is not strict JSON, or ErrNotAReport or ErrUnknownContract.
func (e *Examiner) Examine(text []byte, now terms.Instant) (Examination, error) {
	root, err := e.read(text)
	if err != nil {
		return Examination{}, err
	}
	kind, versionKnown, err := e.identify(root)
	if err != nil {
		return Examination{}, err
	}
	return e.examine(kind, versionKnown, root, now)
}

func (e *Examiner) examine(kind Kind, versionKnown bool, root canonical.Value, now terms.Instant) (Examination, error) {
	against := e.kinds[kind]
	content := root.Member(bodyMember)
	builtin := against.builtin.Member(bodyMember)
	inside := &body{Value: content, builtin: builtin, words: e.words,
		differences: differences(bodyPlace, builtin, content, e.words)}
	found := Examination{Kind: kind, VersionKnown: versionKnown, Checks: runChecks(kind.checks(), inside),
		Differences: []Difference{}, Private: []PrivateFinding{}}
	for _, difference := range differences("", against.builtin, root, e.words) {
		if difference.place != checkedAtPlace {
			found.Differences = append(found.Differences, difference)
		}
	}
	search := privateSearch{known: e.names}
	search.walk(root, "", true)
	found.Private = append(found.Private, search.found...)
	// What an honest report says of this body: where a check falls short, it has to say so.
	honest, err := parsed(envelope(kind, "", found.Checks, nil).Text())
	if err != nil {
		return Examination{}, err
	}
	found.EnvelopeChecks = runEnvelopeChecks(&outerReport{
		kind: kind, root: root, now: now, private: &search,
		faults: against.faults(root), differences: differences("", honest, root, e.words),
	})
	return found, nil
}

// memberNames are the names of all members of a document.
func memberNames(v canonical.Value) map[string]bool {
	names := map[string]bool{}
	var walk func(canonical.Value)
	walk = func(v canonical.Value) {
		for _, entry := range entries(v) {
			if v.Kind() == canonical.Object {
				names[entry.Name()] = true
			}
			walk(entry)
		}
	}
	walk(v)
	return names
}
