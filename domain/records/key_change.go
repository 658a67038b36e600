package records

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A KeyChange holds the additional lines of a statement about a reviewer's key. The reviewer is LogStatement.By.
type KeyChange struct {
	PublicKey string // of the key that is endorsed, registered or revoked, or that replaces a lost one: a line of authorized_keys without a comment
	// From is the size of the log from which on a revoked key does not count; set for KeyRevoked only. Records of the key with a
	// smaller sequence count.
	From int64
	// Previous is H of the text of the statement before, so that none can be inserted later; absent for the first of a log.
	Previous terms.Hash
}

// AboutKey reports whether the statement is about a reviewer's key.
func (s *LogStatement) AboutKey() bool {
	switch s.Kind {
	case KeyEndorsed, KeyReplaced, KeyRevoked, KeyRegistered:
		return true
	}
	return false
}

// LogSigns reports whether the log's key has to sign the statement, and PersonSigns whether the key that it names has to. At
// least one of them does.
func (s *LogStatement) LogSigns() bool {
	return s.AboutOperator() || s.Kind == ServiceNamed || s.Kind == Erased || s.Kind == KeyReplaced || s.Kind == KeyRegistered || s.Kind == KeyRevoked && OfService(s.Origin)
}

// LogMaySign reports whether the signature by the log's key is optional: the key of a log that is restored may be lost, and it vouches for an
// anchor or a service only where the person has no record in the log.
func (s *LogStatement) LogMaySign() bool {
	return s.Kind == LogRestored || s.Kind == AnchorAccepted || s.Kind == ServiceAccepted
}

// PersonSigns is described with LogSigns.
func (s *LogStatement) PersonSigns() bool {
	return s.Kind != KeyRegistered && !(s.Kind == KeyRevoked && OfService(s.Origin) && len(s.Found) == 0)
}

// byOperator is the word in the statement of a revocation that the operator of a service signs.
const byOperator = "operator"

// SignedByOperator makes the revocation of a key at a service one that the operator signs with a key, as well as the log's key does.
func (s *LogStatement) SignedByOperator(fingerprint string) {
	s.Found, s.KeyFingerprint = []string{byOperator}, fingerprint
}

const noFrom, noPrevious = "-", "-"

func (k *KeyChange) lines(kind LogStatementKind) []string {
	from := noFrom
	if kind == KeyRevoked {
		from = strconv.FormatInt(k.From, 10)
	}
	previous := noPrevious
	if k.Previous.Present() {
		previous = k.Previous.String()
	}
	return []string{k.PublicKey, from, previous}
}

func readKeyChange(lines []string) (k KeyChange, err error) {
	if len(lines) != 3 {
		return KeyChange{}, ErrLogStatement
	}
	k.PublicKey = lines[0]
	if lines[1] != noFrom {
		if k.From, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
			return KeyChange{}, ErrLogStatement
		}
	}
	if lines[2] != noPrevious {
		if k.Previous, _ = terms.ParseHash(lines[2]); !k.Previous.Present() {
			return KeyChange{}, ErrLogStatement
		}
	}
	return k, nil
}

func (k *KeyChange) sentence(s *LogStatement) string {
	switch s.Kind {
	case KeyEndorsed:
		return fmt.Sprintf("%s endorsed the key %s with key %s at %s, of %s", s.By, k.PublicKey, s.KeyFingerprint, s.At, Count(s.Size))
	case KeyReplaced:
		return fmt.Sprintf("%s replaced a lost key by %s at %s, of %s; only the log's key vouches for it", s.By, s.KeyFingerprint, s.At, Count(s.Size))
	case KeyRegistered:
		return fmt.Sprintf("the service registered the key %s of %s at %s", s.KeyFingerprint, s.By, s.At)
	}
	by := fmt.Sprintf("with key %s", s.KeyFingerprint)
	switch {
	case !s.PersonSigns():
		by = "by the service"
	case OfService(s.Origin):
		by = fmt.Sprintf("by the service's operator with key %s", s.KeyFingerprint)
	}
	return fmt.Sprintf("the key %s of %s was revoked %s at %s, from record %d on, of %s", k.PublicKey, s.By, by, s.At, k.From, Count(s.Size))
}

// whole reports whether the change has the lines that its kind of statement asks for. It does not parse the public key; the
// reader of the signature does.
func (k *KeyChange) whole(s *LogStatement) bool {
	if strings.TrimSpace(k.PublicKey) != k.PublicKey || strings.Count(k.PublicKey, " ") != 1 || k.From < 0 || k.From > s.Size {
		return false
	}
	switch s.Kind {
	case KeyEndorsed, KeyReplaced:
		return !OfService(s.Origin)
	case KeyRegistered:
		return OfService(s.Origin)
	}
	return true
}
