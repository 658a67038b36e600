// Package verifytest makes small logs in memory, with real records, signatures, trees and
// checkpoints, and lets a test forge them.
package verifytest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// Origin is the origin of the logs.
const Origin = "docket/0123456789abcdef"

// At is when the entries of the logs were appended.
const At = "2026-06-15T12:00:00.000Z"

// A Log is a verify.Source in memory. Its fields may be changed at will.
type Log struct {
	Says verify.Head
	List []verify.Entry
	Held map[verify.Ref][]byte
	// Rejected are the rejections that go along, in any order.
	Rejected []verify.Rejection
	// AtService are the records of the service's log that go along, in the order of being kept.
	AtService []signed.ServiceRecord
	// Tree is the root of the stored tree at a size, if one is kept beside the records.
	Tree func(size int64) terms.Hash
	// Cosigned are the cosigned checkpoints that go along, in any order.
	Cosigned []verify.Cosigned

	t      testing.TB
	signer note.Signer
	sealer packets.Sealer
	hashes []tlog.Hash
	now    time.Time
	ids    int
	added  map[verify.Ref]terms.BlockerSet // by people to a revision
	call   func() error                    // at each call; nil: nothing
}

// New makes an empty log with the policies that the samples name, and its reviewers' keys.
func New(t testing.TB) *Log {
	l := &Log{t: t, Held: map[verify.Ref][]byte{}, added: map[verify.Ref]terms.BlockerSet{},
		now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}
	l.Says.Origin = Origin
	l.NewStoreKey("store")
	for _, id := range []terms.ID{Assigned, Recused, Decider, Party, "admin-1", "reviewer-8"} {
		l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: id, Key: Key(string(id)).PublicKey()})
	}
	l.Hold(terms.AppealPolicies, AppealPolicy("appeal-policy", 1))
	l.Hold(terms.AmendmentPolicies, AmendmentPolicy("amendment-policy", 1))
	l.Sign()
	return l
}

// NewStoreKey gives the log another key for its checkpoints.
func (l *Log) NewStoreKey(seed string) {
	var public string
	l.signer, public = noteKey(seed, l.Says.Origin)
	l.Says.VerifierKeys = []string{public}
}

// noteKey returns the key of a seed for a log, and its verifier key.
func noteKey(seed, origin string) (note.Signer, string) {
	random := sha256.Sum256([]byte(seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), origin)
	if err != nil {
		panic(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		panic(err)
	}
	return signer, public
}

func signNote(text string, signer note.Signer) []byte {
	written, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		panic(err)
	}
	return written
}

func checkpointOf(origin string, size int, root tlog.Hash, signer note.Signer) []byte {
	return signNote(string(checkpoint.Checkpoint{Origin: origin, Size: uint64(size), Hash: root[:]}.Marshal()), signer)
}

// Key returns the signing key of a seed.
func Key(seed string) ssh.Signer {
	sum := sha256.Sum256([]byte(seed))
	signer, err := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(sum[:]))
	if err != nil {
		panic(err)
	}
	return signer
}

// Person returns a reviewer with the key of their id.
func Person(id terms.ID, role terms.Role) records.Reviewer {
	return records.Reviewer{ID: id, Role: role, KeyFingerprint: ssh.FingerprintSHA256(Key(string(id)).PublicKey())}
}

func (l *Log) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// Hold seals a record, stores its packet, and appends its entry.
func (l *Log) Hold(table terms.Table, record Record) verify.Ref {
	l.t.Helper()
	text, err := json.Marshal(map[string]any{"table": table, "record": record})
	l.must(err)
	sealed, fault := l.sealer.Seal(text)
	if fault != nil {
		l.t.Fatal(fault)
	}
	return l.HoldSealed(sealed)
}

// HoldSealed stores a packet as it is, and appends its entry.
func (l *Log) HoldSealed(text []byte) verify.Ref {
	l.t.Helper()
	var reader packets.Reader
	u, fault := reader.Read(text)
	if fault != nil {
		l.t.Fatal(fault)
	}
	packet := u.Redact()
	ref := verify.Ref{Table: packet.Table(), Key: packet.Key()}
	_, there := l.Held[ref]
	l.Held[ref] = bytes.Clone(packet.Document())
	if !there {
		l.put(verify.Entry{Kind: records.PacketEntry, Table: ref.Table, Key: ref.Key})
		l.Sign()
	}
	return ref
}

// At is the position of a record, which is numbered from 0; where there is none, the log's size.
func (l *Log) At(record int) int64 {
	for i := range l.List {
		if kind := l.List[i].Kind; kind == records.PacketEntry || kind == records.StatementEntry {
			continue
		}
		if record == 0 {
			return int64(i)
		}
		record--
	}
	return int64(len(l.List))
}

// Entry is the entry of a record, which is numbered from 0.
func (l *Log) Entry(record int) *verify.Entry {
	l.t.Helper()
	at := l.At(record)
	if at == int64(len(l.List)) {
		l.t.Fatalf("there is no record %d", record)
	}
	return &l.List[at]
}

// Cut takes the record away, which is numbered from 0, with all after it.
func (l *Log) Cut(record int) { l.List = l.List[:l.At(record)] }

// held is the entry as it is now, with the texts of a packet beside it: the packet may have been
// changed.
func (l *Log) held(entry verify.Entry) verify.Entry {
	if entry.Kind != records.PacketEntry {
		return entry
	}
	var reader packets.Reader
	entry.Document, entry.Texts = l.Held[verify.Ref{Table: entry.Table, Key: entry.Key}], nil
	if packet, err := reader.ReadStored(entry.Document); err == nil && packet.HasTexts() {
		entry.Document, entry.Texts = packet.Stored(Salt)
	}
	return entry
}

// TakeTexts takes the texts of a held packet out, as an erasure does.
func (l *Log) TakeTexts(ref verify.Ref) {
	l.t.Helper()
	l.Held[ref], _ = l.packet(ref).Stored(Salt)
}

// Append signs a record with its reviewer's key and appends it.
func (l *Log) Append(record records.Enforcement) {
	l.t.Helper()
	l.AppendSigned(record.Table(), record.Document(), Key(string(record.Members().Reviewer.ID)))
}

// AppendSigned appends a document with a signature by the key.
func (l *Log) AppendSigned(table terms.Table, document []byte, key ssh.Signer) {
	l.t.Helper()
	l.appendUnsigned(table, document, key)
	l.Sign()
}

// appendUnsigned is AppendSigned without a checkpoint.
func (l *Log) appendUnsigned(table terms.Table, document []byte, key ssh.Signer) {
	l.t.Helper()
	l.put(verify.Entry{Table: table, Document: document, Signature: l.Armored(document, key, records.SignatureNamespace),
		PacketSalt: Salt, Statement: ReasonsOf(document)})
}

// Armored returns an armored signature.
func (l *Log) Armored(document []byte, key ssh.Signer, namespace string) []byte {
	l.t.Helper()
	signature, err := sshsig.Sign(bytes.NewReader(document), key, sshsig.HashSHA512, namespace)
	l.must(err)
	return sshsig.Armor(signature)
}

// Add appends an entry as it is, and signs a checkpoint with it.
func (l *Log) Add(entry verify.Entry) {
	l.t.Helper()
	l.put(entry)
	l.Sign()
}

func (l *Log) put(entry verify.Entry) {
	entry.Sequence = int64(len(l.List))
	if entry.At == "" {
		entry.At = At
	}
	if !entry.Kind.Present() {
		entry.Kind = records.RecordEntry
	}
	entry = l.held(entry)
	hashes, err := tlog.StoredHashesForRecordHash(entry.Sequence, verify.LeafOf(&entry), l)
	l.must(err)
	l.List, l.hashes = append(l.List, entry), append(l.hashes, hashes...)
	var reader packets.Reader
	if record, err := records.ReadEnforcement(&reader, terms.AreaOf(entry.Table), entry.Document); err == nil {
		m := record.Members()
		on, _, _ := verify.RefsOf(m)
		l.added[on] = l.added[on].Union(terms.SetOf(m.ReviewerBlockers...)).Union(terms.SetOf(m.CarriedBlockers...))
	}
}

// Rebuild makes the tree and the checkpoint fit the list, as a forger with the store's key would.
func (l *Log) Rebuild() {
	l.t.Helper()
	list := l.List
	l.List, l.hashes, l.added = nil, nil, map[verify.Ref]terms.BlockerSet{}
	for _, entry := range list {
		l.put(entry)
	}
	l.Sign()
}

// ReadHashes implements tlog.HashReader.
func (l *Log) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = l.hashes[position]
	}
	return hashes, nil
}

// Root returns the root of the tree.
func (l *Log) Root() tlog.Hash {
	l.t.Helper()
	root, err := tlog.TreeHash(int64(len(l.List)), l)
	l.must(err)
	return root
}

// Sign makes the checkpoint of the present tree.
func (l *Log) Sign() {
	l.t.Helper()
	l.Says.Checkpoint = l.Checkpoint(l.Says.Origin)
}

// Checkpoint returns a signed checkpoint of the present tree.
func (l *Log) Checkpoint(origin string) []byte {
	l.t.Helper()
	return checkpointOf(origin, len(l.List), l.Root(), l.signer)
}
