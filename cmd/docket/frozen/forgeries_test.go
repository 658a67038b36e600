package frozen_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	_ "modernc.org/sqlite" // for raw SQL on the store's file

	"docket/domain/terms"
)

// The tables of records.
const (
	frozenAppeals    = "trade_challenge_appeal_enforcement_records"
	frozenAmendments = "trade_agreement_amendment_enforcement_records"
)

// frozenNamespace is that of the signatures of records.
const frozenNamespace = "docket-enforcement-record"

// A frozenForgery changes the file of the store, or what lies beside it.
type frozenForgery struct {
	name string
	do   func(*frozenForger)
}

// A frozenBundleForgery changes files of the bundle.
type frozenBundleForgery struct {
	name string
	do   func(*frozenWorld)
	args func(*frozenWorld) []string // further arguments of verify, if there are any
}

// A frozenForger has the store's file open with no trigger to stop it.
type frozenForger struct {
	*frozenWorld
	db *sql.DB
}

// frozenMiddle is a record past the first 128, over which a range of the verifier goes.
const frozenMiddle = 140

// checkpointSize is the size in a checkpoint.
var checkpointSize = regexp.MustCompile(`\n\d+\n`)

// frozenLast is the last record.
const frozenLast = frozenDecisions - 1

// at is the position of a record in the log in SQL, by its number among the records.
func at(number int64) string {
	return fmt.Sprintf("(SELECT position FROM numbered WHERE number = %d)", number)
}

// frozenUnjudged alters packets that no record is on.
const frozenUnjudged = "UPDATE trade_appeal_cases SET document = replace(document, '\"filedAt\":\"2026-02', '\"filedAt\":\"2026-01')" +
	" WHERE caseId NOT IN (SELECT caseId FROM " + frozenAppeals + ") AND rowid % 10 = 0"

// ran is a forgery by statements alone.
func ran(statements ...string) func(*frozenForger) {
	return func(f *frozenForger) {
		for _, statement := range statements {
			f.exec(statement)
		}
	}
}

// resigned has the last record name other members, signed by its own reviewer, with the tree made to fit.
func resigned(members map[string]any) func(*frozenForger) {
	return func(f *frozenForger) {
		f.resigned(frozenLast, members)
		f.rebuild()
	}
}

// later is a forgery by a statement that is run when the triggers are back.
func later(statement string) func(*frozenForger) {
	return func(f *frozenForger) { f.exec("INSERT INTO later VALUES (?)", statement) }
}

var frozenForgeries = []frozenForgery{
	{"nothing", func(*frozenForger) {}},
	{"altered record", func(f *frozenForger) { f.setDocument(frozenMiddle, f.edited(frozenMiddle)) }},
	{"altered record, tree rebuilt", func(f *frozenForger) {
		f.setDocument(frozenMiddle, f.edited(frozenMiddle))
		f.rebuild()
	}},
	{"altered last record, tree rebuilt", func(f *frozenForger) {
		f.setDocument(frozenLast, f.edited(frozenLast))
		f.rebuild()
	}},
	{"unreadable record", func(f *frozenForger) {
		f.setDocument(1, strings.Replace(f.document(1), `"gate":"`, `"gate":"x`, 1))
	}},
	{"first record altered", func(f *frozenForger) { f.setDocument(0, f.edited(0)) }},
	{"flipped signature", func(f *frozenForger) { f.flipSignature(frozenMiddle) }},
	{"swapped signatures", ran("UPDATE docket_log SET signature = (SELECT signature FROM docket_log WHERE position = " + at(3) + ") WHERE position = " + at(130))},
	{"signature gone", ran("UPDATE docket_log SET signature = '' WHERE position = " + at(133))},
	{"signed by an unknown key", func(f *frozenForger) { f.setSignature(131, f.sign(f.forgedKey(), f.document(131))) }},
	{"signed by another reviewer", func(f *frozenForger) {
		for i := range frozenReviewers {
			f.setSignature(int64(132+i), f.sign(f.reviewerKey(i), f.document(int64(132+i))))
		}
	}},
	{"signed by a key listed as the reviewer's", func(f *frozenForger) {
		key := f.forgedKey()
		f.setSignature(frozenLast, f.sign(key, f.document(frozenLast)))
		public := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
		f.exec("INSERT INTO docket_signers (reviewerId, fingerprint, publicKey, since) VALUES (?, ?, ?, '2026-01-01T00:00:00Z')",
			f.member(frozenLast, "reviewer.id"), ssh.FingerprintSHA256(key.PublicKey()), public)
	}},
	{"listed key altered", ran("UPDATE docket_signers SET publicKey = replace(publicKey, 'A', 'B')")},
	{"conclusion that does not follow, signed and rebuilt", resigned(map[string]any{"computedBlockers": []string{"notice_missing"}, "gate": "blocked"})},
	{"supersedes nothing, signed and rebuilt", func(f *frozenForger) {
		f.resigned(f.superseding(), map[string]any{"supersedes": nil})
		f.rebuild()
	}},
	{"supersedes an unknown record, signed and rebuilt", resigned(map[string]any{"supersedes": "019ecb6a-4e00-7abc-8def-0123456789ab"})},
	{"times backwards, signed and rebuilt", resigned(map[string]any{"openedAt": "2027-01-01T00:00:00Z"})},
	{"altered packet", ran("UPDATE trade_appeal_cases SET document = replace(document, '\"state\":\"delivered\"', '\"state\":\"pending\"')" +
		" WHERE caseId IN (SELECT caseId FROM " + frozenAppeals + ")")},
	{"altered packet that nobody judged", ran(frozenUnjudged)},
	{"packet gone", ran("DELETE FROM trade_appeal_cases WHERE caseId = (SELECT caseId FROM " + frozenAppeals + " ORDER BY sequence DESC LIMIT 1)")},
	{"policy gone", ran("DELETE FROM trade_appeal_policies WHERE policyVersion = 4")},
	{"left-out row", func(f *frozenForger) {
		f.exec("DELETE FROM " + f.table(frozenMiddle) + " WHERE sequence = " + at(frozenMiddle))
	}},
	{"left-out row of the log", ran("DELETE FROM docket_log WHERE position = " + at(frozenMiddle))},
	{"reordered records", func(f *frozenForger) { f.swapNeighbours() }},
	{"reordered records, tree rebuilt", func(f *frozenForger) {
		f.swapNeighbours()
		f.rebuild()
	}},
	{"shorter than the anchor", func(f *frozenForger) { f.cutTail(frozenLast) }},
	{"shorter than the anchor, tree rebuilt", func(f *frozenForger) {
		f.cutTail(120)
		f.rebuild()
	}},
	{"anchor gone", func(f *frozenForger) { f.must(os.RemoveAll(f.at("state/docket/anchors"))) }},
	{"anchor altered", func(f *frozenForger) {
		f.editAnchor(func(text string) string {
			size := f.number("SELECT max(size) FROM docket_checkpoints")
			return strings.Replace(text, fmt.Sprintf("\n%d\n", size), fmt.Sprintf("\n%d\n", size+1), 1)
		})
	}},
	{"anchor of another log", func(f *frozenForger) {
		f.editAnchor(func(string) string {
			return f.checkpoint("docket/ffffffffffffffffffffffffffffffff", f.number("SELECT max(size) FROM docket_checkpoints"), tlog.Hash{1})
		})
	}},
	{"another head", func(f *frozenForger) {
		size := f.number("SELECT max(size) FROM docket_checkpoints")
		f.exec("UPDATE docket_checkpoints SET note = ? WHERE size = ?", f.checkpoint(f.text("SELECT value FROM docket_meta WHERE name = 'origin'"), size, tlog.Hash{1}), size)
	}},
	{"older checkpoint gone", ran("DELETE FROM docket_checkpoints WHERE size = " + at(150))},
	{"older checkpoint in another's place", ran("UPDATE docket_checkpoints SET note = (SELECT note FROM docket_checkpoints WHERE size = " + at(149) + ") WHERE size = " + at(150))},
	{"hash of the tree altered", func(f *frozenForger) {
		f.exec("UPDATE docket_log_hashes SET hash = zeroblob(32) WHERE position = ?", tlog.StoredHashIndex(0, f.position(frozenMiddle)))
	}},
	{"inner hash of the tree altered", ran("UPDATE docket_log_hashes SET hash = zeroblob(32) WHERE position = 2")},
	{"key of the log altered", func(f *frozenForger) {
		_, public := f.serviceKey("another", f.text("SELECT value FROM docket_meta WHERE name = 'origin'"))
		f.exec("UPDATE docket_meta SET value = ? WHERE name = 'verifierKey'", public)
	}},
	{"key file gone", func(f *frozenForger) {
		for _, key := range f.glob("docket-*.key") {
			f.must(os.Remove(key))
		}
	}},
	{"record filed under another id", ran("UPDATE docket_log SET subject = 'x' WHERE position = " + at(frozenMiddle))},
	{"orphan in the other table", ran("INSERT INTO " + frozenAmendments + " (sequence, document) SELECT sequence, json_set(document, '$.amendmentId', 'a', '$.amendmentRevision', 1) FROM " +
		frozenAppeals + " WHERE sequence = (SELECT max(sequence) FROM " + frozenAppeals + ")")},
	{"orphan past the end", func(f *frozenForger) {
		f.exec("INSERT INTO " + f.table(frozenLast) + " (sequence, document) SELECT sequence + 1, replace(document, '\"recordId\":\"', '\"recordId\":\"0') FROM " +
			f.table(frozenLast) + " WHERE sequence = " + at(frozenLast))
	}},
	{"private note altered", ran("UPDATE docket_texts SET text = 'x' WHERE member = 'note' AND owner = (SELECT max(owner) FROM docket_texts WHERE member = 'note')")},
	{"private note gone", ran("DELETE FROM docket_texts WHERE member = 'note' AND owner = (SELECT max(owner) FROM docket_texts WHERE member = 'note')")},
	{"statement altered", ran("UPDATE docket_texts SET text = 'x' WHERE member = 'statement' AND owner = (SELECT max(owner) FROM docket_texts WHERE member = 'statement')")},
	{"statement gone", ran("DELETE FROM docket_texts WHERE member = 'statement' AND owner = (SELECT max(owner) FROM docket_texts WHERE member = 'statement')")},
	{"salt altered", ran("UPDATE docket_texts SET salt = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' WHERE member = 'packetDigest' AND owner = " + at(frozenMiddle))},
	{"rejection", func(f *frozenForger) { f.reject(frozenLast, "", nil) }},
	{"forged rejection", func(f *frozenForger) {
		f.reject(frozenLast, "", func(signed string) string { return strings.Replace(signed, "record_superseded", "packet_stale", 1) })
	}},
	{"rejection of an earlier record that was built on", func(f *frozenForger) { f.reject(f.superseded(), "", nil) }},
	{"rejection signed with another key", func(f *frozenForger) { f.reject(frozenLast, "another", nil) }},
	{"rejection of another record", func(f *frozenForger) {
		id, other := f.member(frozenMiddle-1, "recordId"), f.member(frozenLast, "recordId")
		f.reject(frozenLast, "", func(signed string) string { return strings.Replace(signed, other, id, 1) })
	}},
	{"rejection of a service that nobody named", func(f *frozenForger) {
		f.reject(frozenLast, "", nil)
		f.exec("DELETE FROM docket_log WHERE kind = 'statement'")
		f.rebuild()
	}},
	{"key of the service that is none", ran("INSERT INTO docket_handin_service (position, key, boundAt) VALUES (0, 'none', '2026-03-02T12:00:00Z')")},
	{"dropped trigger", later("DROP TRIGGER docket_log_no_delete")},
	{"trigger that swallows records", later("CREATE TRIGGER swallow BEFORE INSERT ON docket_log BEGIN SELECT RAISE(IGNORE); END")},
	{"dropped index", later("DROP INDEX " + frozenAppeals + "_key")},
	{"older checkpoint with another signature", func(f *frozenForger) {
		signed := f.text("SELECT note FROM docket_checkpoints WHERE size = " + at(150))
		f.exec("UPDATE docket_checkpoints SET note = ? WHERE size = "+at(150), frozenFlip(signed))
	}},
	{"trigger that does nothing", later("DROP TRIGGER docket_log_no_delete; CREATE TRIGGER " +
		"docket_log_no_delete BEFORE DELETE ON docket_log BEGIN SELECT 1; END")},
	{"blockers that do not hold, signed and rebuilt", func(f *frozenForger) {
		f.resigned(f.superseding(), map[string]any{"computedBlockers": []string{"notice_missing"}, "gate": "blocked"})
		f.rebuild()
	}},
	{"altered packet that nobody judged, tree rebuilt", func(f *frozenForger) {
		f.exec(frozenUnjudged)
		f.rebuild()
	}},
	{"entry of another packet", ran("UPDATE docket_log SET subject = 'x 1' WHERE position = 3")},
	{"rejection of a service whose naming was altered, tree rebuilt", func(f *frozenForger) {
		f.reject(frozenLast, "", nil)
		f.exec("UPDATE docket_log SET body = replace(body, '" + frozenReviewers[0] + "', '" + frozenReviewers[1] + "') WHERE kind = 'statement'")
		f.rebuild()
	}},
}

var frozenBundleForgeries = []frozenBundleForgery{
	{"altered record", func(w *frozenWorld) {
		w.editOut("records/140.json", func(text string) string { return strings.Replace(text, `"gate":"`, `"gate":"x`, 1) })
	}, nil},
	{"deleted tail", func(w *frozenWorld) { w.removeOut("records/169.json", "records/169.json.sig") }, nil},
	{"left-out record", func(w *frozenWorld) { w.removeOut("records/140.json", "records/140.json.sig") }, nil},
	{"reordered records", func(w *frozenWorld) {
		for _, end := range []string{".json", ".json.sig"} {
			one, other := w.readOut("records/130"+end), w.readOut("records/131"+end)
			w.write("out/"+w.outName("records/130"+end), []byte(other))
			w.write("out/"+w.outName("records/131"+end), []byte(one))
		}
	}, nil},
	{"swapped signature", func(w *frozenWorld) {
		w.write("out/"+w.outName("records/1.json.sig"), []byte(w.readOut("records/0.json.sig")))
	}, nil},
	{"flipped signature", func(w *frozenWorld) { w.editOut("records/150.json.sig", frozenFlip) }, nil},
	{"signed by an unknown key", func(w *frozenWorld) {
		w.write("out/"+w.outName("records/140.json.sig"), []byte(w.sign(w.forgedKey(), w.readOut("records/140.json"))))
	}, nil},
	{"signed by a key listed as the reviewer's", func(w *frozenWorld) {
		w.write("out/"+w.outName("records/140.json.sig"), []byte(w.sign(w.forgedKey(), w.readOut("records/140.json"))))
		w.editOut("allowed_signers", func(text string) string {
			public := ssh.MarshalAuthorizedKey(w.forgedKey().PublicKey())
			return text + frozenReviewers[0] + ` namespaces="` + frozenNamespace + `" ` + string(public)
		})
	}, nil},
	{"blockers that do not hold, signed", func(w *frozenWorld) {
		w.editOut("records/168.json", func(text string) string {
			before, after, _ := strings.Cut(text, `"computedBlockers":[`)
			_, after, _ = strings.Cut(after, "]")
			after = strings.Replace(after, `"gate":"pass"`, `"gate":"blocked"`, 1)
			return before + `"computedBlockers":["notice_missing"]` + after
		})
		document := w.readOut("records/168.json")
		for i, reviewer := range frozenReviewers {
			if strings.Contains(document, `"id":"`+reviewer) {
				w.write("out/"+w.outName("records/168.json.sig"), []byte(w.sign(w.reviewerKey(i), document)))
			}
		}
	}, nil},
	{"no allowed signers", func(w *frozenWorld) { w.write("out/allowed_signers", nil) }, nil},
	{"checkpoint gone", func(w *frozenWorld) { w.removeOut("checkpoint") }, nil},
	{"checkpoint altered", func(w *frozenWorld) {
		w.editOut("checkpoint", func(text string) string { return checkpointSize.ReplaceAllString(text, "\n169\n") })
	}, nil},
	{"another key of the log", func(*frozenWorld) {}, func(w *frozenWorld) []string {
		_, public := w.serviceKey("another", strings.SplitN(w.readOut("checkpoint"), "\n", 2)[0])
		return []string{"--key", public}
	}},
	{"added file", func(w *frozenWorld) { w.write("out/more.txt", []byte("more")) }, nil},
	{"every packet altered", func(w *frozenWorld) {
		for _, path := range w.glob("out/packets/*/*/*") {
			content, err := os.ReadFile(path)
			w.must(err)
			w.must(os.WriteFile(path, bytes.Replace(content, []byte(`"state":"delivered"`), []byte(`"state":"pending"`), 1), 0o600))
		}
	}, nil},
	{"every other file of the top altered", func(w *frozenWorld) {
		for _, path := range w.glob("out/*") {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.Base(path) != "checkpoint" {
				content, err := os.ReadFile(path)
				w.must(err)
				w.must(os.WriteFile(path, append(content, '\n'), 0o600))
			}
		}
	}, nil},
	{"tiles gone", func(w *frozenWorld) { w.removeOut("tile") }, nil},
}

// forgedOutputs are the findings in forged stores and bundles. The bundle of the sound store is in the folder.
func (w *frozenWorld) forgedOutputs() (all []frozenOutput) {
	w.t.Helper()
	w.must(os.RemoveAll(w.at("packets.jsonl")))
	w.must(os.RemoveAll(w.at("revised.jsonl")))
	whole := w.snapshot()
	w.must(os.RemoveAll(w.at("out")))
	sound := w.snapshot()
	for i := range frozenForgeries {
		c := &frozenForgeries[i]
		w.restore(sound)
		w.forge(c.do)
		forged := w.snapshot()
		var text strings.Builder
		fmt.Fprintf(&text, "verify: %s", found(w.docket(nil, "verify", "--json")))
		if i%5 == 0 || w.cases != frozenSample {
			fmt.Fprintf(&text, "export: %s", found(w.docket(nil, "export", "--json", w.at("again"))))
			fmt.Fprintf(&text, "doctor: %s", doctored(w.docket(nil, "doctor", "--json")))
			fmt.Fprintf(&text, "records: %s", found(w.docket(nil, "records", "--json")))
		}
		w.unchanged(c.name, forged)
		all = append(all, frozenOutput{"store: " + c.name, []byte(text.String())})
	}
	for i := range frozenBundleForgeries {
		c := &frozenBundleForgeries[i]
		w.restore(whole)
		c.do(w)
		args := []string{"verify", "--json", w.at("out")}
		if c.args != nil {
			args = append(args, c.args(w)...)
		}
		got := w.docket(nil, args...)
		all = append(all, frozenOutput{"bundle: " + c.name, []byte("verify: " + found(got))})
	}
	w.restore(whole)
	earlier := w.readOut("checkpoint")
	w.forge(func(f *frozenForger) {
		f.cutTail(120)
		f.rebuild()
	})
	w.write("earlier", []byte(earlier))
	all = append(all, frozenOutput{"store: shorter than an earlier checkpoint", []byte("verify: " + found(w.docket(nil, "verify", "--json", "--since", w.at("earlier"))))})
	// A rule book of a later day is not judged, and is nothing against the log: recording goes on.
	w.restore(sound)
	w.forge(func(f *frozenForger) {
		const newest = "SELECT note FROM docket_checkpoints ORDER BY size DESC LIMIT 1"
		before, version := f.text(newest), f.member(frozenLast, "rulesVersion")
		resigned(map[string]any{"rulesVersion": version[:strings.LastIndex(version, ".")] + ".999"})(f)
		f.editAnchor(func(anchor string) string { return strings.ReplaceAll(anchor, before, f.text(newest)) })
	})
	text := "verify: " + found(w.docket(nil, "verify", "--json"))
	taken := slices.ContainsFunc(w.queue, func(row frozenRow) bool {
		return row.AssignedTo == frozenReviewers[0] && w.decide(row, 0)
	})
	text += fmt.Sprintf("the next record is taken: %t\nverify: %s", taken, found(w.docket(nil, "verify", "--json")))
	return append(all, frozenOutput{"store: rule book of a later day", []byte(text)})
}

// frozenCode is a finding on standard error.
var frozenCode = regexp.MustCompile(`(?m)^(?:✗|docket:) (?:record (\d+)[^:]*: )?([a-z]+(?:_[a-z]+)+): `)

// found is what a command found: its exit status, each kind with the sequences that it names, and a digest of all that
// was printed without the sentences.
func found(got frozenRun) string {
	sequences := map[string][]string{}
	var rest strings.Builder
	for line := range strings.Lines(got.stdout) {
		var f struct {
			Kind     string
			Sequence int64
			RecordID string
		}
		var summary struct {
			Findings *int64
			Records  int64
			Root     string
		}
		switch {
		case json.Unmarshal([]byte(line), &f) == nil && f.Kind != "":
			sequences[f.Kind] = append(sequences[f.Kind], fmt.Sprint(f.Sequence))
		case json.Unmarshal([]byte(line), &summary) == nil && summary.Findings != nil:
			fmt.Fprintf(&rest, "  %d findings, %d records, root %s\n", *summary.Findings, summary.Records, summary.Root)
		}
	}
	for _, match := range frozenCode.FindAllStringSubmatch(got.stderr, -1) {
		sequences[match[2]] = append(sequences[match[2]], match[1])
	}
	var text strings.Builder
	fmt.Fprintf(&text, "exit status %d\n", got.status)
	kinds := make([]string, 0, len(sequences))
	for kind := range sequences {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		list := sequences[kind]
		if len(list) > 6 {
			list = append(slices.Clone(list[:3]), fmt.Sprintf("and %d more, %s", len(list)-3, frozenDigest([]byte(strings.Join(list, " ")), 6)))
		}
		fmt.Fprintf(&text, "  %s %s\n", kind, strings.Join(list, " "))
	}
	return text.String() + rest.String()
}

// A frozenFile is a file of a snapshot.
type frozenFile struct {
	content []byte
	mode    fs.FileMode
}

// snapshot reads all files of the machine but for those that SQLite keeps beside an open store.
func (w *frozenWorld) snapshot() map[string]frozenFile {
	w.t.Helper()
	files := map[string]frozenFile{}
	w.must(filepath.WalkDir(w.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = frozenFile{content, info.Mode().Perm()}
		return err
	}))
	return files
}

// restore puts a snapshot in the place of what is there.
func (w *frozenWorld) restore(files map[string]frozenFile) {
	w.t.Helper()
	w.must(os.RemoveAll(w.folder))
	for path, file := range files {
		w.must(os.MkdirAll(filepath.Dir(path), 0o700))
		w.must(os.WriteFile(path, file.content, 0o600))
		w.must(os.Chmod(path, file.mode))
	}
}

// unchanged holds the machine to what it was before a forged store was looked at.
func (w *frozenWorld) unchanged(name string, before map[string]frozenFile) {
	w.t.Helper()
	now := w.snapshot()
	for path, file := range before {
		if !bytes.Equal(now[path].content, file.content) {
			w.t.Errorf("%s: %s was changed", name, strings.TrimPrefix(path, w.folder))
		}
	}
	for path := range now {
		if _, there := before[path]; !there && !strings.HasPrefix(path, w.at("again")) {
			w.t.Errorf("%s: %s was made", name, strings.TrimPrefix(path, w.folder))
		}
	}
}

// forge does a forgery with the triggers away, and puts them back.
func (w *frozenWorld) forge(do func(*frozenForger)) {
	w.t.Helper()
	db, err := sql.Open("sqlite", w.at("docket.db"))
	w.must(err)
	db.SetMaxOpenConns(1)
	defer func() { w.must(db.Close()) }()
	f := &frozenForger{w, db}
	var names, definitions []string
	rows, err := db.Query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
	w.must(err)
	for rows.Next() {
		var name, definition string
		w.must(rows.Scan(&name, &definition))
		names, definitions = append(names, name), append(definitions, definition)
	}
	w.must(rows.Err())
	if len(names) < 20 {
		w.t.Fatalf("%d triggers", len(names))
	}
	f.exec("PRAGMA foreign_keys = 0")
	f.exec("PRAGMA synchronous = 0")
	f.exec("BEGIN")
	for _, name := range names {
		f.exec("DROP TRIGGER " + name)
	}
	f.exec("CREATE TABLE later (sql TEXT)")
	f.exec("CREATE TEMP VIEW numbered AS SELECT position, row_number() OVER (ORDER BY position) - 1 AS number FROM docket_log WHERE kind = 'record'")
	do(f)
	for _, definition := range definitions {
		f.exec(definition)
	}
	var later sql.NullString
	w.must(db.QueryRow("SELECT max(sql) FROM later").Scan(&later))
	f.exec("DROP TABLE later")
	if later.Valid {
		f.exec(later.String)
	}
	f.exec("COMMIT")
	f.exec("PRAGMA wal_checkpoint(TRUNCATE)")
}

func (f *frozenForger) exec(statement string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Exec(statement, args...); err != nil {
		f.t.Fatalf("%s: %v", statement, err)
	}
}

func (f *frozenForger) text(query string, args ...any) (text string) {
	f.t.Helper()
	if err := f.db.QueryRow(query, args...).Scan(&text); err != nil {
		f.t.Fatalf("%s %v: %v", query, args, err)
	}
	return text
}

// number is a number that the store has.
func (f *frozenForger) number(query string, args ...any) (number int64) {
	f.t.Helper()
	if err := f.db.QueryRow(query, args...).Scan(&number); err != nil {
		f.t.Fatalf("%s: %v", query, err)
	}
	return number
}

// position is the place in the log of the record of a number.
func (f *frozenForger) position(number int64) int64 {
	f.t.Helper()
	return f.number("SELECT " + at(number))
}

// table is the one that holds a record.
func (f *frozenForger) table(number int64) string {
	f.t.Helper()
	return f.text("SELECT tableName FROM docket_log WHERE position = " + at(number))
}

func (f *frozenForger) document(number int64) string {
	f.t.Helper()
	return f.text("SELECT document FROM " + f.table(number) + " WHERE sequence = " + at(number))
}

func (f *frozenForger) setDocument(number int64, document string) {
	f.t.Helper()
	f.exec("UPDATE "+f.table(number)+" SET document = ? WHERE sequence = "+at(number), document)
}

func (f *frozenForger) setSignature(number int64, signature string) {
	f.t.Helper()
	f.exec("UPDATE docket_log SET signature = ? WHERE position = "+at(number), signature)
}

// member is a text in a record.
func (f *frozenForger) member(number int64, name string) string {
	f.t.Helper()
	return f.text("SELECT json_extract(document, '$." + name + "') FROM " + f.table(number) + " WHERE sequence = " + at(number))
}

// edited is a record whose view had another digest.
func (f *frozenForger) edited(number int64) string {
	f.t.Helper()
	before, after, there := strings.Cut(f.document(number), `"packetDigest":"sha256:`)
	if !there {
		f.t.Fatalf("record %d has no digest", number)
	}
	other := "0"
	if after[:1] == other {
		other = "1"
	}
	return before + `"packetDigest":"sha256:` + other + after[1:]
}

// resigned puts a record with other members in the place of one, signed by the key of its own reviewer.
func (f *frozenForger) resigned(number int64, members map[string]any) {
	f.t.Helper()
	record := map[string]any{}
	decoder := json.NewDecoder(strings.NewReader(f.document(number)))
	decoder.UseNumber()
	f.must(decoder.Decode(&record))
	for name, value := range members {
		if _, there := record[name]; !there {
			f.t.Fatalf("record %d has no member %s", number, name)
		}
		record[name] = value
	}
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	f.must(encoder.Encode(record)) // the names in order, as the canonical form has them
	text := strings.TrimSuffix(document.String(), "\n")
	f.setDocument(number, text)
	f.setSignature(number, f.sign(f.reviewerKey(slices.Index(frozenReviewers, f.member(number, "reviewer.id"))), text))
}

// superseding is the newest record that supersedes another.
func (f *frozenForger) superseding() int64 {
	return f.number("SELECT max(number) FROM numbered JOIN " + frozenAppeals + " ON sequence = position WHERE supersedes IS NOT NULL")
}

// superseded is the newest record of an appeal that another supersedes.
func (f *frozenForger) superseded() int64 {
	return f.number("SELECT max(number) FROM numbered JOIN " + frozenAppeals + " ON sequence = position WHERE recordId IN (SELECT supersedes FROM " + frozenAppeals + ")")
}

// swapNeighbours puts two records of one table, and all that belongs to them, at each other's place.
func (f *frozenForger) swapNeighbours() {
	f.t.Helper()
	table, middle := f.table(frozenMiddle), f.position(frozenMiddle)
	other := f.number("SELECT max(sequence) FROM "+table+" WHERE sequence < ?", middle)
	swap := func(table, column, where string) {
		f.exec("UPDATE "+table+" SET "+column+" = -1 WHERE "+where+column+" = ?", other)
		f.exec("UPDATE "+table+" SET "+column+" = ? WHERE "+where+column+" = ?", other, middle)
		f.exec("UPDATE "+table+" SET "+column+" = ? WHERE "+column+" = -1", middle)
	}
	swap(table, "sequence", "")
	const signature = "SELECT signature FROM docket_log WHERE position = "
	one, two := f.text(signature+fmt.Sprint(other)), f.text(signature+fmt.Sprint(middle))
	f.exec("UPDATE docket_log SET signature = CASE position WHEN ? THEN ? ELSE ? END WHERE position IN (?, ?)", other, two, one, other, middle)
	swap("docket_texts", "owner", "member <> 'texts' AND ")
}

// cutTail deletes the entries from a record on.
func (f *frozenForger) cutTail(number int64) {
	f.t.Helper()
	from := f.position(number)
	for _, table := range []string{frozenAppeals, frozenAmendments} {
		f.exec("DELETE FROM "+table+" WHERE sequence >= ?", from)
	}
	for _, table := range terms.PacketTables.Texts() {
		f.exec("DELETE FROM "+table+" WHERE position >= ?", from)
	}
	f.exec("DELETE FROM docket_log WHERE position >= ?", from)
	f.exec("DELETE FROM docket_texts WHERE owner >= ?", from)
}

func (f *frozenForger) editAnchor(edit func(string) string) {
	f.t.Helper()
	anchors := f.glob("state/docket/anchors/*/checkpoint")
	if len(anchors) != 1 {
		f.t.Fatalf("%d anchors", len(anchors))
	}
	content, err := os.ReadFile(anchors[0])
	f.must(err)
	f.must(os.WriteFile(anchors[0], []byte(edit(string(content))), 0o600))
}

// glob lists the files, of which there have to be some.
func (w *frozenWorld) glob(pattern string) []string {
	w.t.Helper()
	paths, err := filepath.Glob(w.at(pattern))
	if err != nil || len(paths) == 0 {
		w.t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
	}
	return paths
}

// frozenRecord is the line of a record in entries.csv.
var frozenRecord = regexp.MustCompile(`(?m)^\d+,record,([^,]+),`)

// outName returns the name of a file of a record that is named by its number among the records.
func (w *frozenWorld) outName(name string) string {
	w.t.Helper()
	number, suffix, _ := strings.Cut(strings.TrimPrefix(name, "records/"), ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		return name
	}
	entries, err := os.ReadFile(w.at("out/entries.csv"))
	w.must(err)
	return "records/" + frozenRecord.FindAllStringSubmatch(string(entries), -1)[n][1] + "." + suffix
}

func (w *frozenWorld) readOut(name string) string {
	w.t.Helper()
	content, err := os.ReadFile(w.at("out/" + w.outName(name)))
	w.must(err)
	return string(content)
}

func (w *frozenWorld) editOut(name string, edit func(string) string) {
	w.t.Helper()
	before := w.readOut(name)
	after := edit(before)
	if after == before {
		w.t.Fatalf("%s was not changed", name)
	}
	w.write("out/"+w.outName(name), []byte(after))
}

func (w *frozenWorld) removeOut(names ...string) {
	w.t.Helper()
	for _, name := range names {
		path := w.at("out/" + w.outName(name))
		if _, err := os.Stat(path); err != nil {
			w.t.Fatal(err)
		}
		w.must(os.RemoveAll(path))
	}
}

// frozenFlip changes one character in the last quarter of an armored signature, where the signature itself is.
func frozenFlip(armored string) string {
	at := len(armored) * 3 / 4
	for armored[at] == '\n' {
		at++
	}
	other := byte('A')
	if armored[at] == other {
		other = 'B'
	}
	return armored[:at] + string(other) + armored[at+1:]
}

func (f *frozenForger) flipSignature(number int64) {
	f.t.Helper()
	f.setSignature(number, frozenFlip(f.text("SELECT signature FROM docket_log WHERE position = "+at(number))))
}

// sign signs as a reviewer's key signs records.
func (w *frozenWorld) sign(key ssh.Signer, document string) string {
	w.t.Helper()
	return w.signAs(frozenNamespace, key, document)
}

func (w *frozenWorld) signAs(namespace string, key ssh.Signer, document string) string {
	w.t.Helper()
	signature, err := sshsig.Sign(strings.NewReader(document), key, sshsig.HashSHA512, namespace)
	w.must(err)
	return string(sshsig.Armor(signature))
}

// forgedKey is a key of the forger's own.
func (w *frozenWorld) forgedKey() ssh.Signer {
	w.t.Helper()
	signer, err := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	w.must(err)
	return signer
}

func (w *frozenWorld) reviewerKey(reviewer int) ssh.Signer {
	w.t.Helper()
	content, err := os.ReadFile(w.at(fmt.Sprintf("config/reviewer-%d/id_ed25519", reviewer)))
	w.must(err)
	signer, err := ssh.ParsePrivateKey(content)
	w.must(err)
	return signer
}

// checkpoint signs a checkpoint with the key of the log, in the name of the origin.
func (f *frozenForger) checkpoint(origin string, size int64, root tlog.Hash) string {
	f.t.Helper()
	return f.note(fmt.Sprintf("%s\n%d\n%s\n", origin, size, root))
}

// note signs a text with the key of the log.
func (f *frozenForger) note(text string) string {
	f.t.Helper()
	private, err := os.ReadFile(f.glob("docket-*.key")[0])
	f.must(err)
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	f.must(err)
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	f.must(err)
	return string(signed)
}

// name appends the statement of a reviewer that names the service with the key.
func (f *frozenForger) name(service string) {
	f.t.Helper()
	const newest = " FROM docket_checkpoints ORDER BY size DESC LIMIT 1"
	size, key := f.number("SELECT size"+newest), f.reviewerKey(0)
	root, err := tlog.ParseHash(strings.Split(f.text("SELECT note"+newest), "\n")[2])
	f.must(err)
	text := fmt.Sprintf("docket-log-statement/v1\nservice_named\n%s\n%d\nsha256:%x\n%s\n%s\n%s\n%s\n", f.text("SELECT value FROM docket_meta WHERE name = 'origin'"),
		size, root[:], f.now.Format(time.RFC3339), frozenReviewers[0], ssh.FingerprintSHA256(key.PublicKey()), service)
	f.exec("INSERT INTO docket_log (position, kind, tableName, subject, number, at, leafHash, body, signature) VALUES (?, 'statement', '', 'service_named', -1, ?, zeroblob(32), ?, ?)",
		size, f.now.Format("2006-01-02T15:04:05.000Z"), text, f.signAs("docket-log-statement", key, text)+strings.TrimPrefix(f.note(text), text+"\n"))
	f.rebuild()
}

// rebuild makes the leaves, the tree and the checkpoints fit the packets, records and statements, with the key of the log.
func (f *frozenForger) rebuild() {
	f.t.Helper()
	origin := f.text("SELECT value FROM docket_meta WHERE name = 'origin'")
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (hashes []tlog.Hash, err error) {
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	f.exec("DELETE FROM docket_log_hashes")
	f.exec("UPDATE docket_log SET subject = position WHERE kind = 'record'")
	size := f.number("SELECT count(*) FROM docket_log")
	f.exec("DELETE FROM docket_checkpoints WHERE size > ?", size)
	signed := map[int64]bool{}
	rows, err := f.db.Query("SELECT size FROM docket_checkpoints")
	f.must(err)
	for rows.Next() {
		var size int64
		f.must(rows.Scan(&size))
		signed[size] = true
	}
	f.must(rows.Err())
	for n := range size {
		var kind, table, subject, time, body string
		f.must(f.db.QueryRow("SELECT kind, tableName, subject, at, body FROM docket_log WHERE position = ?", n).Scan(&kind, &table, &subject, &time, &body))
		switch kind {
		case "packet":
			digest := sha256.Sum256([]byte(f.text("SELECT document FROM "+table+" WHERE position = ?", n)))
			id, number, _ := strings.Cut(subject, " ")
			body = fmt.Sprintf(`{"digest":"sha256:%x","id":"%s","number":%s,"table":"%s"}`, digest, id, number, table)
		case "record":
			body = f.text("SELECT document FROM "+table+" WHERE sequence = ?", n)
			subject = f.text("SELECT recordId FROM "+table+" WHERE sequence = ?", n)
		}
		leaf := tlog.RecordHash([]byte(kind + "\n" + time + "\n" + body))
		more, err := tlog.StoredHashesForRecordHash(n, leaf, reader)
		f.must(err)
		for i, hash := range more {
			f.exec("INSERT INTO docket_log_hashes (position, hash) VALUES (?, ?)", len(stored)+i, hash[:])
		}
		stored = append(stored, more...)
		f.exec("UPDATE docket_log SET leafHash = ?, subject = ? WHERE position = ?", leaf[:], subject, n)
		if signed[n+1] || n+1 == size {
			root, err := tlog.TreeHash(n+1, reader)
			f.must(err)
			f.exec("INSERT OR REPLACE INTO docket_checkpoints (size, note) VALUES (?, ?)", n+1, f.checkpoint(origin, n+1, root))
		}
	}
}

// frozenService is the origin of the log of a service.
const frozenService = "docket/service/0123456789abcdef0123456789abcdef"

// serviceKey is a key that goes with a seed.
func (w *frozenWorld) serviceKey(seed, origin string) (note.Signer, string) {
	w.t.Helper()
	private, public, err := note.GenerateKey(strings.NewReader(strings.Repeat(seed+" ", 32)), origin)
	w.must(err)
	signer, err := note.NewSigner(private)
	w.must(err)
	return signer, public
}

// reject binds the store to a service that turned a record away. The rejection is signed with the service's key, or with that
// of another seed, and is changed before or after that: before, if it is still signed.
func (f *frozenForger) reject(number int64, seed string, forge func(string) string) {
	f.t.Helper()
	signer, public := f.serviceKey("service", frozenService)
	if seed != "" {
		signer, _ = f.serviceKey(seed, frozenService)
	}
	document := f.document(number)
	digest := sha256.Sum256([]byte(document))
	text := fmt.Sprintf("docket-rejection/v1\n%s\n%s\nsha256:%x\nrecord_superseded\n-\n-\n2026-03-02T12:00:00Z\n", frozenService,
		f.member(number, "recordId"), digest[:])
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	f.must(err)
	kept := string(signed)
	if forge != nil {
		if kept = forge(kept); kept == string(signed) {
			f.t.Fatal("the rejection was not changed")
		}
	}
	f.exec("INSERT INTO docket_handin_service (position, key, boundAt) VALUES (0, ?, '2026-03-02T12:00:00Z')", public)
	f.name(public)
	f.exec("INSERT INTO docket_handin_rejections (position, sequence, inForce, signed, changes, keptAt) VALUES (0, ?, '', ?, '[]', '2026-03-02T12:00:00Z')",
		f.position(number), kept)
}
