package postgres

import (
	"context"
	"slices"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
)

// What a console keeps of the service's log counts in every query that asks what is in force.
func TestARecordOfTheServicesLogIsInForce(t *testing.T) {
	db := opened(t)
	key := packets.Key{ID: "case-1", Number: 1}
	now := terms.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC))
	first := engine.ServiceRecord{ServiceRecord: signed.ServiceRecord{Record: `{"carriedBlockers":["scope_missing"],"reviewerBlockers":["notice_missing"]}`, Signature: "a signature",
		Sequence: 7, Proof: "a proof", Checkpoint: "a checkpoint"}, Table: terms.AppealCases, Key: key, RecordID: "first", Supersedes: "before", Origin: "an origin"}
	second := first
	second.Position, second.RecordID, second.Sequence = 1, "second", 9
	err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		if _, err := tx.Packets().Add(ctx, terms.AppealCases, []byte(`{"record":{"caseId":"case-1","revision":1}}`), nil, now.String()); err != nil {
			return err
		}
		if err := tx.Answers().Bind(ctx, "key", now); err != nil {
			return err
		}
		for _, r := range []engine.ServiceRecord{first, second} {
			if err := tx.Answers().AddServiceRecord(ctx, &r, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		on, err := tx.Answers().ServiceRecordsOn(ctx, terms.AppealCases, key)
		if err != nil || !slices.Equal(on, []engine.ServiceRecord{first, second}) {
			t.Errorf("on the revision: %+v, %v", on, err)
		}
		last, err := tx.Answers().LastServiceRecord(ctx)
		if err != nil || last != 1 {
			t.Errorf("the last one is %d, %v", last, err)
		}
		var after []records.RecordID
		err = tx.Answers().ServiceRecords(ctx, 0, last, 9, func(r *engine.ServiceRecord) error { after = append(after, r.RecordID); return nil })
		if err != nil || !slices.Equal(after, []records.RecordID{"second"}) {
			t.Errorf("after the first: %v, %v", after, err)
		}
		revisions, err := tx.Packets().Revisions(ctx, terms.AppealCases, "case-1", 0)
		if err != nil || len(revisions) != 1 || revisions[0].InForce != "second" {
			t.Errorf("%+v, %v", revisions, err)
		}
		var added []engine.Added
		err = tx.Records().Added(ctx, terms.AppealEnforcements, key, func(a engine.Added) error { added = append(added, a); return nil })
		if err != nil || len(added) != 2 || string(added[0].Document) != string(first.Record) || added[1].Rejected {
			t.Errorf("added: %+v, %v", added, err)
		}
		if err := tx.Records().LoggedBefore(ctx, 9, 9, func(*engine.Logged) error { return nil }); err != nil {
			t.Error(err)
		}
		recorded := engine.LastRecord(99)
		err = tx.Queue().After(ctx, terms.Appeals, "", "", 9, func(row *engine.QueueRow) { recorded = row.Recorded })
		if err != nil || recorded != engine.LastStands {
			t.Errorf("the queue says %d, %v", recorded, err)
		}
		mark, err := tx.Queue().Mark(ctx, terms.Appeals)
		if err != nil || mark.ServiceRecords != 2 {
			t.Errorf("%+v, %v", mark, err)
		}
		mark.ServiceRecords = 1
		news, err := tx.Queue().Changed(ctx, terms.Appeals, mark)
		if err != nil || !slices.Equal(news, []terms.ID{"case-1"}) {
			t.Errorf("news: %v, %v", news, err)
		}
		if _, err := tx.Answers().Tally(ctx); err != nil {
			t.Error(err)
		}
		tables, err := tx.Covered().Tables(ctx)
		if err != nil || !slices.ContainsFunc(tables, func(c engine.CoveredTable) bool { return c.Name == "docket_handin_records" && c.Rows == 2 }) {
			t.Errorf("%+v, %v", tables, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
