package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"

	"docket/domain"
	"docket/store/merkle"
)

// ErrCursor says that a cursor was not given out by this store.
var ErrCursor = errors.New("it is no cursor of this store")

// pageTables are the tables through which a cursor goes, in this order: policies first.
var pageTables = [...]domain.Table{
	domain.AppealPolicies, domain.AmendmentPolicies, domain.AppealCases, domain.AmendmentRecords,
}

// A cursor says how far somebody with certain rights has read. It says nothing that they do not know, and lets nobody see
// what their rights do not: whoever asks is asked for their rights each time.
type cursor [len(pageTables)]cursorPlace

// A cursorPlace is how far a table was read.
type cursorPlace struct {
	row    int64 // rowid of the last row that is done
	number int64 // the last revision that was given of what comes with the next row; 0 for none
}

// The parts of a written cursor: a version, whose it is, then the places.
const (
	cursorVersion = 1
	digestSize    = 16 // bytes of a digest that are written
)

// mark is what a cursor of these rights begins with.
func cursorMark(k *merkle.Key, r *Rights) (origin, rights []byte) {
	ofStore, ofRights := sha256.Sum256([]byte(k.Origin)), r.digest()
	return ofStore[:digestSize], ofRights[:digestSize]
}

// write writes the cursor for whoever has the rights.
func (c *cursor) write(k *merkle.Key, r *Rights) string {
	origin, rights := cursorMark(k, r)
	text := append([]byte{cursorVersion}, origin...)
	text = append(text, rights...)
	for _, place := range c {
		text = binary.AppendUvarint(text, uint64(place.row))
		text = binary.AppendUvarint(text, uint64(place.number))
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readCursor reads a cursor. That of somebody with other rights is the beginning, as is the empty one.
func readCursor(written string, k *merkle.Key, r *Rights) (c cursor, err error) {
	if written == "" {
		return c, nil
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(written)
	origin, rights := cursorMark(k, r)
	rest, ours := bytes.CutPrefix(text, append([]byte{cursorVersion}, origin...))
	if err != nil || !ours || len(rest) < digestSize {
		return c, ErrCursor
	}
	same := bytes.Equal(rest[:digestSize], rights)
	rest = rest[digestSize:]
	for i := range c {
		for _, value := range []*int64{&c[i].row, &c[i].number} {
			number, size := binary.Uvarint(rest)
			if size <= 0 || number > math.MaxInt64 {
				return cursor{}, ErrCursor
			}
			*value, rest = int64(number), rest[size:]
		}
	}
	if len(rest) > 0 {
		return cursor{}, ErrCursor
	}
	if !same {
		return cursor{}, nil
	}
	return c, nil
}
