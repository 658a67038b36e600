package storelog_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/storelog"
	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

// receiptTable is written out: the test is somebody who gets at the file with another program.
const receiptTable = "docket_overlap_receipts"

func open(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// filled is a closed store with five receipts.
func filled(t *testing.T) store.Options {
	t.Helper()
	folder := t.TempDir()
	o := store.Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors")}
	s := open(t, o)
	request, refusal := overlap.ReadRequest(fmt.Appendf(nil, `{"tokens":[{"blinded_tag":"%064d","tag_namespace":"exact_capability_tag",
		"token_version":1,"expires_at":"2027-01-01T00:00:00Z"}]}`, 1))
	if refusal != nil {
		t.Fatal(refusal)
	}
	for i := range 5 {
		_, entry := overlap.Check(request, overlap.Call{ReceiptID: domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
			At: domain.InstantOf(time.Date(2026, 6, 1, 0, 0, i, 0, time.UTC))})
		if _, err := s.AppendReceipt(t.Context(), entry); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return o
}

// tamper runs statements with the table's triggers away, and puts them back.
func tamper(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", receiptTable)
	if err != nil {
		t.Fatal(err)
	}
	var drop, restore []string
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		drop, restore = append(drop, "DROP TRIGGER "+name), append(restore, text)
	}
	if err := rows.Close(); err != nil || len(drop) == 0 {
		t.Fatal("no triggers", err)
	}
	for _, statement := range slices.Concat(drop, statements, restore) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasDoneToTheReceiptsOfAStoreIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		want       []audit.Kind
	}{
		"nothing was done": {nil, nil},
		"one was edited": {[]string{"UPDATE " + receiptTable + " SET document = replace(document, '2026', '2025') WHERE sequence = 2"},
			[]audit.Kind{audit.ReceiptUnlinked, audit.ReceiptUnsigned}},
		"one in the middle was deleted": {[]string{"DELETE FROM " + receiptTable + " WHERE sequence = 2"},
			[]audit.Kind{audit.ReceiptMissing, audit.ReceiptUnlinked}},
		"the last was deleted": {[]string{"DELETE FROM " + receiptTable + " WHERE sequence = 4"}, []audit.Kind{audit.ReceiptsShorter}},
		"all were deleted":     {[]string{"DELETE FROM " + receiptTable}, []audit.Kind{audit.ReceiptsShorter}},
	} {
		t.Run(name, func(t *testing.T) {
			o := filled(t)
			tamper(t, o.Path, c.statements...)
			o.ReadOnly = true
			var report audit.Report
			if _, err := audit.CheckReceipts(t.Context(), storelog.Receipts{Store: open(t, o)}, &report, audit.Options{}); err != nil {
				t.Fatal(err)
			}
			var kinds []audit.Kind
			for _, finding := range report.Findings {
				if finding.Sequence >= 0 && !strings.HasPrefix(finding.String(), fmt.Sprintf("receipt %d (", finding.Sequence)) {
					t.Errorf("%s does not name the receipt", finding)
				}
				kinds = append(kinds, finding.Kind)
			}
			slices.Sort(kinds)
			if kinds = slices.Compact(kinds); !slices.Equal(kinds, c.want) {
				t.Errorf("found %v, want %v", kinds, c.want)
			}
		})
	}
}
