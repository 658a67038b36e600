package domain

import "strings"

// What the origin of a log begins with, and that of a service's log. 32 hex digits follow. Every checkpoint signs the
// origin, so that nobody can make the log of the one out of a log of the other.
const (
	OriginPrefix        = "docket/"
	ServiceOriginPrefix = OriginPrefix + "service/"
)

// OfService tells whether the origin is that of a service's log. The records in it were handed in: what a record says of
// the log that its reviewer saw is about a console's log, and the reviewers' private notes stayed with the consoles.
func OfService(origin string) bool { return strings.HasPrefix(origin, ServiceOriginPrefix) }

// OfConsole tells whether the origin is that of a console's log, in which every record is made: the prefix and 8 to 64
// lower-case hex digits.
func OfConsole(origin string) bool {
	digits, found := strings.CutPrefix(origin, OriginPrefix)
	if !found || len(digits) < 8 || len(digits) > 64 {
		return false
	}
	for i := range len(digits) {
		if _, ok := nibble(digits[i]); !ok {
			return false
		}
	}
	return true
}
