package bundle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// signerLine returns a line of OpenSSH's allowed_signers; validity is options in its form.
func signerLine(s verify.Signer, validity string) string {
	return string(s.ID) + " " + validity + `namespaces="` + records.SignatureNamespace + `" ` + string(ssh.MarshalAuthorizedKey(s.Key))
}

// validityOf returns since when a key signed and, if it was revoked, until when, in whole seconds
// of UTC; a key without a record that counts is valid at no time of a record.
func validityOf(span verify.Span) string {
	first := span.First.Time().Truncate(time.Second)
	switch {
	case !span.First.Present():
		return ""
	case !span.Revoked:
		return `valid-after="` + first.Format(signerTimeForm) + `",`
	case !span.Last.Present():
		return `valid-before="` + time.Unix(0, 0).UTC().AddDate(0, 0, 1).Format(signerTimeForm) + `",`
	}
	// ssh-keygen includes the last second, and refuses a line that ends when it begins.
	last := span.Last.Time().Truncate(time.Second)
	if !last.After(first) {
		last = first.Add(time.Second)
	}
	return `valid-after="` + first.Format(signerTimeForm) + `",valid-before="` + last.Format(signerTimeForm) + `",`
}

func allowedSigners(signers []verify.Signer, signed []verify.Reviewer) []byte {
	var lines []string
	for _, s := range signers {
		if s.Key == nil {
			continue
		}
		fingerprint := ssh.FingerprintSHA256(s.Key)
		at := slices.IndexFunc(signed, func(r verify.Reviewer) bool { return r.ID == s.ID && r.Fingerprint == fingerprint })
		if at >= 0 {
			lines = append(lines, signerLine(s, validityOf(signed[at].Span)))
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(slices.Compact(lines), ""))
}

// parseSigners ignores other lines than keys: the file is compared with the expected one later.
func parseSigners(text []byte) (signers []verify.Signer) {
	for line := range strings.Lines(string(text)) {
		keys, _ := signersOf(line)
		for _, one := range keys {
			signers = append(signers, verify.Signer{ID: one.reviewer, Key: one.key})
		}
	}
	return signers
}

// Allowed says which keys may sign records for whom, and when.
type Allowed []allowedKey

// An allowedKey is a line for one reviewer, for records of its time; an absent bound bounds
// nothing.
type allowedKey struct {
	reviewer      terms.ID
	key           ssh.PublicKey
	after, before terms.Instant
}

// ReadAllowed reads OpenSSH's allowed_signers format, as `docket identity init` prints it and a
// bundle holds it; times without a Z are in UTC. A line for other namespaces allows nothing here.
// One with a pattern for reviewers or for an authority is refused. The error names the line.
func ReadAllowed(text []byte) (allowed Allowed, err error) {
	number := 0
	for line := range strings.Lines(string(text)) {
		keys, err := signersOf(line)
		if number++; err != nil {
			return nil, fmt.Errorf("line %d %w", number, err)
		}
		allowed = append(allowed, keys...)
	}
	return allowed, nil
}

// signersOf returns the keys of a line that may sign records, or what is wrong with the line.
func signersOf(line string) (keys []allowedKey, err error) {
	if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
		return nil, nil
	}
	names, rest, _ := strings.Cut(line, " ")
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return nil, errors.New("is not one of allowed_signers: a reviewer's id, options and a public key")
	}
	of, here := allowedKey{key: key}, true
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
			return nil, errors.New("has an option that docket does not take; it takes namespaces, valid-after and valid-before")
		}
	}
	for name := range strings.SplitSeq(names, ",") {
		id, ok := terms.ParseID(name)
		if !ok {
			return nil, errors.New("is for a pattern, not for the id of a reviewer")
		}
		if of.reviewer = id; here {
			keys = append(keys, of)
		}
	}
	return keys, nil
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
		if one.reviewer == r.ID && ssh.FingerprintSHA256(one.key) == r.Fingerprint &&
			(!one.after.Present() || one.after.NotAfter(r.Span.First)) &&
			(!one.before.Present() || !r.Span.Last.Present() || r.Span.Last.Before(terms.InstantOf(one.before.Time().Add(time.Second)))) {
			return true
		}
	}
	return false
}
