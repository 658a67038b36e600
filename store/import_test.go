package store

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/parsed"
	"docket/store/turn"
)

func (d *fixture) importing(packets ...packets.Packet) []ImportResult {
	d.t.Helper()
	return need(d.store.Import(d.t.Context(), packets))(d.t)
}

func TestTheSameRecordTwiceIsUnchanged(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	record := passing("case-1", 1)
	twice := d.importing(d.mill.appealCase(record), d.mill.appealCase(record))
	wantList(t, "twice at once", twice, []ImportResult{Imported, Unchanged})
	wantSame(t, "again", d.importing(d.mill.appealCase(record))[0], Unchanged)
	withPrivate := d.mill.packet(terms.AppealCases, record, members{"private_narrative": "a long story"})
	wantSame(t, "with a private member", d.importing(withPrivate)[0], Unchanged)
	wantFailure(t, "it is taken", errOf(d.store.Import(t.Context(), []packets.Packet{d.mill.appealPolicy(1), {}})))
	wantSame(t, "the other packet of the portion is in", len(need(d.store.Find(t.Context(), "pol-appeal"))(t)), 0)
}

func TestAnotherRecordUnderTheSameKeyIsAConflictAndStoresNothing(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.appealCase(passing("case-1", 1)), d.mill.amendment(applied("amd-1", 1)))
	stored := func() string {
		caseFile := d.caseFile(terms.AppealCases, "case-1")
		return string(caseFile.View.Record().Document())
	}
	before := stored()
	wantList(t, "the results", d.importing(
		d.mill.appealCase(passing("case-1", 1).With(members{"subjectId": "item-8"})),
		d.mill.amendment(applied("amd-1", 1).With(members{"agreementId": "agr-2"})),
		d.mill.packet(terms.AppealPolicies, members{"policyId": "pol-appeal", "policyVersion": 1, "contractVersion": "x", "status": "draft"}),
		d.mill.packet(terms.AmendmentPolicies, members{"policyId": "pol-amend", "policyVersion": 1, "contractVersion": "x", "status": "draft"}),
	), []ImportResult{Conflict, Conflict, Conflict, Conflict})
	wantSame(t, "the stored case changed", stored(), before)
}

func TestALowerRevisionThatArrivesLateIsHistory(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 3)), d.mill.appealCase(passing("case-1", 1)))
	latest := d.caseFile(terms.AppealCases, "case-1")
	if latest.View.Key().Number != 3 || !slices.Equal(latest.Revisions, []int64{1, 3}) || latest.View.Evaluation().Gate() != terms.Pass {
		t.Errorf("latest is %v of %v, %v", latest.View.Key(), latest.Revisions, latest.View.Evaluation().Blockers())
	}
	old := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), ""))(t)
	wantNot(t, !old.View.Evaluation().BlockerSet().Has(terms.AppealCaseStale) ||
		old.View.Latest().Revision != 3, "revision 1 is held by %v", old.View.Evaluation().Blockers())
	mustBe(t, errOf(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 2, terms.InstantOf(noon), "")), ErrNotFound)
	rows, err := queueOf(t.Context(), d.store, terms.Appeals, terms.InstantOf(noon), "")
	wantNot(t, err != nil || len(rows) != 1 || rows[0].Revision != 3 || rows[0].Gate != terms.Pass,
		"rows %+v, %v", rows, err)
}

func TestAnIDIsFoundInEveryTableThatHoldsIt(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.appealCase(passing("one", 1)), d.mill.amendment(applied("one", 1)))
	for id, want := range map[terms.ID][]terms.Table{
		"one": {terms.AppealCases, terms.AmendmentRecords}, "none": nil,
		"pol-appeal": {terms.AppealPolicies}, "pol-amend": {terms.AmendmentPolicies},
	} {
		tables := need(d.store.Find(t.Context(), id))(t)
		wantNot(t, !slices.Equal(tables, want), "%s is in %v", id, tables)
	}
}

func TestEveryResultHasItsWord(t *testing.T) {
	t.Parallel()
	for i, word := range importWords {
		wantNot(t, ImportResult(i).String() != word || word == "", "%d is %q", i, word)
	}
	wantSame(t, "an unknown result claims that something was stored", ImportResult(200).String(), "conflict")
}

// A busyStore is a console's store with a case, of which the first clock that an import reads, in its first transaction, calls within.
type busyStore struct {
	*fixture
	list   []packets.Packet // to be imported
	within func()
}

func newBusyStore(t *testing.T) *busyStore {
	t.Helper()
	b := &busyStore{}
	now := func() time.Time {
		if call := b.within; call != nil {
			b.within = nil
			call()
		}
		return noon
	}
	b.fixture = fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: now}))
	b.take(b.mill.appealPolicy(1), b.mill.appealCase(passing("case-1", 1)))
	for i := range 20 * leastPortion {
		b.list = append(b.list, b.mill.appealCase(passing(fmt.Sprintf("more-%04d", i), 1)))
	}
	return b
}

func (b *busyStore) held(s *Store) (count int64) {
	b.t.Helper()
	must(b.t, s.reading(b.t.Context(), "count the cases", func(ctx context.Context, tx engine.Tx) error {
		return tx.Row(ctx, "SELECT count(*) FROM trade_appeal_cases", nil, &count)
	}))
	return count
}

// all imports the list, and fails unless it came in as a whole.
func (b *busyStore) all() {
	b.t.Helper()
	results, err := b.store.Import(b.t.Context(), b.list)
	mustNot(b.t, err != nil || len(results) != len(b.list), "%v %v", len(results), err)
	for i, result := range results {
		mustNot(b.t, result != Imported, "packet %d: %v", i, result)
	}
	wantSame(b.t, "cases", b.held(b.store), int64(len(b.list))+1)
}

func TestARecordComesInBetweenThePortionsOfAnImport(t *testing.T) {
	t.Parallel()
	for name, same := range map[string]bool{"of the same program": true, "of another program": false} {
		t.Run(name, func(t *testing.T) {
			b := newBusyStore(t)
			by, awaited := b.fixture, b.store.db.Awaited
			if !same {
				bell := turn.Bell{Folder: filepath.Dir(b.store.Path())}
				by, awaited = fixtureAt(t, openAt(t, b.store.Path(), noon)), bell.Rings
			}
			sub := by.submission("case-1", decision{outcome: terms.UpholdDecision})
			var wait sync.WaitGroup
			b.within = func() {
				wait.Go(func() {
					_, err := by.store.Append(t.Context(), sub)
					wantNot(t, err != nil, "%v", err)
					if count := b.held(by.store); count < leastPortion || count > int64(len(b.list)) {
						t.Errorf("it came in when there were %d cases", count)
					}
				})
				for !awaited() {
					runtime.Gosched()
				}
			}
			b.all()
			wait.Wait()
			wholeLog(t, b.store)
		})
	}
}

func TestAnImportThatNobodyWaitsForIsOnePortion(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	checkpoints := func() (count int64) {
		must(t, b.store.reading(t.Context(), "count the checkpoints", func(ctx context.Context, tx engine.Tx) error {
			return tx.Row(ctx, "SELECT count(*) FROM docket_checkpoints", nil, &count)
		}))
		return count
	}
	before := checkpoints()
	b.all()
	wantSame(t, "portions", checkpoints(), before+1)
}

func TestAnImportThatEndsBetweenPortionsIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	bell := turn.Bell{Folder: filepath.Dir(b.store.Path())}
	stop := func() {}
	b.within = func() {
		stop = bell.Ring() // somebody waits, and gives the import up meanwhile
		cancel()
	}
	_, err := b.store.Import(ctx, b.list)
	mustNot(t, err == nil, "it goes on")
	stop()
	taken := b.held(b.store) - 1
	mustNot(t, taken != leastPortion, "%d are held", taken)
	results := need(b.store.Import(t.Context(), b.list))(t)
	for i, result := range results {
		want := (map[bool]ImportResult{true: Unchanged, false: Imported})[int64(i) < taken]
		mustNot(t, result != want, "packet %d: %v", i, result)
	}
	wantKinds(t, "an import that was taken up again", proven(t, b.store))
}

func TestACacheAnswersOnlyForTheVeryBytesThatItRead(t *testing.T) {
	t.Parallel()
	m := &mill{t: t}
	m.appealPolicy(1)
	packet := m.appealCase(passing("case-1", 1))
	document := bytes.Clone(packet.Document())
	var s parsed.Cache
	for range 2 {
		read, err := s.Read(document, packet.Table(), packet.Key())
		mustNot(t, err != nil || !bytes.Equal(read.Document(), document), "%v", err)
	}
	edited := bytes.Replace(document, []byte("ev-1"), []byte("ev-9"), 1)
	mustNot(t, bytes.Equal(edited, document), "nothing was edited")
	wantErr(t, "an edited document is taken for the one that was read", errOf(s.Read(edited, packet.Table(), packet.Key())), packets.ErrStoredPacket)
	wantErr(t, "a document is taken under another key", errOf(s.Read(document, packet.Table(), packets.Key{ID: "case-2", Number: 1})), packets.ErrStoredPacket)
}

func TestWhatPanicsBesideIsAnError(t *testing.T) {
	t.Parallel()
	wait := concurrently(func() error { panic("x") })
	wantNot(t, wait() == nil, "it is none")
	must(t, concurrently(func() error { return nil })())
}

// A service that gave a packet out reads it again only if other bytes are stored for it: what somebody edits while it serves is given to nobody.
func TestAPacketThatWasCheckedIsGivenOutAgainOnlyAsItIsStored(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	document := func() [][]byte {
		t.Helper()
		return need(d.store.Page(t.Context(), assignedRights, "", 9))(t).Packets
	}
	first := document()
	if checked := d.store.checked.Len(); checked != len(first) || checked != 3 {
		t.Errorf("of %d packets %d are remembered", len(first), checked)
	}
	if again := document(); !slices.EqualFunc(first, again, bytes.Equal) {
		t.Errorf("the packets are given out as\n%s\nand then as\n%s", first, again)
	}
	for name, statement := range map[string]string{
		"a text":     "UPDATE docket_texts SET text = replace(text, '\"statement\":\"', '\"statement\":\"Not ') WHERE owner = (SELECT position FROM trade_appeal_cases WHERE caseId = 'case-1') AND member = 'texts'",
		"a document": "UPDATE trade_appeal_cases SET document = replace(document, 'ev-1', 'ev-9') WHERE caseId = 'case-1'",
	} {
		forge(t, d.store.Path(), statement)
		if left := document(); len(left) != 2 || !bytes.Equal(left[1], first[2]) {
			t.Errorf("%s was edited, and there are %d packets", name, len(left))
		}
	}
}
