package store

import (
	"bytes"
	"slices"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/parsed"
)

func TestACacheAnswersOnlyForTheVeryBytesThatItRead(t *testing.T) {
	t.Parallel()
	m := &mill{t: t}
	m.appealPolicy(1)
	packet := m.appealCase(passing("case-1", 1))
	document := bytes.Clone(packet.Document())
	var s parsed.Cache
	for range 2 {
		read, err := s.Read(document, packet.Table(), packet.Key())
		if err != nil || !bytes.Equal(read.Document(), document) {
			t.Fatal(err)
		}
	}
	edited := bytes.Replace(document, []byte("ev-1"), []byte("ev-9"), 1)
	if bytes.Equal(edited, document) {
		t.Fatal("nothing was edited")
	}
	wantErr(t, "an edited document is taken for the one that was read", errOf(s.Read(edited, packet.Table(), packet.Key())), packets.ErrStoredPacket)
	wantErr(t, "a document is taken under another key", errOf(s.Read(document, packet.Table(), packets.Key{ID: "case-2", Number: 1})), packets.ErrStoredPacket)
}

func TestASignatureThatIsNotOfTheRecordIsRefusedAlsoWhenTheRecordIsInTheLog(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	good := sub.Signature
	bad := sign(t, d.key, []byte("something else"), records.SignatureNamespace)
	for _, want := range []int64{0, 1} {
		sub.Signature = bad
		mustBe(t, errOf(d.store.Append(t.Context(), sub)), records.ErrRefused)
		wantSame(t, "records in the log", need(d.store.Head(t.Context()))(t).Size, want)
		sub.Signature = good
		need(d.store.Append(t.Context(), sub))(t)
	}
}

func TestWhatPanicsBesideIsAnError(t *testing.T) {
	t.Parallel()
	if wait := concurrently(func() error { panic("x") }); wait() == nil {
		t.Error("it is none")
	}
	must(t, concurrently(func() error { return nil })())
}

// A service that gave a packet out reads it again only if other bytes are stored for it: what somebody edits while it serves is given to nobody.
func TestAPacketThatWasCheckedIsGivenOutAgainOnlyAsItIsStored(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	document := func() [][]byte {
		t.Helper()
		page := need(d.store.Page(t.Context(), assignedRights, "", 9))(t)
		return page.Packets
	}
	first := document()
	if checked := d.store.checked.Len(); checked != len(first) || checked != 3 {
		t.Errorf("of %d packets %d are remembered", len(first), checked)
	}
	if again := document(); !slices.EqualFunc(first, again, bytes.Equal) {
		t.Errorf("the packets are given out as\n%s\nand then as\n%s", first, again)
	}
	for name, statement := range map[string]string{
		"a text":     "UPDATE docket_packet_texts SET texts = replace(texts, '\"statement\":\"', '\"statement\":\"Not ') WHERE place = 1",
		"a document": "UPDATE trade_appeal_cases SET document = replace(document, 'ev-1', 'ev-9') WHERE place = 1",
	} {
		forge(t, d.store.Path(), statement)
		if left := document(); len(left) != 2 || !bytes.Equal(left[1], first[2]) {
			t.Errorf("%s was edited, and there are %d packets", name, len(left))
		}
	}
}
