package postgres

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
)

// A tracer is what was asked of the server. The first argument of each is the format in which rows come.
type tracer struct{ list []pgx.TraceQueryStartData }

func (q *tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	q.list = append(q.list, data)
	return ctx
}

func (q *tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// hits is how many blocks a plan touched.
var hits = regexp.MustCompile(`shared hit=(\d+)`)

// scans is the scan of a table that grows with what comes in: restores of the service are few.
var scans = regexp.MustCompile(`Seq Scan on (trade_|docket_log_hashes|docket_log |docket_service_|docket_handin_re|docket_handin_a)`)

// A page is read by indexes: how many blocks that takes does not depend on how many cases there are.
func TestAPageTouchesFewBlocksOfALargeStore(t *testing.T) {
	const page, most = 20, 1200
	cases, reviewers := int64(20_000), 100
	if os.Getenv("DOCKET_LONG") == "1" {
		cases, reviewers = 1_000_000, 1000
	}
	db, traced := made(t), &tracer{}
	db.config.Tracer = traced
	must(t, db.Open(t.Context()))
	t.Cleanup(func() { _ = db.Close() })
	db.apply(t, fmt.Sprintf(`INSERT INTO docket.docket_log (position, kind, tableName, subject, number, at, leafHash, body, signature)
			SELECT n, 'packet', 'trade_appeal_cases', format('case-%%s 1', n), -1, 'then', decode(repeat('00', 32), 'hex'), '', '' FROM generate_series(0, %d) AS n`, cases))
	db.apply(t, fmt.Sprintf(`INSERT INTO docket.trade_appeal_cases (position, document)
			SELECT n, convert_to(format('{"record":{"caseId":"case-%%s","revision":1,"status":"filed","deadline":"2026-%%s","subjectId":"sub-%%s","neutralReview":{"reviewerId":"rev-%%s"}}}',
			n, n, n %% 1000, n %% %d), 'UTF8') FROM generate_series(1, %d) AS n`, reviewers, cases))
	rows := 0
	ask := func(ctx context.Context, tx engine.Tx) (err error) {
		const area, table = terms.Appeals, terms.AppealCases
		row := func(*engine.QueueRow) { rows++ }
		for _, part := range []engine.QueuePart{{Due: true}, {Mine: true, Due: true}} {
			if err := tx.Queue().Top(ctx, area, part, "rev-7", page, row); err != nil {
				return err
			}
		}
		if err := tx.Queue().After(ctx, area, "rev-7", "case-5", page, row); err != nil {
			return err
		}
		if err := tx.Queue().Related(ctx, area, "rev-7", "sub-7", "case-7", page-1, row); err != nil {
			return err
		}
		if _, err := tx.Packets().Arrivals(ctx, table, engine.Scope{Reviewer: "rev-7"}, cases/2, page); err != nil {
			return err
		}
		if _, err := tx.Packets().Latest(ctx, table, "case-7"); err != nil {
			return err
		}
		if _, err := tx.Packets().Documents(ctx, table, []packets.Key{{ID: "case-7", Number: 1}, {ID: "case-8", Number: 1}}, cases); err != nil {
			return err
		}
		_, err = tx.Queue().Mark(ctx, area)
		return err
	}
	traced.list = nil
	if err := db.View(t.Context(), ask); err != nil || rows != 4*page-1 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	erasures := 0 // what was erased is read once a transaction
	asked := slices.DeleteFunc(traced.list, func(q pgx.TraceQueryStartData) bool {
		is := strings.HasPrefix(q.SQL, "SELECT body, coalesce")
		if is {
			erasures++
		}
		return is || !strings.HasPrefix(q.SQL, "SELECT")
	})
	if len(asked) != 8 || erasures != 1 {
		t.Fatalf("%d queries", len(asked))
	}
	err := db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		for _, a := range asked {
			var plan string
			for range 2 { // the second time the catalogue is known
				lines, err := engine.List[string](ctx, tx, "EXPLAIN (ANALYZE, BUFFERS) "+a.SQL, a.Args[1:]...)
				if err != nil {
					return err
				}
				plan = strings.Join(lines, "\n")
			}
			touched := 0
			if first := hits.FindStringSubmatch(plan); first != nil {
				touched, _ = strconv.Atoi(first[1])
			}
			if touched > most || scans.MatchString(plan) {
				t.Errorf("%d blocks:\n%s\n%s", touched, a.SQL, plan)
			}
		}
		return nil
	})
	must(t, err)
}

// What a console keeps of the service's log is among what is said of a case.
func TestARecordOfTheServicesLogIsSaid(t *testing.T) {
	db := opened(t)
	key := packets.Key{ID: "case-1", Number: 1}
	now := terms.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC))
	first := engine.ServiceRecord{ServiceRecord: signed.ServiceRecord{Record: `{"carriedBlockers":["scope_missing"],"reviewerBlockers":["notice_missing"]}`, Signature: "a signature",
		Sequence: 7, Proof: "a proof", Checkpoint: "a checkpoint"}, Table: terms.AppealCases, Key: key, RecordID: "first", Supersedes: "before", Origin: "an origin"}
	second := first
	second.Position, second.RecordID, second.Sequence = 1, "second", 9
	must(t, db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		err := tx.Log().Append(ctx, engine.NewEntry{Kind: records.PacketEntry, Table: terms.AppealCases, Subject: "case-1 1"})
		if err == nil {
			err = tx.Packets().Add(ctx, terms.AppealCases, 0, []byte(`{"record":{"caseId":"case-1","revision":1}}`), nil)
		}
		if err != nil {
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
	}))
	must(t, db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
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
		var said []engine.Said
		err = tx.Records().History(ctx, terms.AppealEnforcements, []terms.ID{"case-0", key.ID}, func(s *engine.Said) error { said = append(said, *s); return nil })
		if err != nil || len(said) != 2 || string(said[0].Document) != first.Record || !said[1].Elsewhere || said[1].ID != key.ID || said[1].Revision != 1 {
			t.Errorf("said: %+v, %v", said, err)
		}
		if err := tx.Records().LoggedNumbered(ctx, 0, 9, func(*engine.Logged) error { return nil }); err != nil {
			t.Error(err)
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
	}))
}
