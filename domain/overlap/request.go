package overlap

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"docket/domain/canonical"
	"docket/domain/shape"
	"docket/domain/terms"
)

// The limits of a request; the source shows none.
const (
	MaxRequestSize  = 1 << 20 // bytes
	MaxTokens       = 1000
	maxTokenVersion = 1<<16 - 1
	blindedTagSize  = 64 // hex digits of 32 bytes: no word and no phrase fits
)

// The member names of a request. Those of a token are the stored fields but for the audit reason, which nobody sends.
const tokensMember = "tokens"

// tokenMembers are a token's members with what each must be. All of them must be there.
var tokenMembers = [...]struct {
	field StoredField
	form  shape.FormKind
	code  RefusalCode // of a value that is not good
	good  func(canonical.Value) bool
}{
	{FieldBlindedTag, shape.FormString, NotABlindedTag, isBlindedTag},
	{FieldTokenVersion, shape.FormVersion, NotATokenVersion, isTokenVersion},
	{FieldTagNamespace, shape.FormWord, NotANamespace, isNamespace},
	{FieldExpiresAt, shape.FormTime, NotATime, isExpiry},
}

// Nothing of a request is kept, so its tokens are read into empty values.
type (
	nothing = struct{}
	member  = shape.Member[nothing, *nothing]
	request struct{ tokens []nothing }
)

// requestShape is made when the first request is checked, after the vocabularies that name the members.
var requestShape = sync.OnceValue(func() *shape.Of[nothing, *request] {
	var members []member
	for _, m := range tokenMembers {
		members = append(members, shape.Required(shape.NewMember(m.field.String(), shape.Form{Kind: m.form},
			func(_ *nothing, v canonical.Value, _ *nothing) *shape.Fault {
				return shape.FaultUnless(m.good(v), v, RefusalMeaning(m.code))
			})))
	}
	return shape.New(shape.Required(shape.FilledListMember(tokensMember, shape.New(members...),
		func(r *request) *[]nothing { return &r.tokens })))
})

// CheckRequest holds a text to {"tokens": [{"blinded_tag", "tag_namespace", "token_version", "expires_at"}, …]}: blinded
// tokens, nothing else. It returns nil if the text is such a request, otherwise the place and the first reason. It keeps
// nothing of the text.
func CheckRequest(text []byte) *Refusal {
	if len(text) > MaxRequestSize {
		return &Refusal{Code: TooLarge}
	}
	var document canonical.Document
	if fault := document.Parse(text, canonical.Limits{}); fault != nil {
		return &Refusal{Pointer: canonical.Pointer(fault.Path, shownPath()), Code: MalformedJSON, Detail: fault.Error()}
	}
	var first *Refusal
	requestShape().Check(&request{}, document.Root(), &nothing{}, "", func(f shape.Finding) bool {
		next := refusalOf(f)
		switch {
		case first == nil:
			first = next
		case next.Code == MemberMissing && strings.HasPrefix(first.Pointer, next.Pointer+"/"):
			first = next // a token that lacks a member is refused for that first
			return false
		}
		return f.Cause == shape.Refused && path.Dir(first.Pointer) == path.Dir(next.Pointer)
	})
	tokens := document.Root().Member(tokensMember)
	if tokens.Kind() == canonical.Array && tokens.Len() > MaxTokens && (first == nil || first.Pointer != "") {
		return &Refusal{Pointer: "/" + tokensMember, Code: TokenCount}
	}
	return first
}

// shownPath accepts the steps down to a member of a token, and none below.
func shownPath() func(int, canonical.Step) bool {
	described := requestShape().Shape().Shown()
	return func(depth int, step canonical.Step) bool {
		return depth <= 2 && step.IsIndex == (depth == 1) && described(depth, step)
	}
}

// refusalOf words what the shape finds wrong.
func refusalOf(f shape.Finding) *Refusal {
	place, name := path.Split(f.Pointer)
	switch f.Cause {
	case shape.NotKnown:
		return &Refusal{Pointer: f.Pointer, Code: unknownCode(f.Value)}
	case shape.Missing:
		return &Refusal{Pointer: strings.TrimSuffix(place, "/"), Code: MemberMissing, Detail: name}
	case shape.NoItem:
		return &Refusal{Pointer: f.Pointer, Code: TokenCount}
	}
	for _, m := range tokenMembers {
		if m.field.String() == name {
			return &Refusal{Pointer: f.Pointer, Code: m.code}
		}
	}
	return &Refusal{Pointer: f.Pointer, Code: WrongType}
}

// unknownCode tells an object with a forbidden input from one with another unknown member. It names neither.
func unknownCode(object canonical.Value) RefusalCode {
	for m := object.First(); m.Exists(); m = m.Next() {
		if _, err := ForbiddenInputs.Parse(m.Name()); err == nil {
			return ForbiddenMember
		}
	}
	return UnknownMember
}

func isBlindedTag(v canonical.Value) bool {
	text := v.Bytes()
	return v.Kind() == canonical.String && len(text) == blindedTagSize &&
		!slices.ContainsFunc(text, func(c byte) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') })
}

func isTokenVersion(v canonical.Value) bool {
	number, ok := v.Integer()
	return ok && number >= 1 && number <= maxTokenVersion
}

func isNamespace(v canonical.Value) bool {
	_, err := Namespaces.Parse(v.Text())
	return err == nil
}

func isExpiry(v canonical.Value) bool {
	_, ok := terms.ParseInstant(v.Text())
	return ok
}

// A RefusalCode says why a request was refused (this project's choice).
type RefusalCode = terms.Term[refusalList]

type refusalList struct{}

// RefusalCodes lists the codes, for parsing and listing.
var RefusalCodes terms.Terms[refusalList]

// Refusal codes.
const (
	MalformedJSON RefusalCode = iota + 1
	TooLarge
	WrongType
	ForbiddenMember
	UnknownMember
	MemberMissing
	NotABlindedTag
	NotANamespace
	NotATokenVersion
	NotATime
	TokenCount
)

var refusalWords = terms.NewWordList("overlap refusal",
	"malformed_json", "too_large", "wrong_type", "forbidden_input", "unknown_member", "member_missing",
	"not_a_blinded_tag", "not_a_namespace", "not_a_token_version", "not_a_time", "token_count")

func (refusalList) WordList() *terms.WordList { return refusalWords }

// refusalMeanings is indexed by RefusalCode less one.
var refusalMeanings = [...]string{
	"is not JSON as it is read here: one value, no member twice, no broken text",
	"is over 1 MiB",
	"is of the wrong type",
	"has a member that names a forbidden input; it is not shown",
	"has a member that is not known; it is not shown, because it may be private",
	"lacks a member that every token needs",
	"must be 64 lower-case hex digits; free text and raw tags are not taken",
	"must be one of the three namespaces",
	"must be an integer from 1 to 65,535",
	"must be a time in UTC such as 2026-01-31T09:00:00Z",
	"must hold 1 to 1,000 tokens",
}

// RefusalMeaning says what a code means, as a clause about the place; "" for an absent one.
func RefusalMeaning(code RefusalCode) string {
	if !code.Present() {
		return ""
	}
	return refusalMeanings[code-1]
}

// A Refusal is why a request was not taken. It holds no value of the request, and no member name that is not one of
// the known ones.
type Refusal struct {
	Pointer string // RFC 6901; "" for the whole request
	Code    RefusalCode
	Detail  string // of MalformedJSON: the reader's constant phrase and the offset; of MemberMissing: the member
}

// Error returns the pointer, the code and what it means.
func (r *Refusal) Error() string {
	text := fmt.Sprintf("%s: it %s", r.Code.String(), RefusalMeaning(r.Code))
	if r.Pointer != "" {
		text = r.Pointer + ": " + text
	}
	if r.Detail != "" {
		text += " (" + r.Detail + ")"
	}
	return text
}
