package selftest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/workbench"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/ui/wording"
)

// wholeWay takes a packet with private members the whole way once, as the console does.
func wholeWay(ctx context.Context, b *bench) (string, error) {
	s, view, redacted, err := b.takenIn(ctx)
	if err != nil {
		return "", err
	}
	d := &workbench.Workbench{Store: s, Identity: b.identity, Clock: b.now}
	if err := b.recordBefore(ctx, d); err != nil {
		return "", err
	}
	receipt, err := d.Record(ctx, view, b.choice(view), privateNote)
	if err != nil {
		return "", err
	}
	logged, err := s.Record(ctx, receipt.RecordID)
	if err != nil {
		return "", err
	}
	if logged.Receipt != receipt || receipt.TreeSize != inLog {
		return "", errors.New("the receipt is not that of the record in the log")
	}
	if err := included(ctx, s, &logged); err != nil {
		return "", err
	}
	files, err := b.exported(ctx, s)
	if err != nil {
		return "", err
	}
	if err := b.sound(ctx, s); err != nil {
		return "", err
	}
	blockers, err := replayed(ctx, s, view, &logged)
	if err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	if _, err := withoutIn(b.folder, canary); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %d records; %s redacted and in no file of the store or of the "+
		"export, which has %s; %s judged again as the first time", wayStations, inLog,
		wording.Plural(redacted, "private value", "private values"), wording.Plural(files, "file", "files"), wording.Plural(blockers, "blocker", "blockers")), nil
}

// inLog is the number of records at the end: one more than the record that goes the whole way, so that its inclusion
// proof has a path.
const inLog = 2

// recordBefore imports the amendment of the samples and records on it.
func (b *bench) recordBefore(ctx context.Context, d *workbench.Workbench) error {
	sample, err := b.pair(terms.Amendments)
	if err != nil {
		return err
	}
	policy, record, fault := b.readPair(sample)
	if fault != nil {
		return fault
	}
	if _, err := d.Store.Import(ctx, []packets.Packet{policy, record}); err != nil {
		return err
	}
	view, err := b.look(ctx, d.Store, record)
	if err != nil {
		return err
	}
	_, err = d.Record(ctx, &view, b.choice(&view), "")
	return err
}

// privateNote is kept in the store, and is in no export.
const privateNote = "a note that stays in the store"

// wayStations are the steps that wholeWay takes.
const wayStations = "read, redact, judge, view, decide, sign, append, receipt, inclusion proof, export, bundle check, " +
	"store check, replay"

// takenIn reads, redacts, evaluates and stores the sample with private members, and returns its view for a reviewer.
func (b *bench) takenIn(ctx context.Context) (s *store.Store, view *views.View, redacted int, err error) {
	sample, err := b.pair(terms.Appeals)
	if err != nil {
		return nil, nil, 0, err
	}
	if sample, err = (pair{sample.policy, sample.record.with("notice", removed{})}).sealed(); err != nil {
		return nil, nil, 0, err
	}
	policy, fault := b.read(sample.policy.text())
	if fault != nil {
		return nil, nil, 0, fault
	}
	record, fault := b.read(encoded(object{"table": sample.record.table.String(), "record": sample.record.record,
		"private": object{"payment_detail": []any{canary, canary}, "contact_data": canary}}))
	if fault != nil {
		return nil, nil, 0, fault
	}
	for _, redaction := range record.Redactions() {
		redacted += int(redaction.Count)
	}
	if redacted != 3 {
		return nil, nil, 0, fmt.Errorf("%s are counted where 3 were dropped", wording.Plural(redacted, "private value", "private values"))
	}
	question := b.question(terms.Appeals, policy, record)
	found := b.judge(&question)
	if s, _, err = b.openWith(ctx, policy, record); err != nil {
		return nil, nil, 0, err
	}
	seen, err := b.look(ctx, s, record)
	if err != nil {
		return nil, nil, 0, err
	}
	want := []terms.Blocker{terms.NoticeMissing}
	if !slices.Equal(seen.Evaluation().Blockers(), want) || !slices.Equal(found.blockers, want) {
		return nil, nil, 0, errors.New("the packet in view does not block for its notice, as it was judged")
	}
	return s, &seen, redacted, nil
}

// included checks the proof that the record is in the log, with RFC 6962 alone.
func included(ctx context.Context, s *store.Store, logged *records.LoggedRecord) error {
	proof, err := s.Inclusion(ctx, logged.Receipt.RecordID)
	if err != nil {
		return err
	}
	if len(proof.Path) == 0 || proof.TreeSize != inLog {
		return errors.New("the inclusion proof is not one for the whole log")
	}
	path := make(tlog.RecordProof, len(proof.Path))
	for i, hash := range proof.Path {
		if path[i], err = treeHash(hash); err != nil {
			return err
		}
	}
	root, err := treeHash(proof.Root)
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(path, proof.TreeSize, root, proof.Sequence, tlog.RecordHash(logged.Record.Document())); err != nil {
		return errors.New("the inclusion proof does not hold")
	}
	return nil
}

func treeHash(hash terms.Hash) (sum tlog.Hash, err error) {
	text, err := hex.DecodeString(strings.TrimPrefix(hash.String(), "sha256:"))
	if err != nil || copy(sum[:], text) != len(sum) {
		return tlog.Hash{}, errors.New("a hash of the proof is none")
	}
	return sum, nil
}

// exported exports the log, checks the bundle, and searches every file for private texts. It returns the number of
// files.
func (b *bench) exported(ctx context.Context, s *store.Store) (int, error) {
	log, err := s.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	dir := filepath.Join(b.folder, "bundle")
	if _, err := bundle.Write(ctx, dir, log, bundle.Options{Workers: 1}); err != nil {
		return 0, err
	}
	found, err := b.checkBundle(ctx, dir, verify.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	if err := verified("the bundle", &found); err != nil {
		return 0, err
	}
	return withoutIn(dir, canary, privateNote)
}

// sound checks the store's log, record by record, and what is stored with the records.
func (b *bench) sound(ctx context.Context, s *store.Store) error {
	log, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	found, err := b.checkLog(ctx, log, verify.Options{Workers: 1})
	if err != nil {
		return err
	}
	return verified("the log", &found)
}

// verified checks that a report has both records and no finding.
func verified(what string, r *verify.Report) error {
	if !r.OK() {
		return fmt.Errorf("%s does not verify: %s", what, r.Findings[0].Code)
	}
	if r.Size != inLog || r.Appeals != 1 || r.Amendments != 1 || r.VerifierKey == "" {
		return fmt.Errorf("%s does not hold both records", what)
	}
	return nil
}

// replayed evaluates the logged record's packets again, as they are stored, and compares.
func replayed(ctx context.Context, s *store.Store, view *views.View, logged *records.LoggedRecord) (blockers int, err error) {
	salt, err := s.PacketSalt(ctx, logged.Receipt.RecordID)
	if err != nil {
		return 0, err
	}
	list := map[terms.Table]packets.Packet{}
	for _, p := range []packets.Packet{view.Policy(), view.Record()} {
		document, _, err := s.PacketDocument(ctx, p.Table(), p.Key().ID, p.Key().Number)
		if err != nil {
			return 0, err
		}
		var reader packets.Reader
		if list[p.Table()], err = reader.ReadStored(document); err != nil {
			return 0, err
		}
	}
	again := logged.Record.Replay(list[terms.AppealPolicies], list[terms.AppealCases], salt)
	if len(again.Findings) > 0 {
		return 0, fmt.Errorf("the record judged again: %s", again.Findings[0].Detail)
	}
	return len(logged.Record.Members().ComputedBlockers), nil
}
