package postgres

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"

	"github.com/jackc/pgx/v5"
)

// A listener notes what is sent.
type listener struct{ sent []asked }

func (l *listener) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (l *listener) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (l *listener) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (l *listener) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
func (l *listener) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	if strings.HasPrefix(data.SQL, "SELECT") {
		l.sent = append(l.sent, asked{data.SQL, data.Args})
	}
}

// hits is how many blocks a plan touched.
var hits = regexp.MustCompile(`shared hit=(\d+)`)

// scans is the scan of a table that grows with what comes in: restores of the service are few.
var scans = regexp.MustCompile(`Seq Scan on (trade_|docket_log_hashes|docket_log |docket_service_|docket_handin_re|docket_handin_a)`)

// A page is read by indexes: how many blocks that takes does not depend on how many cases there are.
func TestAPageTouchesFewBlocksOfALargeStore(t *testing.T) {
	const cases, reviewers, page, most = 20_000, 100, 20, 1200
	db, heard := made(t), &listener{}
	db.config.ConnConfig.Tracer = heard
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	err := db.alone(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), fmt.Sprintf(`INSERT INTO docket.trade_appeal_cases (place, document, imported_at)
			SELECT n, convert_to(format('{"record":{"caseId":"case-%%s","revision":1,"status":"filed","deadline":"2026-%%s","subjectId":"sub-%%s","neutralReview":{"reviewerId":"rev-%%s"}}}',
			n, n, n %% 1000, n %% %d), 'UTF8'), 'then' FROM generate_series(1, %d) AS n`, reviewers, cases))
		if err != nil {
			return err
		}
		return tx.Commit(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	heard.sent = nil
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		const area, table = terms.Appeals, terms.AppealCases
		rows := 0
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
		if rows != 4*page-1 {
			t.Errorf("%d rows", rows)
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
	})
	if err != nil || len(heard.sent) != 8 {
		t.Fatalf("%d queries, %v", len(heard.sent), err)
	}
	for _, a := range heard.sent {
		conn, err := db.read.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time the catalogue is known
			rows, err := conn.Query(t.Context(), "EXPLAIN (ANALYZE, BUFFERS) "+a.query, a.args...)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			plan := strings.Join(lines, "\n")
			touched := 0
			if first := hits.FindStringSubmatch(plan); first != nil {
				touched, _ = strconv.Atoi(first[1])
			}
			if touched > most || scans.MatchString(plan) {
				t.Errorf("%d blocks:\n%s\n%s", touched, a.query, plan)
			}
		}
		conn.Release()
	}
}
