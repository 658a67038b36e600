package merkle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/signed"
	"docket/store/disk"
)

// Statements about a log are also kept beside its anchor, in a file each: those about erasures, so that an earlier backup is not restored
// without them, and the one about the newest restore.

// keptBound is the largest size of such a file, in bytes; a real one is smaller.
const keptBound = 64 << 10

// A keptStatement is the content of a file: an object of strings. A signature that was not made is "". Only a restore has a checkpoint.
type keptStatement struct{ text, signature, logSignature, checkpoint string }

// Nothing here is masked: digits of a hash or of a signature may look like a telephone number.
var (
	erasureMembers = shape.All(
		shape.StringMember[packets.Reading]("text", func(k *keptStatement) *string { return &k.text }),
		shape.StringMember[packets.Reading]("signature", func(k *keptStatement) *string { return &k.signature }),
		shape.StringMember[packets.Reading]("logSignature", func(k *keptStatement) *string { return &k.logSignature }),
	)
	erasureShape  = shape.New(erasureMembers...)
	restoredShape = shape.New(slices.Concat(erasureMembers, shape.All(
		shape.StringMember[packets.Reading]("checkpoint", func(k *keptStatement) *string { return &k.checkpoint }),
	))...)
)

// readKept reads the content of a file; false if it is not of the shape.
func readKept(text []byte, of *shape.Of[packets.Reading, *keptStatement]) (kept keptStatement, ok bool) {
	var reader packets.Reader
	root, fault := reader.Parse(text)
	ok = fault == nil && of.Read(&kept, root, &packets.Reading{}) == nil
	return kept, ok
}

// statement returns the statement, without the signatures that were not made.
func (k *keptStatement) statement() signed.Statement {
	s := signed.Statement{Text: k.text}
	for into, signature := range map[*[]byte]string{&s.Signature: k.signature, &s.LogSignature: k.logSignature} {
		if signature != "" {
			*into = []byte(signature)
		}
	}
	return s
}

// writeKept writes the members of a statement.
func writeKept(w *ordered.Writer, s signed.Statement) *ordered.Writer {
	return w.Open().Name("text").String(s.Text).Name("signature").String(string(s.Signature)).
		Name("logSignature").String(string(s.LogSignature))
}

// ErrErasure says that a kept erasure is not as KeepErasure writes one, or that there are too many.
var ErrErasure = errors.New("a kept erasure cannot be read")

// mostErasures is how many statements of one log are read.
const mostErasures = 100_000

func erasuresFolder(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "erasures")
}

// KeepErasure keeps the statement about an erasure beside the anchor of a log. Keeping it again changes nothing.
func KeepErasure(folder, origin string, s signed.Statement) error {
	w := ordered.Writer{}
	writeKept(&w, s).Close()
	digest := sha256.Sum256([]byte(s.Text))
	return disk.Replace(filepath.Join(erasuresFolder(folder, origin), hex.EncodeToString(digest[:])), w.Text())
}

// ReadErasures reads the statements about erasures in a log that this machine keeps. They have not been verified. The
// error wraps ErrErasure if there is a file that KeepErasure did not write.
func ReadErasures(folder, origin string) (list []signed.Statement, err error) {
	entries, err := os.ReadDir(erasuresFolder(folder, origin))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(entries) > mostErasures {
		return nil, fmt.Errorf("%w: there are more than %d", ErrErasure, mostErasures)
	}
	for _, entry := range entries {
		if len(entry.Name()) != hex.EncodedLen(sha256.Size) {
			continue // a temporary file of a Replace that was killed
		}
		text, err := disk.ReadRegular(filepath.Join(erasuresFolder(folder, origin), entry.Name()), keptBound)
		if err != nil {
			return nil, err
		}
		kept, ok := readKept(text, erasureShape)
		if !ok {
			return nil, fmt.Errorf("%w: %s", ErrErasure, entry.Name())
		}
		list = append(list, kept.statement())
	}
	return list, nil
}

// A Restored is a restore of a log as it is kept beside its anchor, so that a second restore of the same records on
// this machine continues the log that the first one began.
type Restored struct {
	Statement  signed.Statement
	Checkpoint []byte // the first of the log that began
}

// ErrRestored says that a kept restore is not as Keep writes one.
var ErrRestored = errors.New("the kept restore cannot be read")

func restoredFile(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "restored")
}

// ReadRestored reads the restore of a log that this machine keeps; nil if there is none. The error wraps ErrRestored if the file is
// not one that Keep wrote.
func ReadRestored(folder, origin string) (*Restored, error) {
	text, err := disk.ReadRegular(restoredFile(folder, origin), keptBound)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	kept, ok := readKept(text, restoredShape)
	if !ok {
		return nil, ErrRestored
	}
	return &Restored{Statement: kept.statement(), Checkpoint: []byte(kept.checkpoint)}, nil
}

// Keep keeps the restore of a log beside its anchor; a later one of the same log replaces it.
func (r *Restored) Keep(folder, origin string) error {
	w := ordered.Writer{}
	writeKept(&w, r.Statement).Name("checkpoint").String(string(r.Checkpoint)).Close()
	return disk.Replace(restoredFile(folder, origin), w.Text())
}
