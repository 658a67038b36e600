package verifytest

import (
	"bytes"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// ServiceOrigin is the origin of the log of the services.
const ServiceOrigin = "docket/service/0123456789abcdef0123456789abcdef"

// A Service is the key of a service's log.
type Service struct {
	Key    string
	Signer note.Signer
}

// NewService returns the service of a seed. All services have the same origin.
func NewService(seed string) Service {
	signer, public := noteKey("service "+seed, ServiceOrigin)
	return Service{public, signer}
}

// Sign signs a rejection.
func (s Service) Sign(r records.Rejection) []byte { return signNote(r.Text(), s.Signer) }

// Rejection returns the rejection of a record; inForce is what the service has instead, or "".
func Rejection(record records.Enforcement, inForce records.RecordID) records.Rejection {
	return records.Rejection{Origin: ServiceOrigin, RecordID: record.Members().RecordID,
		Digest: terms.HashOf(record.Document()), Reason: records.RecordSuperseded,
		InForce: inForce, At: terms.InstantOf(time.Date(2026, 6, 15, 13, 0, 0, 0, time.UTC))}
}

// Bind has the assigned reviewer name the service, unless the log knows one.
func (l *Log) Bind(s Service) {
	l.t.Helper()
	if l.Says.ServiceKey == "" {
		l.Says.ServiceKey = s.Key
		l.name(s.Key)
	}
}

func (l *Log) name(service string) {
	l.t.Helper()
	l.StateKey(l.Statement(records.ServiceNamed, Assigned, service), Assigned)
}

// Reject lets the service reject a record of the log.
func (l *Log) Reject(s Service, record records.Enforcement, inForce records.RecordID) {
	l.Bind(s)
	r := Rejection(record, inForce)
	l.Rejected = append(l.Rejected, verify.Rejection{RecordID: r.RecordID, Signed: s.Sign(r)})
}

// Accept lets the service accept a record of the log, as the first one of its own log.
func (l *Log) Accept(s Service, number int) {
	l.t.Helper()
	l.Bind(s)
	entry := l.Entry(number)
	leaf := leafOf(entry.Document)
	entry.Acceptance = acceptance(entry.Document, 0, leaf, s.checkpoint(leaf), nil)
}

func acceptance(document []byte, sequence int64, root tlog.Hash, checkpoint string, path tlog.RecordProof) *signed.Acceptance {
	var proof []terms.Hash
	for _, hash := range path {
		proof = append(proof, signed.FromTree(hash))
	}
	_, rest, _ := bytes.Cut(document, []byte(`"recordId":"`))
	receipt := records.Receipt{RecordID: records.RecordID(rest[:36]), Sequence: sequence,
		At: At, LeafHash: signed.FromTree(leafOf(document)), TreeSize: sequence + 1, Root: signed.FromTree(root)}
	return &signed.Acceptance{Receipt: string(receipt.Document()), Checkpoint: checkpoint, Proof: signed.WriteProof(proof)}
}

func (s Service) checkpoint(leaf tlog.Hash) string {
	return string(checkpointOf(ServiceOrigin, 1, leaf, s.Signer))
}

// GiveOut lets the service return a document, signed by the key of the seed, as the only record of
// its log, which another console handed in.
func (l *Log) GiveOut(s Service, document []byte, seed string) {
	l.t.Helper()
	l.Bind(s)
	l.AtService = append(l.AtService, signed.ServiceRecord{Record: string(document), At: At, Checkpoint: s.checkpoint(leafOf(document)),
		Signature: string(l.Armored(document, Key(seed), records.SignatureNamespace))})
}

// The logs of a service that was restored.
const (
	endedServiceOrigin    = "docket/service/00000000000000000000000000000001"
	restoredServiceOrigin = "docket/service/00000000000000000000000000000002"
)

// Acknowledge lets a service with an operator accept the records of the log of these numbers, and
// then be restored to the first kept of them. The person of a reviewer's key accepts the restored
// service; the receipts of the others are of the log that ended.
func (l *Log) Acknowledge(kept int, by terms.ID, numbers ...int) {
	l.t.Helper()
	s := New(l.t)
	s.Says.Origin = endedServiceOrigin
	s.NewStoreKey(endedServiceOrigin)
	s.Sign()
	s.StateKey(s.Statement(records.OperatorNamed, "operator-1"), "operator-1")
	for _, number := range numbers {
		entry := l.Entry(number)
		s.Add(verify.Entry{Table: entry.Table, RecordID: entry.RecordID, Document: entry.Document})
		at := int64(len(s.List)) - 1
		path, err := tlog.ProveRecord(at+1, at, s)
		l.must(err)
		entry.Acceptance = acceptance(entry.Document, at, s.Root(), string(s.Says.Checkpoint), path)
	}
	change := records.ServiceChange{KnownKey: s.Says.VerifierKeys[0], Known: s.Seen()}
	l.Says.EarlierServiceKeys = s.Says.VerifierKeys
	l.name(s.Says.VerifierKeys[0])
	s.Restore(kept, restoredServiceOrigin, "operator-1", nil)
	l.Says.ServiceKey, change.ShownKey, change.Shown = s.Says.VerifierKeys[0], s.Says.VerifierKeys[0], s.Seen()
	l.StateKey(l.Statement(records.ServiceAccepted, by, change.Words()...), by)
}

func leafOf(document []byte) tlog.Hash { return signed.LeafHash(records.RecordEntry, At, document) }
