package workbenchtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

// Service is the origin of the service's log; Foreign a record in it of another console.
const (
	Service = "docket/service/0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	Foreign = records.RecordID("0195582c-7c00-7fff-9b00-00000000f0e1")
)

// A service is a log of its own that answers with what it signs.
type service struct {
	log    *merkle.Key
	key    string
	hashes []tlog.Hash
	size   int64
}

// newService is the service that goes with a seed; all have the same origin.
func newService(seed string) *service {
	random := sha256.Sum256([]byte("service " + seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), Service)
	must(err)
	log, err := merkle.ParseKey(Service, public)
	must(err)
	must(log.Unlock(context.Background(), private+"\n"))
	return &service{log: log, key: public}
}

// ReadHashes implements tlog.HashReader.
func (s *service) ReadHashes(positions []int64) (hashes []tlog.Hash, err error) {
	for _, position := range positions {
		hashes = append(hashes, s.hashes[position])
	}
	return hashes, nil
}

func (s *service) grow(entries ...string) {
	for _, entry := range entries {
		hashes, err := tlog.StoredHashesForRecordHash(s.size, tlog.RecordHash([]byte(entry)), s)
		must(err)
		s.hashes, s.size = append(s.hashes, hashes...), s.size+1
	}
}

func (s *service) checkpoint(size int64) (string, tlog.Hash) {
	root, err := tlog.TreeHash(size, s)
	must(err)
	written, err := s.log.Sign(size, root)
	must(err)
	return string(written.Note), root
}

func (d *Workbench) bound() *service {
	if d.service == nil {
		d.service = newService("")
		due, err := d.Store.ServiceToName(context.Background(), d.service.key)
		must(err)
		due.At = d.Now()
		must(d.Store.BindService(context.Background(), d.stated(due)))
		d.service.grow("one", "two", "three")
	}
	return d.service
}

// Logged is the record of that number among the records, from 0.
func (d *Workbench) Logged(number int) records.LoggedRecord {
	page, err := d.Store.RecordPage(context.Background(), int64(number)+1, 1)
	must(err)
	return page.Records[0]
}

// ID is the id of the record of that number.
func (d *Workbench) ID(number int) string { return string(d.Logged(number).Receipt.RecordID) }

// Pull notes that packets were pulled from the service to the end so long ago.
func (d *Workbench) Pull(ago time.Duration) {
	d.bound()
	d.Pass(-ago)
	must(d.Store.SavePull(context.Background(), "7", true))
	d.Pass(ago)
}

// SetBack has the service show a log that does not extend what was known of it.
func (d *Workbench) SetBack(kind records.SetbackKind) {
	s, shown := d.bound(), newService("")
	if kind == records.LogOtherKey {
		shown = newService("other")
	}
	for shown.size <= s.size {
		shown.grow("another")
	}
	sizes := map[records.SetbackKind]int64{records.LogForked: s.size, records.LogUnproven: s.size + 1}
	known, _ := s.checkpoint(s.size)
	now, _ := shown.checkpoint(sizes[kind])
	must(errors.Join(d.Store.KeepShown(context.Background(), known), d.Store.KeepSetback(context.Background(), kind, now, shown.key)))
}

// Accept lets the service take the record of that number.
func (d *Workbench) Accept(number int) {
	s, record := d.bound(), d.Logged(number).Record
	at := records.LogTime(d.Now())
	s.grow(string(records.LeafData(records.RecordEntry, at, record.Document())))
	checkpoint, root := s.checkpoint(s.size)
	proof, err := tlog.ProveRecord(s.size, s.size-1, s)
	must(err)
	var path []terms.Hash
	for _, hash := range proof {
		path = append(path, signed.FromTree(hash))
	}
	must(d.Store.KeepAcceptance(context.Background(), record.Members().RecordID, records.Receipt{RecordID: record.Members().RecordID,
		Sequence: s.size - 1, TreeSize: s.size, Root: signed.FromTree(root), At: at,
		LeafHash: signed.FromTree(signed.LeafHash(records.RecordEntry, at, record.Document()))},
		path, []byte(checkpoint)))
}

// Reject lets the service turn the record of that number away, with the changes that it tells.
func (d *Workbench) Reject(number int, reason records.RejectionReason, inForce records.RecordID, changes ...string) {
	s, record := d.bound(), d.Logged(number).Record
	rejection := records.Rejection{Origin: Service, RecordID: record.Members().RecordID, Reason: reason, InForce: inForce, At: d.Now(),
		Digest: terms.HashOf(record.Document())}
	text, err := s.log.SignNote(rejection.Text())
	must(err)
	must(d.Store.KeepRejection(context.Background(), rejection.RecordID, string(text), changes))
}

// Reassign says that the service gave a case to somebody else with a revision; 0 takes that back.
func (d *Workbench) Reassign(id terms.ID, revision int64) {
	d.bound()
	var list []verify.Ref
	if revision > 0 {
		list = []verify.Ref{{Table: tableOf(packets.Key{ID: id}), Key: packets.Key{ID: id, Number: revision}}}
	}
	_, err := d.Store.KeepReassigned(context.Background(), list, true)
	must(err)
}

// Revoke revokes the reviewer's key from the record of that number on.
func (d *Workbench) Revoke(number int) {
	due, err := d.Store.KeyStatementDue(context.Background(), records.KeyRevoked, d.Who,
		signed.AuthorizedKey(key().PublicKey()), d.Logged(number).Receipt.Sequence)
	must(err)
	must(d.Store.KeepKeyStatement(context.Background(), d.stated(due)))
}
