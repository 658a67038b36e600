package signed

import (
	"encoding/hex"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A Setback is kept if a service showed a log that does not extend the known one. It holds both checkpoints and, if the service
// gave one out, the proof of the fork. They have not been checked.
type Setback struct {
	Kind     string // a records.SetbackKind
	Known    string // the checkpoint of the service's log that was known
	KnownKey string // the verifier key that signed it
	Shown    string // the one that the service showed
	ShownKey string
	// Proof belongs to a fork whose log is longer than the known one: its root at the known size, and the RFC 6962 proof that it
	// extends the tree of that root; a hash a line.
	Proof string
	At    string // when
	// Settled is the first later checkpoint of a log that extends the known one; "" while there is none.
	Settled    string
	SettledKey string
}

// ErrSetback says that the checkpoints do not show the setback.
var ErrSetback = errors.New("the checkpoints do not show the setback that is stated of the service's log")

// Open verifies both checkpoints, and that they show the setback. The error is ErrSetback.
func (s *Setback) Open() (records.Setback, error) {
	known, err := headOf(s.KnownKey, s.Known)
	shown, failed := headOf(s.ShownKey, s.Shown)
	kind, unknown := records.SetbackKinds.Parse(s.Kind)
	at, timed := terms.ParseInstant(s.At)
	proof, unread := ReadProof(s.Proof)
	if err != nil || failed != nil || unknown != nil || unread != nil || !timed || !s.shows(kind, known, shown, proof) {
		return records.Setback{}, ErrSetback
	}
	if s.Settled != "" {
		if _, err := headOf(s.SettledKey, s.Settled); err != nil {
			return records.Setback{}, ErrSetback
		}
	}
	return records.Setback{Kind: kind, At: at, Known: known, Shown: shown, Settled: s.Settled != ""}, nil
}

// headOf opens a checkpoint with a verifier key.
func headOf(encoded, checkpoint string) (records.LogHead, error) {
	key, err := ParseKey(encoded)
	if err != nil {
		return records.LogHead{}, err
	}
	head, err := key.OpenCheckpoint(checkpoint)
	head.Origin = key.Origin()
	return head, err
}

// shows reports whether the checkpoints show the kind of setback.
func (s *Setback) shows(kind records.SetbackKind, known, shown records.LogHead, proof []terms.Hash) bool {
	switch kind {
	case records.LogRolledBack:
		return shown.Size < known.Size && len(proof) == 0
	case records.LogOtherKey:
		return s.KnownKey != s.ShownKey && len(proof) == 0
	case records.LogUnproven:
		return shown != known && len(proof) == 0
	case records.LogForked:
		if shown.Size == known.Size {
			return shown.Root != known.Root && len(proof) == 0
		}
		return shown.Size > known.Size && len(proof) > 0 && proof[0] != known.Root && provesPrefix(proof, known.Size, shown)
	}
	return false
}

// provesPrefix reports whether the proof after the root shows that a log extends one of that size and root.
func provesPrefix(proof []terms.Hash, size int64, log records.LogHead) bool {
	path := make(tlog.TreeProof, len(proof)-1)
	for i, hash := range proof[1:] {
		path[i] = treeHash(hash)
	}
	return size > 0 && tlog.CheckTree(path, log.Size, treeHash(log.Root), size, treeHash(proof[0])) == nil
}

// treeHash is a hash of the domain as one of a tree. An absent one becomes the zero hash, which no tree has.
func treeHash(h terms.Hash) (hash tlog.Hash) {
	raw, _ := hex.DecodeString(strings.TrimPrefix(h.String(), "sha256:"))
	copy(hash[:], raw)
	return hash
}

// WriteProof writes a proof as it is kept: a hash a line.
func WriteProof(proof []terms.Hash) string {
	var text strings.Builder
	for _, hash := range proof {
		text.WriteString(hash.String() + "\n")
	}
	return text.String()
}

// ReadProof reads what WriteProof wrote, byte for byte.
func ReadProof(text string) ([]terms.Hash, error) {
	var proof []terms.Hash
	for line := range strings.Lines(text) {
		hash, ok := terms.ParseHash(strings.TrimSuffix(line, "\n"))
		if !ok {
			break
		}
		proof = append(proof, hash)
	}
	if WriteProof(proof) != text {
		return nil, errors.New("it is not a proof as it was kept")
	}
	return proof, nil
}

// setbackMembers are the members of a setback's document, in their order.
var setbackMembers = [...]struct {
	name string
	at   func(*Setback) *string
}{
	{"at", func(s *Setback) *string { return &s.At }},
	{"kind", func(s *Setback) *string { return &s.Kind }},
	{"known", func(s *Setback) *string { return &s.Known }},
	{"knownKey", func(s *Setback) *string { return &s.KnownKey }},
	{"proof", func(s *Setback) *string { return &s.Proof }},
	{"settled", func(s *Setback) *string { return &s.Settled }},
	{"settledKey", func(s *Setback) *string { return &s.SettledKey }},
	{"shown", func(s *Setback) *string { return &s.Shown }},
	{"shownKey", func(s *Setback) *string { return &s.ShownKey }},
}

// Document is the setback in canonical form: an object whose members are texts.
func (s *Setback) Document() []byte {
	w := ordered.Writer{}
	w.Open()
	for _, m := range setbackMembers {
		w.Name(m.name).String(*m.at(s))
	}
	return w.Close().Text()
}

var setbackShape = func() *shape.Of[packets.Reading, *Setback] {
	var members []shape.Member[packets.Reading, *Setback]
	for _, m := range setbackMembers {
		members = append(members, shape.StringMember[packets.Reading](m.name, m.at))
	}
	return shape.New(shape.All(members...)...)
}()

// ReadSetback reads what Document wrote, byte for byte. The error is ErrSetback.
func ReadSetback(r *packets.Reader, document []byte) (s Setback, err error) {
	root, fault := r.Parse(document)
	if fault != nil || setbackShape.Read(&s, root, &packets.Reading{}) != nil || string(s.Document()) != string(document) {
		return Setback{}, ErrSetback
	}
	return s, nil
}
