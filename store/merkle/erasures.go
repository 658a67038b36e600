package merkle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/signed"
	"docket/store/disk"
)

// The erasures of a log are also kept beside its anchor, a file for each statement, so that an earlier backup is not
// restored without them.

// ErrErasure says that KeepErasure did not write a kept erasure as it is.
var ErrErasure = errors.New("a kept erasure cannot be read")

// mostErasures is how many statements of one log are read.
const mostErasures = 100_000

func erasuresFolder(folder, origin string) string {
	return filepath.Join(folder, FileName(origin), "erasures")
}

// statementText is a statement in a file: an object of three strings. A signature that was not made is "".
type statementText struct{ text, signature, logSignature string }

// Nothing here is masked: digits of a hash or of a signature may look like a telephone number.
var statementTextShape = shape.New(shape.All(
	shape.StringMember[packets.Reading]("text", func(s *statementText) *string { return &s.text }),
	shape.StringMember[packets.Reading]("signature", func(s *statementText) *string { return &s.signature }),
	shape.StringMember[packets.Reading]("logSignature", func(s *statementText) *string { return &s.logSignature }),
)...)

// KeepErasure keeps the statement about an erasure beside the anchor of a log. Keeping it again changes nothing.
func KeepErasure(folder, origin string, s signed.Statement) error {
	w := ordered.Writer{}
	w.Open().Name("text").String(s.Text).Name("signature").String(string(s.Signature)).
		Name("logSignature").String(string(s.LogSignature)).Close()
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
			continue // what a Replace that was killed left
		}
		text, err := disk.ReadRegular(filepath.Join(erasuresFolder(folder, origin), entry.Name()), restoredBound)
		if err != nil {
			return nil, err
		}
		var reader packets.Reader
		var kept statementText
		root, fault := reader.Parse(text)
		if fault != nil || statementTextShape.Read(&kept, root, &packets.Reading{}) != nil {
			return nil, fmt.Errorf("%w: %s", ErrErasure, entry.Name())
		}
		s := signed.Statement{Text: kept.text}
		for into, signature := range map[*[]byte]string{&s.Signature: kept.signature, &s.LogSignature: kept.logSignature} {
			if signature != "" {
				*into = []byte(signature)
			}
		}
		list = append(list, s)
	}
	return list, nil
}
