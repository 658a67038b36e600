package desktest

import (
	"context"
	"time"

	"docket/domain"
)

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
