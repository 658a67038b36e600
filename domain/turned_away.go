package domain

// TurnedAway is the record for which the packet has to be judged again: the last one made on this revision or, where there
// is none, on an earlier one, if the service turned that away. It is nil if there is nothing to judge again. Records that
// cannot be read do not count.
func (d *Dossier) TurnedAway() *LoggedRecord {
	last := lastReadable(d.Records, func(*LoggedRecord) bool { return true })
	if last == nil {
		here := d.View.Key().Number
		last = lastReadable(d.Elsewhere, func(l *LoggedRecord) bool { return l.Record.Members().Key.Number < here })
	}
	if last == nil || last.HandIn.State != Rejected {
		return nil
	}
	return last
}

func lastReadable(records []LoggedRecord, counts func(*LoggedRecord) bool) *LoggedRecord {
	for i := len(records) - 1; i >= 0; i-- {
		if one := &records[i]; one.Unreadable == "" && counts(one) {
			return one
		}
	}
	return nil
}

// Decided tells whether the revision is decided: a record is in force, and nothing on it has to be judged again.
func (d *Dossier) Decided() bool {
	turned := d.TurnedAway()
	return d.InForce.Present() && (turned == nil || turned.Record.Members().Key != d.View.Key())
}

// InForceElsewhere tells whether the record in force is one that this log does not have: another console handed it in.
func (d *Dossier) InForceElsewhere() bool {
	for i := range d.Records {
		if d.Records[i].Receipt.RecordID == d.InForce {
			return false
		}
	}
	return d.InForce.Present()
}
