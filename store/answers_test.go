package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/verify"
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
		after := int64(-1)
		if c.after >= 0 {
			after = need(d.store.Record(t.Context(), list[c.after].Members().RecordID))(t).Receipt.Sequence
		}
		entries, err := d.store.NotHandedIn(t.Context(), after, c.most)
		var got []int64
		for _, e := range entries {
			number := slices.IndexFunc(list, func(r records.Enforcement) bool { return r.Members().RecordID == e.RecordID })
			got = append(got, int64(number))
			wantNot(t, string(e.Document) != string(list[number].Document()) ||
				len(e.Signature) == 0, "entry %d differs", e.Sequence)
		}
		wantNot(t, err != nil || !slices.Equal(got, c.want),
			"after %d, at most %d: %v, %v", c.after, c.most, got, err)
	}
	by, _ := terms.ParseInstant("2026-04-01T00:00:00Z") // the deadline of the case
	want := records.HandInTally{Service: s.log.Origin, Waiting: 2, By: by, Accepted: 1, Rejected: 1}
	wantSame(t, "tally", need(d.store.HandInTally(t.Context()))(t), want)
}

func TestInAStoreThatNeverMetAServiceNothingWaits(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	record := d.decided("case-1", "")
	tally := need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally != (records.HandInTally{}), "%+v", tally)
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
	wantNot(t, err != nil || logged.HandIn.State != want.State || logged.HandIn.At != want.At ||
		logged.HandIn.Receipt != want.Receipt, "%+v, %v", logged.HandIn, err)
	again, later := s.accept(record)
	mustBe(t, d.store.KeepAcceptance(t.Context(), id, again, s.proof(again), later), records.ErrRefused)
	mustBe(t, d.store.KeepRejection(t.Context(), id, s.sign(s.rejection(record, "")), nil), records.ErrRefused)
}

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
		"of other bytes":     {s.sign(with(func(r *records.Rejection) { r.Digest = terms.HashOf(nil) })), records.ErrRefused},
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
	wantNot(t, h.State != records.Rejected || h.At != right.At || h.Rejection != right ||
		len(h.Changes) != MostChanges, "%+v", h)
	for _, change := range h.Changes {
		wantNot(t, len([]rune(change)) > MostChangeText || !visible.Clean(change),
			"kept %q", change)
	}
	receipt, signed := s.accept(record)
	mustBe(t, d.store.KeepAcceptance(t.Context(), id, receipt, s.proof(receipt), signed), records.ErrRefused)
}

// editedAnswers are forgeries of a served store, whose first record was accepted and whose second was rejected.
var editedAnswers = []forgery{
	{"a rejection edited", []string{"UPDATE docket_handin_rejections SET signed = replace(signed, 'packet_stale', 'record_refused')"}},
	{"what a rejection names edited beside it", []string{"UPDATE docket_handin_rejections SET inForce = 'x'"}},
	{"changes that are none", []string{"UPDATE docket_handin_rejections SET changes = 'x'"}},
	{"a rejection of another record", []string{"DELETE FROM docket_handin_acceptances", "UPDATE docket_handin_rejections SET sequence = (SELECT min(position) FROM docket_log WHERE kind = 'record')"}},
	{"a rejection of no record", []string{"UPDATE docket_handin_rejections SET sequence = 77"}},
	{"a rejection gone", []string{"UPDATE docket_handin_rejections SET position = 1"}},
	{"a receipt edited", []string{"UPDATE docket_handin_acceptances SET receipt = replace(receipt, '\"sequence\":', '\"sequence\":1')"}},
	{"a receipt written otherwise", []string{"UPDATE docket_handin_acceptances SET receipt = receipt || ' '"}},
	{"a size edited beside the receipt", []string{"UPDATE docket_handin_acceptances SET treeSize = 9"}},
	{"a service's checkpoint edited", []string{"UPDATE docket_handin_acceptances SET checkpoint = checkpoint || 'x'"}},
	{"a proof of a receipt that leads nowhere", []string{"UPDATE docket_handin_acceptances SET proof = 'sha256:' || hex(zeroblob(32)) || char(10)"}},
	{"a second receipt of one record", []string{"INSERT INTO docket_handin_acceptances SELECT position + 1, 0, sequence, 'docket/service/00', treeSize, receipt, proof, checkpoint, keptAt FROM docket_handin_acceptances"}},
	{"a receipt of a rejected record", []string{"UPDATE docket_handin_acceptances SET sequence = (SELECT sequence FROM docket_handin_rejections)"}},
	{"a receipt of no record", []string{"UPDATE docket_handin_acceptances SET sequence = 77"}},
	{"a checkpoint that the service showed edited", []string{"UPDATE docket_handin_checkpoints SET checkpoint = checkpoint || 'x' WHERE kind = ''"}},
	{"an earlier checkpoint after a later one", []string{"UPDATE docket_handin_checkpoints SET checkpoint = (SELECT checkpoint FROM docket_handin_checkpoints WHERE position = 3) WHERE position = 2", "UPDATE docket_handin_checkpoints SET checkpoint = (SELECT checkpoint FROM docket_handin_checkpoints WHERE position = 1) WHERE position = 3"}},
	{"a setback of no kind", []string{"UPDATE docket_handin_checkpoints SET kind = 'x' WHERE position = 1"}},
	{"a setback with another service's key", []string{"UPDATE docket_handin_checkpoints SET key = 'x' WHERE position = 1"}},
	{"a setback made good", []string{"UPDATE docket_handin_checkpoints SET kind = '' WHERE position = 1"}},
	{"a setback gone", []string{"DELETE FROM docket_handin_checkpoints WHERE position = 1"}},
	{"what is said of a record of the service's log edited beside it", []string{"UPDATE docket_handin_records SET supersedes = 'x'"}},
	{"a record of the service's log on another case", []string{"UPDATE docket_handin_records SET id = 'case-2'"}},
	{"a record of the service's log edited", []string{"UPDATE docket_handin_records SET record = replace(record, 'scope_missing', 'notice_missing')"}},
	{"another signature of a record of the service's log", []string{"UPDATE docket_handin_records SET signature = (SELECT signature FROM docket_log WHERE kind = 'record' ORDER BY position LIMIT 1)"}},
	{"a stale record of the service's log after the one that is in force", []string{"INSERT INTO docket_handin_records SELECT position + 1, service, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, at, proof, checkpoint, afterRecords, afterRejections, keptAt FROM docket_handin_records"}},
	{"a record of the service's log that came before a record of this one", []string{"INSERT INTO docket_handin_records SELECT 1, service, tableName, 'case-2', revision, recordId, supersedes, record, signature, origin, sequence, at, proof, checkpoint, 0, afterRejections, keptAt FROM docket_handin_records"}},
	{"the service's key edited", []string{"UPDATE docket_handin_service SET key = 'x'"}},
	{"the service gone", []string{"DELETE FROM docket_handin_service", "DELETE FROM docket_local"}},
	{"a second service", []string{"INSERT INTO docket_handin_service (key, boundAt) SELECT key, boundAt FROM docket_handin_service WHERE position = 0"}},
}

// A receipt says which record it is of, and no signature covers that: only the proof ties it to the checkpoint that the service signed.
func TestAReceiptMadeOfACheckpointThatTheServiceShowedIsFound(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	_, _ = s.accept(first)
	receipt, checkpoint := s.accept(second)
	receipt.RecordID = first.Members().RecordID
	receipt.LeafHash = signed.FromTree(signed.LeafHash(records.RecordEntry, receipt.At, first.Document()))
	path := d.store.Path()
	d.close()
	for name, proof := range map[string]string{"without a proof": "", "with the proof of the other record": signed.WriteProof(s.proof(receipt))} {
		forged := copied(t, path, "")
		forge(t, forged, fmt.Sprintf("INSERT INTO docket_handin_acceptances VALUES (0, 0, 0, '%s', 2, '%s', '%s', '%s', '2026-06-15T12:00:00Z')",
			s.log.Origin, receipt.Document(), proof, checkpoint))
		wantKinds(t, name, proven(t, openAt(t, forged, noon)), verify.EvidenceAltered)
	}
}

func TestAKeyOfAnotherServiceVouchesForNothing(t *testing.T) {
	t.Parallel()
	d := served(t)
	s := d.forged("UPDATE docket_handin_service SET key = '" + newService(t, "another").key + "'")
	wantKinds(t, "with another key", proven(t, s), verify.EvidenceAltered)
}

func TestAStoreIsBoundToOneServiceForGood(t *testing.T) {
	t.Parallel()
	d, first, other := newFixture(t), newService(t, ""), newService(t, "another")
	mustBe(t, errOf(d.store.Service(t.Context())), ErrNotFound)
	own := need(d.store.Verifier(t.Context()))(t)
	for _, none := range []string{"", "key", own, first.key + " "} {
		mustBe(t, d.bind(none), signed.ErrKey)
	}
	for range 2 {
		must(t, d.bind(first.key))
	}
	mustBe(t, d.bind(other.key), ErrOtherService)
	wantSame(t, "bound to", need(openAt(t, d.store.Path(), noon).Service(t.Context()))(t), first.key)
}

func TestPullingGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	mustBe(t, d.store.SavePull(t.Context(), "1", true), ErrNotBound)
	d, _ = bound(t)
	want := func(cursor string, completed terms.Instant) {
		t.Helper()
		got, at, err := d.store.PullCursor(t.Context())
		wantNot(t, err != nil || got != cursor || at != completed, "%q at %s, %v", got, at, err)
	}
	want("", terms.Instant{})
	for _, step := range []struct {
		cursor    string
		complete  bool
		completed terms.Instant
	}{{"1", false, terms.Instant{}}, {"2", true, terms.InstantOf(noon)}, {"3", false, terms.InstantOf(noon)}} {
		must(t, d.store.SavePull(t.Context(), step.cursor, step.complete))
		want(step.cursor, step.completed)
	}
}

func TestAVisitOfTheQueueIsTheReviewersOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	left := func(reviewer terms.ID) terms.Instant {
		t.Helper()
		return need(d.store.LeftQueue(t.Context(), reviewer))(t)
	}
	at := left(reviewerID)
	wantNot(t, at.Present(), "left at %s before any visit", at)
	must(t, errors.Join(d.store.LeaveQueue(t.Context(), ""), d.store.LeaveQueue(t.Context(), reviewerID)))
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	if at := left(reviewerID); at.String() != terms.InstantOf(d.store.now()).String() || !row.ImportedAt.NotAfter(at) || row.CameAfter(at) || row.Skipped != "" {
		t.Errorf("left at %s, came at %s", at, row.ImportedAt)
	}
	if at := left("rev-other"); at.Present() {
		t.Errorf("another reviewer left at %s", at)
	}
	at = left("")
	wantNot(t, at.Present(), "nobody left at %s", at)
}

func (s *service) at(size int64) string {
	s.t.Helper()
	root := need(tlog.TreeHash(size, s))(s.t)
	return string(need(s.log.Sign(size, root))(s.t).Note)
}

// shown has the service show its log and then an empty one, and has the person accept that one. What the service answers is of that log.
func (d *fixture) shown(s *service) {
	d.t.Helper()
	s.grow("lost")
	err := errors.Join(d.store.KeepShown(d.t.Context(), s.at(s.size)), d.store.KeepSetback(d.t.Context(), records.LogRolledBack, s.at(0), s.key))
	s.hashes, s.size = nil, 0
	must(d.t, errors.Join(err, d.acceptService(s.key, s.at(0))))
}

func (d *fixture) acceptService(key, checkpoint string) error {
	d.t.Helper()
	due, err := d.store.ServiceToAccept(d.t.Context(), key, checkpoint)
	if err != nil {
		return err
	}
	return d.store.AcceptService(d.t.Context(), d.stated(due, nil), checkpoint)
}

func (s *service) grow(leaves ...string) {
	s.t.Helper()
	for _, leaf := range leaves {
		hashes := need(tlog.StoredHashesForRecordHash(s.size, tlog.RecordHash([]byte(leaf)), s))(s.t)
		s.hashes, s.size = append(s.hashes, hashes...), s.size+1
	}
}

func TestTheNewestCheckpointOfTheServiceIsKnown(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	known := func() []int64 {
		t.Helper()
		all := need(d.store.KnownOfService(t.Context()))(t)
		var sizes []int64
		for _, c := range all.Checkpoints {
			sizes = append(sizes, c.Size)
		}
		return sizes
	}
	sizes := known()
	wantNot(t, len(sizes) > 0, "before it was met, %v is known", sizes)
	s.grow("a", "b", "c")
	for _, size := range []int64{1, 1, 3, 2} { // another process may have met the service meanwhile
		must(t, d.store.KeepShown(t.Context(), s.at(size)))
	}
	wantList(t, "known", known(), []int64{3})
	other := newService(t, "other")
	wantErr(t, "of another key", d.store.KeepShown(t.Context(), other.at(0)), signed.ErrCheckpoint)
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestAServiceThatIsSetBackStopsTheConsoleUntilAPersonAcceptsIt(t *testing.T) {
	t.Parallel()
	forked, stranger := newService(t, ""), newService(t, "other")
	forked.grow("a", "x", "c", "d")
	for kind, shown := range map[records.SetbackKind]struct {
		by   *service
		size int64
	}{records.LogRolledBack: {forked, 0}, records.LogForked: {forked, 3}, records.LogUnproven: {forked, 4}, records.LogOtherKey: {stranger, 0}} {
		d, s := bound(t)
		s.grow("a", "b", "c")
		checkpoint := shown.by.at(shown.size)
		wantErr(t, kind, d.store.KeepSetback(t.Context(), kind, checkpoint, shown.by.key), ErrNotBound)
		wantErr(t, kind, d.acceptService(shown.by.key, checkpoint), records.ErrRefused)
		must(t, d.store.KeepShown(t.Context(), s.at(3)))
		wantErr(t, kind, d.store.KeepSetback(t.Context(), kind, checkpoint, newService(t, "third").key), signed.ErrCheckpoint)
		for range 2 { // the second changes nothing
			must(t, d.store.KeepSetback(t.Context(), kind, checkpoint, shown.by.key))
		}
		wantErr(t, kind, d.store.KeepShown(t.Context(), s.at(3)), ErrOtherService)
		report, err := d.store.Verify(t.Context(), verify.Options{})
		mustNot(t, err != nil || report.Count(verify.ServiceSetBack) != 1 || report.Total != 1 ||
			!report.Sound() || d.store.ReadOnly(), "%v %v %v", kind, err, report.Findings)
		tally, err := d.store.HandInTally(t.Context())
		if err != nil || tally.Setback.Kind != kind || tally.Setback.Known.Size != 3 || tally.Setback.Shown.Size != shown.size ||
			!strings.Contains(report.Findings[0].Detail, tally.Setback.Sentence()) {
			t.Errorf("%s: %v %+v", kind, err, tally)
		}
		if err := d.acceptService(s.key, checkpoint); shown.by == stranger && !errors.Is(err, signed.ErrCheckpoint) {
			t.Errorf("with another key: %v", err)
		}
		due, err := d.store.ServiceToAccept(t.Context(), shown.by.key, checkpoint)
		if shown.by != stranger {
			continue
		}
		must(t, err)
		other := d.stated(due, func(s *records.LogStatement) { s.Found[1] = "2" })
		wantErr(t, "another log than the one that was known", d.store.AcceptService(t.Context(), other, checkpoint), records.ErrRefused)
		wantErr(t, "without a signature", d.store.AcceptService(t.Context(), signed.Statement{Text: d.stated(due, nil).Text}, checkpoint), records.ErrRefused)
		err = d.acceptService(shown.by.key, checkpoint)
		mustNot(t, err != nil, "%s: %v", kind, err)
		wantSame(t, "bound to", need(d.store.Service(t.Context()))(t), shown.by.key)
		report, err = d.store.Verify(t.Context(), verify.Options{})
		if err != nil || !report.OK() || len(report.Accepted) != 2 || !strings.HasPrefix(report.Accepted[0].Sentence(), "service named at ") ||
			!strings.HasPrefix(report.Accepted[1].Sentence(), "service accepted at ") {
			t.Error(kind, err, report.Findings, report.Accepted)
		}
		tally, err = d.store.HandInTally(t.Context())
		wantNot(t, err != nil || tally.Setback.Kind.Present(), "%s: %v %+v", kind, err, tally)
	}
}
