package store

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
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
	if _, err := s.conn.Exec(context.Background(), "INSERT INTO plain (document, signature) VALUES ($1, $2)", sub.Record.Document(), sub.Signature); err != nil {
		b.Fatal(err)
	}
	s.taken += time.Since(begin)
	s.count++
}

// BenchmarkHandInToPostgres measures records that are handed in to services on one PostgreSQL, whose commits are on the disk: "of-single" is how
// many of them are taken in the time of one insertion of the same bytes by one client, turn by turn.
func BenchmarkHandInToPostgres(b *testing.B) {
	server := postgrestest.Start(b, "fsync=on", "synchronous_commit=on", "shared_buffers=256MB")
	for _, of := range []struct{ clients, services int }{{1, 1}, {64, 1}, {64, 4}} {
		b.Run(fmt.Sprintf("clients=%d/services=%d", of.clients, of.services), func(b *testing.B) {
			benchmarkHandIn(b, server.New(b), of.clients, of.services)
		})
	}
}

func benchmarkHandIn(b *testing.B, database *postgrestest.Database, clients, services int) {
	folder := b.TempDir()
	var list []*fixture
	for range services {
		db, err := postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute})
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, fixtureAt(b, openWith(b, Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true,
			AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon }})))
	}
	d := list[0]
	d.take(d.mill.appealPolicy(1))
	d.register()
	conn, err := pgx.Connect(b.Context(), database.DSN(postgrestest.Superuser))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(b.Context(), "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document bytea, signature bytea)"); err != nil {
		b.Fatal(err)
	}
	plain := single{conn: conn}
	var whole time.Duration
	count := 0
	for b.Loop() {
		var subs []Submission
		for _, packet := range moreCases(d, count) {
			sub := d.judged(packet.Key().ID, decision{outcome: terms.UpholdDecision})
			sub.Token = d.grant(d.reviewer)
			subs = append(subs, sub)
		}
		count += len(subs)
		for part := range subs[:len(subs)/4] {
			plain.insert(b, &subs[part])
		}
		var next atomic.Int64
		var wait sync.WaitGroup
		begin := time.Now()
		for client := range clients {
			s := list[client%services].store
			wait.Go(func() {
				for {
					i := int(next.Add(1)) - 1
					if i >= len(subs) {
						return
					}
					if _, err := s.HandIn(context.Background(), subs[i]); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wait.Wait()
		whole += time.Since(begin)
	}
	records, inserts := float64(count)/whole.Seconds(), float64(plain.count)/plain.taken.Seconds()
	b.ReportMetric(records, "records/s")
	b.ReportMetric(inserts, "single-inserts/s")
	b.ReportMetric(records/inserts, "of-single")
}

// assignedCases is a service on a server of its own with so many cases of 3 KB of so many reviewers in turn.
func assignedCases(t testing.TB, cases, reviewers int) (d *fixture, server *postgrestest.Server) {
	t.Helper()
	server = postgrestest.Start(t, "shared_buffers=512MB", "max_wal_size=8GB", "synchronous_commit=off")
	database, folder := server.New(t), t.TempDir()
	db, err := postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	d = fixtureAt(t, openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon }}))
	d.take(d.mill.appealPolicy(1))
	fillAssigned(d, cases, reviewers)
	return d, server
}

// BenchmarkPageOfPostgres measures a page of a reviewer's queue among 5,000 cases of 50 reviewers, or with DOCKET_LONG=1 among a million of 1,000:
// the processor time of the service, and that of the server's process that answers it.
func BenchmarkPageOfPostgres(b *testing.B) {
	cases, reviewers := sampled(1_000_000, 5000, 5000), sampled(1000, 50, 50)
	d, server := assignedCases(b, cases, reviewers)
	for _, of := range []struct {
		what string
		most int
		next bool // each page goes on from the one before; else it is the first, and its packets were read before
	}{{"packets that nobody asked for yet", 20, true}, {"packets that were given out before", 20, false}, {"packets that nobody asked for yet", 64, true}} {
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
