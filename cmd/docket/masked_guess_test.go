//go:build unix

package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	stdjson "encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
	"docket/domain/json"
	"docket/domain/packets"
)

// maskedCase is a sealed case in whose texts the number stands, with every hash right.
func maskedCase(t *testing.T, sealed, number string) (packet []byte, digests map[string][sha256.Size]byte) {
	t.Helper()
	for line := range strings.Lines(sealed) {
		var p map[string]any
		must(t, stdjson.Unmarshal([]byte(line), &p))
		record, _ := p["record"].(map[string]any)
		if record["caseId"] != programtest.SampleCase {
			continue
		}
		text := "Call " + number + " about it."
		record["caseId"], record["remedyGap"] = "case-guess", text
		record["evidenceScope"].(map[string]any)["statement"] = text
		var reader packets.Reader
		for _, name := range []string{"scopeHash", "caseHash"} {
			unredacted, fault := reader.Read(json.Canonical(p))
			if fault != nil {
				t.Fatal(fault)
			}
			own, scope := unredacted.Seal()
			record[name] = map[string]string{"scopeHash": scope.String(), "caseHash": own.String()}[name]
		}
		digests = map[string][sha256.Size]byte{}
		whole := map[string]any{"record": record, "packet": p, "text": text, "scope": record["evidenceScope"], "gap": map[string]any{"remedyGap": text}}
		for name, value := range whole {
			digests[name] = sha256.Sum256(json.Canonical(value))
		}
		digests["the bytes of the text"] = sha256.Sum256([]byte(text))
		digests["the number"] = sha256.Sum256([]byte(number))
		for _, name := range []string{"scopeHash", "caseHash"} {
			raw, err := hex.DecodeString(strings.TrimPrefix(record[name].(string), "sha256:"))
			must(t, err)
			digests[name] = [sha256.Size]byte(raw)
		}
		return append(json.Canonical(p), '\n'), digests
	}
	t.Fatal("the sample case is not among the packets")
	return nil, nil
}

// holds reports whether the bytes hold the digest in any of its usual forms.
func holds(all []byte, digest [sha256.Size]byte) bool {
	for _, form := range [][]byte{digest[:], []byte(hex.EncodeToString(digest[:])), []byte(strings.ToUpper(hex.EncodeToString(digest[:]))),
		[]byte(base64.RawStdEncoding.EncodeToString(digest[:])), []byte(base64.RawURLEncoding.EncodeToString(digest[:]))} {
		if bytes.Contains(all, form) {
			return true
		}
	}
	return false
}

// Who holds the store, an export, a backup and every answer, and all members of a case but the number in its masked texts, tries each
// number that there is, and cannot tell which it was: no byte depends on it.
func TestAMaskedNumberCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t)
	sealed := s.Read("packets.jsonl")
	const right = 1234567
	number := func(n int) string { return fmt.Sprintf("+49 170 %d", n) }
	packet, _ := maskedCase(t, sealed, number(right))
	input := filepath.Join(t.TempDir(), "masked.jsonl")
	must(t, os.WriteFile(input, packet, 0o600))
	said := []byte{}
	take := func(got programtest.Ran) programtest.Ran {
		said = append(append(said, got.Stdout...), got.Stderr...)
		return got
	}
	must(t, os.Remove(s.At("packets.jsonl")))
	take(s.Done("docket", "import", "--json", input))
	take(s.Done("docket-decide", "case-guess", "block_reliance"))
	take(s.Done("docket", "show", "case-guess"))
	take(s.Done("docket", "show", "case-guess", "--json"))
	take(s.Done("docket", "queue", "--json"))
	take(s.Done("docket", "records", "--json"))
	take(s.Done("docket", "export", s.At("out")))
	take(s.Done("docket", "backup", s.At("copy.db")))
	take(s.Done("docket", "verify", s.At("out")))
	if got := take(s.Done("docket", "verify")); !strings.Contains(got.Stdout, "everything verifies") {
		t.Errorf("it does not verify: %s", got.Stdout)
	}
	all := said
	err := filepath.WalkDir(s.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		all = append(all, content...)
		return err
	})
	if err != nil || len(all) < 100_000 {
		t.Fatalf("%d bytes, %v", len(all), err)
	}
	if bytes.Contains(all, []byte("170 1234567")) || !bytes.Contains(all, []byte(`{"masked":["phone number"]}`)) {
		t.Error("the number stands in the open, or the case is not there")
	}
	for guess := right - 8; guess <= right+8; guess++ {
		_, digests := maskedCase(t, sealed, number(guess))
		for name, digest := range digests {
			if holds(all, digest) {
				t.Errorf("%d is confirmed by the digest of %s", guess, name)
			}
		}
	}
	// The method recovers the number from what the sender has.
	if _, digests := maskedCase(t, sealed, number(right)); !holds(packet, digests["caseHash"]) {
		t.Error("the guess of the right number is not recognized in the packet itself")
	}
}
