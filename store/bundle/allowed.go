package bundle

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// Allowed says which keys may sign records for whom, and when.
type Allowed []allowedKey

// An allowedKey is a line of an allowed_signers file for one reviewer. Records that count are of
// its time; an absent bound bounds nothing.
type allowedKey struct {
	reviewer      terms.ID
	fingerprint   string
	after, before terms.Instant
}

// ReadAllowed reads OpenSSH's allowed_signers format, as `docket identity init` prints it and a
// bundle holds it; times without a Z are in UTC, as a bundle's are. A line for other namespaces
// allows nothing here. One with a pattern for reviewers or for an authority is refused. The error
// names the line.
func ReadAllowed(text []byte) (allowed Allowed, err error) {
	lines, number := bufio.NewScanner(bytes.NewReader(text)), 0
	for lines.Scan() {
		number++
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		names, rest, _ := strings.Cut(line, " ")
		key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
		if err != nil {
			return nil, fmt.Errorf("line %d is not one of allowed_signers: a reviewer's id, options and a public key", number)
		}
		of := allowedKey{fingerprint: ssh.FingerprintSHA256(key)}
		here := true
		for _, option := range options {
			name, value, _ := strings.Cut(option, "=")
			value = strings.Trim(value, `"`)
			fits := true
			switch strings.ToLower(name) {
			case "namespaces":
				here = strings.Contains(","+value+",", ","+records.SignatureNamespace+",")
			case "valid-after":
				of.after, fits = signerTime(value)
			case "valid-before":
				of.before, fits = signerTime(value)
			default:
				fits = false
			}
			if !fits {
				return nil, fmt.Errorf("line %d has an option that docket does not take; it takes namespaces, valid-after and valid-before", number)
			}
		}
		for name := range strings.SplitSeq(names, ",") {
			id, ok := terms.ParseID(name)
			if !ok {
				return nil, fmt.Errorf("line %d is for a pattern, not for the id of a reviewer", number)
			}
			if of.reviewer = id; here {
				allowed = append(allowed, of)
			}
		}
	}
	if lines.Err() != nil {
		return nil, fmt.Errorf("line %d is too long", number+1)
	}
	return allowed, nil
}

// signerTime reads a time of allowed_signers: a day, or a time to the minute or second.
func signerTime(text string) (terms.Instant, bool) {
	text = strings.TrimSuffix(text, "Z")
	for _, form := range []string{"20060102", "200601021504", signerTimeForm} {
		if at, err := time.Parse(form, text); err == nil {
			return terms.InstantOf(at), true
		}
	}
	return terms.Instant{}, false
}

// signerTimeForm is the form of the times that a bundle writes.
const signerTimeForm = "20060102150405"

// Allows reports whether a reviewer may have signed with a key what they signed with it.
func (a Allowed) Allows(r *verify.Reviewer) bool {
	for _, one := range a {
		if one.reviewer == r.ID && one.fingerprint == r.Fingerprint && (!one.after.Present() || one.after.NotAfter(r.Span.First)) &&
			(!one.before.Present() || !r.Span.Last.Present() || r.Span.Last.Before(terms.InstantOf(one.before.Time().Add(time.Second)))) {
			return true
		}
	}
	return false
}
