package verifytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/gowebpki/jcs"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/verify"
)

// packet reads a stored packet; the zero Packet if it is not held.
func (l *Log) packet(ref verify.Ref) packets.Packet {
	l.t.Helper()
	document, there := l.Held[ref]
	if !there {
		return packets.Packet{}
	}
	var reader packets.Reader
	packet, err := reader.ReadStored(document)
	l.must(err)
	return packet
}

func (l *Log) latest(ref verify.Ref) (latest int64) {
	for held := range l.Held {
		if held.Table == ref.Table && held.Key.ID == ref.Key.ID {
			latest = max(latest, held.Key.Number)
		}
	}
	return latest
}

// look evaluates a packet as it stands in the log.
func (l *Log) look(ref verify.Ref) views.View {
	l.t.Helper()
	packet := l.packet(ref)
	policy := verify.Ref{Table: terms.PolicyTable(terms.AreaOf(ref.Table)), Key: packet.PolicyKey()}
	l.now = l.now.Add(time.Second)
	return views.New(l.packet(policy), packet, rules.Latest{PolicyVersion: l.latest(policy), Revision: l.latest(ref)},
		terms.InstantOf(l.now)).Carrying(l.added[ref])
}

// Record reads a record, which is numbered from 0.
func (l *Log) Record(number int) records.Enforcement {
	l.t.Helper()
	var reader packets.Reader
	record, err := records.ReadEnforcement(&reader, terms.AreaOf(l.Entry(number).Table), l.Entry(number).Document)
	l.must(err)
	return record
}

// Decide makes a record on a packet. change may change the choice before that; it may be nil.
func (l *Log) Decide(ref verify.Ref, who records.Reviewer, change func(*records.Choice)) records.Enforcement {
	l.t.Helper()
	view := l.look(ref)
	choice := records.Choice{OpenedAt: terms.InstantOf(l.now),
		SectionsViewed: []views.SectionName{views.SectionGate, views.SectionReview}}
	if view.Area() == terms.Appeals {
		choice.Outcome, choice.Factors = terms.RouteHumanReview, terms.SetOf(terms.HumanReviewRequired)
	}
	if change != nil {
		change(&choice)
	}
	if records.StatementRequired(&view, &choice) != "" && !choice.Statement.Present() {
		choice.Statement = Reasons
	}
	l.ids++
	recordedAt := terms.InstantOf(l.now.Add(time.Millisecond))
	record, err := records.Decide(&view, choice, records.Stamp{
		RecordID: records.NewRecordID(recordedAt, [10]byte{8: byte(l.ids >> 8), 9: byte(l.ids)}), Reviewer: who,
		LogHead: l.Seen(), RecordedAt: recordedAt, PacketSalt: Salt,
	})
	l.must(err)
	return record
}

// DecideAt is Decide by a reviewer whose record has that time.
func (l *Log) DecideAt(at time.Time, ref verify.Ref, who records.Reviewer, change func(*records.Choice)) records.Enforcement {
	l.t.Helper()
	now := l.now
	defer func() { l.now = now }()
	l.now = at.Add(-time.Millisecond)
	return l.Decide(ref, who, change)
}

// Salt is the salt of every packetDigest and statement.
const Salt packets.Salt = "saltsaltsaltsaltsaltsalt"

// Reasons is the statement of every record that requires one, unless a test gives another.
var Reasons = records.Statement{Salt: Salt, Text: "The notice does not say who was told."}

// ReasonsOf returns the statement stored with a record: Reasons if the document holds its digest.
func ReasonsOf(document []byte) records.Statement {
	if bytes.Contains(document, []byte(`"statementDigest":"`+Reasons.Digest().String()+`"`)) {
		return Reasons
	}
	return records.Statement{}
}

// Seen returns the head of the log that a reviewer sees now.
func (l *Log) Seen() records.LogHead {
	return records.LogHead{Origin: l.Says.Origin, Size: int64(len(l.List)), Root: signed.FromTree(l.Root())}
}

// Forged returns a record's document with some members set, in canonical form.
func (l *Log) Forged(record records.Enforcement, members Record) []byte {
	l.t.Helper()
	document := Record{}
	l.must(json.Unmarshal(record.Document(), &document))
	maps.Copy(document, members)
	text, err := json.Marshal(document)
	l.must(err)
	form, err := jcs.Transform(text)
	l.must(err)
	return form
}

const crowdCases = 1000

// Crowd makes a log of n records on many packets; on each, a record supersedes the one before.
func Crowd(t testing.TB, n int) *Log { return CrowdOf(t, Origin, n) }

// CrowdOf is Crowd for a log of an origin.
func CrowdOf(t testing.TB, origin string, n int) *Log {
	t.Helper()
	l := New(t)
	l.Says.Origin = origin
	l.NewStoreKey("store")
	who := Person(Assigned, terms.NeutralReviewer)
	refs := make([]verify.Ref, min(n, crowdCases))
	for i := range refs {
		if i%4 == 3 {
			refs[i] = l.Hold(terms.AmendmentRecords, Amendment(fmt.Sprintf("amendment-%d", i), 1))
		} else {
			refs[i] = l.Hold(terms.AppealCases, AppealCase(fmt.Sprintf("case-%d", i), 1))
		}
	}
	inForce := make([]records.RecordID, len(refs))
	for i := range n {
		on := i % len(refs)
		record := l.Decide(refs[on], who, func(c *records.Choice) {
			if c.Supersedes = inForce[on]; refs[on].Table == terms.AppealCases {
				c.Outcome = terms.OpenChallengeWindow // as advised, so that no reasons are required
			}
		})
		inForce[on] = record.Members().RecordID
		l.appendUnsigned(record.Table(), record.Document(), Key(Assigned))
	}
	l.Sign()
	return l
}
