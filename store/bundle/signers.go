package bundle

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// signerLine returns a reviewer's line in OpenSSH's allowed_signers format, with the validity of the key: options in
// OpenSSH's form.
func signerLine(s verify.Signer, validity string) string {
	return string(s.ID) + " " + validity + `namespaces="` + records.SignatureNamespace + `" ` + string(ssh.MarshalAuthorizedKey(s.Key))
}

// validityOf returns since when a key signed and, for a revoked one, until when: whole seconds in UTC, from the times
// of the records. A key without a record that counts is valid at no time of a record.
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

// allowedSigners writes the lines of the signers who signed a record.
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

// parseSigners reads the lines that allowedSigners writes. It ignores other lines: the file is compared with the
// expected one once the records are known.
func parseSigners(text []byte) []verify.Signer {
	var signers []verify.Signer
	for line := range bytes.Lines(text) {
		name, rest, _ := strings.Cut(string(line), " ")
		id, ok := terms.ParseID(name)
		options, encoded, _ := strings.Cut(rest, " ")
		validity, _, _ := strings.Cut(options, "namespaces=")
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(encoded))
		if s := (verify.Signer{ID: id, Key: key}); ok && err == nil && signerLine(s, validity) == string(line) {
			signers = append(signers, s)
		}
	}
	return signers
}
