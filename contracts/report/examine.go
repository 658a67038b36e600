package report

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/private"
	"docket/domain/terms"
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
	ErrNotAReport = errors.New("is not a contract report: an object with contractVersion, validation, publicContract is")
	// ErrUnknownContract is returned for a report with version and validator of none of the three.
	ErrUnknownContract = fmt.Errorf("is a report of a contract that is not known; known are %s", strings.Join(Versions(), ", "))
)

// Read reads a report of at most MaxSize bytes; its errors are ErrTooLarge and those of r.
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

// An Examination is the result of checking a published report. Its problems hold nothing of the
// report, its wordings only texts of it without private details.
type Examination struct {
	Kind       Kind
	Pass       []string  // the ids of the checks that hold, in their order; never nil
	Fail       []Failure // the checks that do not; never nil
	NotChecked []Wording // what the publisher words; never nil
}

// A Failure is a check that does not hold.
type Failure struct {
	ID       string    `json:"id"`
	Problems []Problem `json:"problems"`
}

// A Problem is one place that a check objects to.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901, into the document; "" for the whole
	Reason  string `json:"reason"`
}

// A Wording is a text of which only is known that it is there.
type Wording struct {
	ID      string `json:"id"` // of the check that would speak of it
	Pointer string `json:"pointer"`
	Text    string `json:"text"`
}

// OK reports whether no check fails.
func (e *Examination) OK() bool { return len(e.Fail) == 0 }

// Examine reads a report strictly, finds out which contract it is of, and compares it with the
// built-in one. now bounds the time of the check. The error is a *json.Fault for a text that is not
// strict JSON, or ErrNotAReport or ErrUnknownContract.
func Examine(text []byte, now terms.Instant) (Examination, error) {
	root, err := read(text)
	if err != nil {
		return Examination{}, err
	}
	kind, err := identify(root)
	if err != nil {
		return Examination{}, err
	}
	x := examiner{kind: kind, now: now, codes: kind.builtin().root.Member(bodyMember).Member(approvedCodes),
		compared: map[string]bool{}, problems: map[string][]Problem{}}
	x.value("", "", kind.builtin().root, root)
	x.definitions(root.Member("validation").Member("checks"))
	return x.result(), nil
}

// read keeps, of the path to a fault, only names that reports have.
func read(text []byte) (json.Value, error) {
	doc := new(json.Document)
	fault := doc.Parse(text, json.Limits{Bytes: MaxSize, Values: maxValues})
	switch {
	case fault == nil:
		return doc.Root(), nil
	case fault.Reason == json.ReasonValues:
		return json.Value{}, &json.Fault{Reason: "has more than 65,536 values, and a contract report has some hundreds"}
	}
	names := map[string]bool{}
	for _, kind := range Kinds() {
		memberNames(kind.builtin().root, names)
	}
	fault.Pointer = doc.Where(json.NamesOrIndices(func(name string) bool { return names[name] }))
	fault.Reason = fmt.Sprintf("%s on line %d", fault.Reason, json.Line(text, fault.Offset))
	return json.Value{}, fault
}

func memberNames(v json.Value, names map[string]bool) {
	for _, entry := range entries(v) {
		if v.Kind() == json.KindObject {
			names[entry.Name()] = true
		}
		memberNames(entry, names)
	}
}

// identify finds the contract of a report, by its version or else by its validator.
func identify(root json.Value) (Kind, error) {
	validation := root.Member("validation")
	if root.Member("$schema").Exists() {
		return 0, &json.Fault{Pointer: "/$schema", Reason: "is not a member of a report: this is a schema, or another dialect"}
	}
	if root.Member(bodyMember).Kind() != json.KindObject || validation.Kind() != json.KindObject {
		return 0, ErrNotAReport
	}
	for _, kind := range Kinds() {
		if root.Member("contractVersion").Text() == kind.Contract().Version {
			return kind, nil
		}
	}
	for _, kind := range Kinds() {
		if validation.Member("validatorName").Text() == kind.Contract().ValidatorName {
			return kind, nil
		}
	}
	return 0, ErrUnknownContract
}

type examiner struct {
	kind     Kind
	now      terms.Instant
	codes    json.Value           // the approved factor codes
	compared map[string]bool      // the checks that compared something
	problems map[string][]Problem // by check
	wordings []Wording
}

func (x *examiner) object(place, pointer string, reason string) {
	id := x.kind.checkAt(place)
	x.problems[id] = append(x.problems[id], Problem{pointer, reason})
}

func (x *examiner) value(place, pointer string, want, got json.Value) {
	form := formAt(place)
	if form == nil || form.holds != nil {
		x.compared[x.kind.checkAt(place)] = true
	}
	switch {
	case !got.Exists():
		x.object(place, pointer, json.ReasonAbsent)
	case want.Kind() != got.Kind() && !isFlag(want, got):
		x.object(place, pointer, "must be "+kindNames[want.Kind()])
	case place == checkedAt:
		x.time(got.Text())
	case place == factorCodes:
		x.factors(got)
	case want.Kind() == json.KindObject:
		x.members(place, pointer, want, got)
	case form != nil && form.any:
		for i, entry := range entries(got) {
			x.wording(place, pointer+"/"+strconv.Itoa(i), entry)
		}
	case want.Kind() == json.KindArray:
		x.list(place, pointer, want, got)
	case form != nil && form.holds == nil:
		x.wording(place, pointer, got)
	case form != nil:
		if !form.holds.MatchString(got.Text()) {
			x.object(place, pointer, "must be "+form.want)
		}
	case strings.HasPrefix(want.Text(), "/"):
		x.route(place, pointer, want.Text(), got.Text())
	default:
		x.equal(place, pointer, want, got)
	}
}

func isFlag(want, got json.Value) bool {
	flag := func(v json.Value) bool { return v.Kind() == json.KindTrue || v.Kind() == json.KindFalse }
	return flag(want) && flag(got)
}

var kindNames = map[json.Kind]string{json.KindObject: "an object", json.KindArray: "an array", json.KindString: "a string",
	json.KindTrue: "true", json.KindFalse: "false"}

func (x *examiner) equal(place, pointer string, want, got json.Value) {
	if wanted := want.AppendCanonical(nil, ""); string(wanted) != string(got.AppendCanonical(nil, "")) {
		x.object(place, pointer, "must be "+string(wanted))
	}
}

func (x *examiner) members(place, pointer string, want, got json.Value) {
	known := 0
	for _, member := range entries(want) {
		step, inside := "/"+member.Name(), got.Member(member.Name())
		if inside.Exists() {
			known++
		}
		x.value(place+step, pointer+step, member, inside)
	}
	if got.Len() > known {
		x.object("", pointer, json.ReasonUnknown)
	}
}

// list compares two arrays, order included; a list of codes is one problem.
func (x *examiner) list(place, pointer string, want, got json.Value) {
	first := formAt(place + "/0")
	codes := want.First().Kind() == json.KindString && first == nil
	if codes && !slices.Equal(texts(want), texts(got)) || want.Len() == 0 && got.Len() > 0 {
		x.object(place, pointer, fmt.Sprintf("must be %s, in this order", wordsOf(want)))
		return
	}
	if want.Len() != got.Len() {
		x.object(place, pointer, fmt.Sprintf("must have %d entries", want.Len()))
	}
	wanted := entries(want)
	for i, entry := range entries(got) {
		if i < len(wanted) {
			step := "/" + strconv.Itoa(i)
			x.value(place+step, pointer+step, wanted[i], entry)
		}
	}
}

func wordsOf(list json.Value) string {
	if list.Len() == 0 {
		return "empty"
	}
	return strings.Join(texts(list), ", ")
}

func (x *examiner) route(place, pointer, want, got string) {
	if !regexp.MustCompile(baseAddress + regexp.QuoteMeta(want) + `$`).MatchString(got) {
		x.object(place, pointer, fmt.Sprintf("must be %s, after {base_url}, after a base address or alone", want))
	}
}

// factors asks for different approved codes, in any order.
func (x *examiner) factors(got json.Value) {
	seen, approved := map[string]bool{}, texts(x.codes)
	for _, code := range texts(got) {
		if seen[code] || !slices.Contains(approved, code) {
			x.object(factorCodes, factorCodes, "must be approved factor codes, each once")
			return
		}
		seen[code] = true
	}
	if len(seen) == 0 {
		x.object(factorCodes, factorCodes, json.ReasonNoItem)
	}
}

// utcForms are the forms of ISO 8601 in UTC in which the time of a check may be written.
var utcForms = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "20060102T150405Z0700", "20060102T1504Z0700"}

func (x *examiner) time(text string) {
	for _, form := range utcForms {
		at, err := time.Parse(form, text)
		if _, offset := at.Zone(); err != nil || offset != 0 {
			continue
		}
		if x.now.Before(terms.InstantOf(at)) {
			x.object(checkedAt, checkedAt, "lies in the future")
		}
		return
	}
	x.object(checkedAt, checkedAt, "must be an ISO 8601 time in UTC such as 2026-01-31T09:00:00Z")
}

// A number stands alone: 2 in "=2" and "2 records", but not in "section 2.5.1".
var countsStated = regexp.MustCompile(`(?i)[\d.]+\d|\d|\b(?:no|one|two|three|four|five|six)\b`)

// statesTwo reports whether a text counts two and, but for the six transitions, nothing else.
func statesTwo(text string) bool {
	two := false
	for _, stated := range countsStated.FindAllString(text, -1) {
		switch strings.ToLower(stated) {
		case "2", "two":
			two = true
		case "6", "six":
		default:
			if !strings.Contains(stated, ".") {
				return false
			}
		}
	}
	return two
}

func (x *examiner) definitions(checks json.Value) {
	for i, check := range entries(checks) {
		if check.Member("id").Text() != "transition-definition-coverage" {
			continue
		}
		if !statesTwo(check.Member("evidence").Text()) {
			place := fmt.Sprintf("/validation/checks/%d/evidence", i)
			x.object(place, place, "must state a count of 2 required records for each transition")
		}
	}
}

// wording notes a text that the publisher words, unless it holds private details.
func (x *examiner) wording(place, pointer string, got json.Value) {
	if got.Kind() != json.KindString || !packets.Legible(got.Text()) {
		x.object(place, pointer, "must be a text of at least one visible character")
		return
	}
	if found := private.ScanString(got.Text()); !found.Empty() {
		x.problems["nothing-private"] = append(x.problems["nothing-private"],
			Problem{pointer, "holds private details, which are not shown"})
		return
	}
	x.wordings = append(x.wordings, Wording{x.kind.checkAt(place), pointer, got.Text()})
}

// result lists the contract's checks, then the envelope's, but for those that compared nothing.
func (x *examiner) result() Examination {
	e := Examination{Kind: x.kind, Pass: []string{}, Fail: []Failure{}, NotChecked: []Wording{}}
	x.compared["nothing-private"] = true
	for _, id := range x.kind.checkIDs() {
		switch problems := x.problems[id]; {
		case len(problems) > 0:
			e.Fail = append(e.Fail, Failure{id, problems})
		case x.compared[id]:
			e.Pass = append(e.Pass, id)
		}
	}
	e.NotChecked = append(e.NotChecked, x.wordings...)
	return e
}

func (k Kind) checkIDs() []string {
	var ids []string
	for _, check := range entries(k.builtin().root.Member("validation").Member("checks")) {
		ids = append(ids, check.Member("id").Text())
	}
	for _, row := range envelopePaths {
		if !slices.Contains(ids, row.check) {
			ids = append(ids, row.check)
		}
	}
	return append(ids, "nothing-private")
}
