package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/domain"
	"docket/domain/visible"
	"docket/store"
)

// handInWords say how far a record has come on its way to the service. Indexed by domain.HandInState.
var handInWords = [...]string{
	domain.NotHandedIn: "not handed in", domain.Accepted: "accepted", domain.Rejected: "rejected",
}

// handInJSON is what is known of a record's way to the service, as --json prints it.
type handInJSON struct {
	State   string                 `json:"state"` // accepted or rejected
	At      domain.Instant         `json:"at"`
	Receipt *domain.Receipt        `json:"receipt,omitempty"` // the service's
	Reason  domain.RejectionReason `json:"reason,omitzero"`
	InForce domain.RecordID        `json:"inForce,omitempty"`
	Changes []string               `json:"changes,omitempty"`
}

// handedIn is nil for a record that the service has not answered for.
func handedIn(h *domain.HandIn) *handInJSON {
	answer := handInJSON{State: handInWords[h.State], At: h.At}
	switch h.State {
	case domain.Accepted:
		answer.Receipt = &h.Receipt
	case domain.Rejected:
		answer.Reason, answer.InForce, answer.Changes = h.Rejection.Reason, h.Rejection.InForce, h.Changes
	default:
		return nil
	}
	return &answer
}

// isBound tells whether the store is bound to a service, so that a record without an answer waits for one.
func isBound(ctx context.Context, s *store.Store) (bool, error) {
	_, err := s.Service(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// standing says in one cell what has become of a record: the service's answer, and what superseded it.
func standing(logged *domain.LoggedRecord, bound bool) string {
	var parts []string
	switch logged.HandIn.State {
	case domain.NotHandedIn:
		if bound {
			parts = append(parts, handInWords[domain.NotHandedIn])
		}
	case domain.Accepted:
		parts = append(parts, handInWords[domain.Accepted])
	case domain.Rejected:
		parts = append(parts, "rejected by the service: "+logged.HandIn.Rejection.Reason.String())
	}
	if logged.SupersededBy.Present() {
		parts = append(parts, "superseded by "+string(logged.SupersededBy))
	}
	return strings.Join(parts, ", ")
}

// addHandIn adds the service's answer to the rows of a record.
func addHandIn(table *columns, h *domain.HandIn, bound bool) {
	if h.State == domain.NotHandedIn {
		if bound {
			table.add("service", handInWords[domain.NotHandedIn])
		}
		return
	}
	table.add("service", fmt.Sprintf("%s at %s", handInWords[h.State], toSecond(h.At)))
	if h.State == domain.Accepted {
		table.add("service sequence", fmt.Sprint(h.Receipt.Sequence))
		table.add("service tree size", fmt.Sprint(h.Receipt.TreeSize))
		table.add("service root", h.Receipt.Root.String())
		return
	}
	inForce := "nothing"
	if h.Rejection.InForce.Present() {
		inForce = string(h.Rejection.InForce)
	}
	table.add("reason", h.Rejection.Reason.String())
	table.add("in force there", inForce)
	for _, change := range h.Changes {
		table.add("changed", visible.String(change))
	}
}

// checkService says which service the store is bound to, and what waits for it.
func checkService(s *patient) symptom {
	tally := s.health.HandIns
	switch {
	case !s.health.Exists || s.health.OpenError != nil:
		return note("not looked at", "")
	case tally.Service == "":
		return ok("none; records stay on this machine")
	case tally.Rejected > 0:
		return note(fmt.Sprintf("%s turned %s away that nobody judged again; %d wait, %d are accepted", tally.Service,
			counted(tally.Rejected, "record"), tally.Waiting, tally.Accepted), "judge them again in the console: the filter is:rejected finds them")
	case tally.Waiting > 0:
		return note(fmt.Sprintf("%s has %d of the records; %d wait", tally.Service, tally.Accepted, tally.Waiting), "`docket push` hands them in")
	}
	return ok("%s; all records are handed in", tally.Service)
}
