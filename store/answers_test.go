package store

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
)

func TestWhatHasNoFinalAnswerIsListedInTheOrderOfTheLog(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	var list []records.Enforcement
	for _, id := range []terms.ID{"case-1", "case-2", "case-3", "case-4"} {
		list = append(list, d.decided(id, ""))
	}
	d.accepted(s, list[1])
	d.rejected(s, list[2], "")
	for _, c := range []struct {
		after int64
		most  int
		want  []int64
	}{{-1, 10, []int64{0, 3}}, {-1, 1, []int64{0}}, {0, 10, []int64{3}}, {3, 10, nil}} {
		entries, err := d.store.NotHandedIn(t.Context(), c.after, c.most)
		var got []int64
		for _, e := range entries {
			got = append(got, e.Sequence)
			if string(e.Document) != string(list[e.Sequence].Document()) || len(e.Signature) == 0 {
				t.Errorf("entry %d differs", e.Sequence)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("after %d, at most %d: %v, %v", c.after, c.most, got, err)
		}
	}
	by, _ := terms.ParseInstant("2026-04-01T00:00:00Z") // the deadline of the case
	want := records.HandInTally{Service: s.log.Origin, Waiting: 2, By: by, Accepted: 1, Rejected: 1}
	wantSame(t, "tally", need(d.store.HandInTally(t.Context()))(t), want)
}

func TestAStoreThatNeverMetAServiceHasEverythingWaiting(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	record := d.decided("case-1", "")
	if tally, err := d.store.HandInTally(t.Context()); err != nil || tally != (records.HandInTally{Waiting: 1}) {
		t.Errorf("%+v, %v", tally, err)
	}
	s := newService(t, "")
	receipt, checkpoint := s.accept(record)
	id := record.Members().RecordID
	mustBe(t, d.store.KeepAcceptance(t.Context(), id, receipt, nil, checkpoint), ErrNotBound)
	mustBe(t, d.store.KeepRejection(t.Context(), id, s.sign(s.rejection(record, "")), nil), ErrNotBound)
}

func TestOnlyAReceiptOfTheServiceForThisRecordIsKept(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	other := newService(t, "another")
	foreign, record := d.decided("case-1", ""), d.decided("case-2", "")
	id := record.Members().RecordID
	foreignReceipt, foreignCheckpoint := s.accept(foreign)
	receipt, checkpoint := s.accept(record)
	forgedReceipt, forgedCheckpoint := other.accept(record)
	with := func(change func(*records.Receipt)) records.Receipt {
		changed := receipt
		change(&changed)
		return changed
	}
	for name, c := range map[string]struct {
		receipt    records.Receipt
		checkpoint []byte
	}{
		"nothing":                          {},
		"no checkpoint":                    {receipt, nil},
		"another record's":                 {foreignReceipt, foreignCheckpoint},
		"another service's":                {forgedReceipt, forgedCheckpoint},
		"the checkpoint of another tree":   {receipt, foreignCheckpoint},
		"another leaf":                     {with(func(r *records.Receipt) { r.LeafHash = foreignReceipt.LeafHash }), checkpoint},
		"another root":                     {with(func(r *records.Receipt) { r.Root = foreignReceipt.Root }), checkpoint},
		"another place":                    {with(func(r *records.Receipt) { r.Sequence = 0 }), checkpoint},
		"another id":                       {with(func(r *records.Receipt) { r.RecordID = foreignReceipt.RecordID }), checkpoint},
		"a rejection for a checkpoint":     {receipt, []byte(s.sign(s.rejection(record, "")))},
		"a checkpoint with something more": {receipt, append(slices.Clone(checkpoint), '\n')},
	} {
		wantErr(t, name, d.store.KeepAcceptance(t.Context(), id, c.receipt, s.proof(receipt), c.checkpoint), records.ErrRefused)
	}
	mustBe(t, d.store.KeepAcceptance(t.Context(), newRecordID(noon), receipt, s.proof(receipt), checkpoint), ErrNotFound)
	for name, proof := range map[string][]terms.Hash{"none": nil, "of another tree": forged(s.proof(receipt)), "longer": append(s.proof(receipt), receipt.Root)} {
		wantErr(t, name, d.store.KeepAcceptance(t.Context(), id, receipt, proof, checkpoint), records.ErrRefused)
	}
	for range 2 {
		must(t, d.store.KeepAcceptance(t.Context(), id, receipt, s.proof(receipt), checkpoint))
	}
	logged, err := d.store.Record(t.Context(), id)
	want := records.HandIn{State: records.Accepted, At: terms.InstantOf(noon), Receipt: receipt}
	if err != nil || logged.HandIn.State != want.State || logged.HandIn.At != want.At || logged.HandIn.Receipt != want.Receipt {
		t.Errorf("%+v, %v", logged.HandIn, err)
	}
	again, later := s.accept(record)
	mustBe(t, d.store.KeepAcceptance(t.Context(), id, again, s.proof(again), later), records.ErrRefused)
	mustBe(t, d.store.KeepRejection(t.Context(), id, s.sign(s.rejection(record, "")), nil), records.ErrRefused)
}

// forged is a proof with another last hash.
func forged(proof []terms.Hash) []terms.Hash {
	proof[len(proof)-1] = terms.HashOf(nil)
	return proof
}

func TestAServiceThatGivesOnePlaceToTwoRecordsIsFoundOut(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	forked := newService(t, "")
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	d.accepted(s, first)
	receipt, checkpoint := forked.accept(second)
	err := d.store.KeepAcceptance(t.Context(), second.Members().RecordID, receipt, forked.proof(receipt), checkpoint)
	mustBe(t, err, ErrForked)
	mustBe(t, err, records.ErrRefused)
}

func TestOnlyARejectionByTheServiceOfThisRecordIsKept(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	other := newService(t, "another")
	foreign, record := d.decided("case-1", ""), d.decided("case-2", "")
	id := record.Members().RecordID
	right := s.rejection(record, "")
	with := func(change func(*records.Rejection)) records.Rejection {
		changed := right
		change(&changed)
		return changed
	}
	_, checkpoint := s.accept(foreign)
	for name, c := range map[string]struct {
		text string
		kind error
	}{
		"nothing":            {"", records.ErrRejection},
		"unsigned":           {right.Text(), records.ErrRejection},
		"another service's":  {other.sign(right), records.ErrRejection},
		"edited":             {strings.Replace(s.sign(right), "packet_stale", "record_refused", 1), records.ErrRejection},
		"a checkpoint":       {string(checkpoint), records.ErrRejection},
		"of another origin":  {s.sign(with(func(r *records.Rejection) { r.Origin = "docket/service/ff" })), records.ErrRejection},
		"of another record":  {s.sign(s.rejection(foreign, "")), records.ErrRefused},
		"of other bytes":     {s.sign(with(func(r *records.Rejection) { r.LeafHash = terms.HashOf(nil) })), records.ErrRefused},
		"itself in force":    {s.sign(with(func(r *records.Rejection) { r.InForce = id })), records.ErrRefused},
		"with a second line": {s.sign(right) + "— x AAAA\n", records.ErrRejection},
	} {
		wantErr(t, name, d.store.KeepRejection(t.Context(), id, c.text, nil), c.kind)
	}
	mustBe(t, d.store.KeepRejection(t.Context(), newRecordID(noon), s.sign(right), nil), ErrNotFound)
	changes := append([]string{"a\x1b[2Jb", strings.Repeat("x", 1000)}, slices.Repeat([]string{"more"}, 100)...)
	for _, r := range []records.Rejection{right, with(func(r *records.Rejection) { r.InForce = newRecordID(noon) })} {
		must(t, d.store.KeepRejection(t.Context(), id, s.sign(r), changes))
	}
	logged := need(d.store.Record(t.Context(), id))(t)
	h := logged.HandIn
	if h.State != records.Rejected || h.At != right.At || h.Rejection != right || len(h.Changes) != MostChanges {
		t.Errorf("%+v", h)
	}
	for _, change := range h.Changes {
		if len([]rune(change)) > MostChangeText || !visible.Clean(change) {
			t.Errorf("kept %q", change)
		}
	}
	receipt, signed := s.accept(record)
	mustBe(t, d.store.KeepAcceptance(t.Context(), id, receipt, s.proof(receipt), signed), records.ErrRefused)
}
