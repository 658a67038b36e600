package verify_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// recordsVariable says how many records the large tests and the benchmarks make.
const recordsVariable = "DOCKET_BENCH_RECORDS"

// keptVariable names a file in which a stock is kept from one run to the next: making a million records takes minutes.
// It has to be of as many records as the run asks for.
const keptVariable = "DOCKET_BENCH_STORE"

// recordsOr is what the variable says, or the usual number.
func recordsOr(usual int) int {
	count, err := strconv.Atoi(os.Getenv(recordsVariable))
	if err != nil || count < 1 {
		return usual
	}
	return min(count, 1_000_000)
}

// stock makes a store of many records and returns its path. The records are real, and so are their signatures and the
// tree; only they are put into the file without waiting for the disk and past the program.
func stock(t testing.TB, count int) string {
	t.Helper()
	path := os.Getenv(keptVariable)
	if _, err := os.Stat(path); path != "" && err == nil {
		return path
	}
	if path == "" {
		path = filepath.Join(t.TempDir(), "docket.db")
	}
	began := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	made := need(store.Open(t.Context(), store.Options{Path: path, Now: func() time.Time { return began }}))(t)
	l := verifytest.CrowdOf(t, need(made.Head(t.Context()))(t).Origin, count)
	private := need(os.ReadFile(made.KeyFile()))(t)
	must(t, made.Close())
	signer := need(note.NewSigner(strings.TrimSpace(string(private))))(t)
	db := need(sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(wal)&_txlock=immediate"))(t)
	tx := need(db.Begin())(t)
	insert := func(table, columns string, values ...any) {
		need(tx.Exec("INSERT INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...))(t)
	}
	first := l.Record(0).Members()
	key := verifytest.Key(verifytest.Assigned).PublicKey()
	insert("docket_signers", "position, reviewerId, fingerprint, publicKey, since", 0, string(first.Reviewer.ID),
		first.Reviewer.KeyFingerprint, signed.AuthorizedKey(key), first.RecordedAt.String())
	logged := int64(0)
	must(t, l.Entries(t.Context(), 0, func(e verify.Entry) error {
		n, leaf, size, subject, number := e.Sequence, verify.LeafOf(&e), e.Sequence+1, records.PacketSubject(e.Key), int64(-1)
		if e.Kind == records.RecordEntry {
			_, rest, _ := strings.Cut(string(e.Document), `"recordId":"`)
			subject, number = rest[:36], logged
			logged++
		}
		insert("docket_log", "position, kind, tableName, subject, number, at, leafHash, body, signature",
			n, e.Kind.String(), e.Table.String(), subject, number, e.At, leaf[:], "", string(e.Signature))
		for position := tlog.StoredHashIndex(0, n); position < tlog.StoredHashCount(size); position++ {
			hash := need(l.ReadHashes([]int64{position}))(t)[0]
			insert("docket_log_hashes", "position, hash", position, hash[:])
		}
		if e.Kind == records.PacketEntry {
			insert(e.Table.String(), "position, document", n, string(e.Document))
			return nil
		}
		insert(e.Table.String(), "sequence, document", n, string(e.Document))
		insert("docket_texts", "owner, member, salt, text", n, "packetDigest", string(e.PacketSalt), "")
		checkpoint := []byte("not signed") // a check to the depth of records reads the last one only
		if size == int64(len(l.List)) {
			root := l.Root()
			text := log.Checkpoint{Origin: l.Says.Origin, Size: uint64(size), Hash: root[:]}.Marshal()
			checkpoint = need(note.Sign(&note.Note{Text: string(text)}, signer))(t)
		}
		insert("docket_checkpoints", "size, note", size, string(checkpoint))
		return nil
	}))
	must(t, errors.Join(tx.Commit(), db.Close()))
	return path
}

// mostGrowth is how many bytes of live memory a check may take more at its end than at its beginning, for any number of
// records: the batches under way and the hashes of the latest leaves. growthEach is what each record may add.
const (
	mostGrowth = 12 << 20
	growthEach = 192
)

func TestCheckingAStoreTakesFewBytesARecord(t *testing.T) {
	records := recordsOr(2_000)
	log := need(openStock(t, stock(t, records)).Snapshot(t.Context()))(t)
	var first, most, next int64
	need(verify.Check(context.Background(), log, verify.Options{Progress: func(done, total int64) {
		if done < next {
			return
		}
		next += max(1, total/10)
		if first == 0 {
			first = verify.LiveHeap()
		}
		most = max(most, verify.LiveHeap())
	}}))(t)
	t.Logf("%d bytes at the beginning, at most %d over %d records", first, most, records)
	if most-first > mostGrowth+growthEach*int64(records) {
		t.Errorf("%d bytes more than at the beginning", most-first)
	}
}
