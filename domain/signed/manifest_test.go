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
	public, signer := keyOf(t, "log", "docket/0123456789abcdef")
	_, other := keyOf(t, "other", "docket/0123456789abcdef")
	m := signed.Manifest{Origin: "docket/0123456789abcdef", Size: 3, Root: terms.HashOf([]byte("root")),
		Files: []signed.ManifestFile{{Path: "SUMMARY.md", SHA256: sha256.Sum256([]byte("summary"))}, {Path: "tile/0/000", SHA256: sha256.Sum256(nil)}}}
	text := m.Text()
	if lines := strings.Split(text, "\n"); len(lines) != 7 || lines[0] != "docket-manifest/v1" || !strings.HasSuffix(lines[4], "  SUMMARY.md") {
		t.Errorf("%q", lines)
	}
	sign := func(text string, signers ...note.Signer) []byte { return []byte(sign(t, text, signers...)) }
	good := sign(text, signer)
	if read, ok := signed.ReadManifest(good, public); !ok || read.Text() != text {
		t.Error("a manifest does not verify")
	}
	if read, ok := signed.ReadManifest(good, ""); !ok || read.Text() != text {
		t.Error("a manifest whose log has no key is not read")
	}
	for name, bad := range map[string][]byte{
		"nothing": nil, "no signature": []byte(text), "another key": sign(text, other), "two signatures": sign(text, signer, other),
		"another digest": bytes.Replace(good, []byte("tile/0/000"), []byte("tile/0/001"), 1),
		"a line more":    sign(text+text, signer), "no manifest": sign("docket-other/v1\n\n\n\n\n", signer), "a byte more": append(bytes.Clone(good), '\n'), "a byte less": good[:len(good)-1],
	} {
		if _, ok := signed.ReadManifest(bad, public); ok {
			t.Errorf("%s verifies", name)
		}
	}
	if _, ok := signed.ReadManifest(good, "no key"); ok {
		t.Error("it verifies with what is no key")
	}
}
