package verify_test

import (
	"context"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

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

var notTheirs = []verify.Code{verify.ServiceRecordAltered, verify.SupersedesUnknown, verify.CarriedUnknown}

var serviceRecordForgeries = []forgery{
	{"a record of the service's log that nothing supersedes", byHand(func(l *verifytest.Log) { theirs(l) }), nil},
	{"a record of the service's log that is superseded", byHand(func(l *verifytest.Log) { superseding(l) }), nil},
	{"a record of the service's log that is superseded by one that the service rejected, and again", byHand(func(l *verifytest.Log) {
		id := superseding(l).Members().RecordID
		s := verifytest.NewService("")
		r := verifytest.Rejection(recordAt(l, last+1), id)
		r.Carried = terms.SetOf(terms.NoticeMissing)
		l.Rejected = append(l.Rejected, verify.Rejection{RecordID: r.RecordID, Signed: s.Sign(r)})
		onTheirs(l, id, "notice_missing")
	}), nil},

	{"a record of the service's log that is superseded twice", byHand(func(l *verifytest.Log) {
		onTheirs(l, superseding(l).Members().RecordID, "notice_missing")
	}), []verify.Code{verify.SupersedesSuperseded}},
	{"a record on top of the service's that leaves out what it added", byHand(func(l *verifytest.Log) {
		onTheirs(l, theirs(l).Members().RecordID)
	}), []verify.Code{verify.CarriedMissing}},
	{"a record on top of the service's that carries over what nobody added", byHand(func(l *verifytest.Log) {
		onTheirs(l, theirs(l).Members().RecordID, "notice_missing", "scope_missing")
	}), []verify.Code{verify.CarriedUnknown}},
	{"a record on top of one of the service's log on another case", byHand(func(l *verifytest.Log) {
		id := theirs(l).Members().RecordID
		forgedOn(l, caseRef("case-2", 3), assigned, nil, verifytest.Record{"supersedes": string(id)})
	}), []verify.Code{verify.SupersedesOtherRevision, verify.CarriedMissing}},
	{"a record of this log as one of the service's", byHand(func(l *verifytest.Log) {
		l.GiveOut(verifytest.NewService(""), l.List[last].Document, verifytest.Assigned)
	}), []verify.Code{verify.ServiceRecordAltered}},

	{"a record of the service's log that is removed", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) { l.AtService = nil }),
		[]verify.Code{verify.SupersedesUnknown, verify.CarriedUnknown}},
	{"a record of the service's log that is edited", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Record = strings.Replace(r.Record, "notice_missing", "scope_missing", 1)
	}), notTheirs},
	{"a record of the service's log of another case", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Record = strings.Replace(r.Record, `"caseId":"case-3"`, `"caseId":"case-9"`, 1)
	}), notTheirs},
	{"a record of the service's log with no signature", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) { r.Signature = "" }), notTheirs},
	{"a record of the service's log with a signature that is written otherwise", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Signature += "\n"
	}), notTheirs},
	{"a record of the service's log signed with another reviewer's key", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		r.Signature = string(l.Armored([]byte(r.Record), verifytest.Key(verifytest.Assigned), records.SignatureNamespace))
	}), notTheirs},
	{"a record of the service's log signed for another purpose", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		r.Signature = string(l.Armored([]byte(r.Record), verifytest.Key("admin-1"), records.LogStatementNamespace))
	}), notTheirs},
	{"a record of the service's log under the checkpoint of another service", kept(func(l *verifytest.Log, r *signed.ServiceRecord) {
		own := l.Says.ServiceKey
		l.GiveOut(verifytest.NewService("another"), []byte(r.Record), "admin-1")
		l.Says.ServiceKey = own
		l.AtService = l.AtService[1:]
	}), notTheirs},
	{"a record that the service's log does not have", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) {
		l.GiveOut(verifytest.NewService(""), l.List[0].Document, verifytest.Assigned)
		l.AtService[0].Checkpoint = l.AtService[1].Checkpoint
		l.AtService = l.AtService[:1]
	}), notTheirs},
	{"a record of the service's log in another place", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) { r.Sequence = 1 }), notTheirs},
	{"a record of the service's log with another proof", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) {
		r.Proof = terms.HashOf(nil).String() + "\n"
	}), notTheirs},
	{"no service's key for a record of its log", kept(func(l *verifytest.Log, _ *signed.ServiceRecord) { l.Says.ServiceKey = "" }), notTheirs},
	{"nothing in the place of a record of the service's log", kept(func(_ *verifytest.Log, r *signed.ServiceRecord) { *r = signed.ServiceRecord{} }), notTheirs},
}

func TestServiceRecordsThatCannotBeReadAreAnError(t *testing.T) {
	l := sound(t)
	theirs(l)
	if _, err := verify.Check(t.Context(), &unreadRecords{l}, verify.Options{}); err == nil {
		t.Error("no error")
	}
	if report := check(t, l, verify.Options{}); report.AtService != 1 {
		t.Errorf("%d of them are counted", report.AtService)
	}
}

// unreadRecords is a log whose records of the service's log cannot be read.
type unreadRecords struct{ *verifytest.Log }

func (unreadRecords) ServiceRecords(context.Context, func(signed.ServiceRecord) error) error {
	return errDisk
}
