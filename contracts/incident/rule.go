package incident

import (
	"fmt"

	"docket/domain/terms"
)

// A Rule is a rule for profiles, which a problem breaks or, if the rule only warns, a warning.
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
)

var ruleWords = terms.NewWordList("incident profile rule",
	"too_large", "strict_json", "wrong_type", "unknown_member", "member_missing", "empty_text", "empty_array",
	"hours_not_positive", "duplicate_key", "unknown_severity", "severity_not_served", "private_details",
	"channel_address")

func (ruleList) WordList() *terms.WordList { return ruleWords }

// rules says of each Rule, less one, what is wrong and whether it only warns: the source allows it.
var rules = [...]struct {
	Broken string
	Warns  bool
}{
	TooLarge - 1:          {"is over 16 MiB, or over 1,048,576 values", false},
	StrictJSON - 1:        {"is not JSON as it is read here", false},
	WrongType - 1:         {"is of the wrong type", false},
	UnknownMember - 1:     {"has a member that is not known; it is not shown, because it may be private", false},
	MemberMissing - 1:     {"is required and absent", false},
	EmptyText - 1:         {"is empty", false},
	EmptyArray - 1:        {"has no item", false},
	HoursNotPositive - 1:  {"must be greater than 0", false},
	DuplicateKey - 1:      {"has a key that stands in this array already", true},
	UnknownSeverity - 1:   {"names no severity level", false},
	SeverityNotServed - 1: {"is served by no response phase", true},
	PrivateDetails - 1:    {"holds private details", false},
	ChannelAddress - 1:    {"holds an address, which is shown to everybody", true},
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
