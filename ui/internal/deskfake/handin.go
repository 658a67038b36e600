package deskfake

import (
	"context"

	"docket/domain"
)

// HandIns counts what the service has answered.
func (d *Desk) HandIns(context.Context) (domain.HandInTally, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return domain.HandInTally{}, d.Failing
	}
	return d.tally, nil
}
