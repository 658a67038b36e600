package signed_test

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/signed"
	"docket/domain/terms"
)

func TestAManifestIsSignedByItsLogAndNothingElse(t *testing.T) {
	keys := func(seed, name string) (note.Signer, string) {
		sum := sha256.Sum256([]byte(seed))
		private, public, err := note.GenerateKey(bytes.NewReader(sum[:]), name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := note.NewSigner(private)
		if err != nil {
			t.Fatal(err)
		}
		return signer, public
	}
	signer, public := keys("log", "docket/0123456789abcdef")
	other, _ := keys("other", "docket/0123456789abcdef")
	m := signed.Manifest{Origin: "docket/0123456789abcdef", Size: 3, Root: terms.HashOf([]byte("root")),
		Files: []signed.ManifestFile{{Path: "SUMMARY.md", SHA256: sha256.Sum256([]byte("summary"))}, {Path: "tile/0/000", SHA256: sha256.Sum256(nil)}}}
	text := m.Text()
	if lines := strings.Split(text, "\n"); len(lines) != 7 || lines[0] != "docket-manifest/v1" || !strings.HasSuffix(lines[4], "  SUMMARY.md") {
		t.Errorf("%q", lines)
	}
	sign := func(text string, signers ...note.Signer) []byte {
		out, err := note.Sign(&note.Note{Text: text}, signers...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	good := sign(text, signer)
	if !m.SignedAs(good, public) {
		t.Error("a manifest does not verify")
	}
	for name, bad := range map[string][]byte{
		"nothing": nil, "no signature": []byte(text), "another key": sign(text, other), "two signatures": sign(text, signer, other),
		"another file": sign(strings.Replace(text, "tile/0/000", "tile/0/001", 1), signer),
		"a line more":  sign(text+text, signer), "a byte more": append(bytes.Clone(good), '\n'), "a byte less": good[:len(good)-1],
	} {
		if m.SignedAs(bad, public) {
			t.Errorf("%s verifies", name)
		}
	}
	if m.SignedAs(good, "") || m.SignedAs(good, "no key") {
		t.Error("it verifies without a key")
	}
}
