package verify_test

import (
	"bytes"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// foreign is a record that no log here has.
const foreign = "019ecb6a-4e00-7abc-8def-0123456789ab"

// rejectLast lets a service turn the last record of a sound log away.
func rejectLast(l *verifytest.Log, inForce records.RecordID) verifytest.Service {
	s := verifytest.NewService("")
	l.Reject(s, l.Record(last), inForce)
	return s
}

// namedBy puts another statement that names the service in the place of the last one.
func namedBy(l *verifytest.Log, by terms.ID, change func(*records.LogStatement)) {
	s := l.Statement(records.ServiceNamed, by, verifytest.NewService("").Key)
	if change != nil {
		change(&s)
	}
	l.Says.Statements = nil
	l.StateKey(s, by)
}

// onLast appends a record on the case of the last record of a sound log.
func onLast(l *verifytest.Log, supersedes any) {
	members := verifytest.Record{"supersedes": supersedes}
	if supersedes == nil {
		members = nil
	}
	forgedOn(l, caseRef("case-3", 1), assigned, nil, members)
}

// judgedAgain is a sound log whose last record was turned away and judged again, naming a record of another log.
func judgedAgain(l *verifytest.Log) verifytest.Service {
	s := rejectLast(l, foreign)
	onLast(l, foreign)
	return s
}

// rejudged is a forgery of such a log.
func rejudged(forge func(*verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		judgedAgain(l)
		forge(l)
	})
}

// sealed puts another rejection in the place of the first.
func sealed(l *verifytest.Log, s verifytest.Service, change func(*records.Rejection)) {
	r := verifytest.Rejection(l.Record(last), foreign)
	change(&r)
	l.Rejected[0].Signed = s.Sign(r)
}

var rejectionForgeries = []forgery{
	{"a receipt of the service", byHand(func(l *verifytest.Log) { l.Accept(verifytest.NewService(""), last) }), false},
	{"a receipt of another service", byHand(func(l *verifytest.Log) {
		l.Bind(verifytest.NewService(""))
		l.Accept(verifytest.NewService("other"), last)
	}), true},
	{"a rejected record that nobody judged again", byHand(func(l *verifytest.Log) { rejectLast(l, foreign) }), false},
	{"a rejected record judged again where nothing is in force", byHand(func(l *verifytest.Log) {
		rejectLast(l, "")
		onLast(l, nil)
	}), false},
	{"a rejected record judged again where another's is in force", byHand(func(l *verifytest.Log) { judgedAgain(l) }), false},
	{"the record that a rejected one superseded is superseded again", byHand(func(l *verifytest.Log) {
		l.Reject(verifytest.NewService(""), l.Record(3), l.Record(0).Members().RecordID)
		forgedOn(l, caseRef("case-1", 1), assigned, nil, verifytest.Record{"supersedes": idAt(l, 0)})
	}), false},
	{"a record on top of one that was rejected later", byHand(func(l *verifytest.Log) {
		rejectLast(l, "")
		onLast(l, idAt(l, last))
	}), false},
	{"a service that turned nothing away", byHand(func(l *verifytest.Log) { l.Bind(verifytest.NewService("")) }), false},

	{"no rejection where nothing was in force", byHand(func(l *verifytest.Log) { onLast(l, nil) }), true},
	{"a rejection that names another record than the new one supersedes", byHand(func(l *verifytest.Log) {
		rejectLast(l, "")
		onLast(l, foreign)
	}), true},
	{"a rejection that names one where the new record supersedes none", byHand(func(l *verifytest.Log) {
		rejectLast(l, foreign)
		onLast(l, nil)
	}), true},
	{"a rejection that is used twice", rejudged(func(l *verifytest.Log) {
		onLast(l, foreign)
	}), true},
	{"a rejection of a record on another case", byHand(func(l *verifytest.Log) {
		l.Reject(verifytest.NewService(""), l.Record(2), foreign)
		onLast(l, foreign)
	}), true},

	{"a rejection that is removed", rejudged(func(l *verifytest.Log) { l.Rejected = nil }), true},
	{"a rejection signed with another key", rejudged(func(l *verifytest.Log) {
		sealed(l, verifytest.NewService("another"), func(*records.Rejection) {})
	}), true},
	{"a rejection of another origin", byHand(func(l *verifytest.Log) {
		s := judgedAgain(l)
		sealed(l, s, func(r *records.Rejection) { r.Origin = "docket/service/ff" })
	}), true},
	{"a rejection of far too many bytes", rejudged(func(l *verifytest.Log) {
		l.Rejected[0].Signed = bytes.Repeat(l.Rejected[0].Signed, 20)
	}), true},
	{"no service's key", rejudged(func(l *verifytest.Log) { l.Says.ServiceKey = "" }), true},
	{"a service's key that is none", rejudged(func(l *verifytest.Log) {
		l.Says.ServiceKey = "key"
	}), true},
	{"the log's own key for the service's", byHand(func(l *verifytest.Log) { l.Says.ServiceKey = l.Says.VerifierKeys[0] }), true},
	{"a service that nobody named", rejudged(func(l *verifytest.Log) {
		l.Says.Statements = nil
	}), true},
	{"a service that nobody named, and its receipt", byHand(func(l *verifytest.Log) {
		l.Accept(verifytest.NewService(""), last)
		l.Says.Statements = nil
	}), true},
	{"a service that somebody without a record named", rejudged(func(l *verifytest.Log) {
		namedBy(l, "stranger", nil)
	}), true},
	{"a service that a reviewer named, without the key of the log", rejudged(func(l *verifytest.Log) {
		quietly(l)
	}), true},
	{"a service that somebody named as if before there were records", rejudged(func(l *verifytest.Log) {
		namedBy(l, "stranger", func(s *records.LogStatement) { s.Size, s.Root = 0, terms.HashOf(nil) })
	}), true},
	{"a service other than the one that a reviewer named", rejudged(func(l *verifytest.Log) {
		namedBy(l, verifytest.Assigned, func(s *records.LogStatement) { s.Found[0] = verifytest.NewService("another").Key })
	}), true},
	{"a service that a stranger accepted in the place of the named one, as if before all records", byHand(func(l *verifytest.Log) {
		another := verifytest.NewService("another")
		namedBy(l, verifytest.Assigned, func(s *records.LogStatement) { s.Size, s.Root, s.Found = 0, terms.HashOf(nil), []string{another.Key} })
		head := records.LogHead{Origin: verifytest.ServiceOrigin, Root: terms.HashOf(nil)}
		change := records.ServiceChange{KnownKey: another.Key, Known: head, ShownKey: verifytest.NewService("").Key, Shown: head}
		s := l.Statement(records.ServiceAccepted, "stranger", change.Words()...)
		s.Size, s.Root = 0, terms.HashOf(nil)
		l.StateKey(s, "stranger")
		l.Says.ServiceKey, l.Says.EarlierServiceKeys = change.ShownKey, []string{change.KnownKey}
		rejectLast(l, "")
	}), true},
	{"a service made up with a key of its own", func(_ *testing.T, l *verifytest.Log) verify.Options {
		judgedAgain(l)
		return verify.Options{ServiceKeys: []string{verifytest.NewService("another").Key}}
	}, true},
	{"a rejection of other bytes under the record's id", byHand(func(l *verifytest.Log) {
		s := judgedAgain(l)
		sealed(l, s, func(r *records.Rejection) { r.Digest = terms.HashOf(nil) })
	}), true},
	{"a rejection of a record that is not in the log", byHand(func(l *verifytest.Log) {
		s := rejectLast(l, "")
		r := verifytest.Rejection(l.Record(last), "")
		r.RecordID = foreign
		l.Rejected = append(l.Rejected, verify.Rejection{RecordID: foreign, Signed: s.Sign(r)})
	}), true},
	{"a rejection twice", byHand(func(l *verifytest.Log) {
		rejectLast(l, "")
		l.Rejected = append(l.Rejected, l.Rejected[0])
	}), true},
	{"a rejection that names its own record", byHand(func(l *verifytest.Log) {
		rejectLast(l, l.Record(last).Members().RecordID)
	}), true},
}

func TestAReportCountsWhatTheServiceTurnedAway(t *testing.T) {
	l := sound(t)
	s := judgedAgain(l)
	report := check(t, l, verify.Options{ServiceKeys: []string{s.Key}})
	if !report.OK() || report.Rejected != 1 || report.ServiceKey != s.Key {
		t.Errorf("%+v", report)
	}
	if report = check(t, sound(t), verify.Options{ServiceKeys: []string{s.Key}}); !report.OK() || report.Rejected != 0 || report.ServiceKey != "" {
		t.Errorf("%+v", report)
	}
	l = sound(t)
	theirs(l)
	if report = check(t, l, verify.Options{}); report.AtService != 1 {
		t.Errorf("%d records of the service's log are counted", report.AtService)
	}
}

// A rejection verifies with any of the keys that the service had, whichever of them signed it.
func TestARejectionVerifiesWithAnyKeyOfTheService(t *testing.T) {
	newest, earlier := verifytest.NewService("newest"), verifytest.NewService("earlier")
	var list []signed.Key
	for _, s := range []verifytest.Service{newest, earlier} {
		key := need(signed.ParseKey(s.Key))(t)
		list = append(list, key)
	}
	for name, by := range map[string]verifytest.Service{"newest": newest, "earlier": earlier, "none": verifytest.NewService("none")} {
		l := sound(t)
		r := verifytest.Rejection(l.Record(last), foreign)
		if known, unsigned := verify.ReadRejection(list, verify.Rejection{RecordID: r.RecordID, Signed: by.Sign(r)}); known == (name == "none") || unsigned != !known {
			t.Errorf("%s: known %v, unsigned %v", name, known, unsigned)
		}
	}
}

// theirs lets the service give out a record of a safety admin on case-3, who added a blocker.
func theirs(l *verifytest.Log) records.Enforcement {
	admin := verifytest.Person("admin-1", terms.SafetyAdmin)
	record := l.Decide(caseRef("case-3", 1), admin, func(c *records.Choice) {
		c.Outcome, c.AddedBlockers = terms.BlockReliance, terms.SetOf(terms.NoticeMissing)
	})
	l.GiveOut(verifytest.NewService(""), record.Document(), "admin-1")
	return record
}

// onTheirs appends a record on case-3 that supersedes one, with the blockers that it carries.
func onTheirs(l *verifytest.Log, supersedes records.RecordID, carried ...string) {
	members := verifytest.Record{"supersedes": string(supersedes), "gate": "blocked", "carriedBlockers": carried}
	if len(carried) == 0 {
		members = verifytest.Record{"supersedes": string(supersedes)}
	}
	forgedOn(l, caseRef("case-3", 1), assigned, nil, members)
}

// superseding is a sound log whose last record supersedes one of the service's log.
func superseding(l *verifytest.Log) records.Enforcement {
	record := theirs(l)
	onTheirs(l, record.Members().RecordID, "notice_missing")
	return record
}

// kept changes what is kept of the record of the service's log, on top of which there is one here.
func kept(change func(l *verifytest.Log, r *signed.ServiceRecord)) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		superseding(l)
		change(l, &l.AtService[0])
	})
}

var serviceRecordForgeries = []forgery{
	{"a record of the service's log that nothing supersedes", byHand(func(l *verifytest.Log) { theirs(l) }), false},
	{"a record of the service's log that is superseded", byHand(func(l *verifytest.Log) { superseding(l) }), false},
	{"a record of the service's log that is superseded by one that the service rejected, and again", byHand(func(l *verifytest.Log) {
		id := superseding(l).Members().RecordID
		s := verifytest.NewService("")
		r := verifytest.Rejection(l.Record(last+1), id)
		r.Carried = terms.SetOf(terms.NoticeMissing)
		l.Rejected = append(l.Rejected, verify.Rejection{RecordID: r.RecordID, Signed: s.Sign(r)})
		onTheirs(l, id, "notice_missing")
	}), false},

	{"a record of the service's log that is superseded twice", byHand(func(l *verifytest.Log) {
		onTheirs(l, superseding(l).Members().RecordID, "notice_missing")
	}), true},
	{"a record on top of the service's that leaves out what it added", byHand(func(l *verifytest.Log) {
		onTheirs(l, theirs(l).Members().RecordID)
	}), true},
	{"a record on top of the service's that carries over what nobody added", byHand(func(l *verifytest.Log) {
		onTheirs(l, theirs(l).Members().RecordID, "notice_missing", "scope_missing")
	}), true},
	{"a record on top of one of the service's log on another case", byHand(func(l *verifytest.Log) {
		id := theirs(l).Members().RecordID
		forgedOn(l, caseRef("case-2", 3), assigned, nil, verifytest.Record{"supersedes": string(id)})
	}), true},
	{"a record of this log as one of the service's", byHand(func(l *verifytest.Log) {
		l.GiveOut(verifytest.NewService(""), l.Entry(last).Document, verifytest.Assigned)
	}), true},

	{"a record of the service's log that is removed", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) { l.AtService = nil }), true},
	{"a record of the service's log of another case", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Record = strings.Replace(r.Record, `"caseId":"case-3"`, `"caseId":"case-9"`, 1)
	}), true},
	{"a record of the service's log signed with another reviewer's key", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		r.Signature = string(l.Armored([]byte(r.Record), verifytest.Key(verifytest.Assigned), records.SignatureNamespace))
	}), true},
	{"a record of the service's log signed for another purpose", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		r.Signature = string(l.Armored([]byte(r.Record), verifytest.Key("admin-1"), records.LogStatementNamespace))
	}), true},
	{"a record of the service's log under the checkpoint of another service", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		own := l.Says.ServiceKey
		l.GiveOut(verifytest.NewService("another"), []byte(r.Record), "admin-1")
		l.Says.ServiceKey = own
		l.AtService = l.AtService[1:]
	}), true},
	{"a record that the service's log does not have", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) {
		l.GiveOut(verifytest.NewService(""), l.Entry(0).Document, verifytest.Assigned)
		l.AtService[0].Checkpoint = l.AtService[1].Checkpoint
		l.AtService = l.AtService[:1]
	}), true},
	{"a record of the service's log in another place", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) { r.Sequence = 1 }), true},
	{"a record of the service's log with another proof", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Proof = terms.HashOf(nil).String() + "\n"
	}), true},
	{"no service's key for a record of its log", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) { l.Says.ServiceKey = "" }), true},
	{"nothing in the place of a record of the service's log", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) { *r = signed.ServiceRecord{} }), true},
}
