package queue

import "docket/domain/terms"

// A Tally counts the rows of a queue.
type Tally struct {
	Open       int // neither decided nor skipped nor closed, and not given to somebody else
	Pass       int // of the open ones, those whose gate is pass
	Mine       int // of the open ones, those assigned to the reviewer
	Skipped    int
	Decided    int           // with those that are closed, too
	Closed     int           // with those that are decided, too
	Waiting    int           // of the decided ones, those whose record asks for something
	Longest    terms.Instant // since when the first of them waits; absent if that is not known
	Rejected   int           // of those that are not decided, those whose record the service rejected
	Reassigned int           // reassigned by the service, in addition to the other counts
	Unreadable int           // of all, those that cannot be read
}

// Tally counts the rows.
func (d *Queue) Tally(reviewer terms.ID) Tally {
	var t Tally
	for at := range d.rows {
		row := &d.rows[at]
		t.add(row, reviewer.Present() && row.AssignedTo == reviewer)
	}
	return t
}

func (t *Tally) add(row *heldRow, mine bool) {
	t.Unreadable += one(row.Unreadable != "")
	t.Rejected += one(row.Rejected && !row.Decided)
	t.Reassigned += one(row.Reassigned)
	t.Decided += one(row.Decided)
	t.Closed += one(row.closed)
	if row.waiting {
		t.Waiting++
		if row.waitsSince.Before(t.Longest) {
			t.Longest = row.waitsSince
		}
	}
	switch {
	case row.Decided || row.ended():
	case row.Skipped != "":
		t.Skipped++
	default:
		t.Open++
		t.Pass += one(row.Gate == terms.Pass)
		t.Mine += one(mine)
	}
}

// New counts the rows that came in after a time.
func (d *Queue) New(after terms.Instant) (count int) {
	for at := range d.rows {
		count += one(d.rows[at].CameAfter(after))
	}
	return count
}

// Due counts workable rows whose deadline has passed, and those whose deadline comes before until.
func (d *Queue) Due(now, until terms.Instant) (overdue, soon int) {
	for at := range d.rows {
		if !d.Workable(at) {
			continue
		}
		switch deadline := d.rows[at].due; {
		case !deadline.Present():
		case deadline.Before(now):
			overdue++
		case deadline.Before(until):
			soon++
		}
	}
	return overdue, soon
}
