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
