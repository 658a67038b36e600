package verifytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gowebpki/jcs"

	"docket/domain"
	"docket/store/verify"
)

// packet reads a stored packet; the zero Packet if it is not held.
func (l *Log) packet(ref verify.Ref) domain.Packet {
	l.t.Helper()
	document, there := l.Held[ref]
	if !there {
		return domain.Packet{}
	}
	var reader domain.Reader
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

// Look judges a packet as it stands in the log.
func (l *Log) Look(ref verify.Ref) domain.View {
	l.t.Helper()
	packet := l.packet(ref)
	var policy verify.Ref
	if c := packet.AppealCase(); c.Held() {
		policy = verify.Ref{Table: domain.AppealPolicies, Key: domain.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}}
	} else {
		a := packet.Amendment().Record()
		policy = verify.Ref{Table: domain.AmendmentPolicies, Key: domain.Key{ID: a.PolicyID, Number: a.PolicyVersion}}
	}
	l.now = l.now.Add(time.Second)
	return domain.Look(l.packet(policy), packet, domain.Latest{PolicyVersion: l.latest(policy), Revision: l.latest(ref)},
		domain.InstantOf(l.now)).Carrying(l.carried(ref))
}

// carried are the blockers that people added to a revision in the records of the log.
func (l *Log) carried(ref verify.Ref) (codes domain.BlockerSet) {
	var reader domain.Reader
	for i := range l.List {
		if bytes.Contains(l.List[i].Document, []byte(`"reviewerBlockers":[]`)) && bytes.Contains(l.List[i].Document, []byte(`"carriedBlockers":[]`)) {
			continue
		}
		record, err := domain.ReadEnforcement(&reader, domain.AreaOf(ref.Table), l.List[i].Document)
		if m := record.Members(); err == nil && m.Key == ref.Key {
			codes = codes.Union(domain.SetOf(m.ReviewerBlockers...)).Union(domain.SetOf(m.CarriedBlockers...))
		}
	}
	return codes
}

// Decide makes a record on a packet. change may change the choice before; nil leaves it as it is.
func (l *Log) Decide(ref verify.Ref, who domain.Reviewer, change func(*domain.Choice)) domain.Enforcement {
	l.t.Helper()
	view := l.Look(ref)
	choice := domain.Choice{OpenedAt: domain.InstantOf(l.now),
		SectionsViewed: []domain.SectionName{domain.SectionGate, domain.SectionItem}}
	if view.Area() == domain.Appeals {
		choice.Outcome, choice.Factors = domain.RouteHumanReview, domain.SetOf(domain.HumanReviewRequired)
	}
	if change != nil {
		change(&choice)
	}
	if domain.StatementRequired(&view, &choice) != "" && !choice.Statement.Present() {
		choice.Statement = Reasons
	}
	l.ids++
	recordedAt := domain.InstantOf(l.now.Add(time.Millisecond))
	record, err := domain.Decide(&view, choice, domain.Stamp{
		RecordID: domain.NewRecordID(recordedAt, [10]byte{8: byte(l.ids >> 8), 9: byte(l.ids)}), Reviewer: who,
		LogHead: l.Seen(), RecordedAt: recordedAt, PacketSalt: Salt,
	})
	l.must(err)
	return record
}

// Salt is that of every packetDigest and statement.
const Salt domain.Salt = "saltsaltsaltsaltsaltsalt"

// Reasons is the statement of every record that requires one, as long as a test gives no other.
var Reasons = domain.Statement{Salt: Salt, Text: "The notice does not say who was told."}

// ReasonsOf is the statement that lies beside a record: Reasons if the document holds its digest, else none.
func ReasonsOf(document []byte) domain.Statement {
	if bytes.Contains(document, []byte(`"statementDigest":"`+Reasons.Digest().String()+`"`)) {
		return Reasons
	}
	return domain.Statement{}
}

// Seen is the log as a reviewer sees it now.
func (l *Log) Seen() domain.LogHead {
	root := l.Root()
	hash, ok := domain.ParseHash(fmt.Sprintf("sha256:%x", root[:]))
	if !ok {
		l.t.Fatal("no root")
	}
	return domain.LogHead{Origin: Origin, Size: int64(len(l.List)), Root: hash}
}

// Forged is a record's document with some members set, in canonical form again.
func (l *Log) Forged(record domain.Enforcement, members Record) []byte {
	l.t.Helper()
	document := Record{}
	l.must(json.Unmarshal(record.Document(), &document))
	for name, value := range members {
		document[name] = value
	}
	text, err := json.Marshal(document)
	l.must(err)
	form, err := jcs.Transform(text)
	l.must(err)
	return form
}
