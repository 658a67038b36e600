package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/verify"
)

// errFound stands for findings, which are no error of their own.
var errFound = errors.New("there are findings")

// readings are what an open store can be asked, each with an answer that can be compared.
var readings = map[string]func(context.Context, *Store, []records.RecordID) (any, error){
	"Head":       func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Head(ctx) },
	"Checkpoint": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Checkpoint(ctx) },
	"Consistency": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Consistency(ctx, 2, 4)
	},
	"Inclusion": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		return s.Inclusion(ctx, ids[1])
	},
	"Records":    func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Records(ctx, 0, 10) },
	"RecordPage": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.RecordPage(ctx, 3, 2) },
	"Record":     func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) { return s.Record(ctx, ids[2]) },
	"Signature": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		return s.signature(ctx, ids[2])
	},
	"PacketSalt": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		return s.PacketSalt(ctx, ids[2])
	},
	"Note":        func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) { return s.note(ctx, ids[2]) },
	"Signers":     func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.signers(ctx) },
	"Meta":        func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Meta(ctx) },
	"Verifier":    func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Verifier(ctx) },
	"Service":     func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Service(ctx) },
	"HandInTally": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.HandInTally(ctx) },
	"NotHandedIn": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.NotHandedIn(ctx, -1, 10)
	},
	"Find": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.Find(ctx, "case-1") },
	"CaseFile": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		file, err := s.CaseFile(ctx, terms.AppealCases, "case-1", 0, terms.InstantOf(noon), reviewerID)
		return fmt.Sprintf("%s %v %v %v %v %v %v", file.View.Document(), file.Revisions, file.Records, file.Elsewhere, file.InForce, file.Skipped, file.Related), err
	},
	"QueueTop": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.QueueTop(ctx, terms.Appeals, terms.InstantOf(noon), reviewerID, 5)
	},
	"QueueRows": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.QueueRows(ctx, terms.Appeals, []terms.ID{"case-1", "case-4"}, terms.InstantOf(noon), reviewerID)
	},
	"WeeklyCounts": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.WeeklyCounts(ctx, terms.Appeals, terms.InstantOf(noon))
	},
	"Entries": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		all := ""
		err := s.Entries(ctx, 0, func(e verify.Entry) error {
			all += fmt.Sprintf("%+v\n", e)
			return nil
		})
		return all, err
	},
	"Verify": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		report, err := s.Verify(ctx, verify.Options{})
		if err == nil && !report.OK() {
			err = errFound
		}
		return report.Root, err
	},
	"VerifyStorage": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		report, err := s.Verify(ctx, verify.Options{Depth: verify.Storage})
		return report.OK(), err
	},
	"VerifyHead": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		report, err := s.Verify(ctx, verify.Options{Depth: verify.HeadOnly})
		return report.OK(), err
	},
	"RevisionState": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.RevisionState(ctx, terms.Appeals, packets.Key{ID: "case-1", Number: 1})
	},
	"Queue": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		_, mark, err := s.Queue(ctx, terms.Appeals, terms.InstantOf(noon), reviewerID, func(_, _ int64) {})
		return mark, err
	},
	"PublishedCheckpoint": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.PublishedCheckpoint(ctx)
	},
	"Tile": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Tile(ctx, tlog.Tile{H: 8, W: 2})
	},
	"TileEntries": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.TileEntries(ctx, tlog.Tile{H: 8, L: -1, W: 2})
	},
	"Page": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		page, err := s.Page(ctx, Permissions{ID: reviewerID, Role: terms.NeutralReviewer}, "", 10)
		return len(page.Packets), err
	},
	"StatsPage": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		page, err := s.StatsPage(ctx, stats.Period{}, "", 10)
		return len(page), err
	},
	"KeysOf": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.KeysOf(ctx, reviewerID)
	},
	"KnownOfService": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.KnownOfService(ctx) },
	"LogStatements":  func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) { return s.LogStatements(ctx) },
	"Export": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		v, err := s.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		entries := 0
		err = errors.Join(v.Entries(ctx, 0, func(verify.Entry) error { entries++; return nil }), v.Rejections(ctx, func(verify.Rejection) error { return nil }),
			v.Cosignatures(ctx, func(verify.Cosigned) error { return nil }))
		return entries, err
	},
	"VerifyRecord": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		found, err := s.VerifyRecords(ctx, 2, 3)
		if err == nil && len(found) > 0 {
			err = errFound
		}
		return nil, err
	},
}

// Somebody drops a table of a store that is open. Each reading then has the answer that it had, or an error: what is missing
// is not taken for nothing.
func TestATableThatIsGoneIsAnErrorAndNeverAnotherAnswer(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	var ids []records.RecordID
	for _, entry := range wholeLog(t, d.store) {
		ids = append(ids, entry.Receipt.RecordID)
	}
	d.close()
	folder := filepath.Dir(filepath.Dir(o.Path))
	failed, answers := map[string]int{}, map[string]string{}
	o.ReadOnly = true
	whole := openWith(t, o)
	for name, read := range readings {
		answer, err := read(t.Context(), whole, ids)
		answers[name] = fmt.Sprintf("%+v %v", answer, err)
	}
	must(t, whole.Close())
	for _, table := range schemaObjects() {
		if table.Kind != "table" {
			continue
		}
		copied := filepath.Join(t.TempDir(), "copy")
		must(t, os.CopyFS(copied, os.DirFS(folder)))
		o.Path, o.AnchorFolder = filepath.Join(copied, "store", "docket.db"), filepath.Join(copied, "state", "anchors")
		s := openWith(t, o)
		dropTable(t, o.Path, table.Name)
		for name, read := range readings {
			answer, err := read(t.Context(), s, ids)
			if got := fmt.Sprintf("%+v %v", answer, err); got != answers[name] && err == nil {
				t.Errorf("without %s %s answers\n%s\nand with it\n%s", table.Name, name, got, answers[name])
			} else if err != nil {
				failed[name]++
			}
		}
	}
	for name := range readings {
		if failed[name] == 0 {
			t.Errorf("%s needs no table", name)
		}
	}
}

func dropTable(t *testing.T, path, table string) {
	t.Helper()
	db := need(sql.Open("sqlite", "file:"+path))(t)
	defer db.Close()
	if _, err := db.Exec("PRAGMA foreign_keys = 0; DROP TABLE " + table); err != nil {
		t.Fatal(table, err)
	}
}
