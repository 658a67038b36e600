package merkle

import (
	"errors"
	"io/fs"
	"path/filepath"

	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/signed"
	"docket/store/disk"
)

// A Restored is a restore of a log as it is kept beside its anchor, so that a second restore of the same records on
// this machine continues the log that the first one began.
type Restored struct {
	Statement  signed.Statement
	Checkpoint []byte // the first of the log that began
}

// ErrRestored says that Keep did not write a kept restore as it is.
var ErrRestored = errors.New("the kept restore cannot be read")

// restoredBound is the largest size of a kept restore, in bytes; a real one is smaller.
const restoredBound = 64 << 10

func restoredFile(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "restored")
}

// restoredText is the file of a restore: an object of four strings. A signature that was not made is "".
type restoredText struct{ text, signature, logSignature, checkpoint string }

// Nothing here is masked: digits of a hash or of a signature may look like a telephone number.
var restoredShape = shape.New(shape.All(
	shape.StringMember[packets.Reading]("text", func(r *restoredText) *string { return &r.text }),
	shape.StringMember[packets.Reading]("signature", func(r *restoredText) *string { return &r.signature }),
	shape.StringMember[packets.Reading]("logSignature", func(r *restoredText) *string { return &r.logSignature }),
	shape.StringMember[packets.Reading]("checkpoint", func(r *restoredText) *string { return &r.checkpoint }),
)...)

// ReadRestored reads the restore of a log that this machine keeps; nil if there is none. The error wraps ErrRestored if the file is
// not one that Keep wrote.
func ReadRestored(folder, origin string) (*Restored, error) {
	text, err := disk.ReadRegular(restoredFile(folder, origin), restoredBound)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var reader packets.Reader
	var kept restoredText
	root, fault := reader.Parse(text)
	if fault != nil || restoredShape.Read(&kept, root, &packets.Reading{}) != nil {
		return nil, ErrRestored
	}
	r := &Restored{Statement: signed.Statement{Text: kept.text, Signature: []byte(kept.signature)}, Checkpoint: []byte(kept.checkpoint)}
	if kept.logSignature != "" {
		r.Statement.LogSignature = []byte(kept.logSignature)
	}
	return r, nil
}

// Keep keeps the restore of a log beside its anchor; a later one of the same log replaces it.
func (r *Restored) Keep(folder, origin string) error {
	w := ordered.Writer{}
	w.Open().Name("text").String(r.Statement.Text).Name("signature").String(string(r.Statement.Signature)).
		Name("logSignature").String(string(r.Statement.LogSignature)).Name("checkpoint").String(string(r.Checkpoint)).Close()
	return disk.Replace(restoredFile(folder, origin), w.Text())
}
