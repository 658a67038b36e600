package records

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A KeyChange holds the further lines of a statement about a key of the reviewer LogStatement.By.
type KeyChange struct {
	// PublicKey is the endorsed, registered, revoked or new key: authorized_keys without a comment.
	PublicKey string
	// From, of KeyRevoked only, is the first sequence whose record by the key does not count.
	From int64
	// Previous is H of the text before, absent for the first: no statement can be inserted later.
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

// LogSigns reports whether the log's key must sign the statement; it or the person's key must.
func (s *LogStatement) LogSigns() bool {
	return s.AboutOperator() || s.Kind == ServiceNamed || s.Kind == Erased || s.Kind == KeyReplaced ||
		s.Kind == KeyRegistered || s.Kind == KeyRevoked && OfService(s.Origin)
}

// LogMaySign reports whether the log's signature is optional: the key of a restored log may be
// lost, and it vouches for an anchor or a service only where the person has no record in the log.
func (s *LogStatement) LogMaySign() bool {
	return s.Kind == LogRestored || s.Kind == AnchorAccepted || s.Kind == ServiceAccepted
}

// PersonSigns reports whether the key that the statement names must sign it.
func (s *LogStatement) PersonSigns() bool {
	return s.Kind != KeyRegistered && !(s.Kind == KeyRevoked && OfService(s.Origin) && len(s.Found) == 0)
}

// byOperator is the word in the statement of a revocation that the operator of a service signs.
const byOperator = "operator"

// SignedByOperator makes the revocation of a key at a service one that the operator signs, too.
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
		return fmt.Sprintf("%s replaced a lost key by %s at %s, of %s; only the log's key vouches for it",
			s.By, s.KeyFingerprint, s.At, Count(s.Size))
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
	return fmt.Sprintf("the key %s of %s was revoked %s at %s, from entry %d on, of %s", k.PublicKey, s.By, by, s.At, k.From, Count(s.Size))
}

// whole reports whether the lines of the kind are there; it does not parse the public key.
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
