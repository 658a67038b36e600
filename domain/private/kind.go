package private

import "docket/domain/terms"

// A Kind is a kind of private detail, and Kinds is a set of them.
type (
	Kind  = terms.Term[kindList]
	Kinds = terms.Set[kindList]
)

type kindList struct{}

// AllKinds is the vocabulary, for parsing and listing.
var AllKinds terms.Terms[kindList]

// The kinds, in the order in which they are listed.
const (
	Email Kind = iota + 1
	Phone
	IBAN
	PaymentCard
	Coordinates
	URLUserInfo
	IPAddress
	Handle
	ChatLink

	// Unredacted is not a finding: each text of a case has it until its source says it is redacted.
	Unredacted
)

var kindWords = terms.NewWordList("private detail", "e-mail address", "phone number", "IBAN", "payment card number", "coordinates",
	"URL with user information", "IP address", "handle", "chat link", "withheld until redacted")

// WordList returns the kinds.
func (kindList) WordList() *terms.WordList { return kindWords }
