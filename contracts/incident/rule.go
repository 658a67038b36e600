package incident

import "docket/domain"

// A Rule is something that a profile has to keep to.
type Rule = domain.Word[domain.Listed[ruleList]]

type ruleList struct{}

// Rules lists the rules, for parsing and listing.
var Rules domain.Vocabulary[domain.Listed[ruleList]]

// The rules: how the text is read, what seed 2.2 asks for, and what this project asks for beyond it.
const (
	TooLarge Rule = iota + 1
	StrictJSON
	WrongType
	UnknownMember
	MemberMissing
	EmptyText
	EmptyArray
	HoursNotPositive
	DuplicateKey
	UnknownSeverity
	SeverityNotServed
	PrivateDetails
)

// ruleWords is the one place where the words stand.
var ruleWords = domain.NewWordList("incident profile rule",
	"too_large", "strict_json", "wrong_type", "unknown_member", "member_missing", "empty_text", "empty_array",
	"hours_not_positive", "duplicate_key", "unknown_severity", "severity_not_served", "private_details")

func (ruleList) WordList() *domain.WordList { return ruleWords }

// A RuleInfo says what a rule asks for.
type RuleInfo struct {
	Rule   Rule
	Asks   string // one sentence
	Broken string // what is said of a place that breaks it
	Source string // of the source document; "" for this project's choice
}

// rules is indexed by Rule less one.
var rules = [...]RuleInfo{
	{TooLarge, "A profile has at most 16 MiB and 1,048,576 values.", "is over 16 MiB, or over 1,048,576 values", ""},
	{StrictJSON, "A profile is one JSON value: no member twice, no broken text, no number of 2^53 or more, nothing after it.",
		"is not JSON as it is read here", ""},
	{WrongType, "Every member is of the type that the source gives it.", "is of the wrong type", "2.2"},
	{UnknownMember, "No object has any other member, `$schema` included.",
		"has a member that is not known; it is not shown, because it may be private", "2.2"},
	{MemberMissing, "Every member is there.", "is required and absent", "2.2"},
	{EmptyText, "Every text has at least one character.", "is empty", "2.2 and 8"},
	{EmptyArray, "Every array has at least one item.", "has no item", "2.2 and 8"},
	{HoursNotPositive, "Hours are a number greater than 0; fractions are allowed.", "must be greater than 0", "2.2 and 8"},
	{DuplicateKey, "A key stands once in its array.", "has a key that stands in this array already", ""},
	{UnknownSeverity, "`requiredForSeverity` names keys of `severityLevels` only.", "names no severity level", "2.2"},
	{SeverityNotServed, "Every severity level is named by at least one response phase.", "is served by no response phase", ""},
	{PrivateDetails, "No text holds private details.", "holds private details", ""},
}

// RuleInfos lists the rules with what they ask for, in their order.
func RuleInfos() []RuleInfo { return append([]RuleInfo(nil), rules[:]...) }

// A Problem is a place in a profile that breaks a rule. It holds nothing that the profile says.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901; "" for the whole profile
	Rule    Rule   `json:"rule"`
	Reason  string `json:"reason"` // one clause, lower case
}

// Error returns the pointer, the rule and the reason.
func (p Problem) Error() string {
	text := p.Rule.String() + ": it " + p.Reason
	if p.Pointer == "" {
		return text
	}
	return p.Pointer + ": " + text
}
