package store

import (
	"bytes"
	"errors"
	"fmt"
)

// slots are what the file of an anchor was found to hold. The zero value is a file that holds nothing.
type slots struct {
	held    [2]checkpoint // by slot; without a note where there is none
	content [2][]byte     // of the slots as they were read last, padding and all
}

// An unreadableAnchor says that something is kept where the anchor is, and that it vouches for nothing.
type unreadableAnchor struct{ cause error }

func (e *unreadableAnchor) Error() string {
	return fmt.Sprintf("the checkpoint outside the store: %v", e.cause)
}
func (e *unreadableAnchor) Unwrap() error { return e.cause }

// slotOf pads a checkpoint to the size of a slot.
func slotOf(c checkpoint) []byte {
	slot := bytes.Repeat([]byte{'\n'}, slotSize)
	copy(slot, c.note)
	return slot
}

// read takes over what a file holds, and returns the newest checkpoint with its slot. A slot that is no checkpoint does
// not count if the other one is: it was being written when the power failed. What is as it was the last time is not
// opened again.
func (s *slots) read(key *logKey, content []byte) (newest checkpoint, index int, err error) {
	err = errNoAnchor
	for i := range s.held {
		failed := s.readSlot(key, slotIn(content, i), i)
		switch {
		case failed != nil:
			s.held[i], s.content[i] = checkpoint{}, nil
			if errors.Is(err, errNoAnchor) && !errors.Is(failed, errNoAnchor) {
				err = &unreadableAnchor{failed}
			}
		case newest.note == nil || s.held[i].size > newest.size:
			newest, index = s.held[i], i
		}
	}
	if newest.note != nil {
		return newest, index, nil
	}
	if errors.Is(err, errNoAnchor) {
		err = &unreadableAnchor{errors.New("it is empty")}
	}
	return checkpoint{}, 0, err
}

// readSlot takes over what a slot holds, unless it is, to the last byte, what it held before.
func (s *slots) readSlot(key *logKey, slot []byte, index int) error {
	if len(slot) > 0 && bytes.Equal(slot, s.content[index]) {
		return nil
	}
	signed, err := inSlot(slot)
	if err != nil {
		return err
	}
	if s.held[index], err = key.open(signed); err != nil {
		return err
	}
	s.content[index] = bytes.Clone(slot)
	return nil
}

// slotIn is a slot of a file's content, as far as it is there.
func slotIn(content []byte, index int) []byte {
	return content[min(index*slotSize, len(content)):min((index+1)*slotSize, len(content))]
}

// inSlot returns what a slot holds without its padding; errNoAnchor if it was never written.
func inSlot(slot []byte) ([]byte, error) {
	text := bytes.TrimRight(slot, "\n\x00")
	switch len(text) {
	case 0:
		return nil, errNoAnchor
	case len(slot):
		return nil, errNoCheckpoint
	}
	return bytes.Clone(slot[:len(text)+1]), nil
}
