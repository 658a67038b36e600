package audit_test

import (
	"bytes"
	"context"
	"testing"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/domain"
)

// foreign is a record that no log here has.
const foreign = "019ecb6a-4e00-7abc-8def-0123456789ab"

// recordAt is a record of the log.
func recordAt(l *audittest.Log, sequence int) domain.Enforcement {
	var reader domain.Reader
	record, err := domain.ReadEnforcement(&reader, domain.AreaOf(l.List[sequence].Table), l.List[sequence].Document)
	if err != nil {
		panic(err)
	}
	return record
}

// rejectLast lets a service turn the last record of a sound log away.
func rejectLast(l *audittest.Log, inForce domain.RecordID) audittest.Service {
	s := audittest.NewService("")
	l.Reject(s, recordAt(l, last), inForce)
	return s
}

// onLast appends a record on the case of the last record of a sound log.
func onLast(l *audittest.Log, supersedes any) {
	members := audittest.Record{"supersedes": supersedes}
	if supersedes == nil {
		members = nil
	}
	forgedOn(l, caseRef("case-3", 1), assigned, nil, members)
}

// judgedAgain is a sound log whose last record was turned away and judged again, naming a record of another log.
func judgedAgain(l *audittest.Log) audittest.Service {
	s := rejectLast(l, foreign)
	onLast(l, foreign)
	return s
}

// sealed puts another rejection in the place of the first.
func sealed(l *audittest.Log, s audittest.Service, change func(*domain.Rejection)) {
	r := audittest.Rejection(recordAt(l, last), foreign)
	change(&r)
	l.Rejected[0].Signed = s.Sign(r)
}

var rejectionForgeries = []forgery{
	{"a rejected record that nobody judged again", byHand(func(l *audittest.Log) { rejectLast(l, foreign) }), nil},
	{"a rejected record judged again where nothing is in force", byHand(func(l *audittest.Log) {
		rejectLast(l, "")
		onLast(l, nil)
	}), nil},
	{"a rejected record judged again where another's is in force", byHand(func(l *audittest.Log) { judgedAgain(l) }), nil},
	{"the record that a rejected one superseded is superseded again", byHand(func(l *audittest.Log) {
		l.Reject(audittest.NewService(""), recordAt(l, 3), recordAt(l, 0).Members().RecordID)
		forgedOn(l, caseRef("case-1", 1), assigned, nil, audittest.Record{"supersedes": idAt(l, 0)})
	}), nil},
	{"a record on top of one that was rejected later", byHand(func(l *audittest.Log) {
		rejectLast(l, "")
		onLast(l, idAt(l, last))
	}), nil},
	{"a service that turned nothing away", byHand(func(l *audittest.Log) { l.Says.ServiceKey = audittest.NewService("").Key }), nil},

	{"no rejection where nothing was in force", byHand(func(l *audittest.Log) { onLast(l, nil) }), []audit.Kind{audit.SupersedesMissing}},
	{"a rejection that names another record than the new one supersedes", byHand(func(l *audittest.Log) {
		rejectLast(l, "")
		onLast(l, foreign)
	}), []audit.Kind{audit.SupersedesUnknown}},
	{"a rejection that names one where the new record supersedes none", byHand(func(l *audittest.Log) {
		rejectLast(l, foreign)
		onLast(l, nil)
	}), []audit.Kind{audit.SupersedesMissing}},
	{"a rejection that is used twice", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		onLast(l, foreign)
	}), []audit.Kind{audit.SupersedesUnknown}},
	{"a rejection of a record on another case", byHand(func(l *audittest.Log) {
		l.Reject(audittest.NewService(""), recordAt(l, 2), foreign)
		onLast(l, foreign)
	}), []audit.Kind{audit.SupersedesUnknown}},

	{"a rejection that is removed", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Rejected = nil
	}), []audit.Kind{audit.SupersedesUnknown}},
	{"a rejection that is edited", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Rejected[0].Signed = bytes.Replace(l.Rejected[0].Signed, []byte("record_superseded"), []byte("packet_stale"), 1)
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a rejection that says more", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Rejected[0].Signed = append(l.Rejected[0].Signed, '\n')
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a rejection signed with another key", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		sealed(l, audittest.NewService("another"), func(*domain.Rejection) {})
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a rejection of another origin", byHand(func(l *audittest.Log) {
		s := judgedAgain(l)
		sealed(l, s, func(r *domain.Rejection) { r.Origin = "docket/service/ff" })
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a rejection of far too many bytes", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Rejected[0].Signed = bytes.Repeat(l.Rejected[0].Signed, 20)
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"no service's key", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Says.ServiceKey = ""
	}), []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a service's key that is none", byHand(func(l *audittest.Log) {
		judgedAgain(l)
		l.Says.ServiceKey = "key"
	}), []audit.Kind{audit.ServiceKeyUnusable, audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"the log's own key for the service's", byHand(func(l *audittest.Log) { l.Says.ServiceKey = l.Says.VerifierKeys[0] }),
		[]audit.Kind{audit.ServiceKeyUnusable}},
	{"a service made up with a key of its own", func(_ *testing.T, l *audittest.Log) audit.Options {
		judgedAgain(l)
		return audit.Options{ServiceKey: audittest.NewService("another").Key}
	}, []audit.Kind{audit.ServiceKeyUnusable, audit.RejectionUnsigned, audit.SupersedesUnknown}},
	{"a rejection of other bytes under the record's id", byHand(func(l *audittest.Log) {
		s := judgedAgain(l)
		sealed(l, s, func(r *domain.Rejection) { r.LeafHash = domain.HashOf(nil) })
	}), []audit.Kind{audit.RejectionStray, audit.SupersedesUnknown}},
	{"a rejection of a record that is not in the log", byHand(func(l *audittest.Log) {
		s := rejectLast(l, "")
		r := audittest.Rejection(recordAt(l, last), "")
		r.RecordID = foreign
		l.Rejected = append(l.Rejected, audit.Rejection{RecordID: foreign, Signed: s.Sign(r)})
	}), []audit.Kind{audit.RejectionStray}},
	{"a rejection filed with another record", byHand(func(l *audittest.Log) {
		rejectLast(l, "")
		l.Rejected[0].RecordID = recordAt(l, 0).Members().RecordID
	}), []audit.Kind{audit.RejectionStray}},
	{"a rejection twice", byHand(func(l *audittest.Log) {
		rejectLast(l, "")
		l.Rejected = append(l.Rejected, l.Rejected[0])
	}), []audit.Kind{audit.RejectionStray}},
	{"a rejection that names its own record", byHand(func(l *audittest.Log) {
		rejectLast(l, recordAt(l, last).Members().RecordID)
	}), []audit.Kind{audit.RejectionStray}},
}

func TestAReportCountsWhatTheServiceTurnedAway(t *testing.T) {
	l := sound(t)
	s := judgedAgain(l)
	report := check(t, l, audit.Options{ServiceKey: s.Key})
	if !report.OK() || report.Rejected != 1 || report.ServiceKey != s.Key {
		t.Errorf("%+v", report)
	}
	if report = check(t, sound(t), audit.Options{ServiceKey: s.Key}); !report.OK() || report.Rejected != 0 || report.ServiceKey != "" {
		t.Errorf("%+v", report)
	}
}

func TestRejectionsThatCannotBeReadAreAnError(t *testing.T) {
	l := sound(t)
	rejectLast(l, "")
	if _, err := audit.Check(t.Context(), &unread{l}, audit.Options{}); err == nil {
		t.Error("no error")
	}
}

// unread is a log whose rejections cannot be read.
type unread struct{ *audittest.Log }

func (unread) Rejections(_ context.Context, _ func(audit.Rejection) error) error { return errDisk }
