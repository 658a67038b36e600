package incident

import (
	"docket/domain/terms"
	"fmt"
)

// A Rule is a rule for profiles. A profile that breaks it has a problem or, if the rule only warns, a warning.
type Rule = terms.Term[ruleList]

type ruleList struct{}

// Rules lists the rules, for parsing and listing.
var Rules terms.Terms[ruleList]

// The rules: those of reading, those of source 2.2 and 8, and those that only warn.
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
	ChannelAddress
	AgainstSchema
)

// ruleWords is the one place where the words stand.
var ruleWords = terms.NewWordList("incident profile rule",
	"too_large", "strict_json", "wrong_type", "unknown_member", "member_missing", "empty_text", "empty_array",
	"hours_not_positive", "duplicate_key", "unknown_severity", "severity_not_served", "private_details",
	"channel_address", "against_schema")

func (ruleList) WordList() *terms.WordList { return ruleWords }

// A ruleInfo describes a rule.
type ruleInfo struct {
	Rule   Rule
	Asks   string // one sentence
	Broken string // what is said of a place that breaks it
	Source string // of the source document; "" for this project's choice
	Warns  bool   // a profile that breaks it is taken: the source allows it
}

// rules is indexed by Rule less one.
var rules = [...]ruleInfo{
	{TooLarge, "A profile has at most 16 MiB and 1,048,576 values.", "is over 16 MiB, or over 1,048,576 values", "", false},
	{StrictJSON, "A profile is one JSON value: no member twice, no broken text, no number of 2^53 or more, nothing after it.",
		"is not JSON as it is read here", "", false},
	{WrongType, "Every member is of the type that the source gives it.", "is of the wrong type", "2.2", false},
	{UnknownMember, "No object has any other member, `$schema` included.",
		"has a member that is not known; it is not shown, because it may be private", "2.2", false},
	{MemberMissing, "Every member is there.", "is required and absent", "2.2", false},
	{EmptyText, "Every text has at least one character.", "is empty", "2.2 and 8", false},
	{EmptyArray, "Every array has at least one item.", "has no item", "2.2 and 8", false},
	{HoursNotPositive, "Hours are a number greater than 0; fractions are allowed.", "must be greater than 0", "2.2 and 8", false},
	{DuplicateKey, "A key stands once in its array.", "has a key that stands in this array already", "", true},
	{UnknownSeverity, "`requiredForSeverity` names keys of `severityLevels` only.", "names no severity level", "2.2", false},
	{SeverityNotServed, "Every severity level is named by at least one response phase.", "is served by no response phase", "", true},
	{PrivateDetails, "No text holds private details, but for the addresses of intake channels.", "holds private details", "", false},
	{ChannelAddress, "An address in an intake channel is shown to everybody, so it is one that is meant to be.",
		"holds an address, which is shown to everybody", "", true},
	{AgainstSchema, "The profile fits the published JSON Schema.", "does not fit the published JSON Schema", "2.2 and 9", false},
}

// A Problem is a place in a profile that breaks a rule. It holds no text of the profile.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901; "" for the whole profile
	Rule    Rule   `json:"rule"`
	Reason  string `json:"reason"` // one clause, lower case
}

// Error returns the pointer, the rule and the reason.
func (p Problem) Error() string {
	text := fmt.Sprintf("%s: it %s", p.Rule.String(), p.Reason)
	if p.Pointer == "" {
		return text
	}
	return p.Pointer + ": " + text
}
