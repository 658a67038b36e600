package store

import (
	"bytes"
	"sync"

	"docket/domain"
)

// A shelf keeps packets that were read lately, so that looking at one, deciding on it and checking the decision reads
// it once. It is asked with the stored bytes at hand and answers only if they are, to the last one, those that it had
// read under the same key: what is in the file always decides. The zero value is ready to use, by several goroutines.
type shelf struct {
	mutex sync.Mutex
	held  map[shelfPlace]domain.Packet
	bytes int // of the documents that are held
}

type shelfPlace struct {
	table domain.Table
	key   domain.Key
}

// What a shelf holds at most; it is emptied when it is full.
const (
	shelfPackets = 64
	shelfBytes   = 4 << 20
)

// read reads a stored packet, and holds it to being what its place in the store says.
func (s *shelf) read(document []byte, table domain.Table, key domain.Key) (domain.Packet, error) {
	place := shelfPlace{table, key}
	s.mutex.Lock()
	packet, there := s.held[place]
	s.mutex.Unlock()
	if there && bytes.Equal(packet.Document(), document) {
		return packet, nil
	}
	packet, err := readHeld(&domain.Reader{}, document, table, key)
	if err != nil {
		return domain.Packet{}, err
	}
	s.put(place, packet)
	return packet, nil
}

func (s *shelf) put(place shelfPlace, packet domain.Packet) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held == nil || len(s.held) >= shelfPackets || s.bytes > shelfBytes {
		s.held, s.bytes = map[shelfPlace]domain.Packet{}, 0
	}
	s.held[place] = packet
	s.bytes += len(packet.Document())
}
