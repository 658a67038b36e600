package signed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
)

// A Statement is a statement about a log as it is kept. It has not been checked.
type Statement struct {
	Text         string
	Signature    []byte // armored SSHSIG of the person it names; nil where only the log signs
	LogSignature []byte // the log's note signature line, with its end; nil where it does not sign
}

// Signatures are the signature of the person, and that of the log after it.
func (s *Statement) Signatures() string { return string(s.Signature) + string(s.LogSignature) }

// WithSignatures returns a statement with what Signatures returned.
func WithSignatures(text, signatures string) Statement {
	s := Statement{Text: text, Signature: []byte(signatures)}
	const ofLog = "— " // begins the signature line of a note
	if at := strings.Index("\n"+signatures, "\n"+ofLog); at >= 0 {
		s.Signature, s.LogSignature = s.Signature[:at], s.Signature[at:]
	}
	return s
}

// Open reads the statement and verifies the signatures of the key that it names and of the log.
// logKeys are verifier keys that may be the log's, one of them named by the statement's origin.
// Whether the signing key is the person's is not checked. The error wraps records.ErrLogStatement.
func (s Statement) Open(logKeys ...string) (records.LogStatement, error) {
	statement, err := records.ReadLogStatement(s.Text)
	if err != nil {
		return records.LogStatement{}, err
	}
	if statement.PersonSigns() != (len(s.Signature) > 0) || statement.LogSigns() != (len(s.LogSignature) > 0) && !statement.LogMaySign() {
		return records.LogStatement{}, fmt.Errorf("%w: it has other signatures than its kind asks for", records.ErrLogStatement)
	}
	if len(s.Signature) > 0 && !sshSigned(records.LogStatementNamespace, s.Text, s.Signature, statement.KeyFingerprint) {
		return records.LogStatement{}, fmt.Errorf("%w: it is not signed by the key that it names", records.ErrLogStatement)
	}
	if len(s.LogSignature) > 0 && !s.signedByLog(statement.Origin, logKeys) {
		return records.LogStatement{}, fmt.Errorf("%w: it is not signed by the key of the log", records.ErrLogStatement)
	}
	if statement.AboutKey() && !fitsKey(&statement) {
		return records.LogStatement{}, fmt.Errorf("%w: the key that it is about is not one, or not the right one", records.ErrLogStatement)
	}
	return statement, nil
}

func (s Statement) signedByLog(origin string, keys []string) bool {
	for _, encoded := range keys {
		verifier, err := note.NewVerifier(encoded)
		if err != nil || verifier.Name() != origin {
			continue
		}
		if text, ok := OpenNote(verifier, s.Text+"\n"+string(s.LogSignature)); ok && text == s.Text {
			return true
		}
	}
	return false
}

// SignedByLog returns the statement with the line of a note's signature by the log's key.
func (s Statement) SignedByLog(written []byte) (Statement, error) {
	line, found := strings.CutPrefix(string(written), s.Text+"\n")
	if !found {
		return Statement{}, errors.New("it is not a note of the statement")
	}
	s.LogSignature = []byte(line)
	return s, nil
}

// PublicKey reads a public key in the form of authorized_keys, without options and comment, as
// OpenSSH writes it. It refuses certificates, and keys whose signatures do not count.
func PublicKey(line string) (ssh.PublicKey, error) {
	key, comment, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil || comment != "" || len(options) > 0 || len(rest) > 0 || AuthorizedKey(key) != line {
		return nil, errors.New("it is not one OpenSSH public key")
	}
	if _, certificate := key.(*ssh.Certificate); certificate {
		return nil, errors.New("it is a certificate; give the public key itself")
	}
	return key, KeyFault(key)
}

// AuthorizedKey writes a public key as OpenSSH does, without a line feed.
func AuthorizedKey(key ssh.PublicKey) string {
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(key)))
}

// fitsKey reports whether the statement's key and the signing one relate as its kind asks.
func fitsKey(s *records.LogStatement) bool {
	key, err := PublicKey(s.Key.PublicKey)
	if err != nil {
		return false
	}
	own := ssh.FingerprintSHA256(key) == s.KeyFingerprint
	switch s.Kind {
	case records.KeyEndorsed:
		return !own
	case records.KeyReplaced, records.KeyRegistered:
		return own
	}
	return own || s.PersonSigns()
}
