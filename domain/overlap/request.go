package overlap

import (
	"slices"
	"strconv"

	"docket/domain"
	"docket/domain/canonical"
)

// The limits of a request; the source shows none.
const (
	MaxRequestSize  = 1 << 20 // bytes
	MaxTokens       = 1000
	MaxTokenVersion = 1<<16 - 1
	blindedTagSize  = 64 // hex digits of 32 bytes: no word and no phrase fits
)

// The member names of a request. Those of a token are the stored fields but for the audit reason, which nobody sends.
const tokensMember = "tokens"

// tokenMembers are a token's members with what each must be. All of them must be there.
var tokenMembers = [...]struct {
	field StoredField
	check func(canonical.Value) RefusalCode // 0 if the value is good
}{
	{FieldBlindedTag, checkBlindedTag},
	{FieldTokenVersion, checkTokenVersion},
	{FieldTagNamespace, checkNamespace},
	{FieldExpiresAt, checkExpiry},
}

// CheckRequest holds a text to {"tokens": [{"blinded_tag", "tag_namespace", "token_version", "expires_at"}, …]}: blinded
// tokens, nothing else. It returns nil if the text is such a request, otherwise the place and the first reason. It keeps
// nothing of the text.
func CheckRequest(text []byte) *Refusal {
	if len(text) > MaxRequestSize {
		return &Refusal{Code: TooLarge}
	}
	var document canonical.Document
	if fault := document.Parse(text, canonical.Limits{}); fault != nil {
		return malformed(fault)
	}
	root := document.Root()
	if refusal := checkMembers(root, "", tokensMember); refusal != nil {
		return refusal
	}
	tokens, at := root.Member(tokensMember), "/"+tokensMember
	switch {
	case tokens.Kind() != canonical.Array:
		return &Refusal{Pointer: at, Code: WrongType}
	case tokens.Len() < 1 || tokens.Len() > MaxTokens:
		return &Refusal{Pointer: at, Code: TokenCount}
	}
	index := 0
	for token := tokens.First(); token.Exists(); token = token.Next() {
		if refusal := checkToken(token, at+"/"+strconv.Itoa(index)); refusal != nil {
			return refusal
		}
		index++
	}
	return nil
}

func checkToken(token canonical.Value, at string) *Refusal {
	names := make([]string, len(tokenMembers))
	for i := range tokenMembers {
		names[i] = tokenMembers[i].field.String()
	}
	if refusal := checkMembers(token, at, names...); refusal != nil {
		return refusal
	}
	for i := range tokenMembers {
		if code := tokenMembers[i].check(token.Member(names[i])); code.Present() {
			return &Refusal{Pointer: at + "/" + names[i], Code: code}
		}
	}
	return nil
}

// checkMembers holds an object to have exactly the members of these names. That a member is unknown is said before
// that one is missing, and nothing of the unknown one is.
func checkMembers(object canonical.Value, at string, names ...string) *Refusal {
	if object.Kind() != canonical.Object {
		return &Refusal{Pointer: at, Code: WrongType}
	}
	unknown := RefusalCode(0)
	for m := object.First(); m.Exists(); m = m.Next() {
		if slices.Contains(names, m.Name()) {
			continue
		}
		if _, err := ForbiddenInputs.Parse(m.Name()); err == nil {
			return &Refusal{Pointer: at, Code: ForbiddenMember}
		}
		unknown = UnknownMember
	}
	if unknown.Present() {
		return &Refusal{Pointer: at, Code: unknown}
	}
	for _, name := range names {
		if !object.Member(name).Exists() {
			return &Refusal{Pointer: at, Code: MemberMissing, Detail: name}
		}
	}
	return nil
}

func checkBlindedTag(v canonical.Value) RefusalCode {
	text := v.Bytes()
	if v.Kind() != canonical.String || len(text) != blindedTagSize {
		return NotABlindedTag
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return NotABlindedTag
		}
	}
	return 0
}

func checkTokenVersion(v canonical.Value) RefusalCode {
	if number, ok := v.Integer(); !ok || number < 1 || number > MaxTokenVersion {
		return NotATokenVersion
	}
	return 0
}

func checkNamespace(v canonical.Value) RefusalCode {
	if _, err := Namespaces.Parse(v.Text()); err != nil {
		return NotANamespace
	}
	return 0
}

func checkExpiry(v canonical.Value) RefusalCode {
	if _, ok := domain.ParseInstant(v.Text()); !ok {
		return NotATime
	}
	return 0
}

// malformed takes over a fault of the JSON. Of its path only the known names are kept, from the top down.
func malformed(fault *canonical.Fault) *Refusal {
	pointer := canonical.Pointer(fault.Path, func(depth int, step canonical.Step) bool {
		return depth == 0 && step.Name == tokensMember || depth == 1 && step.IsIndex || depth == 2 && isTokenMember(step.Name)
	})
	return &Refusal{Pointer: pointer, Code: MalformedJSON, Detail: fault.Error()}
}

func isTokenMember(name string) bool {
	for i := range tokenMembers {
		if tokenMembers[i].field.String() == name {
			return true
		}
	}
	return false
}

// A RefusalCode says why a request was refused (this project's choice).
type RefusalCode = domain.Word[refusalList]

type refusalList struct{}

// RefusalCodes lists the codes, for parsing and listing.
var RefusalCodes domain.Vocabulary[refusalList]

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

var refusalWords = domain.NewWordList("overlap refusal",
	"malformed_json", "too_large", "wrong_type", "forbidden_input", "unknown_member", "member_missing",
	"not_a_blinded_tag", "not_a_namespace", "not_a_token_version", "not_a_time", "token_count")

func (refusalList) WordList() *domain.WordList { return refusalWords }

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
	text := r.Code.String() + ": it " + RefusalMeaning(r.Code)
	if r.Pointer != "" {
		text = r.Pointer + ": " + text
	}
	if r.Detail != "" {
		text += " (" + r.Detail + ")"
	}
	return text
}
