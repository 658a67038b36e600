package overlap

import "docket/domain"

// A RefusalCode says why a request was refused (this project's choice).
type RefusalCode = domain.Word[domain.Listed[refusalList]]

type refusalList struct{}

// RefusalCodes lists the codes, for parsing and listing.
var RefusalCodes domain.Vocabulary[domain.Listed[refusalList]]

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
