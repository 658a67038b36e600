// Package workbench is what a reviewer's console works on: a store, and the reviewer who signs.
package workbench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/bundle"
	"docket/store/disk"
	"docket/store/verify"
	"docket/ui/decision"
)

// A Workbench works on a store for one reviewer. With the zero Reviewer it is read-only.
type Workbench struct {
	Store *store.Store
	Who   records.Reviewer
	// Sign returns the armored SSHSIG signature of a record's canonical bytes by the reviewer's
	// key, and State that of a statement about the log, completed with the person and the key. A
	// key may wait for a person; the end of ctx ends that.
	Sign  func(ctx context.Context, document []byte) ([]byte, error)
	State func(ctx context.Context, statement records.LogStatement) (signed.Statement, error)
	Clock func() time.Time
	// Pages makes the published contracts' pages; Channels the operator's incident channels, if any.
	Pages    func(now terms.Instant) ([]pages.Page, error)
	Channels func() (statement.Profile, error)
	Recorded func() // is told that the log has grown; nil: nobody is

	unchecked bool // the log could not be checked
}

// Reviewer returns the reviewer who records here; the zero Reviewer if recording is not possible.
func (d *Workbench) Reviewer() records.Reviewer { return d.Who }

// Now returns the current time.
func (d *Workbench) Now() terms.Instant { return terms.InstantOf(d.Clock()) }

// Top lists the present top of an area's queue.
func (d *Workbench) Top(ctx context.Context, area terms.Area, most int) ([]queue.Row, error) {
	return d.Store.QueueTop(ctx, area, d.Now(), d.Reviewer().ID, most)
}

// Queue evaluates all of an area's queue.
func (d *Workbench) Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (
	*queue.Queue, queue.Watermark, error) {
	return d.Store.Queue(ctx, area, d.Now(), d.Reviewer().ID, progress)
}

// Changes returns the changes of an area's queue since the mark.
func (d *Workbench) Changes(ctx context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error) {
	return d.Store.QueueChanges(ctx, area, since)
}

// Rows evaluates rows of an area's queue again.
func (d *Workbench) Rows(ctx context.Context, area terms.Area, ids []terms.ID) ([]queue.Row, error) {
	return d.Store.QueueRows(ctx, area, ids, d.Now(), d.Reviewer().ID)
}

// Open returns the case file of a packet, evaluated for now. Revision 0 is the latest.
func (d *Workbench) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	return d.Store.CaseFile(ctx, table, id, revision, d.Now(), d.Reviewer().ID)
}

// Record makes the enforcement record of the choice, signs it and appends it. The signature is made
// before the store takes its write lock, over the bytes that are logged. Until that lock is held
// the end of ctx stops it, and nothing is written. Only the text of the choice's Statement counts:
// it is salted here.
func (d *Workbench) Record(ctx context.Context, view *views.View, choice records.Choice, note string) (records.Receipt, error) {
	kept := newNote(note)
	choice.NoteDigest = kept.Digest()
	if choice.Statement.Text != "" {
		choice.Statement.Salt = packets.Salt(rand.Text())
	}
	if err := d.Store.OfConsole(); err != nil {
		return records.Receipt{}, err
	}
	sub, err := d.sign(ctx, view, choice, kept)
	if err != nil {
		return records.Receipt{}, err
	}
	receipt, err := d.enter(ctx, &sub)
	if errors.Is(err, store.ErrOvertaken) {
		if sub, err = d.sign(ctx, view, choice, kept); err != nil {
			return records.Receipt{}, err
		}
		if receipt, err = d.enter(ctx, &sub); err == nil && receipt.Caution == "" {
			receipt.Caution = "Another console recorded while this record waited for its signature, so it was stamped and signed again."
		}
	}
	if errors.Is(err, store.ErrAnchorLocked) {
		return records.Receipt{}, &decision.WaitingError{Cause: err, Again: func(ctx context.Context) (records.Receipt, error) {
			for {
				if err := d.Store.AwaitAnchor(ctx); err != nil {
					return records.Receipt{}, err
				}
				if receipt, err := d.enter(ctx, &sub); !errors.Is(err, store.ErrAnchorLocked) {
					return receipt, err
				}
			}
		}}
	}
	return receipt, err
}

func (d *Workbench) sign(ctx context.Context, view *views.View, choice records.Choice, kept records.Note) (store.Submission, error) {
	head, err := d.Store.Head(ctx)
	if err != nil {
		return store.Submission{}, err
	}
	recordedAt, salt := d.Now(), packets.Salt(rand.Text())
	record, err := records.Decide(view, choice, records.Stamp{
		RecordID: records.NewRecordID(recordedAt, randomBits()), Reviewer: d.Reviewer(), LogHead: head, RecordedAt: recordedAt,
		PacketSalt: salt,
	})
	if err != nil {
		return store.Submission{}, err
	}
	signature, err := d.Sign(ctx, record.Document())
	if err != nil {
		return store.Submission{}, err
	}
	return store.Submission{Record: record, Signature: signature, Note: kept, PacketSalt: salt, Statement: choice.Statement}, nil
}

func (d *Workbench) enter(ctx context.Context, sub *store.Submission) (records.Receipt, error) {
	receipt, err := d.Store.Append(ctx, *sub)
	if d.Recorded != nil {
		d.Recorded()
	}
	var behind *store.AnchorError
	switch {
	case errors.As(err, &behind):
		// The record is durable nevertheless: this must not look like a refusal.
		receipt.Caution = behind.Error()
		return receipt, nil
	case errors.Is(err, store.ErrUnknownOutcome): // the store has looked it up by its id, in vain
		return records.Receipt{}, &decision.UnknownOutcomeError{RecordID: sub.Record.Members().RecordID, Cause: err}
	}
	return receipt, err
}

func randomBits() (bits [10]byte) {
	rand.Read(bits[:])
	return bits
}

// newNote salts a private note; an empty text is no note.
func newNote(text string) records.Note {
	if text == "" {
		return records.Note{}
	}
	return records.Note{Salt: rand.Text(), Text: text}
}

// Skip skips a revision for this reviewer, with a reason; an empty reason removes the skip.
func (d *Workbench) Skip(ctx context.Context, table terms.Table, key packets.Key, reason string) error {
	reviewer := d.Reviewer().ID
	if !reviewer.Present() {
		return errors.New("only a reviewer can skip a case; run `docket identity init` first")
	}
	if reason == "" {
		return d.Store.Unskip(ctx, reviewer, table, key)
	}
	return d.Store.Skip(ctx, reviewer, table, key, reason)
}

// Contracts returns the pages of the published contracts.
func (d *Workbench) Contracts(context.Context) ([]pages.Page, error) { return d.Pages(d.Now()) }

// Records reads a page of the log.
func (d *Workbench) Records(ctx context.Context, before int64, most int) (records.Page, error) {
	return d.Store.RecordPage(ctx, before, most)
}

// SaveDraft keeps this reviewer's draft on a revision, in the store only.
func (d *Workbench) SaveDraft(ctx context.Context, table terms.Table, key packets.Key, draft records.Draft) error {
	return d.Store.SaveDraft(ctx, d.Reviewer().ID, table, key, draft)
}

// DropDraft deletes this reviewer's drafts on the revision and on earlier ones.
func (d *Workbench) DropDraft(ctx context.Context, table terms.Table, key packets.Key) error {
	return d.Store.DropDraft(ctx, d.Reviewer().ID, table, key)
}

// HandIns returns the state of handing in to the service.
func (d *Workbench) HandIns(ctx context.Context) (records.HandInTally, error) {
	return d.Store.HandInTally(ctx)
}

// checkPause is how long to wait after something kept the check of the log from its end.
const checkPause = 2 * time.Second

// Verify checks the whole log, as deep as `docket verify` does. Findings that stop the store from
// taking records are among those of the store. Other work can go on meanwhile. Once it has failed,
// it waits for what is locked.
func (d *Workbench) Verify(ctx context.Context) error {
	if d.unchecked {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(checkPause):
		}
		_ = d.Store.AwaitAnchor(ctx) // the check itself says what is wrong with it
	}
	report, err := d.Store.Verify(ctx, verify.Options{})
	if err == nil && report.Unanchored == verify.AnchorLocked {
		err = fmt.Errorf("not held to an anchor: %w", store.ErrAnchorLocked)
	}
	d.unchecked = err != nil
	return err
}

// Examine checks each record from one sequence up to but not including another, alone: its bytes,
// its signature and its packets, and the path from its leaf to the root.
func (d *Workbench) Examine(ctx context.Context, from, to int64) ([]records.State, error) {
	log, err := d.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	states, err := verify.Range(ctx, log.Records(), from, to)
	if err != nil {
		return nil, err
	}
	for i := range states {
		if err := d.include(ctx, &states[i]); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// include fails for a leaf that the tree does not contain, and for a damaged store.
func (d *Workbench) include(ctx context.Context, state *records.State) error {
	if state.Proof.Verdict != records.Holds {
		return nil
	}
	proof, err := d.Store.Inclusion(ctx, state.RecordID)
	switch {
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound), err == nil && proof.Sequence != state.Sequence:
		state.Proof = records.Check{Verdict: records.Fails, Found: []string{"The tree of the log does not hold the record at its place."}}
		return nil
	case err != nil:
		return err
	}
	state.Path, state.Head = proof.Path, records.LogHead{Size: proof.TreeSize, Root: proof.Root}
	return nil
}

// Export writes the log as a bundle into a folder and reads it back. A folder that begins with "~/"
// is relative to the home folder.
func (d *Workbench) Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (records.LogHead, error) {
	folder, err := disk.AtHome(folder)
	if err != nil {
		return records.LogHead{}, err
	}
	if findings := d.Store.Findings(); len(findings) > 0 {
		return records.LogHead{}, fmt.Errorf("nothing was exported: the store is not as it was left: %s", findings[0].Sentence())
	}
	log, err := d.Store.Snapshot(ctx)
	if err != nil {
		return records.LogHead{}, err
	}
	report, err := bundle.Write(ctx, folder, log, bundle.Options{At: d.Now(), Progress: func(step bundle.Step, done, total int64) {
		progress(step.String(), done, total)
	}})
	if err != nil {
		return records.LogHead{}, Unwritten("nothing was exported to "+folder, err)
	}
	return records.LogHead{Size: report.Size, Root: report.Root}, nil
}

const statsPage = 500

// Stats counts the decisions of a period. It reads the records page by page and keeps none;
// progress, if not nil, is called now and then with their number.
func (d *Workbench) Stats(ctx context.Context, period stats.Period, progress func(read int64)) (stats.Figures, error) {
	tally, read := stats.New(period), int64(0)
	for after := records.RecordID(""); ; {
		page, err := d.Store.StatsPage(ctx, period, after, statsPage)
		if err != nil {
			return stats.Figures{}, err
		}
		for i := range page {
			tally.Add(&page[i])
		}
		if len(page) < statsPage {
			return tally.Figures(), nil
		}
		read, after = read+int64(len(page)), page[len(page)-1].ID
		if progress != nil {
			progress(read)
		}
	}
}
