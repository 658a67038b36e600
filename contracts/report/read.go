package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"docket/domain/canonical"
	"docket/domain/shape"
)

const (
	// MaxSize is the length in bytes of the longest report that is read.
	MaxSize = 16 << 20
	// maxValues bounds the memory of reading; a report has some hundreds of values.
	maxValues = 1 << 16
)

var (
	// ErrTooLarge is returned for a report over 16 MiB; no more than that is read.
	ErrTooLarge = errors.New("is over 16 MiB, and a contract report has some KiB; is it the right file?")
	// ErrNotAReport is returned for JSON that is no contract report at all.
	ErrNotAReport = fmt.Errorf("is not a contract report: an object with %s is", strings.Join(marks, ", "))
	// ErrUnknownContract is returned for a report of a contract that is none of the three.
	ErrUnknownContract = errors.New("is a report of a contract that is not known")
)

// marks are the members by which a contract report is known.
var marks = []string{"contractVersion", "validation", bodyMember}

// Read reads the text of a report, at most MaxSize bytes of it. Its errors are ErrTooLarge and those of r.
func Read(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxSize {
		return nil, ErrTooLarge
	}
	return text, nil
}

// read parses a report strictly. Of the path to a fault, only names that reports have are kept.
func (e *Examiner) read(text []byte) (canonical.Value, error) {
	doc := new(canonical.Document)
	fault := doc.Parse(text, canonical.Limits{Bytes: MaxSize, Values: maxValues})
	switch {
	case fault == nil:
		return doc.Root(), nil
	case fault.Reason == canonical.ReasonValues:
		return canonical.Value{}, &shape.Fault{Reason: "has more than 65,536 values, and a contract report has some hundreds"}
	}
	known := shape.FaultOf(fault, shape.NamesOrIndices(func(name string) bool { return e.names[name] }))
	known.Reason = fmt.Sprintf("%s on line %d", known.Reason, canonical.Line(text, fault.Offset))
	return canonical.Value{}, known
}

// fewestMembers is how many members of a body have to be known for the body to show which contract it is of.
const fewestMembers = 3

// identify finds the contract of a report: by its version, else by its validator, else by its body.
func (e *Examiner) identify(root canonical.Value) (kind Kind, versionKnown bool, err error) {
	validation, content := root.Member("validation"), root.Member(bodyMember)
	if root.Member("$schema").Exists() {
		return 0, false, &shape.Fault{Pointer: "/$schema", Reason: "is not a member of a report: this is a schema, or another dialect"}
	}
	if content.Kind() != canonical.Object || validation.Kind() != canonical.Object && !root.Member("contractVersion").Exists() {
		return 0, false, ErrNotAReport
	}
	version := root.Member("contractVersion").Text()
	for _, kind := range Kinds() {
		if kind.Contract().Version == version {
			return kind, true, nil
		}
	}
	for _, kind := range Kinds() {
		contract := kind.Contract()
		if validation.Member("contractVersion").Text() == contract.Version ||
			validation.Member("validatorName").Text() == contract.ValidatorName {
			return kind, false, nil
		}
	}
	return e.identifyBody(content)
}

// identifyBody finds the contract that has most of the body's members.
func (e *Examiner) identifyBody(content canonical.Value) (Kind, bool, error) {
	var best Kind
	most := fewestMembers - 1
	for _, kind := range Kinds() {
		shared := 0
		for _, member := range entries(e.kinds[kind].builtin.Member(bodyMember)) {
			if content.Member(member.Name()).Exists() {
				shared++
			}
		}
		if shared > most {
			best, most = kind, shared
		}
	}
	if best == 0 {
		return 0, false, fmt.Errorf("%w; known are %s", ErrUnknownContract, strings.Join(Versions(), ", "))
	}
	return best, false, nil
}
