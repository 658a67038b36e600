package desktest

import (
	"context"

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

// Trend counts the log as it is, and in each of the weeks before it a number of decisions that notice_missing,
// renewed_confirmation_missing and deadline_expired held up.
func (d *Desk) Trend(_ context.Context, area domain.Area) (domain.Trend, error) {
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
