package verify_test

import (
	"bytes"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

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

// placed takes the text of a held case out, as an erasure does, and the salts of the records on it.
func placed(l *verifytest.Log, ref verify.Ref, text string, records int) {
	l.Held[ref] = bytes.Replace(l.Held[ref], []byte(`"`+text+`"`), []byte(`{"text":true}`), 1)
	for i := range records {
		l.List[len(l.List)-1-i].PacketSalt = ""
	}
}

func textsOf(ref verify.Ref) records.Erasure {
	return records.Erasure{What: records.ErasableTexts, Table: ref.Table, Key: ref.Key, Reason: records.ErasedOnRequest}
}

var erasureForgeries = []forgery{
	{"a note", byHand(func(l *verifytest.Log) { noted(l, true) }), nil},
	{"a note that is gone", byHand(func(l *verifytest.Log) { noted(l, false) }), []verify.Code{verify.NoteMissing}},
	{"an erased note", byHand(func(l *verifytest.Log) {
		l.Erase(records.Erasure{What: records.ErasableNote, Record: noted(l, false), Reason: records.ErasedMistake}, verifytest.Assigned)
	}), nil},
	{"another note that is erased", byHand(func(l *verifytest.Log) {
		other := noted(l, true)
		noted(l, false)
		l.Erase(records.Erasure{What: records.ErasableNote, Record: other, Reason: records.ErasedMistake}, verifytest.Assigned)
	}), []verify.Code{verify.NoteAltered, verify.NoteMissing}},
	{"an erased note that is there again", byHand(func(l *verifytest.Log) {
		l.Erase(records.Erasure{What: records.ErasableNote, Record: noted(l, true), Reason: records.ErasedMistake}, verifytest.Assigned)
	}), []verify.Code{verify.NoteAltered}},
	{"erased texts that are there again", byHand(func(l *verifytest.Log) {
		l.Erase(textsOf(holdText(l, "told", "Some words.")), verifytest.Assigned)
	}), []verify.Code{verify.PacketAltered}},
	{"a note that is erased by a statement without the log's signature", byHand(func(l *verifytest.Log) {
		l.Erase(records.Erasure{What: records.ErasableNote, Record: noted(l, false), Reason: records.ErasedMistake}, verifytest.Assigned)
		quietly(l)
	}), []verify.Code{verify.NoteMissing, verify.LogStatementAltered}},
	{"a note that is erased by a statement with another reason", byHand(func(l *verifytest.Log) {
		l.Erase(records.Erasure{What: records.ErasableNote, Record: noted(l, false), Reason: records.ErasedMistake}, verifytest.Assigned)
		s := &l.Says.Statements[0]
		s.Text = string(bytes.Replace([]byte(s.Text), []byte("by_mistake"), []byte("person_asked"), 1))
	}), []verify.Code{verify.NoteMissing, verify.LogStatementAltered}},
	{"texts that are gone", byHand(func(l *verifytest.Log) { placed(l, holdText(l, "told", "Some words."), "Some words.", 0) }), []verify.Code{verify.TextsMissing}},
	{"erased texts", byHand(func(l *verifytest.Log) {
		ref := holdText(l, "told", "Some words.")
		placed(l, ref, "Some words.", 1)
		l.Erase(textsOf(ref), verifytest.Assigned)
	}), nil},
	{"erased texts with the salt of a record over them", byHand(func(l *verifytest.Log) {
		ref := holdText(l, "told", "Some words.")
		placed(l, ref, "Some words.", 0)
		l.Erase(textsOf(ref), verifytest.Assigned)
	}), []verify.Code{verify.ViewDiffers}},
	{"a salt that is gone with the texts there", byHand(func(l *verifytest.Log) {
		l.List[0].PacketSalt = ""
	}), []verify.Code{verify.SaltMissing, verify.ViewDiffers}},
	{"a pass on a revision whose texts were erased before", byHand(func(l *verifytest.Log) {
		l.Hold(terms.AppealPolicies, verifytest.AppealPolicy("policy-told", 1))
		record := verifytest.AppealCase("case-told", 1).With(verifytest.Record{"remedyGap": "Some words.", "policyId": "policy-told"})
		ref := l.Hold(terms.AppealCases, record)
		l.Erase(textsOf(ref), verifytest.Assigned)
		l.Append(l.Decide(ref, assigned, nil))
		placed(l, ref, "Some words.", 1)
	}), []verify.Code{verify.PassAfterErasure}},
	{"texts of another revision that are erased", byHand(func(l *verifytest.Log) {
		ref := holdText(l, "told", "Some words.")
		placed(l, ref, "Some words.", 1)
		l.Erase(textsOf(verify.Ref{Table: ref.Table, Key: packets.Key{ID: ref.Key.ID, Number: 2}}), verifytest.Assigned)
	}), []verify.Code{verify.TextsMissing, verify.SaltMissing}},
}
