package verify

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"golang.org/x/crypto/ssh"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// A Source is a source of records, with their packets, which may be damaged or forged. Its methods
// may be called by several goroutines at once, and Packets and a further Entries while another
// Entries is under way; all must show the same moment of the log. A method that yields stops with
// the error that yield returns, unchanged; yield may keep what it is given.
type Source interface {
	Head(ctx context.Context) (Head, error)
	// Entries yields the entries from the sequence on, in order, one for each sequence below
	// Head.Size, even if the record is missing.
	Entries(ctx context.Context, from int64, yield func(Entry) error) error
	// Packets returns the stored documents under these names, in the same order; nil if there is none.
	Packets(ctx context.Context, refs []Ref) ([][]byte, error)
	// Rejections yields the rejections in any order.
	Rejections(ctx context.Context, yield func(Rejection) error) error
	// ServiceRecords yields the service's records that other consoles handed in, in the order of
	// keeping.
	ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error
	// Cosignatures yields the checkpoints that witnesses cosigned, the last ones first.
	Cosignatures(ctx context.Context, yield func(Cosigned) error) error
}

// A Head describes a log.
type Head struct {
	Origin       string   // the name of the log in its checkpoints
	Size         int64    // how many entries the source holds
	Checkpoint   []byte   // C2SP tlog-checkpoint as it was signed; nil if there is none
	VerifierKeys []string // of the checkpoint, in the form of golang.org/x/mod/sumdb/note
	Signers      []Signer // who may sign records
	FirstRecord  int64    // the position of the first record, if there is one
	// ServiceKey is the verifier key of the service's log, which signs rejections; "" for none.
	ServiceKey string
	// EarlierServiceKeys are those in whose place a person accepted a later one, oldest first; the
	// key of a log that was rolled back stands twice in a row.
	EarlierServiceKeys []string
	// Setback is what the service showed last, if that does not extend what was known; else zero.
	Setback records.Setback
	// Statements are the statements of the log, in the order of their entries.
	Statements []signed.Statement
	// Anchor is the checkpoint kept apart from the log; nil if there is none, or it proves nothing.
	Anchor *Anchor
	// Reviewer owns this log, if anyone does: only the reviewer's own key may sign in that name.
	Reviewer records.Reviewer
	// Partial says that the source is an export that leaves out entries.
	Partial bool
	// Since is the checkpoint from which on a Partial source leaves nothing out; nil of another one.
	Since []byte
	// Assigned is the reviewer whose packets, without entries, a Partial source has; else absent.
	Assigned terms.ID
	// KeepsNotes says that the source keeps the private notes, as a service's does not.
	KeepsNotes bool
}

// ServiceKeys are the verifier keys of the service, the newest first; none if none is known.
func (h *Head) ServiceKeys() []string {
	if h.ServiceKey == "" {
		return nil
	}
	return append([]string{h.ServiceKey}, h.EarlierServiceKeys...)
}

// Lineage reads the statements about the log, and returns the logs that it went through. The
// signers that the source lists decide which statements count; in an export of a part, which leaves
// records out, all that are OK do.
func (h *Head) Lineage() (Lineage, []OpenedStatement) {
	key := ""
	if len(h.VerifierKeys) > 0 {
		key = h.VerifierKeys[0]
	}
	lineage, opened := ReadLineage(h.Origin, key, h.ServiceKeys(), h.Statements)
	var used []Use
	for i := range h.Signers {
		used = append(used, Use{keys.Holder{Reviewer: h.Signers[i].ID, Fingerprint: h.Signers[i].fingerprint()}, h.FirstRecord})
	}
	Authorize(h.Origin, opened, used)
	for i := range opened {
		opened[i].Counts = opened[i].Counts || h.Partial && opened[i].OK
	}
	return lineage, opened
}

// OfOwner reports whether the source is an export for one owner.
func (h *Head) OfOwner() bool { return h.Partial && h.Since == nil && !h.Assigned.Present() }

// mayLeaveOut reports whether the source may hold only the leaf hash of the entry.
func (h *Head) mayLeaveOut(sequence int64) bool {
	return h.Partial && (h.Since == nil || sequence < SizeOf(h.Since))
}

// SizeOf is the size that a checkpoint names, whether it is signed or not; 0 if it names none.
func SizeOf(checkpoint []byte) int64 {
	_, rest, _ := strings.Cut(string(checkpoint), "\n")
	line, _, _ := strings.Cut(rest, "\n")
	size, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return 0
	}
	return max(0, size)
}

// A Signer is a reviewer's id with one of the reviewer's keys.
type Signer struct {
	ID    terms.ID
	Key   ssh.PublicKey
	Since terms.Instant // recordedAt of the first record that it signed; absent if not known
}

// fingerprint returns the key's fingerprint in OpenSSH's SHA256:… form; "" without a key.
func (s *Signer) fingerprint() string {
	if s.Key == nil {
		return ""
	}
	return ssh.FingerprintSHA256(s.Key)
}

// An Entry is one leaf of the log as the source holds it.
type Entry struct {
	Sequence  int64                    // from 0
	Kind      records.EntryKind        // absent if it is not known
	Table     terms.Table              // of the row that is its body
	Key       packets.Key              // of a packet, as the source files it; the other members are of records
	Texts     []byte                   // of a packet, as packets.Packet.Stored returns them; nil if there are none
	Stated    records.LogStatementKind // of a statement, as the source files it; its Document is the text
	RecordID  records.RecordID         // under which the source files the record; "" if it does not
	At        string                   // when it was appended, as records.LogTime writes it
	Document  []byte                   // canonical bytes of the record, or of the packet without its texts; nil if it is gone
	Signature []byte                   // armored SSHSIG; nil if there is none
	LeafHash  []byte                   // the leaf hash that the source keeps; nil if it keeps none
	LeftOut   bool                     // the source is Partial and has nothing of the entry but LeafHash

	PacketSalt packets.Salt      // of the record's packetDigest; "" if it is gone or is none
	Statement  records.Statement // of reasons; the zero Statement if there is none
	// Acceptance is the service's receipt of the record; nil if there is none.
	Acceptance *signed.Acceptance
	NoteDigest terms.Hash // of the private note that the source keeps; absent if it keeps none
	// NoteRefused says that the note holds what is not taken in one.
	NoteRefused bool
}

// Leaf is the leaf of the entry.
func (e *Entry) Leaf() []byte {
	body := e.Document
	if e.Kind == records.PacketEntry {
		body = records.PacketBody(e.Table, e.Key, e.Document)
	}
	return records.LeafData(e.Kind, e.At, body)
}

// A TreeKeeper is a source that keeps the hashes of the tree beside the records.
type TreeKeeper interface {
	// StoredRoot returns the root of the first size records from a few kept hashes, or absent.
	StoredRoot(ctx context.Context, size int64) (terms.Hash, error)
}

// A StorageVerifier is a source that keeps more than the records and what belongs to them.
type StorageVerifier interface {
	// VerifyHead compares the facts and the ends of the parts, for a store the schema, the key, the
	// facts and the ends of the tables, in a time that does not depend on the size of the log.
	VerifyHead(ctx context.Context, found func(Finding)) error
	// VerifyStorage compares everything else that the source keeps with the records: for a store
	// the stored tree, every checkpoint, the packets without records, and the answers of a service.
	// An error means that the source could not be read to its end. progress, which may be nil, is
	// called with how many of how many records are done.
	VerifyStorage(ctx context.Context, found func(Finding), progress func(done, total int64)) error
}

// A Ref names a stored packet.
type Ref struct {
	Table terms.Table
	Key   packets.Key
}

// CompareRefs orders the names of packets.
func CompareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Key.ID, b.Key.ID), cmp.Compare(a.Key.Number, b.Key.Number))
}

// RefsOf names the packet of a record and, if the record names one, its policy.
func RefsOf(m *records.Members) (packet Ref, policy Ref, hasPolicy bool) {
	return judgedRef(m), Ref{terms.PolicyTable(m.Area), m.Policy}, m.Policy != packets.Key{}
}
