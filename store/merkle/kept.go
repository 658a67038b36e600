package merkle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/domain/json"
	"docket/domain/signed"
	"docket/store/disk"
)

// Statements about a log are also kept beside its anchor, a file each: erasures, so that no earlier
// backup is restored without them, and the newest restore.

// keptBound is the largest size of such a file, in bytes.
const keptBound = 64 << 10

// writeKept writes an object of strings, a checkpoint only for a restore.
func writeKept(s signed.Statement, checkpoint []byte) []byte {
	w := json.Writer{}
	w.Open().Name("text").String(s.Text).Name("signature").String(string(s.Signature)).
		Name("logSignature").String(string(s.LogSignature))
	if checkpoint != nil {
		w.Name("checkpoint").String(string(checkpoint))
	}
	return w.Close().Text()
}

// readKept reads what writeKept wrote, byte for byte, unmasked: a hash may look like a number.
func readKept(path string) (r Restored, ok bool, err error) {
	content, err := disk.ReadRegular(path, keptBound)
	if err != nil {
		return r, false, err
	}
	var kept struct{ Text, Signature, LogSignature, Checkpoint string }
	err = stdjson.Unmarshal(content, &kept)
	r.Statement.Text = kept.Text
	for into, text := range map[*[]byte]string{&r.Statement.Signature: kept.Signature,
		&r.Statement.LogSignature: kept.LogSignature, &r.Checkpoint: kept.Checkpoint} {
		if text != "" {
			*into = []byte(text)
		}
	}
	return r, err == nil && bytes.Equal(writeKept(r.Statement, r.Checkpoint), content), nil
}

// ErrErasure says that a kept erasure is not as KeepErasure writes one, or that there are too many.
var ErrErasure = errors.New("a kept erasure cannot be read")

const mostErasures = 100_000

func erasuresFolder(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "erasures")
}

// KeepErasure keeps the statement beside the anchor of a log. Keeping it again changes nothing.
func KeepErasure(folder, origin string, s signed.Statement) error {
	digest := sha256.Sum256([]byte(s.Text))
	return disk.Replace(filepath.Join(erasuresFolder(folder, origin), hex.EncodeToString(digest[:])), writeKept(s, nil))
}

// ReadErasures reads the kept statements about erasures in a log, unverified. The error wraps
// ErrErasure for a file that KeepErasure did not write.
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
		kept, ok, err := readKept(filepath.Join(erasuresFolder(folder, origin), entry.Name()))
		if err == nil && (!ok || kept.Checkpoint != nil) {
			err = fmt.Errorf("%w: %s", ErrErasure, entry.Name())
		}
		if err != nil {
			return nil, err
		}
		list = append(list, kept.Statement)
	}
	return list, nil
}

// A Restored is a restore of a log as it is kept beside its anchor, so that a second restore of the
// same records on this machine continues the same log.
type Restored struct {
	Statement  signed.Statement
	Checkpoint []byte // the first of the log that began
}

// ErrRestored says that a kept restore is not as Keep writes one.
var ErrRestored = errors.New("the kept restore cannot be read")

func restoredFile(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "restored")
}

// ReadRestored reads the kept restore of a log; nil if there is none. The error wraps ErrRestored
// for a file that Keep did not write.
func ReadRestored(folder, origin string) (*Restored, error) {
	kept, ok, err := readKept(restoredFile(folder, origin))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && (!ok || kept.Checkpoint == nil):
		err = ErrRestored
	}
	if err != nil {
		return nil, err
	}
	return &kept, nil
}

// Keep keeps the restore of a log beside its anchor; a later one of the same log replaces it.
func (r *Restored) Keep(folder, origin string) error {
	return disk.Replace(restoredFile(folder, origin), writeKept(r.Statement, r.Checkpoint))
}
