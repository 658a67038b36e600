package audit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
)

// A tableFile is a table in a file of its own, for as many fingerprints as would take memory. The file has no name
// where the system allows that, and is gone with the check; what is in it says nothing to anybody who lacks the seed
// of the fingerprints.
//
// It is an open hash table of blocks; a key stands in the block that it hashes to or, where that is full, in one of
// the next. A place whose key is 0 is free.
type tableFile struct {
	file   *os.File
	blocks int64
	room   int64 // keys that may still be added
	block  [blockSize]byte
}

const (
	placeSize      = 8 + 4 // a key and its number
	blockSize      = 512
	placesPerBlock = blockSize / placeSize
)

// newTableFile makes a table for so many keys, and half as many places again.
func newTableFile(keys int64) (*tableFile, error) {
	file, err := os.CreateTemp("", "docket-check-*")
	if err != nil {
		return nil, fmt.Errorf("make a file for what the check has to remember: %w", err)
	}
	_ = os.Remove(file.Name()) // Windows does that when it is closed
	t := &tableFile{file: file, blocks: keys*3/2/placesPerBlock + 1, room: keys}
	if err := file.Truncate(t.blocks * blockSize); err != nil {
		return nil, errors.Join(fmt.Errorf("make room for what the check has to remember: %w", err), t.close())
	}
	return t, nil
}

func (t *tableFile) close() error {
	err := t.file.Close()
	_ = os.Remove(t.file.Name()) // it is gone already where that was possible
	return err
}

// find reads the block in which the key stands, or would go, and returns where; there tells which of the two.
func (t *tableFile) find(key uint64) (block, at int64, there bool, err error) {
	high, _ := bits.Mul64(key, uint64(t.blocks))
	for block = int64(high); ; block = (block + 1) % t.blocks {
		if _, err := t.file.ReadAt(t.block[:], block*blockSize); err != nil {
			return 0, 0, false, fmt.Errorf("read what the check has to remember: %w", err)
		}
		for at = 0; at < placesPerBlock*placeSize; at += placeSize {
			switch binary.LittleEndian.Uint64(t.block[at:]) {
			case key:
				return block, at, true, nil
			case 0:
				return block, at, false, nil
			}
		}
	}
}

func (t *tableFile) get(key uint64) (uint32, bool, error) {
	_, at, there, err := t.find(key)
	if err != nil || !there {
		return 0, false, err
	}
	return binary.LittleEndian.Uint32(t.block[at+8:]), true, nil
}

func (t *tableFile) set(key uint64, value uint32) error {
	block, at, there, err := t.find(key)
	if err != nil {
		return err
	}
	if !there {
		if t.room == 0 {
			return errors.New("the log has more records than it said")
		}
		t.room--
	}
	binary.LittleEndian.PutUint64(t.block[at:], key)
	binary.LittleEndian.PutUint32(t.block[at+8:], value)
	if _, err := t.file.WriteAt(t.block[at:at+placeSize], block*blockSize+at); err != nil {
		return fmt.Errorf("write what the check has to remember: %w", err)
	}
	return nil
}
