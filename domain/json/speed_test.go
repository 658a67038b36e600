package json_test

import (
	"crypto/sha256"
	"os"
	"testing"

	"docket/domain/json"
)

// amendment is a question of 3 KB about an amendment, as a person writes it.
func amendment(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("../internal/domaintest/amendment.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func BenchmarkOf3KB(b *testing.B) {
	src := amendment(b)
	var doc json.Document
	var out []byte
	parse := func(b *testing.B) {
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			b.Fatal(fault)
		}
	}
	canonical := func(b *testing.B) {
		parse(b)
		out = doc.Root().Member("record").AppendCanonical(out[:0], "amendmentHash")
	}
	for name, do := range map[string]func(*testing.B){"parse": parse, "parse and canonical": canonical,
		"parse, canonical and hash": func(b *testing.B) { canonical(b); sha256.Sum256(out) }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				do(b)
			}
		})
	}
}

func TestReusedDocumentDoesNotAllocate(t *testing.T) {
	src := amendment(t)
	var doc json.Document
	var out []byte
	allocs := testing.AllocsPerRun(100, func() {
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			t.Fatal(fault)
		}
		record := doc.Root().Member("record")
		out = record.AppendCanonical(out[:0], "amendmentHash")
		out = record.AppendMembers(out[:0], nil, "amendmentId", "revision")
		out = record.AppendCanonicalWith(out[:0], "", func(dst []byte, _ json.Value) ([]byte, bool) { return dst, false })
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
