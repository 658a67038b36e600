package verify_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

const (
	secondOrigin = "docket/11111111111111111111111111111111"
	thirdOrigin  = "docket/22222222222222222222222222222222"
)

// keptAt is a sound log with the checkpoints that it had at so many records.
func keptAt(l *verifytest.Log, size int) verify.Earlier {
	list := l.List
	l.Cut(size)
	l.Rebuild()
	kept := verify.Earlier{Name: "kept", Signed: bytes.Clone(l.Says.Checkpoint)}
	l.List = list
	l.Rebuild()
	return kept
}

// restored is a forgery of a log that was restored to 4 of its 5 records. Kept is how many records the checkpoint signs, and of which
// log before, that it has to extend.
func restored(kept int, steps ...func(l *verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return func(t *testing.T, l *verifytest.Log) verify.Options {
		earlier := keptAt(l, kept)
		inTurn(steps...)(t, l)
		l.Append(l.Decide(newCase(l), assigned, nil))
		return verify.Options{Earlier: []verify.Earlier{earlier}}
	}
}

// restoredTo is a restore to 4 records under an origin, whose statement somebody signs.
func restoredTo(origin string, by terms.ID, change func(*records.LogStatement)) func(*verifytest.Log) {
	return func(l *verifytest.Log) { l.Restore(4, origin, by, change) }
}

// restoredOnce is the usual restore.
var restoredOnce = restoredTo(secondOrigin, verifytest.Assigned, nil)

// quietly takes the log's signature off the newest statement.
func quietly(l *verifytest.Log) { l.Says.Statements[len(l.Says.Statements)-1].LogSignature = nil }

func accepting(by terms.ID, kind records.LogStatementKind, found ...string) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) { l.StateKey(l.Statement(kind, by, found...), by) })
}

var restoreForgeries = []forgery{
	{"a restore", restored(4, restoredOnce), true},
	{"two restores", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, nil)
		l.Append(l.Decide(newCase(l), assigned, nil))
		l.Restore(4, thirdOrigin, verifytest.Assigned, nil)
	}), true},
	{"a restore after the key was lost, signed by the reviewer",
		restored(4, restoredOnce, quietly), true},
	{"a restore that hides a record", restored(5, restoredOnce), true},
	{"two restores, the second of which hides records", restored(4, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, nil)
		quietly(l)
		l.Says.Statements = nil
		l.Says.Origin = verifytest.Origin
		l.NewStoreKey("store")
		l.Restore(3, thirdOrigin, verifytest.Assigned, nil)
	}), true},
	{"a restore by somebody else, without the key of the log",
		restored(3, restoredTo(secondOrigin, "stranger", nil), quietly), true},
	{"a restore by a reviewer who signed nothing before, without the key of the log",
		restored(3, restoredTo(secondOrigin, "admin-1", nil), quietly), true},
	{"a log accepted by somebody who has no record in it", accepting("stranger", records.AnchorAccepted, "anchor_missing"), true},
	{"a clock accepted by somebody who has no record yet", accepting("admin-1", records.ClockAccepted, "2026-06-15T12:00:00Z"), true},
	{"a log accepted in a time to come", byHand(func(l *verifytest.Log) {
		s := l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing")
		s.At = terms.InstantOf(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
		l.StateKey(s, verifytest.Assigned)
	}), true},
	{"a log accepted a quarter of an hour after the clock of the machine that checks", byHand(func(l *verifytest.Log) {
		s := l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing")
		s.At = terms.InstantOf(time.Now().Add(15 * time.Minute))
		l.StateKey(s, verifytest.Assigned)
	}), false},
	{"a log accepted an hour before the record after it", byHand(func(l *verifytest.Log) {
		s := l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing")
		s.At = terms.InstantOf(s.At.Time().Add(time.Hour))
		l.StateKey(s, verifytest.Assigned)
		l.Append(l.Decide(newCase(l), assigned, nil))
	}), true},
	{"a clock of an hour before the records, accepted by somebody who has no record", byHand(func(l *verifytest.Log) {
		s := l.Statement(records.ClockAccepted, "stranger", "2026-06-15T12:00:00Z")
		s.At = terms.InstantOf(s.At.Time().Add(-time.Hour))
		l.StateKey(s, "stranger")
	}), true},
	{"a clock of an hour before the records, accepted by a reviewer", byHand(func(l *verifytest.Log) {
		s := l.Statement(records.ClockAccepted, verifytest.Assigned, "2026-06-15T12:00:00Z")
		s.At = terms.InstantOf(s.At.Time().Add(-time.Hour))
		l.StateKey(s, verifytest.Assigned)
	}), false},
	{"a log accepted by a reviewer", accepting(verifytest.Assigned, records.AnchorAccepted, "anchor_missing"), false},
	{"texts erased by somebody who has no record", byHand(func(l *verifytest.Log) {
		l.Erase(records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-none", Number: 1}, Reason: records.ErasedMistake}, "stranger")
	}), true},
	{"a restore that another key of a log signed", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, nil)
		quietly(l)
		l.Says.Statements[0].LogSignature = []byte("— " + verifytest.Origin + " AAAAAA==\n")
	}), true},
	{"a second restore that names another key of the log before",
		restored(3, restoredOnce, restoredTo(thirdOrigin, verifytest.Assigned,
			func(s *records.LogStatement) { s.Restore.OldKey = otherLog }), quietly), true},
	{"a second restore that names another key of the log before, under its origin",
		restored(3, restoredOnce, restoredTo(thirdOrigin, verifytest.Assigned,
			func(s *records.LogStatement) { s.Restore.OldKey = keyOf(secondOrigin) }), quietly), true},
	{"a restore to a key that cannot be read", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, func(s *records.LogStatement) { s.Restore.NewKey = secondOrigin + "+00000000+AAAA" })
	}), true},
	{"a restore back to the first log",
		restored(3, restoredOnce, restoredTo(verifytest.Origin, verifytest.Assigned, nil)), true},
	{"a restore whose statement is gone", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, nil)
		l.Says.Statements = nil
	}), true},
	{"a restore of another root", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, func(s *records.LogStatement) { s.Root = terms.HashOf(nil) })
	}), true},
	{"a restore to more records than there are", restored(3, func(l *verifytest.Log) {
		l.Restore(4, secondOrigin, verifytest.Assigned, func(s *records.LogStatement) { s.Size = 9 })
	}), true},
	{"a restore of a log with another history", func(_ *testing.T, l *verifytest.Log) verify.Options {
		earlier := keptAt(l, 4)
		l.Cut(2)
		l.Rebuild()
		for range 3 {
			l.Append(l.Decide(newCase(l), assigned, nil))
		}
		l.Restore(5, secondOrigin, verifytest.Assigned, nil)
		return verify.Options{Earlier: []verify.Earlier{earlier}}
	}, true},
	{"a record of the log that ended after the restore", byHand(func(l *verifytest.Log) {
		late := l.Decide(newCase(l), assigned, nil)
		l.Restore(5, secondOrigin, verifytest.Assigned, nil)
		l.Append(late)
	}), true},
	{"a trusted key of the log that ended", func(_ *testing.T, l *verifytest.Log) verify.Options {
		trusted := l.Says.VerifierKeys
		l.Restore(4, secondOrigin, verifytest.Assigned, nil)
		return verify.Options{VerifierKeys: trusted}
	}, true},
	{"a restore that is accepted", func(t *testing.T, l *verifytest.Log) verify.Options {
		o := restored(5, restoredOnce, quietly)(t, l)
		o.AcceptRestore = true
		return o
	}, false},
}

// What was lost is named, and how the check got from the earlier log to this one.
func TestTheReportSaysWhichRestoresItFollowed(t *testing.T) {
	l := sound(t)
	earlier := keptAt(l, 4)
	l.Restore(4, secondOrigin, verifytest.Assigned, nil)
	report := check(t, l, verify.Options{Earlier: []verify.Earlier{earlier}, AcceptRestore: true})
	if !report.OK() || len(report.Followed) != 1 || !strings.HasPrefix(report.Followed[0], "kept is of "+verifytest.Origin+", which was restored to 12 entries") {
		t.Errorf("%v, followed %+v", report.Findings, report.Followed)
	}
	if len(report.Accepted) != 1 || report.Accepted[0].Lost() != 1 || len(report.Lineage) != 2 || report.Lineage.Holds(0) != 12 {
		t.Errorf("%+v, %+v", report.Accepted, report.Lineage)
	}
}

func TestARestoreThatLeadsToAnotherKeyOfTheLogIsNotFollowed(t *testing.T) {
	l := sound(t)
	l.Restore(4, secondOrigin, verifytest.Assigned, nil)
	l.NewStoreKey("another")
	l.Sign()
	report := check(t, l, verify.Options{})
	if report.OK() || len(report.Lineage) != 1 || report.Lineage[0].Key != l.Says.VerifierKeys[0] {
		t.Errorf("%v, %+v", report.Findings, report.Lineage)
	}
}

// keyOf is a verifier key of a log, other than the one that signs it.
func keyOf(origin string) string {
	_, key, err := note.GenerateKey(bytes.NewReader(make([]byte, 32)), origin)
	if err != nil {
		panic(err)
	}
	return key
}

var erasedNote = records.Note{Salt: "saltsaltsaltsaltsaltsalt", Text: "ask first"}

// noted appends a record with a private note, which the log keeps if kept is true.
func noted(l *verifytest.Log, kept bool) records.RecordID {
	l.Says.KeepsNotes = true
	record := l.Decide(newCase(l), assigned, func(c *records.Choice) { c.NoteDigest = erasedNote.Digest() })
	l.Append(record)
	if kept {
		l.List[len(l.List)-1].NoteDigest = erasedNote.Digest()
	}
	return record.Members().RecordID
}

// colleague appends a record of another reviewer.
func colleague(l *verifytest.Log) {
	theirs := verifytest.AppealCase("theirs", 1).With(verifytest.Record{"policyVersion": 7, "neutralReview": verifytest.Review("reviewer-8")})
	l.Append(l.Decide(l.Hold(terms.AppealCases, theirs), verifytest.Person("reviewer-8", terms.NeutralReviewer), nil))
}

// placed takes the texts of a held case out, as an erasure does, and the salts of the records on it.
func placed(l *verifytest.Log, ref verify.Ref, records int) {
	l.TakeTexts(ref)
	for i := range records {
		l.List[len(l.List)-1-i].PacketSalt = ""
	}
}

// resealed puts a word in the place of another one in a held packet, with the digest of its record.
func resealed(l *verifytest.Log, ref verify.Ref, was, is terms.ID) {
	_, record, _ := bytes.Cut(l.Held[ref], []byte(`"record":{`))
	record, _, _ = bytes.Cut(record, []byte(`,"redactions":`))
	record = append([]byte("{"), record...)
	other := bytes.Replace(record, []byte(was), []byte(is), 1)
	if bytes.Equal(other, record) {
		panic("it does not hold " + was)
	}
	l.Held[ref] = bytes.Replace(l.Held[ref], record, other, 1)
	l.Held[ref] = bytes.Replace(l.Held[ref], []byte(terms.HashOf(record).String()), []byte(terms.HashOf(other).String()), 1)
}

func textsOf(ref verify.Ref) records.Erasure {
	return records.Erasure{What: records.ErasableTexts, Table: ref.Table, Key: ref.Key, Reason: records.ErasedOnRequest}
}

// noteErased states that the private note of a record was erased.
func noteErased(l *verifytest.Log, record records.RecordID) {
	l.Erase(records.Erasure{What: records.ErasableNote, Record: record, Reason: records.ErasedMistake}, verifytest.Assigned)
}

// textsErased holds a case and erases its text, with the salts of so many records on it.
func textsErased(l *verifytest.Log, records int) verify.Ref {
	ref := holdText(l, "told", "Some words.")
	placed(l, ref, records)
	l.Erase(textsOf(ref), verifytest.Assigned)
	return ref
}

var erasureForgeries = []forgery{
	{"a note", byHand(func(l *verifytest.Log) { noted(l, true) }), false},
	{"a note that is gone", byHand(func(l *verifytest.Log) { noted(l, false) }), true},
	{"a note that another reviewer of the log erased", byHand(func(l *verifytest.Log) {
		colleague(l)
		l.Erase(records.Erasure{What: records.ErasableNote, Record: noted(l, false), Reason: records.ErasedMistake}, "reviewer-8")
	}), true},
	{"a statement of reasons that another reviewer of the log erased", reasoned(func(l *verifytest.Log, at int) {
		colleague(l)
		l.Erase(records.Erasure{What: records.ErasableStatement, Record: l.Record(at).Members().RecordID, Reason: records.ErasedMistake}, "reviewer-8")
		l.Entry(at).Statement = records.Statement{}
	}), true},
	{"a statement of reasons that its reviewer erased", reasoned(func(l *verifytest.Log, at int) {
		l.Erase(records.Erasure{What: records.ErasableStatement, Record: l.Record(at).Members().RecordID, Reason: records.ErasedMistake}, verifytest.Assigned)
		l.Entry(at).Statement = records.Statement{}
	}), false},
	{"an erased note", byHand(func(l *verifytest.Log) { noteErased(l, noted(l, false)) }), false},
	{"another note that is erased", byHand(func(l *verifytest.Log) {
		other := noted(l, true)
		noted(l, false)
		noteErased(l, other)
	}), true},
	{"an erased note that is there again",
		byHand(func(l *verifytest.Log) { noteErased(l, noted(l, true)) }), true},
	{"erased texts that are there again", byHand(func(l *verifytest.Log) {
		l.Erase(textsOf(holdText(l, "told", "Some words.")), verifytest.Assigned)
	}), true},
	{"a note that is erased by a statement without the log's signature", byHand(func(l *verifytest.Log) {
		noteErased(l, noted(l, false))
		quietly(l)
	}), true},
	{"a note that is erased by a statement with another reason", byHand(func(l *verifytest.Log) {
		noteErased(l, noted(l, false))
		s := &l.Says.Statements[0]
		s.Text = string(bytes.Replace([]byte(s.Text), []byte("by_mistake"), []byte("person_asked"), 1))
	}), true},
	{"texts that are gone", byHand(func(l *verifytest.Log) { placed(l, holdText(l, "told", "Some words."), 0) }), true},
	{"erased texts", byHand(func(l *verifytest.Log) { textsErased(l, 1) }), false},
	{"another member of a packet whose texts are erased", byHand(func(l *verifytest.Log) {
		resealed(l, textsErased(l, 1), verifytest.Decider, "nobody-99")
	}), true},
	{"erased texts with the salt of a record over them",
		byHand(func(l *verifytest.Log) { textsErased(l, 0) }), true},
	{"a pass on a revision whose texts were erased before", byHand(func(l *verifytest.Log) {
		l.Hold(terms.AppealPolicies, verifytest.AppealPolicy("policy-told", 1))
		record := verifytest.AppealCase("case-told", 1).With(verifytest.Record{"remedyGap": "Some words.", "policyId": "policy-told"})
		ref := l.Hold(terms.AppealCases, record)
		l.Erase(textsOf(ref), verifytest.Assigned)
		l.Append(l.Decide(ref, assigned, nil))
		placed(l, ref, 1)
	}), true},
	{"texts of another revision that are erased", byHand(func(l *verifytest.Log) {
		ref := holdText(l, "told", "Some words.")
		placed(l, ref, 1)
		l.Erase(textsOf(verify.Ref{Table: ref.Table, Key: packets.Key{ID: ref.Key.ID, Number: 2}}), verifytest.Assigned)
	}), true},
}
