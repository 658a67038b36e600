package private

// Kind is a kind of private detail.
type Kind uint8

// The kinds, in the order in which they are listed.
const (
	Email Kind = iota
	Phone
	IBAN
	PaymentCard
	Coordinates
	URLUserInfo
	IPAddress
	Handle
	ChatLink

	// Unredacted is no finding of the scan: every text of a case has it until its source says that the case is redacted.
	Unredacted
)

// kindNames holds every kind and is the only list of them.
var kindNames = [...]string{
	Email:       "e-mail address",
	Phone:       "phone number",
	IBAN:        "IBAN",
	PaymentCard: "payment card number",
	Coordinates: "coordinates",
	URLUserInfo: "URL with user information",
	IPAddress:   "IP address",
	Handle:      "handle",
	ChatLink:    "chat link",
	Unredacted:  "withheld until redacted",
}

// String returns the kind in words for a reader.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "unknown private detail"
	}
	return kindNames[k]
}

// ParseKind reads a kind as String writes it; false for any other text.
func ParseKind(name string) (Kind, bool) {
	for i, known := range kindNames {
		if known == name {
			return Kind(i), true
		}
	}
	return 0, false
}

// Kinds is a set of kinds. The zero value is empty.
type Kinds uint16

// AllKinds has every kind.
const AllKinds = Kinds(1<<(Unredacted+1) - 1)

// Has reports whether k is in the set.
func (s Kinds) Has(k Kind) bool {
	return int(k) < len(kindNames) && s&(1<<k) != 0
}

// Empty reports whether there is nothing in the set.
func (s Kinds) Empty() bool { return s == 0 }

// List returns the members in the order of the constants, nil for none.
func (s Kinds) List() []Kind {
	var list []Kind
	for i := range kindNames {
		if k := Kind(i); s.Has(k) {
			list = append(list, k)
		}
	}
	return list
}

// Words returns the members in words, in the order of the constants.
func (s Kinds) Words() []string {
	var words []string
	for _, kind := range s.List() {
		words = append(words, kind.String())
	}
	return words
}

// With returns the set and k.
func (s Kinds) With(k Kind) Kinds { return s | 1<<k }

func (s *Kinds) add(k Kind) { *s |= 1 << k }
