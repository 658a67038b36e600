package verify_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A forgery is something that somebody did to a sound log. forgeryList holds what is found of it.
type forgery struct {
	name  string
	forge func(*testing.T, *verifytest.Log) verify.Options
	found bool
}

// last is the sequence of the last record of a sound log.
const last = 4

// byHand is a forgery that needs no options.
func byHand(forge func(*verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return func(_ *testing.T, l *verifytest.Log) verify.Options {
		forge(l)
		return verify.Options{}
	}
}

// since is a forgery that has to be found by the checkpoint from before it.
func since(forge func(*verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return func(_ *testing.T, l *verifytest.Log) verify.Options {
		earlier := bytes.Clone(l.Says.Checkpoint)
		forge(l)
		return verify.Options{Earlier: []verify.Earlier{{Name: "kept", Signed: earlier}}}
	}
}

// rewritten changes the last record as its reviewer could, and leaves the tree as it was.
func rewritten(l *verifytest.Log) {
	record := l.Decide(verify.Ref{Table: terms.AppealCases, Key: packets.Key{ID: "case-3", Number: 1}}, assigned, nil)
	entry := l.Entry(last)
	entry.Document = record.Document()
	entry.Signature = l.Armored(entry.Document, verifytest.Key(verifytest.Assigned), records.SignatureNamespace)
	forged := l.Forged(record, verifytest.Record{"logHead": map[string]any{"origin": verifytest.Origin, "size": 0, "root": terms.HashOf(nil).String()}})
	entry.Document = forged
	entry.Signature = l.Armored(forged, verifytest.Key(verifytest.Assigned), records.SignatureNamespace)
}

// recordEntries are the entries that are records.
func recordEntries(l *verifytest.Log) []verify.Entry {
	return slices.DeleteFunc(slices.Clone(l.List), func(e verify.Entry) bool { return e.Kind != records.RecordEntry })
}

func recordsIn(l *verifytest.Log) int { return len(recordEntries(l)) }

var reasons = records.Statement{Salt: verifytest.Salt, Text: "The evidence is about another row."}

// reasoned is a forgery of a record that has a statement of reasons; it is told where the record stands.
func reasoned(forge func(l *verifytest.Log, at int)) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		record := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("reasoned", 1)), assigned,
			func(c *records.Choice) { c.Statement = reasons })
		l.Append(record)
		at := recordsIn(l) - 1
		l.Entry(at).Statement = reasons
		forge(l, at)
	})
}

var logForgeries = []forgery{
	{"a record twice", byHand(func(l *verifytest.Log) { l.Add(*l.Entry(last)) }), true},
	{"signed with another store's key", byHand(func(l *verifytest.Log) {
		keys := l.Says.VerifierKeys
		l.NewStoreKey("another")
		l.Sign()
		l.Says.VerifierKeys = keys
	}), true},
	{"a checkpoint of another log", byHand(func(l *verifytest.Log) { l.Says.Checkpoint = l.Checkpoint("docket/other") }), true},
	{"another statement in the place of an erased one", reasoned(func(l *verifytest.Log, at int) {
		l.Erase(records.Erasure{What: records.ErasableStatement, Record: l.Record(at).Members().RecordID, Reason: records.ErasedMistake}, verifytest.Assigned)
		l.Entry(at).Statement.Text = "The window was open."
	}), true},
	{"a statement where the record has none", byHand(func(l *verifytest.Log) { l.Entry(1).Statement = reasons }), true},
	{"a statement with private details", byHand(func(l *verifytest.Log) {
		private := records.Statement{Salt: verifytest.Salt, Text: "Ask someone@example.org."}
		record := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("private", 1)), assigned, nil)
		l.AppendSigned(record.Table(), l.Forged(record, verifytest.Record{"statementDigest": private.Digest()}), verifytest.Key(verifytest.Assigned))
		l.List[len(l.List)-1].Statement = private
	}), true},
	{"a rule book of another day",
		altered(verifytest.Record{"rulesVersion": "trade-challenge-appeal-validator-v0.1+docket.999"}), true},
	{"a pass over a blocker that somebody added", byHand(func(l *verifytest.Log) {
		on := l.Hold(terms.AppealCases, verifytest.AppealCase("added", 1))
		first := l.Decide(on, assigned, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) })
		second := l.Decide(on, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
		l.Append(first)
		l.Append(second)
	}), true},
	{"a blocker carried over that nobody added",
		altered(verifytest.Record{"carriedBlockers": []string{"scope_missing"}, "gate": "blocked"}), true},
	{"a record on top of another log", byHand(func(l *verifytest.Log) {
		head := l.Seen()
		fresh(l, assigned, verifytest.Record{"logHead": map[string]any{"origin": "docket/00000000000000000000000000000000", "size": head.Size, "root": head.Root.String()}})
	}), true},
	{"an id of another time",
		altered(verifytest.Record{"recordId": "019ecb6a-4e00-7abc-8def-0123456789ab"}), true},
	{"an edited record", byHand(rewritten), true},
	{"two records in another order", byHand(func(l *verifytest.Log) {
		*l.Entry(1), *l.Entry(2) = *l.Entry(2), *l.Entry(1)
		l.Entry(1).Sequence, l.Entry(2).Sequence = l.At(1), l.At(2)
	}), true},
	{"a tree beside the records that is not theirs", byHand(func(l *verifytest.Log) {
		l.Tree = func(int64) terms.Hash { return terms.HashOf([]byte("another")) }
	}), true},
	{"a private note that the record does not vouch for", byHand(func(l *verifytest.Log) {
		l.Says.KeepsNotes = true
		l.Entry(1).NoteDigest = terms.HashOf([]byte("another note"))
	}), true},
	{"a key that is listed since another time", byHand(func(l *verifytest.Log) {
		for i := range l.Says.Signers {
			l.Says.Signers[i].Since = terms.InstantOf(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
		}
	}), true},
	{"a deleted tail", byHand(func(l *verifytest.Log) { l.Cut(last) }), true},
	{"a record that no checkpoint covers", byHand(func(l *verifytest.Log) {
		signed := l.Says.Checkpoint
		fresh(l, assigned, nil)
		l.Says.Checkpoint = signed
	}), true},
	{"a checkpoint of another log, kept earlier", func(_ *testing.T, l *verifytest.Log) verify.Options {
		return verify.Options{Earlier: []verify.Earlier{{Name: "kept", Signed: l.Checkpoint("docket/other")}, {Name: "nothing"}}}
	}, true},
	{"a log that goes on after the kept checkpoint", since(func(l *verifytest.Log) { fresh(l, assigned, nil) }), false},
	{"a log that is rolled back, key and all", since(func(l *verifytest.Log) {
		l.Cut(2)
		l.Rebuild()
	}), true},
	{"a fork with the store's own key", since(func(l *verifytest.Log) {
		rewritten(l)
		l.Rebuild()
	}), true},
	{"a log made again with another key", since(func(l *verifytest.Log) {
		l.NewStoreKey("another")
		l.Rebuild()
	}), true},
	{"a trusted key that is not the log's", func(t *testing.T, l *verifytest.Log) verify.Options {
		other := verifytest.New(t)
		other.NewStoreKey("another")
		return verify.Options{VerifierKeys: other.Says.VerifierKeys}
	}, true},
}

var recordForgeries = []forgery{
	{"a record that is gone", byHand(func(l *verifytest.Log) { l.Entry(last).Document = nil }), true},
	{"a record in another table", byHand(func(l *verifytest.Log) {
		l.Entry(last).Table = terms.AmendmentEnforcements
	}), true},
	{"a log head of more records than there were",
		altered(verifytest.Record{"logHead": map[string]any{"origin": verifytest.Origin, "size": 6, "root": terms.HashOf(nil).String()}}), true},
	{"a log head with another root",
		altered(verifytest.Record{"logHead": map[string]any{"origin": verifytest.Origin, "size": 3, "root": terms.HashOf(nil).String()}}), true},
	{"a signature in another namespace", byHand(func(l *verifytest.Log) {
		l.Entry(1).Signature = l.Armored(l.Entry(1).Document, verifytest.Key(verifytest.Assigned), "file")
	}), true},
	{"re-signed by a key that nobody knows", byHand(func(l *verifytest.Log) {
		l.Entry(1).Signature = l.Armored(l.Entry(1).Document, verifytest.Key("stranger"), records.SignatureNamespace)
	}), true},
	{"made again with a key that nobody knows", byHand(func(l *verifytest.Log) {
		record := l.Decide(newCase(l), assigned, nil)
		forged := l.Forged(record, verifytest.Record{"reviewer": reviewer(verifytest.Assigned, "neutral_reviewer", "stranger")})
		l.AppendSigned(record.Table(), forged, verifytest.Key("stranger"))
	}), true},
	{"signed by another reviewer", byHand(func(l *verifytest.Log) {
		record := l.Decide(newCase(l), assigned, nil)
		forged := l.Forged(record, verifytest.Record{"reviewer": reviewer(verifytest.Assigned, "neutral_reviewer", "reviewer-8")})
		l.AppendSigned(record.Table(), forged, verifytest.Key("reviewer-8"))
	}), true},
	{"signed with the reviewer's other key", byHand(func(l *verifytest.Log) {
		l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: verifytest.Assigned, Key: verifytest.Key("second").PublicKey()})
		record := l.Decide(newCase(l), assigned, nil)
		l.AppendSigned(record.Table(), record.Document(), verifytest.Key("second"))
	}), true},
	{"a reviewer's second key, listed and named by the record", byHand(func(l *verifytest.Log) {
		signAs(l, newCase(l), "second", nil)
	}), true},
	{"a statement that is signed by another key than it names", byHand(func(l *verifytest.Log) { accepted(l, 2, l.Says.Origin, "stranger") }), true},
	{"a statement about another log", byHand(func(l *verifytest.Log) { accepted(l, 2, "docket/other", verifytest.Assigned) }), true},
	{"a statement with another root", byHand(func(l *verifytest.Log) { accepted(l, 3, l.Says.Origin, verifytest.Assigned) }), true},
	{"nine minutes before the newest record", ahead(nine), true},
	{"nine minutes before the newest record, with an accepted anchor", ahead(nine, clockAccepted(0, records.AnchorAccepted)), true},
	{"nine minutes before the newest record, with a clock that was accepted for a later time", ahead(nine, clockAccepted(10*time.Minute, records.ClockAccepted)), true},
	{"nine minutes before the newest record, with an accepted clock", ahead(nine, clockAccepted(0, records.ClockAccepted)), false},
	{"nine minutes before the newest record, on top of it, with an accepted clock", byHand(func(l *verifytest.Log) {
		appendAhead(l, l.Decide(newCase(l), assigned, nil), nine)
		clockAccepted(0, records.ClockAccepted)(l)
		l.Append(l.Decide(newCase(l), assigned, nil))
	}), false},
	{"a statement that fits", byHand(func(l *verifytest.Log) {
		l.StateKey(l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing"), verifytest.Assigned)
	}), false},
	{"a statement of the log as it was before", byHand(func(l *verifytest.Log) { accepted(l, 0, l.Says.Origin, verifytest.Assigned) }), true},
}

// nine minutes are more than the leeway of clocks.
const nine = 9 * time.Minute

// ahead appends a record that was made while the clock was ahead by so much and then, as the statements say that a person accepted,
// one that was made when it was right again.
func ahead(by time.Duration, statements ...func(*verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		first, second := l.Decide(newCase(l), assigned, nil), l.Decide(newCase(l), assigned, nil)
		appendAhead(l, first, by)
		for _, s := range statements {
			s(l)
		}
		l.Append(second)
	})
}

// appendAhead appends a record as one of so much later.
func appendAhead(l *verifytest.Log, record records.Enforcement, by time.Duration) {
	l.AppendSigned(record.Table(), l.Forged(record, recordedAfter(record, by)), verifytest.Key(verifytest.Assigned))
}

// clockAccepted states that a clock was accepted, of the log as it is.
func clockAccepted(ahead time.Duration, kind records.LogStatementKind) func(l *verifytest.Log) {
	return func(l *verifytest.Log) {
		s := l.Statement(kind, verifytest.Assigned, "x")
		s.At = terms.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC).Add(ahead))
		l.StateKey(s, verifytest.Assigned)
	}
}

// accepted states that a log without records was accepted, of any size, signed with a key.
func accepted(l *verifytest.Log, size int64, origin string, key terms.ID) {
	s := l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing")
	s.Origin, s.Size, s.Root = origin, size, terms.HashOf(nil)
	l.StateKey(s, key)
}

// newCase holds another case that passes, assigned to a reviewer.
func newCase(l *verifytest.Log) verify.Ref {
	id := fmt.Sprintf("case-new-%d", len(l.Held))
	return l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1).With(verifytest.Record{"policyVersion": 7}))
}

// fresh appends a record on another case with some members forged, signed by the reviewer whom it then names.
func fresh(l *verifytest.Log, who records.Reviewer, members verifytest.Record) {
	forgedOn(l, newCase(l), who, nil, members)
}

// altered is a forgery of such a record.
func altered(members verifytest.Record) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) { fresh(l, assigned, members) })
}

func forgedOn(l *verifytest.Log, ref verify.Ref, who records.Reviewer, change func(*records.Choice), members verifytest.Record) {
	record := l.Decide(ref, who, change)
	signer := string(who.ID)
	if named, there := members["reviewer"].(map[string]any); there {
		signer = named["id"].(string)
	}
	l.AppendSigned(record.Table(), l.Forged(record, members), verifytest.Key(signer))
}

func reviewer(id, role, key string) map[string]any {
	return map[string]any{"id": id, "role": role, "keyFingerprint": ssh.FingerprintSHA256(verifytest.Key(key).PublicKey())}
}

// foundElsewhere are found in a bundle or in a store only; the tests of those packages forge them.
var foundElsewhere = []verify.Code{verify.FileUnexpected, verify.FileMissing, verify.FileDiffers, verify.LineEndsChanged,
	verify.KeyUnusable, verify.SchemaAltered, verify.StructureDamaged, verify.AnchorMissing, verify.AnchorUnreadable, verify.RowUnexpected,
	verify.RowsRolledBack, verify.ServiceSetBack}

// forgeryList holds each forgery with what is found of it.
var forgeryList = filepath.Join("testdata", "forgeries.txt")

func TestEveryForgeryIsFoundAndNamed(t *testing.T) {
	var list strings.Builder
	covered := map[verify.Code]bool{}
	for _, code := range foundElsewhere {
		covered[code] = true
	}
	for _, f := range slices.Concat(logForgeries, recordForgeries, packetForgeries, decisionForgeries, chainForgeries, rejectionForgeries, restoreForgeries,
		cosignatureForgeries, keyForgeries, erasureForgeries, serviceRecordForgeries) {
		l := sound(t)
		report := check(t, l, f.forge(t, l))
		if report.OK() == f.found {
			t.Errorf("%s: %v", f.name, report.Findings)
		}
		fmt.Fprintln(&list, f.name)
		for _, finding := range report.Findings {
			covered[finding.Code] = true
			fmt.Fprintf(&list, "  %d %s: %s\n", finding.Sequence, finding.Code, finding.Detail)
		}
	}
	for _, code := range verify.Codes() {
		if !covered[code] {
			t.Errorf("no forgery is found as %s", code)
		}
	}
	holdTo(t, forgeryList, list.String())
}

// holdTo fails unless a file holds the text, or writes it.
func holdTo(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	if held, err := os.ReadFile(path); err != nil || string(held) != text {
		t.Errorf("%s is not what was found; go test ./store/verify -run Forgery -update writes it: %v", path, err)
	}
}

// A part is something of a log that somebody may edit.
type part struct {
	get func() string
	set func(string)
}

// of is the part in a text; an empty one is set to nothing.
func of[T ~string | ~[]byte](text *T) part {
	return part{func() string { return string(*text) }, func(to string) {
		var none T
		if *text = none; to != "" {
			*text = T(to)
		}
	}}
}

// partsOf are all parts of a log, in the families of forgeries: an entry, a text, a signature, a checkpoint, a key, and the
// packets, statements and evidence beside the entries.
func partsOf(l *verifytest.Log) map[string][]part {
	parts := map[string][]part{"checkpoint": {of(&l.Says.Checkpoint)}, "anchor": {of(&l.Says.Anchor.Signed)},
		"key: of the log": {of(&l.Says.VerifierKeys[0])}, "key: of the service": {of(&l.Says.ServiceKey)}}
	add := func(name string, p part) { parts[name] = append(parts[name], p) }
	for i := range l.List {
		e := &l.List[i]
		if e.Kind != records.RecordEntry { // its document is that of the packet, or the text of the statement
			add("entry: leaf hash", of(&e.LeafHash))
			continue
		}
		add("entry: document", of(&e.Document))
		add("entry: leaf hash", of(&e.LeafHash))
		add("entry: id", of(&e.RecordID))
		add("signature: of a record", of(&e.Signature))
		add("text: salt of a packet", of(&e.PacketSalt))
		add("text: reasons", of(&e.Statement.Text))
		add("text: salt of the reasons", of(&e.Statement.Salt))
		if e.Acceptance != nil {
			add("evidence: receipt", of(&e.Acceptance.Receipt))
			add("evidence: checkpoint of a receipt", of(&e.Acceptance.Checkpoint))
		}
	}
	for _, ref := range slices.SortedFunc(maps.Keys(l.Held), verify.CompareRefs) {
		if ref.Key.Number != unjudged { // a store or a bundle finds that
			add("packet", part{func() string { return string(l.Held[ref]) }, func(to string) { l.Held[ref] = []byte(to) }})
		}
	}
	for i := range l.Says.Statements {
		add("statement: text", of(&l.Says.Statements[i].Text))
		add("signature: of a statement", of(&l.Says.Statements[i].Signature))
		add("signature: of a statement by the log", of(&l.Says.Statements[i].LogSignature))
	}
	for i := range l.Cosigned {
		add("checkpoint: cosigned", of(&l.Cosigned[i].Checkpoint))
		add("signature: of a witness", of(&l.Cosigned[i].Line))
		add("key: of a witness", of(&l.Cosigned[i].Key))
	}
	for i := range l.Rejected {
		add("evidence: rejection", of(&l.Rejected[i].Signed))
		add("evidence: id of a rejection", of(&l.Rejected[i].RecordID))
	}
	for i := range l.AtService {
		add("evidence: record of the service", of(&l.AtService[i].Record))
		add("evidence: its signature", of(&l.AtService[i].Signature))
		add("evidence: its checkpoint", of(&l.AtService[i].Checkpoint))
		add("evidence: its proof", of(&l.AtService[i].Proof))
	}
	return parts
}

// edits are what is done to each part; other is the part after it.
var edits = map[string]func(own, other string) string{
	"removed":         func(string, string) string { return "" },
	"lengthened":      func(own, _ string) string { return own + "\n" },
	"shortened":       func(own, _ string) string { return own[:len(own)-1] },
	"edited":          func(own, _ string) string { return own[:len(own)/2] + string(own[len(own)/2]^1) + own[len(own)/2+1:] },
	"made a word":     func(string, string) string { return "key" },
	"that of another": func(_, other string) string { return other },
}

// everything is a log with a part of each kind.
func everything(t *testing.T) *verifytest.Log {
	l := answered(t)
	l.Says.KeepsNotes = true
	noted(l, true)
	l.Accept(verifytest.NewService(""), 0)
	l.Accept(verifytest.NewService(""), 1)
	l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
	l.StateKey(l.About(records.KeyReplaced, "third", "third"), "third")
	must(t, l.Entries(t.Context(), 0, func(e verify.Entry) error {
		leaf := verify.LeafOf(&e)
		l.List[e.Sequence].LeafHash = leaf[:]
		return nil
	}))
	for n := range recordsIn(l) {
		l.Entry(n).RecordID = l.Record(n).Members().RecordID
	}
	l.Says.Anchor.Signed = l.Says.Checkpoint
	keepTree(t, l)
	return l
}

// harmless are the edits after which a log is the same: of what it need not keep, and a line end after a key.
var harmless = []string{"entry: id, removed", "entry: leaf hash, removed", "key: of the log, lengthened"}

// familyList holds what every edit of every part is found as.
var familyList = filepath.Join("testdata", "families.txt")

func TestEveryPartOfALogThatIsEditedIsFound(t *testing.T) {
	var list strings.Builder
	pristine := partsOf(everything(t))
	for _, name := range slices.Sorted(maps.Keys(pristine)) {
		for _, edit := range slices.Sorted(maps.Keys(edits)) {
			found := map[string]bool{}
			for i := range pristine[name] {
				l := everything(t)
				parts := partsOf(l)[name]
				own, other := parts[i].get(), parts[(i+1)%len(parts)].get()
				if own == "" || edits[edit](own, other) == own {
					continue
				}
				parts[i].set(edits[edit](own, other))
				report := check(t, l, verify.Options{})
				for _, f := range report.Findings {
					found[f.Code.String()] = true
				}
				if report.OK() != slices.Contains(harmless, name+", "+edit) {
					t.Errorf("%s %d, %s: %v", name, i, edit, report.Findings)
				}
			}
			if len(found) > 0 {
				fmt.Fprintf(&list, "%s, %s: %s\n", name, edit, strings.Join(slices.Sorted(maps.Keys(found)), " "))
			}
		}
	}
	holdTo(t, familyList, list.String())
}

func TestFindingsNameTheRecord(t *testing.T) {
	l := sound(t)
	l.Entry(1).Signature, l.Entry(3).Signature = nil, nil
	report := check(t, l, verify.Options{})
	if report.Total != 2 || report.Count(verify.SignatureInvalid) != 2 || report.OK() {
		t.Fatalf("%+v", report)
	}
	for i, number := range []int{1, 3} {
		finding := report.Findings[i]
		if finding.Sequence != l.At(number) || !finding.RecordID.Valid() || !bytes.Contains(l.Entry(number).Document, []byte(finding.RecordID)) {
			t.Errorf("%+v", finding)
		}
	}
}
