package bundle

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// signerLine is a reviewer's line in OpenSSH's allowed_signers format.
func signerLine(s verify.Signer) string {
	return string(s.ID) + ` namespaces="` + records.SignatureNamespace + `" ` + string(ssh.MarshalAuthorizedKey(s.Key))
}

// allowedSigners writes those of the signers who signed a record.
func allowedSigners(signers []verify.Signer, signed []verify.Reviewer) []byte {
	var lines []string
	for _, s := range signers {
		if s.Key == nil {
			continue
		}
		fingerprint := ssh.FingerprintSHA256(s.Key)
		if slices.ContainsFunc(signed, func(r verify.Reviewer) bool { return r.ID == s.ID && r.Fingerprint == fingerprint }) {
			lines = append(lines, signerLine(s))
		}
	}
	slices.SortFunc(lines, cmp.Compare[string])
	return []byte(strings.Join(slices.Compact(lines), ""))
}

// parseSigners reads what allowedSigners wrote. Lines that it would not have written are passed over: the file is
// compared with what it has to be once the records are known.
func parseSigners(text []byte) []verify.Signer {
	var signers []verify.Signer
	for line := range bytes.Lines(text) {
		name, rest, _ := strings.Cut(string(line), " ")
		id, ok := terms.ParseID(name)
		_, encoded, _ := strings.Cut(rest, " ")
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(encoded))
		if s := (verify.Signer{ID: id, Key: key}); ok && err == nil && signerLine(s) == string(line) {
			signers = append(signers, s)
		}
	}
	return signers
}
