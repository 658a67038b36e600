package desktest

import (
	"context"
	"time"

	"docket/domain"
)

// Examine finds everything in order, but for what Damage put there.
func (d *Desk) Examine(_ context.Context, from, to int64) ([]domain.RecordState, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.examined++
	if d.Failing != nil {
		return nil, d.Failing
	}
	var states []domain.RecordState
	for i := max(from, 0); i < min(to, int64(len(d.log))); i++ {
		good, receipt := domain.Check{Verdict: domain.Holds}, &d.log[i].Receipt
		state := domain.RecordState{Sequence: i, RecordID: receipt.RecordID, Proof: good, Signature: good, Replay: good,
			Leaf: receipt.LeafHash, Head: domain.LogHead{Size: int64(len(d.log)), Root: d.receipt("").Root},
			Path: []domain.Hash{domain.HashOf([]byte("a")), domain.HashOf([]byte("b"))}}
		if d.log[i].Unreadable != "" {
			state = domain.RecordState{Sequence: i, Signature: good,
				Proof: domain.Check{Verdict: domain.Fails, Found: []string{"A record's bytes are not those that were logged."}}}
		}
		states = append(states, state)
	}
	return states, nil
}

// Examined is how often Examine was asked.
func (d *Desk) Examined() int {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.examined
}

// WeeklyCounts counts the log as it is, and in each of the weeks before it a number of decisions that notice_missing,
// renewed_confirmation_missing and deadline_expired held up.
func (d *Desk) WeeklyCounts(_ context.Context, area domain.Area) (domain.Trend, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return domain.Trend{}, d.Failing
	}
	trend := domain.NewTrend(area, d.now())
	for week := 1; week < domain.TrendWeeks; week++ {
		at := domain.InstantOf(d.at.AddDate(0, 0, -7*week))
		for n := range (week * 5) % 8 {
			codes := []domain.Blocker{domain.NoticeMissing, domain.RenewedConfirmationMissing}
			if n%3 == 0 {
				codes = append(codes, domain.DeadlineExpired)
			}
			trend.Add(at, codes)
		}
	}
	for _, logged := range d.log {
		if m := logged.Record.Members(); logged.Unreadable == "" && m.Area == area {
			trend.Add(m.RecordedAt, m.ComputedBlockers)
		}
	}
	return trend, nil
}

// Export tells of its progress, and writes nothing. Exporting, if it is set, is called halfway with the context.
func (d *Desk) Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (domain.LogHead, error) {
	progress("writing records", 1, 2)
	if d.Exporting != nil {
		if err := d.Exporting(ctx, folder); err != nil {
			return domain.LogHead{}, err
		}
	}
	progress("reading it back", 2, 2)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return domain.LogHead{Size: int64(len(d.log)), Root: d.receipt("").Root}, d.Failing
}

// Service is the origin of the log that a sample service keeps; Foreign a record in it of another console.
const (
	Service = "docket/service/0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	Foreign = domain.RecordID("0195582c-7c00-7fff-9b00-00000000f0e1")
)

// Pull notes that packets were pulled from the sample service to the end so long ago.
func (d *Desk) Pull(ago time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.service = domain.HandInTally{Service: Service, Pulled: domain.InstantOf(d.at.Add(-ago))}
}

// Accept lets the service take the record of that sequence.
func (d *Desk) Accept(sequence int) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.service.Service = Service
	receipt := d.log[sequence].Receipt
	receipt.Sequence, receipt.TreeSize = receipt.Sequence+1200, receipt.TreeSize+1200
	d.log[sequence].HandIn = domain.HandIn{State: domain.Accepted, At: d.now(), Receipt: receipt}
}

// Reject lets the service turn the record of that sequence away, with what had changed, as it tells.
func (d *Desk) Reject(sequence int, reason domain.RejectionReason, inForce domain.RecordID, changes ...string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.service.Service = Service
	logged := &d.log[sequence]
	logged.HandIn = domain.HandIn{State: domain.Rejected, At: d.now(), Changes: changes, Rejection: domain.Rejection{Origin: Service,
		RecordID: logged.Receipt.RecordID, LeafHash: logged.Receipt.LeafHash, Reason: reason, InForce: inForce, At: d.now()}}
	for i := range d.log {
		if d.log[i].SupersededBy == logged.Receipt.RecordID {
			d.log[i].SupersededBy = ""
		}
	}
}

// HandIns counts what the service has answered.
func (d *Desk) HandIns(context.Context) (domain.HandInTally, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return domain.HandInTally{}, d.Failing
	}
	tally := d.service
	for i := range d.log {
		logged := &d.log[i]
		switch state := logged.HandIn.State; {
		case logged.Unreadable != "":
		case state == domain.Accepted:
			tally.Accepted++
		case state == domain.NotHandedIn:
			tally.Waiting++
		case d.last(logged.Record.Members().Key) == logged:
			tally.Rejected++
		}
	}
	return tally, nil
}

// answers is how many the service has given.
func (d *Desk) answers() (count int64) {
	for i := range d.log {
		if d.log[i].HandIn.State != domain.NotHandedIn {
			count++
		}
	}
	return count
}

// Keep puts a draft on the desk as if it had been kept there at that time.
func (d *Desk) Keep(key domain.Key, draft domain.Draft) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.drafts[key] = domain.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
}

// KeepUnreadable puts a draft of a revision there that cannot be read.
func (d *Desk) KeepUnreadable(key domain.Key, why string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.drafts[key] = domain.KeptDraft{Revision: key.Number, SavedAt: d.now(), Unreadable: why}
}

// Draft is what is kept of a revision; it is not Present if nothing is.
func (d *Desk) Draft(key domain.Key) domain.KeptDraft {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.drafts[key]
}

// draft is the one of the revision or, failing that, of the latest earlier one.
func (d *Desk) draft(key domain.Key) domain.KeptDraft {
	found := domain.KeptDraft{}
	for held, kept := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number && held.Number > found.Revision {
			found = kept
		}
	}
	return found
}

// SaveDraft keeps a draft in memory.
func (d *Desk) SaveDraft(_ context.Context, _ domain.Table, key domain.Key, draft domain.Draft) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return d.Failing
	}
	d.drafts[key] = domain.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
	return nil
}

// DropDraft forgets drafts.
func (d *Desk) DropDraft(_ context.Context, _ domain.Table, key domain.Key) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return d.Failing
	}
	d.dropDraft(key)
	return nil
}

func (d *Desk) dropDraft(key domain.Key) {
	for held := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number {
			delete(d.drafts, held)
		}
	}
}
