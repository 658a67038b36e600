package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
)

// services are so many processes of one service on one database, with the log's key and the checkpoint outside the store in one folder.
func services(t *testing.T, count int) (database *postgrestest.Database, list []*fixture) {
	t.Helper()
	database = postgrestest.New(t)
	folder := t.TempDir()
	for range count {
		db := need(postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute}))(t)
		list = append(list, fixtureAt(t, openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, BusyTimeout: time.Minute,
			AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon }})))
	}
	list[0].register()
	return database, list
}

func TestOfTwoProcessesThatRaceForOneCaseOneIsTaken(t *testing.T) {
	t.Parallel()
	_, list := services(t, 2)
	d := list[0]
	d.take(d.mill.appealPolicy(1))
	for round := range 10 {
		id := terms.ID(fmt.Sprintf("case-%d", round))
		d.take(d.mill.appealCase(passing(string(id), 1)))
		var subs []Submission
		for range list {
			sub := d.judged(id, decision{})
			sub.Token = d.grant(d.reviewer)
			subs = append(subs, sub)
		}
		errs := make([]error, len(list))
		var wait sync.WaitGroup
		for i, one := range list {
			wait.Go(func() { _, errs[i] = one.store.HandIn(context.Background(), subs[i]) })
		}
		wait.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), records.ErrRefused) {
			t.Fatalf("round %d: %v", round, errs)
		}
	}
	for _, one := range list {
		wantSame(t, "records in the log", need(one.store.Head(t.Context()))(t).Size, 10)
	}
}

// Connections end in the middle of what they do, again and again. Each record that is acknowledged is in the log, once, and none is refused for that.
func TestNothingAcknowledgedIsLostWhenConnectionsEnd(t *testing.T) {
	t.Parallel()
	const clients, each = 8, 6
	database, list := services(t, 2)
	d := list[0]
	d.take(d.mill.appealPolicy(1))
	var cases []packets.Packet
	for i := range clients * each {
		cases = append(cases, d.mill.appealCase(passing(fmt.Sprintf("case-%d", i), 1)))
	}
	d.take(cases...)
	subs := make([]Submission, len(cases))
	for i := range cases {
		subs[i] = d.judged(cases[i].Key().ID, decision{})
		subs[i].Token = d.grant(d.reviewer)
	}
	stop := make(chan struct{})
	var killer, wait sync.WaitGroup
	killer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				database.Psql(t, postgrestest.Superuser, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket' AND datname = current_database() AND state <> 'idle' AND random() < 0.3")
			}
		}
	})
	for client := range clients {
		wait.Go(func() {
			for i := client * each; i < (client+1)*each; i++ {
				for tries := 0; ; tries++ { // as a console hands in again what was not answered
					_, err := list[client%2].store.HandIn(context.Background(), subs[i])
					if err == nil {
						break
					}
					if errors.Is(err, records.ErrRefused) || tries == 100 {
						t.Errorf("record %d: %v", i, err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	killer.Wait()
	head := need(d.store.Head(t.Context()))(t)
	wantSame(t, "records in the log", head.Size, clients*each)
	if report, err := d.store.Verify(t.Context(), verify.Options{}); err != nil || len(d.store.Findings()) > 0 {
		t.Errorf("%v, %v, %v", report, d.store.Findings(), err)
	}
}
