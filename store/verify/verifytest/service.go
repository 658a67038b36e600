package verifytest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"time"

	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
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
	random := sha256.Sum256([]byte("service " + seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), ServiceOrigin)
	if err != nil {
		panic(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		panic(err)
	}
	return Service{public, signer}
}

// Sign signs a rejection.
func (s Service) Sign(r records.Rejection) []byte {
	signed, err := note.Sign(&note.Note{Text: r.Text()}, s.Signer)
	if err != nil {
		panic(err)
	}
	return signed
}

// Rejection returns the statement that rejects a record; inForce is the record that the service has instead, "" for
// none.
func Rejection(record records.Enforcement, inForce records.RecordID) records.Rejection {
	hash := tlog.RecordHash(record.Document())
	leaf, _ := terms.ParseHash(fmt.Sprintf("sha256:%x", hash[:]))
	return records.Rejection{Origin: ServiceOrigin, RecordID: record.Members().RecordID, LeafHash: leaf, Reason: records.RecordSuperseded,
		InForce: inForce, At: terms.InstantOf(time.Date(2026, 6, 15, 13, 0, 0, 0, time.UTC))}
}

// Reject lets the service reject a record of the log.
func (l *Log) Reject(s Service, record records.Enforcement, inForce records.RecordID) {
	l.Says.ServiceKey = s.Key
	r := Rejection(record, inForce)
	l.Rejected = append(l.Rejected, verify.Rejection{RecordID: r.RecordID, Signed: s.Sign(r)})
}

// Accept lets the service accept a record of the log, as the first one of its own log.
func (l *Log) Accept(s Service, sequence int64) {
	l.t.Helper()
	l.Says.ServiceKey = s.Key
	entry := &l.List[sequence]
	hash := tlog.RecordHash(entry.Document)
	leaf, _ := terms.ParseHash(fmt.Sprintf("sha256:%x", hash[:]))
	_, rest, _ := bytes.Cut(entry.Document, []byte(`"recordId":"`))
	receipt := records.Receipt{RecordID: records.RecordID(rest[:36]), LeafHash: leaf, TreeSize: 1, Root: leaf}
	entry.Acceptance = &signed.Acceptance{Receipt: string(receipt.Document()), Checkpoint: s.checkpoint(hash)}
}

// checkpoint returns that of the service's log with one record.
func (s Service) checkpoint(leaf tlog.Hash) string {
	text := checkpoint.Checkpoint{Origin: ServiceOrigin, Size: 1, Hash: leaf[:]}.Marshal()
	written, err := note.Sign(&note.Note{Text: string(text)}, s.Signer)
	if err != nil {
		panic(err)
	}
	return string(written)
}

// GiveOut lets the service return a document as the only record of its log, which another console handed in. The key of
// the seed signs it.
func (l *Log) GiveOut(s Service, document []byte, seed string) {
	l.t.Helper()
	l.Says.ServiceKey = s.Key
	l.AtService = append(l.AtService, signed.ServiceRecord{Record: string(document), Checkpoint: s.checkpoint(tlog.RecordHash(document)),
		Signature: string(l.Armored(document, Key(seed), records.SignatureNamespace))})
}

// The logs of a service that was restored.
const (
	endedServiceOrigin    = "docket/service/00000000000000000000000000000001"
	restoredServiceOrigin = "docket/service/00000000000000000000000000000002"
)

// Acknowledge lets a service with an operator accept the records of the log at these sequences, and then be restored to the first kept of them.
// The person of a reviewer's key accepts the restored service; the receipts of the others are of the log that ended.
func (l *Log) Acknowledge(kept int64, by terms.ID, sequences ...int64) {
	l.t.Helper()
	s := New(l.t)
	s.Says.Origin = endedServiceOrigin
	s.NewStoreKey(endedServiceOrigin)
	s.Sign()
	s.Name("operator-1")
	for _, sequence := range sequences {
		entry := &l.List[sequence]
		s.Add(verify.Entry{Table: entry.Table, RecordID: entry.RecordID, Document: entry.Document})
		s.Sign()
		acceptance := s.acceptance(int64(len(s.List)) - 1)
		entry.Acceptance = &acceptance
	}
	change := records.ServiceChange{KnownKey: s.Says.VerifierKeys[0], Known: s.head()}
	l.Says.EarlierServiceKeys = s.Says.VerifierKeys
	s.Restore(kept, restoredServiceOrigin, "operator-1", nil)
	l.Says.ServiceKey, change.ShownKey, change.Shown = s.Says.VerifierKeys[0], s.Says.VerifierKeys[0], s.head()
	l.State(l.statement(records.ServiceAccepted, by, change.Words()), by, nil)
}

// head is the head of the log.
func (l *Log) head() records.LogHead {
	return records.LogHead{Origin: l.Says.Origin, Size: int64(len(l.List)), Root: merkle.FromTree(l.Root())}
}

// acceptance returns the answer of a service with the log for the record at its end.
func (l *Log) acceptance(sequence int64) signed.Acceptance {
	l.t.Helper()
	entry := &l.List[sequence]
	path, err := tlog.ProveRecord(sequence+1, sequence, l)
	l.must(err)
	var proof []terms.Hash
	for _, hash := range path {
		proof = append(proof, merkle.FromTree(hash))
	}
	_, rest, _ := bytes.Cut(entry.Document, []byte(`"recordId":"`))
	receipt := records.Receipt{RecordID: records.RecordID(rest[:36]), Sequence: sequence, LeafHash: merkle.FromTree(tlog.RecordHash(entry.Document)),
		TreeSize: sequence + 1, Root: merkle.FromTree(l.Root())}
	return signed.Acceptance{Receipt: string(receipt.Document()), Checkpoint: string(l.Says.Checkpoint), Proof: signed.WriteProof(proof)}
}
