package store

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

func TestAShelfAnswersOnlyForTheVeryBytesThatItRead(t *testing.T) {
	m := &mill{t: t}
	m.appealPolicy(1)
	packet := m.appealCase(passing("case-1", 1))
	document := bytes.Clone(packet.Document())
	var s packetCache
	for range 2 {
		read, err := s.read(document, packet.Table(), packet.Key())
		if err != nil || !bytes.Equal(read.Document(), document) {
			t.Fatal(err)
		}
	}
	edited := bytes.Replace(document, []byte("ev-1"), []byte("ev-9"), 1)
	if bytes.Equal(edited, document) {
		t.Fatal("nothing was edited")
	}
	if _, err := s.read(edited, packet.Table(), packet.Key()); !errors.Is(err, packets.ErrStoredPacket) {
		t.Errorf("an edited document is taken for the one that was read: %v", err)
	}
	if _, err := s.read(document, packet.Table(), packets.Key{ID: "case-2", Number: 1}); !errors.Is(err, packets.ErrStoredPacket) {
		t.Errorf("a document is taken under another key: %v", err)
	}
}

func TestAShelfDoesNotGrow(t *testing.T) {
	m := &mill{t: t}
	m.appealPolicy(1)
	var s packetCache
	for i := range 3 * cachePackets {
		packet := m.appealCase(passing(fmt.Sprintf("case-%d", i), 1))
		if _, err := s.read(packet.Document(), packet.Table(), packet.Key()); err != nil {
			t.Fatal(err)
		}
		if len(s.held) > cachePackets {
			t.Fatalf("it holds %d packets", len(s.held))
		}
	}
}

func TestASignatureThatIsNotOfTheRecordIsRefusedAlsoWhenTheRecordIsInTheLog(t *testing.T) {
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	good := sub.Signature
	bad := sign(t, d.key, []byte("something else"), records.SignatureNamespace)
	for _, want := range []int64{0, 1} {
		sub.Signature = bad
		_, err := d.store.Append(t.Context(), sub)
		mustBe(t, err, records.ErrRefused)
		if head, err := d.store.Head(t.Context()); err != nil || head.Size != want {
			t.Errorf("the log has %d records, %v", head.Size, err)
		}
		sub.Signature = good
		if _, err := d.store.Append(t.Context(), sub); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatPanicsBesideIsAnError(t *testing.T) {
	if wait := concurrently(func() error { panic("x") }); wait() == nil {
		t.Error("it is none")
	}
	if err := concurrently(func() error { return nil })(); err != nil {
		t.Error(err)
	}
}
