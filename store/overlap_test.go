package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/overlap"
)

// overlapTag stands in every request of these tests.
const overlapTag = "cafe5eedcafe5eedcafe5eedcafe5eedcafe5eedcafe5eedcafe5eedcafe5eed"

// overlapEntry is what a request to the route leaves.
func overlapEntry(t testing.TB, action overlap.Action) overlap.Entry {
	t.Helper()
	request, refusal := overlap.ReadRequest(fmt.Appendf(nil, `{"tokens":[{"blinded_tag":"%s","tag_namespace":"exact_constraint_tag",
		"token_version":31337,"expires_at":"2031-03-07T11:13:17.192329Z"}]}`, overlapTag))
	if refusal != nil {
		t.Fatal(refusal)
	}
	_, entry := overlap.Respond(action, request, overlap.Call{ReceiptID: newRecordID(noon), At: domain.InstantOf(noon)})
	return entry
}

// overlapStore is a store with receipts and an anchor folder.
func overlapStore(t testing.TB, receipts int) (*Store, Options) {
	t.Helper()
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "anchors")}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i := range receipts {
		if _, err := s.AppendReceipt(t.Context(), overlapEntry(t, overlap.Actions.All()[i%3])); err != nil {
			t.Fatal(err)
		}
	}
	return s, o
}

func storedReceipts(t testing.TB, s *Store) (list []StoredReceipt) {
	t.Helper()
	err := s.Receipts(t.Context(), func(r StoredReceipt) error { list = append(list, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// tamper changes the receipts with the triggers away, and puts the triggers back: the schema tells nothing.
func tamper(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	var triggers []object
	for _, o := range guards(overlapTable, overlapReceipts.refuses...) {
		triggers = append(triggers, o)
		statements = append([]string{"DROP TRIGGER " + o.name}, statements...)
	}
	for _, o := range triggers {
		statements = append(statements, o.sql)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReceiptsFormAChainThatIsReadAgain(t *testing.T) {
	s, o := overlapStore(t, 2*receiptsAtOnce+3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openWith(t, o)
	meta, err := s.Meta(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	head := overlap.Beginning(meta.Origin)
	list := storedReceipts(t, s)
	for _, stored := range list {
		receipt, err := overlap.ReadReceipt(stored.Document)
		if err != nil || !receipt.Follows(head) || receipt.Sequence != stored.Sequence {
			t.Fatalf("receipt %d: %v", stored.Sequence, err)
		}
		head = receipt.Head()
		if signed, err := s.key.forReceipts().open(stored.Head); err != nil || signed.size != head.Size || signed.root != toTree(head.Hash) {
			t.Fatalf("the head of receipt %d: %v", stored.Sequence, err)
		}
	}
	chain, err := s.ReceiptChain(t.Context())
	if err != nil || len(list) != 2*receiptsAtOnce+3 || string(chain.Kept) != string(list[len(list)-1].Head) || chain.KeptFault != nil {
		t.Errorf("%d receipts, %v", len(list), err)
	}
	if proof, err := s.Head(t.Context()); err != nil || proof.Size != 0 {
		t.Errorf("receipts are in the log of enforcement records: %+v, %v", proof, err)
	}
}

func TestReadingReceiptsStopsWithTheCallersError(t *testing.T) {
	s, _ := overlapStore(t, 3)
	stop, read := errors.New("stop"), 0
	err := s.Receipts(t.Context(), func(StoredReceipt) error { read++; return stop })
	if err != stop || read != 1 {
		t.Errorf("%d read, %v", read, err)
	}
}

func TestReceiptsAreAppendOnly(t *testing.T) {
	s, o := overlapStore(t, 2)
	d := &desk{t: t, store: s}
	before := fmt.Sprint(storedReceipts(t, s))
	columns := []string{"sequence", "document", "head"}
	plain, err := sql.Open("sqlite", "file:"+o.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for _, statement := range append(attacks(overlapTable, columns), "DROP TABLE "+overlapTable, "DROP TRIGGER "+overlapTable+"_no_delete") {
		d.mustRefuse(s.write, statement)
		d.mustRefuse(s.read, statement)
		if !strings.HasPrefix(statement, "DROP") {
			d.mustRefuse(plain, statement)
		}
	}
	if after := fmt.Sprint(storedReceipts(t, s)); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestARowThatIsNotTheNextReceiptIsNotTaken(t *testing.T) {
	s, _ := overlapStore(t, 2)
	d := &desk{t: t, store: s}
	list := storedReceipts(t, s)
	other := strings.Replace(string(list[1].Document), `"sequence":1`, `"sequence":2`, 1)
	for _, values := range []string{
		"7, '" + strings.Replace(other, `"sequence":2`, `"sequence":7`, 1) + "', 'head'", // not the next
		"2, '" + other + "', 'head'",                    // an id that is there
		"2, 'not JSON', 'head'",                         // no document
		"2, '{}', 'head'",                               // no members
		"2, '" + string(list[1].Document) + "', 'head'", // another sequence than its own
		"NULL, '" + other + "', 'head'",
	} {
		d.mustRefuse(s.write, "INSERT INTO main."+overlapTable+" (sequence, document, head) VALUES ("+values+")")
	}
	d.mustRefuse(s.write, "INSERT INTO main."+overlapTable+" (sequence, document, head, receipt_id) VALUES (2, '{}', 'h', 'i')")
}

func TestABrokenChainTakesNoReceipt(t *testing.T) {
	edit := "UPDATE " + overlapTable + " SET document = replace(document, '2026', '2025') WHERE sequence = "
	for name, statements := range map[string][]string{
		"the last is edited":            {edit + "2"},
		"the last is gone":              {"DELETE FROM " + overlapTable + " WHERE sequence = 2"},
		"all are gone":                  {"DELETE FROM " + overlapTable},
		"the last is no receipt":        {"UPDATE " + overlapTable + " SET document = json_set(document, '$.raw_tag', 'x') WHERE sequence = 2"},
		"the last has another's head":   {"UPDATE " + overlapTable + " SET head = (SELECT head FROM " + overlapTable + " WHERE sequence = 0) WHERE sequence = 2"},
		"the last has no signed head":   {"UPDATE " + overlapTable + " SET head = 'head' WHERE sequence = 2"},
		"the newest two changed places": {"UPDATE " + overlapTable + " SET head = 'x' WHERE sequence = 2", edit + "1"},
	} {
		t.Run(name, func(t *testing.T) {
			s, o := overlapStore(t, 3)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			tamper(t, o.Path, statements...)
			s = openWith(t, o)
			if len(s.Findings()) > 0 {
				t.Fatal(s.Findings())
			}
			before := len(storedReceipts(t, s))
			if _, err := s.AppendReceipt(t.Context(), overlapEntry(t, overlap.CheckOverlap)); !errors.Is(err, ErrReceipts) {
				t.Error(err)
			}
			if after := len(storedReceipts(t, s)); after != before {
				t.Errorf("%d receipts, %d before", after, before)
			}
		})
	}
}

func TestAnOlderFileTakesNoReceiptWhereTheNewerHeadIsKept(t *testing.T) {
	s, o := overlapStore(t, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	older, err := os.ReadFile(o.Path)
	if err != nil {
		t.Fatal(err)
	}
	s = openWith(t, o)
	if _, err := s.AppendReceipt(t.Context(), overlapEntry(t, overlap.DeleteTokens)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Path, older, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openWith(t, o)
	if _, err := s.AppendReceipt(t.Context(), overlapEntry(t, overlap.CheckOverlap)); !errors.Is(err, ErrReceipts) {
		t.Error(err)
	}
	o.AnchorFolder = ""
	elsewhere := openWith(t, o) // what no machine has seen cannot be missed
	if _, err := elsewhere.AppendReceipt(t.Context(), overlapEntry(t, overlap.CheckOverlap)); err != nil {
		t.Error(err)
	}
}

func TestWhatIsReadOnlyAndWhatWasNeverReadLeaveNoReceipt(t *testing.T) {
	s, o := overlapStore(t, 1)
	if _, err := s.AppendReceipt(t.Context(), overlap.Entry{}); err == nil {
		t.Error("the zero entry leaves a receipt")
	}
	entry := overlapEntry(t, overlap.CheckOverlap)
	if _, err := s.AppendReceipt(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AppendReceipt(t.Context(), entry); err == nil {
		t.Error("one id has two receipts")
	}
	o.ReadOnly = true
	if _, err := openWith(t, o).AppendReceipt(t.Context(), overlapEntry(t, overlap.CheckOverlap)); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if list := storedReceipts(t, s); len(list) != 2 {
		t.Errorf("%d receipts", len(list))
	}
}

func TestTwoOpenStoresWriteOneChain(t *testing.T) {
	s, o := overlapStore(t, 1)
	other := openWith(t, o)
	const each = 10
	failed := make(chan error, 2)
	for _, store := range []*Store{s, other} {
		go func() {
			var err error
			for range each {
				_, e := store.AppendReceipt(context.Background(), overlapEntry(t, overlap.CheckOverlap))
				err = errors.Join(err, e)
			}
			failed <- err
		}()
	}
	if err := errors.Join(<-failed, <-failed); err != nil {
		t.Fatal(err)
	}
	list := storedReceipts(t, s)
	for i, stored := range list {
		if stored.Sequence != int64(i) {
			t.Fatalf("receipt %d stands at %d", stored.Sequence, i)
		}
	}
	if len(list) != 1+2*each {
		t.Errorf("%d receipts", len(list))
	}
}

// overlapTraces are what would tell of the token that stands in the requests of these tests.
var overlapTraces = []string{overlapTag, overlapTag[:16], "exact_constraint_tag", "31337", "2031-03-07", "192329", `"tokens"`}

func holdsNoTrace(t testing.TB, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range overlapTraces {
		if strings.Contains(string(text), trace) {
			t.Errorf("%s holds %s", path, trace)
		}
	}
}

func TestADeletedTokenLeavesNothingButItsReceipt(t *testing.T) {
	s, o := overlapStore(t, 3) // a check, a refresh, a deletion
	if list := storedReceipts(t, s); len(list) != 3 {
		t.Fatalf("%d receipts", len(list))
	}
	holdsNoTrace(t, o.Path+"-wal") // which holds all that was written; nobody locks it
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	searched := 0
	for _, folder := range []string{filepath.Dir(o.Path), o.AnchorFolder} {
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				searched++
				holdsNoTrace(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if searched != 4 { // the store, its key file and two anchors
		t.Errorf("%d files were searched", searched)
	}
}
