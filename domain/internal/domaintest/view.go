package domaintest

import (
	"encoding/json"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// View seals the scene, stores its packets, reads them back and makes their view.
func View(t TB, s Scene, edits ...Edit) views.View {
	t.Helper()
	s.Question(t, edits...)
	return Look(t, s)
}

func (s Scene) Look(t TB, at terms.Instant) views.View {
	t.Helper()
	policy := packets.Packet{}
	if s["policy"] != nil {
		policy = s.Stored(t, "policy")
	}
	latest := rules.Latest{PolicyVersion: s.Number("latestPolicyVersion"), Revision: s.Number("latestRevision")}
	return views.New(policy, s.Stored(t, "record"), latest, at)
}

// Stored takes the policy or the record through reading, redaction, storing and reading back.
func (s Scene) Stored(t TB, part string) packets.Packet {
	t.Helper()
	packet := map[string]any{"table": s.TableOf(part), "record": s[part]}
	if private := s["private"]; private != nil && part == "record" {
		packet["private"] = private
	}
	return Restored(t, Redacted(t, Encoded(packet)))
}

func Redacted(t TB, text []byte) packets.Packet {
	t.Helper()
	var reader packets.Reader
	unredacted, fault := reader.Read(text)
	if fault != nil {
		t.Fatalf("the packet is refused: %v", fault)
	}
	return unredacted.Redact()
}

func Restored(t TB, packet packets.Packet) packets.Packet {
	t.Helper()
	var reader packets.Reader
	again, err := reader.ReadStored(packet.Document())
	if err != nil {
		t.Fatalf("what was stored cannot be read: %v", err)
	}
	return again
}

func (s Scene) Number(name string) int64 {
	number, _ := s[name].(json.Number)
	value, _ := number.Int64()
	return value
}

// Codes lists an evaluation's blockers as words, and checks that the gate follows from them.
func Codes(j rules.Evaluation) []string {
	texts := Texts(j.Blockers())
	if (j.Gate() == terms.Pass) != (len(texts) == 0) {
		panic("the gate does not follow from the blockers")
	}
	return texts
}

// Instant reads an instant that a test wrote.
func Instant(text string) terms.Instant {
	at, ok := terms.ParseInstant(text)
	if !ok {
		panic("not a time: " + text)
	}
	return at
}
