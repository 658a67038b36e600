package records

import (
	"strconv"
	"strings"
)

// A KeyChange holds the further lines of a statement about a key of the reviewer LogStatement.By.
type KeyChange struct {
	// PublicKey is the endorsed, registered, revoked or new key: authorized_keys without a comment.
	PublicKey string
	// From, of KeyRevoked only, is the first position whose record by the key does not count.
	From int64
}

// byOperator is the word in the statement of a revocation that the operator of a service signs.
const byOperator = "operator"

// SignedByOperator makes the revocation of a key at a service one that the operator signs, too.
func (s *LogStatement) SignedByOperator(fingerprint string) {
	s.Found, s.KeyFingerprint = []string{byOperator}, fingerprint
}

const noFrom = "-"

func (k *KeyChange) lines(kind LogStatementKind) []string {
	from := noFrom
	if kind == KeyRevoked {
		from = strconv.FormatInt(k.From, 10)
	}
	return []string{k.PublicKey, from}
}

func readKeyChange(lines []string) (k KeyChange, err error) {
	if len(lines) != 2 {
		return KeyChange{}, ErrLogStatement
	}
	k.PublicKey = lines[0]
	if lines[1] != noFrom {
		if k.From, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
			return KeyChange{}, ErrLogStatement
		}
	}
	return k, nil
}

// whole reports whether the lines are there; it does not parse the public key.
func (k *KeyChange) whole(s *LogStatement) bool {
	return strings.TrimSpace(k.PublicKey) == k.PublicKey && strings.Count(k.PublicKey, " ") == 1 && k.From >= 0 && k.From <= s.Size
}
