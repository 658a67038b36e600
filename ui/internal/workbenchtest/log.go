package workbenchtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/statement"
	"docket/domain/stats"
	"docket/domain/terms"
)

// Examine finds everything in order, but for what Damage put there.
func (d *Workbench) Examine(_ context.Context, from, to int64) ([]records.State, error) {
	defer d.lock()()
	d.examined++
	if d.Failing != nil {
		return nil, d.Failing
	}
	var states []records.State
	for i := max(from, 0); i < min(to, int64(len(d.log))); i++ {
		good, receipt := records.Check{Verdict: records.Holds}, &d.log[i].Receipt
		state := records.State{Sequence: i, RecordID: receipt.RecordID, Proof: good, Signature: good, Replay: good,
			Leaf: receipt.LeafHash, Head: records.LogHead{Size: int64(len(d.log)), Root: d.receipt("").Root},
			Path: []terms.Hash{terms.HashOf([]byte("a")), terms.HashOf([]byte("b"))}}
		m := d.log[i].Record.Members()
		for _, object := range append(records.ErasuresOfRevision(terms.RecordTable(m.Area), m.Key, 0)[:1], records.ErasuresOfRecord(m.RecordID)...) {
			if statement, is := d.erased[object]; is {
				state.Erased = append(state.Erased, statement)
			}
		}
		if d.log[i].Unreadable != "" {
			state = records.State{Sequence: i, Signature: good,
				Proof: records.Check{Verdict: records.Fails, Found: []string{"A record's bytes are not those that were logged."}}}
		}
		states = append(states, state)
	}
	return states, nil
}

// Examined is how often Examine was asked.
func (d *Workbench) Examined() int {
	defer d.lock()()
	return d.examined
}

// Stats counts the log as it is, and some decisions in each of the weeks before it.
func (d *Workbench) Stats(_ context.Context, period stats.Period, _ func(int64)) (stats.Figures, error) {
	defer d.lock()()
	if d.Failing != nil {
		return stats.Figures{}, d.Failing
	}
	tally := stats.New(period)
	for week := range 30 {
		for n := range (week * 5) % 8 {
			at := d.at.AddDate(0, 0, -7*week-1)
			m := records.Members{Area: terms.Areas.All()[n%2], RecordedAt: terms.InstantOf(at), OpenedAt: terms.InstantOf(at.Add(-time.Duration(n*n) * time.Minute)),
				Reviewer: records.Reviewer{ID: terms.ID("rev-" + strconv.Itoa(n%3))}, Gate: terms.Gate(n % 2)}
			if m.Area == terms.Appeals {
				m.Outcome, m.Trigger = terms.Outcomes.All()[n], terms.Triggers.All()[week%terms.Triggers.Len()]
			} else {
				m.Transition = terms.Transitions.All()[week%terms.Transitions.Len()]
			}
			tally.Add(&stats.Record{Members: &m, Against: n == 2, Superseded: n == 4, FiledAt: terms.InstantOf(at.AddDate(0, 0, -n)),
				Deadline: terms.InstantOf(at.AddDate(0, 0, n-2))})
		}
	}
	for i := range d.log {
		record := stats.RecordOf(&d.log[i])
		if record.Members == nil {
			record.ID = records.NewRecordID(d.now(), [10]byte{})
		}
		tally.Add(&record)
	}
	return tally.Figures(), nil
}

// Reasons returns the statement of a record that was decided here.
func (d *Workbench) Reasons(_ context.Context, id records.RecordID) (string, error) {
	defer d.lock()()
	return d.reasons[id], d.Failing
}

// Statement lays the statement of a record out.
func (d *Workbench) Statement(_ context.Context, id records.RecordID) (statement.Document, bool, error) {
	defer d.lock()()
	if d.Failing != nil {
		return statement.Document{}, false, d.Failing
	}
	for i := range d.log {
		if one := &d.log[i]; one.Receipt.RecordID == id {
			in := statement.Input{Record: one.Record, Advised: one.Advised, Place: statement.Place{Origin: Service, Receipt: one.Receipt}}
			in.Standing.SupersededBy, in.Standing.Revoked = one.SupersededBy, one.Revoked
			return statement.New(&in), true, nil
		}
	}
	return statement.Document{}, false, errors.New("there is no such record")
}

// WriteStatement keeps what is written in Written.
func (d *Workbench) WriteStatement(_ context.Context, path, text string, replace bool) error {
	defer d.lock()()
	if d.Failing != nil {
		return d.Failing
	}
	if _, there := d.Written[path]; there && !replace {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if d.Written == nil {
		d.Written = map[string]string{}
	}
	d.Written[path] = text
	return nil
}

// Export tells of its progress, and writes nothing. Exporting, if it is set, is called halfway with the context.
func (d *Workbench) Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (records.LogHead, error) {
	progress("writing records", 1, 2)
	if d.Exporting != nil {
		if err := d.Exporting(ctx, folder); err != nil {
			return records.LogHead{}, err
		}
	}
	progress("reading it back", 2, 2)
	defer d.lock()()
	return records.LogHead{Size: int64(len(d.log)), Root: d.receipt("").Root}, d.Failing
}

// Service is the origin of the log that a sample service keeps; Foreign a record in it of another console.
const (
	Service = "docket/service/0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	Foreign = records.RecordID("0195582c-7c00-7fff-9b00-00000000f0e1")
)

// Pull notes that packets were pulled from the sample service to the end so long ago.
func (d *Workbench) Pull(ago time.Duration) {
	defer d.lock()()
	d.service = records.HandInTally{Service: Service, Pulled: terms.InstantOf(d.at.Add(-ago))}
}

// SetBack has the service show a log that does not extend what was known of it.
func (d *Workbench) SetBack(setback records.Setback) {
	defer d.lock()()
	d.service.Setback = setback
}

// Accept lets the service take the record of that sequence.
func (d *Workbench) Accept(sequence int) {
	defer d.lock()()
	d.service.Service = Service
	receipt := d.log[sequence].Receipt
	receipt.Sequence, receipt.TreeSize = receipt.Sequence+1200, receipt.TreeSize+1200
	d.log[sequence].HandIn = records.HandIn{State: records.Accepted, At: d.now(), Receipt: receipt}
}

// Reject lets the service turn the record of that sequence away, with what had changed, as it tells.
func (d *Workbench) Reject(sequence int, reason records.RejectionReason, inForce records.RecordID, changes ...string) {
	defer d.lock()()
	d.service.Service = Service
	logged := &d.log[sequence]
	logged.HandIn = records.HandIn{State: records.Rejected, At: d.now(), Changes: changes, Rejection: records.Rejection{Origin: Service,
		RecordID: logged.Receipt.RecordID, LeafHash: logged.Receipt.LeafHash, Reason: reason, InForce: inForce, At: d.now()}}
	for i := range d.log {
		if d.log[i].SupersededBy == logged.Receipt.RecordID {
			d.log[i].SupersededBy = ""
		}
	}
}

// Reassign says that the service gave a case to somebody else with a revision; 0 takes that back.
func (d *Workbench) Reassign(id terms.ID, revision int64) {
	defer d.lock()()
	if d.reassigned == nil {
		d.reassigned = map[terms.ID]int64{}
	}
	d.reassigned[id] = revision
	d.told++
	d.service.Service = Service
}

// Bound says by when the first record that waits has to be handed in.
func (d *Workbench) Bound(by terms.Instant) {
	defer d.lock()()
	d.service.By = by
}

// Revoke says of the record of that sequence that a revoked key signed it.
func (d *Workbench) Revoke(sequence int) {
	defer d.lock()()
	d.log[sequence].Revoked = true
}

// HandIns counts what the service has answered.
func (d *Workbench) HandIns(context.Context) (records.HandInTally, error) {
	defer d.lock()()
	if d.Failing != nil {
		return records.HandInTally{}, d.Failing
	}
	tally := d.service
	for i := range d.log {
		logged := &d.log[i]
		switch state := logged.HandIn.State; {
		case logged.Unreadable != "":
		case state == records.Accepted:
			tally.Accepted++
		case state == records.Kept:
			if tally.Service != "" {
				tally.Waiting++
			}
		case d.last(logged.Record.Members().Key) == logged:
			tally.Rejected++
		}
	}
	return tally, nil
}

// answers is how many the service has given.
func (d *Workbench) answers() (count int64) {
	for i := range d.log {
		if d.log[i].HandIn.State != records.Kept {
			count++
		}
	}
	return count
}

// Keep puts a draft on the workbench as if it had been kept there at that time.
func (d *Workbench) Keep(key packets.Key, draft records.Draft) {
	defer d.lock()()
	d.drafts[key] = records.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
}

// KeepUnreadable puts a draft of a revision there that cannot be read.
func (d *Workbench) KeepUnreadable(key packets.Key, why string) {
	defer d.lock()()
	d.drafts[key] = records.KeptDraft{Revision: key.Number, SavedAt: d.now(), Unreadable: why}
}

// Draft is what is kept of a revision; it is not Present if nothing is.
func (d *Workbench) Draft(key packets.Key) records.KeptDraft {
	defer d.lock()()
	return d.drafts[key]
}

// draft is the one of the revision or, failing that, of the latest earlier one.
func (d *Workbench) draft(key packets.Key) records.KeptDraft {
	found := records.KeptDraft{}
	for held, kept := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number && held.Number > found.Revision {
			found = kept
		}
	}
	return found
}

// SaveDraft keeps a draft in memory.
func (d *Workbench) SaveDraft(_ context.Context, _ terms.Table, key packets.Key, draft records.Draft) error {
	defer d.lock()()
	if d.Failing != nil {
		return d.Failing
	}
	d.drafts[key] = records.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
	return nil
}

// DropDraft forgets drafts.
func (d *Workbench) DropDraft(_ context.Context, _ terms.Table, key packets.Key) error {
	defer d.lock()()
	if d.Failing != nil {
		return d.Failing
	}
	d.dropDraft(key)
	return nil
}

func (d *Workbench) dropDraft(key packets.Key) {
	for held := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number {
			delete(d.drafts, held)
		}
	}
}

// Records lists the log.
func (d *Workbench) Records(_ context.Context, before int64, most int) (page records.Page, err error) {
	defer d.lock()()
	if d.Failing != nil {
		return page, d.Failing
	}
	d.pages++
	page.Total = int64(len(d.log))
	if before <= 0 || before > page.Total {
		before = page.Total
	}
	for i := before - 1; i >= 0 && len(page.Records) < most; i-- {
		page.Records = append(page.Records, d.known(d.log[i]))
	}
	return page, nil
}

// known adds to a record what follows from the rest of the log where the service rejected it.
func (d *Workbench) known(logged records.LoggedRecord) records.LoggedRecord {
	if d.service.Service != "" && logged.HandIn.State == records.Kept {
		logged.HandIn.State = records.NotHandedIn
	}
	if logged.HandIn.State != records.Rejected || logged.Unreadable != "" {
		return logged
	}
	was := logged.Record.Members()
	for i := range d.log {
		later := &d.log[i]
		logged.InForceHere = logged.InForceHere || later.Receipt.RecordID == logged.HandIn.Rejection.InForce
		if later.Receipt.Sequence <= logged.Receipt.Sequence || later.Unreadable != "" {
			continue
		}
		if m := later.Record.Members(); m.Area == was.Area && m.Key.ID == was.Key.ID && m.Key.Number >= was.Key.Number {
			logged.JudgedAgain = later.Receipt.Sequence
		}
	}
	return logged
}

// Pages is how many pages of the log were read.
func (d *Workbench) Pages() int {
	defer d.lock()()
	return d.pages
}
