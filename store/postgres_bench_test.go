package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"github.com/jackc/pgx/v5"
)

// single is one client that inserts a record's bytes in a table without anything else, a commit each.
type single struct {
	conn  *pgx.Conn
	count int
	taken time.Duration
}

func (s *single) insert(b *testing.B, sub *Submission) {
	b.Helper()
	begin := time.Now()
	need(s.conn.Exec(context.Background(), "INSERT INTO plain (document, signature) VALUES ($1, $2)", sub.Record.Document(), sub.Signature))(b)
	s.taken += time.Since(begin)
	s.count++
}

// BenchmarkHandInToPostgres measures records that are handed in to services on one PostgreSQL, each a process of its own with an anchor of its own: "of-single"
// is how many of them are taken in the time of one insertion of the same bytes by one client, turn by turn, and each record takes processor time of
// the services ("cpu-ms") and of the server. Commits are on the disk; the server adds a delay to each of them, for a disk that takes that much longer.
func BenchmarkHandInToPostgres(b *testing.B) {
	for _, delay := range []string{"0", "1000", "2000"} {
		b.Run("delay="+delay+"us", func(b *testing.B) {
			server := postgrestest.Start(b, "fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "commit_siblings=0", "commit_delay="+delay)
			for _, of := range []struct{ clients, services int }{{1, 1}, {64, 1}, {64, 4}} {
				b.Run(fmt.Sprintf("clients=%d/services=%d", of.clients, of.services), func(b *testing.B) {
					benchmarkHandIn(b, server.New(b), of.clients, of.services)
				})
			}
		})
	}
}

func benchmarkHandIn(b *testing.B, database *postgrestest.Database, clients, services int) {
	d, list := serviceProcesses(b, database, services)
	conn := need(pgx.Connect(b.Context(), database.DSN(postgrestest.Superuser)))(b)
	defer func() { _ = conn.Close(context.Background()) }()
	need(conn.Exec(b.Context(), "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document bytea, signature bytea)"))(b)
	plain := single{conn: conn}
	var whole, own, theirs time.Duration
	count := 0
	for b.Loop() {
		waves := make([]wave, services)
		var subs []Submission
		for i, packet := range moreCases(d, count) {
			subs = append(subs, waves[i%services].add(d, packet.Key().ID))
		}
		for i := range waves {
			waves[i].Clients = max(1, clients/services)
		}
		count += len(subs)
		for part := range subs[:len(subs)/4] {
			plain.insert(b, &subs[part])
		}
		for i, service := range list {
			service.load(b, &waves[i])
		}
		theirsBefore := database.Server.ProcessorTime(b)
		begin := time.Now()
		for _, service := range list {
			service.begin(b)
		}
		for _, service := range list {
			own += service.wait(b)
		}
		whole += time.Since(begin)
		theirs += database.Server.ProcessorTime(b) - theirsBefore
	}
	records, inserts := float64(count)/whole.Seconds(), float64(plain.count)/plain.taken.Seconds()
	b.ReportMetric(records, "records/s")
	b.ReportMetric(inserts, "single-inserts/s")
	b.ReportMetric(records/inserts, "of-single")
	b.ReportMetric(float64(own.Microseconds())/1000/float64(count), "cpu-ms/record")
	b.ReportMetric(float64(theirs.Microseconds())/1000/float64(count), "server-cpu-ms/record")
}

// A copiedCase is a row of the cases and one of their texts, as an import writes them.
type copiedCase struct{ document, texts []byte }

// copiedCases makes so many cases of 3 KB from a number on, of so many reviewers in turn.
func copiedCases(t testing.TB, from, count, reviewers int) []copiedCase {
	list := make([]copiedCase, count)
	mills := sync.Pool{New: func() any {
		m := &mill{t: t}
		m.appealPolicy(1) // the cases name it
		return m
	}}
	must(t, inParallel(count, func(i int) {
		m := mills.Get().(*mill)
		list[i].document, list[i].texts = m.assignedCase(from+i, reviewers).Stored(packets.Salt(rand.Text()))
		mills.Put(m)
	}))
	return list
}

// copyAssigned fills a service's database with the cases of fillAssigned by COPY, all as one import: one head is signed for them. The triggers of the
// tables are on.
func copyAssigned(d *fixture, database *postgrestest.Database, cases, reviewers int) {
	d.t.Helper()
	ctx, portions := d.t.Context(), make(chan []copiedCase, 1)
	go func() {
		defer close(portions)
		for from := 0; from < cases && !d.t.Failed(); from += 10_000 {
			portions <- copiedCases(d.t, from, min(10_000, cases-from), reviewers)
		}
	}()
	at, place := terms.InstantOf(noon).String(), int64(0)
	var chain merkle.Chain // of no case
	conn, err := pgx.Connect(ctx, database.DSN(postgrestest.Superuser))
	must(d.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	for portion := range portions {
		rows, texts := make([][]any, len(portion)), make([][]any, len(portion))
		for i := range portion {
			place++
			chain.Add([]byte(at), portion[i].document)
			rows[i], texts[i] = []any{place, portion[i].document, at}, []any{place, portion[i].texts}
		}
		_, err := conn.CopyFrom(ctx, pgx.Identifier{"docket", "trade_appeal_cases"}, []string{"place", "document", "importedat"}, pgx.CopyFromRows(rows))
		if err == nil {
			_, err = conn.CopyFrom(ctx, pgx.Identifier{"docket", "docket_packet_texts"}, []string{"place", "texts"}, pgx.CopyFromRows(texts))
		}
		if err != nil {
			d.t.Error(err) // the other goroutine ends with it
		}
	}
	need(conn.Exec(ctx, "VACUUM ANALYZE"))(d.t)
	err = d.store.writing(ctx, "sign for the packets", func(ctx context.Context, tx engine.Tx) error {
		head, err := newestPacketHead(ctx, tx, d.store.key)
		if err != nil {
			return err
		}
		head.Chains[terms.AppealCases] = chain
		head.Position++
		return addPacketHead(ctx, tx, d.store.key, &head)
	})
	if err != nil || d.t.Failed() {
		d.t.Fatal(err)
	}
}

// serviceOn is a service over an empty database.
func serviceOn(t testing.TB, database *postgrestest.Database) *fixture {
	t.Helper()
	folder := t.TempDir()
	db := need(postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute}))(t)
	return fixtureAt(t, openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon }}))
}

// What the benchmark of a page fills a database with verifies as an import does.
func TestCasesThatAreCopiedIntoPostgreSQLVerify(t *testing.T) {
	t.Parallel()
	database := postgrestest.New(t)
	d := serviceOn(t, database)
	d.take(d.mill.appealPolicy(1))
	copyAssigned(d, database, 100, 7)
	report, err := d.store.Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Fatal(report.Findings, err)
	}
	page, err := d.store.Page(t.Context(), Permissions{ID: "rev-0003", Role: terms.NeutralReviewer}, "", 100)
	if err != nil || len(page.Packets) != 1+100/7 { // the policy, too
		t.Error(len(page.Packets), err)
	}
}

// BenchmarkPageOfPostgres measures a page of a reviewer's queue among 5,000 cases of 50 reviewers, or with DOCKET_LONG=1 among a million of 1,000:
// the processor time of the service, and that of the server's process that answers it.
func BenchmarkPageOfPostgres(b *testing.B) {
	cases, reviewers := sampled(1_000_000, 5000, 5000), sampled(1000, 50, 50)
	server := postgrestest.Start(b, "shared_buffers=512MB", "max_wal_size=8GB", "synchronous_commit=off")
	database := server.New(b)
	d := serviceOn(b, database)
	d.take(d.mill.appealPolicy(1))
	copyAssigned(d, database, cases, reviewers)
	for _, of := range []struct {
		what string
		most int
		next bool // each page goes on from the one before; else it is the first, and its packets were read before
	}{{"packets that nobody asked for yet", 20, true}, {"packets that were given out before", 20, false}, {"packets that nobody asked for yet", 100, true},
		{"packets that were given out before", 100, false}} {
		b.Run(fmt.Sprintf("page of %d of %d, %d reviewers, %s", of.most, cases, reviewers, of.what), func(b *testing.B) {
			turns, cursors := 0, make([]string, reviewers)
			own, theirs := verifytest.ProcessorTime(), server.ProcessorTime(b)
			for b.Loop() {
				which := turns % reviewers
				if !of.next {
					which = turns % 10
				}
				turns++
				rights := Permissions{ID: terms.ID(fmt.Sprintf("rev-%04d", which)), Role: terms.NeutralReviewer}
				page, err := d.store.Page(b.Context(), rights, cursors[which], of.most)
				if cursors[which] = page.Cursor; !page.More || !of.next {
					cursors[which] = ""
				}
				if err != nil || len(page.Packets) == 0 || len(page.Packets) > of.most {
					b.Fatalf("%d packets, %v", len(page.Packets), err)
				}
			}
			b.ReportMetric(float64((verifytest.ProcessorTime()-own).Microseconds())/1000/float64(turns), "cpu-ms/page")
			b.ReportMetric(float64((server.ProcessorTime(b)-theirs).Microseconds())/1000/float64(turns), "server-cpu-ms/page")
		})
	}
}
