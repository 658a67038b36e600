package workbench

import (
	"context"
	"errors"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/statement"
	"docket/store"
	"docket/store/verify"
)

// Reasons returns the statement of reasons of a record; "" for none.
func (d *Workbench) Reasons(ctx context.Context, id records.RecordID) (string, error) {
	reasons, err := d.Store.Statement(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return reasons.Text, err
}

// Statement returns the statement of a record for its parties. The record is checked alone; with
// findings, which come first, sound is false. The error wraps store.ErrNotFound if there is no such
// record.
func (d *Workbench) Statement(ctx context.Context, id records.RecordID) (laid pages.Page, sound bool, err error) {
	logged, err := d.Store.Record(ctx, id)
	if err != nil {
		return pages.Page{}, false, err
	}
	in := statement.Input{Record: logged.Record, Advised: logged.Advised}
	in.Place.Receipt = logged.Receipt
	in.Standing.SupersededBy, in.Standing.Revoked = logged.SupersededBy, logged.Revoked
	if logged.HandIn.State == records.Rejected {
		in.Standing.Rejected, in.Standing.Rejection = true, logged.HandIn.Rejection
	}
	if in.Profile, err = d.Channels(); err != nil {
		return pages.Page{}, false, err
	}
	if in.Reasons, err = d.Store.Statement(ctx, id); err != nil && !errors.Is(err, store.ErrNotFound) {
		return pages.Page{}, false, err
	}
	snapshot, err := d.Store.Snapshot(ctx)
	if err != nil {
		return pages.Page{}, false, err
	}
	if err := d.fill(ctx, &in, snapshot, &logged); err != nil {
		return pages.Page{}, false, err
	}
	return statement.New(&in), len(in.Standing.Faults) == 0, nil
}

// fill adds the state of the record in the log, and the findings of a check of the record.
func (d *Workbench) fill(ctx context.Context, in *statement.Input, log *store.Snapshot, logged *records.LoggedRecord) error {
	head, err := log.Head(ctx)
	if err != nil {
		return err
	}
	in.Place.Origin = head.Origin
	if len(head.VerifierKeys) > 0 {
		in.Place.VerifierKey = head.VerifierKeys[0]
	}
	in.Standing.Waiting = logged.HandIn.State == records.NotHandedIn
	findings, err := verify.Entries(ctx, log.Records(), logged.Receipt.Sequence, logged.Receipt.Sequence+1, verify.Judged)
	if err != nil {
		return err
	}
	for _, finding := range append(d.Store.Findings(), findings...) {
		if finding.Code != verify.SignedAfterRevocation { // which the standing says
			in.Standing.Faults = append(in.Standing.Faults, finding.Sentence())
		}
	}
	if logged.Record.Document() == nil {
		return nil
	}
	m := logged.Record.Members()
	judged, err := d.Store.Reliance(ctx, nil, store.About{Area: m.Area, ID: m.Key.ID})
	switch {
	case err == nil:
		in.Standing.Reliance, in.Standing.JudgedAt = &judged.Reliance, judged.At
	case ctx.Err() != nil:
		return err
	}
	_, statements := head.Lineage()
	in.Standing.TakeErasures(verify.ErasuresOf(statements, false), logged.Record.Members())
	ref, _, _ := verify.RefsOf(logged.Record.Members())
	documents, err := log.Packets(ctx, []verify.Ref{ref})
	if err != nil {
		return err
	}
	var reader packets.Reader
	if packet, err := reader.ReadStored(documents[0]); err == nil {
		in.Packet = packet
	}
	return nil
}
