package parsed

import (
	"bytes"
	"fmt"
	"sync"

	"docket/domain/packets"
	"docket/domain/terms"
)

// Read parses a stored packet, and checks that it is of its table and key. The error wraps
// packets.ErrStoredPacket.
func Read(reader *packets.Reader, document []byte, table terms.Table, key packets.Key) (packets.Packet, error) {
	packet, err := reader.ReadStored(document)
	if err != nil {
		return packets.Packet{}, err
	}
	if packet.Table() != table || packet.Key() != key {
		return packets.Packet{}, fmt.Errorf("%w: it stands under another key", packets.ErrStoredPacket)
	}
	return packet, nil
}

// A Cache keeps packets that were read lately, so that showing one, deciding on it and checking the
// decision parses it once. A lookup succeeds only if the stored bytes equal those that were parsed
// under the same key, so that the file always decides. The zero value is ready to use by several
// goroutines.
type Cache struct {
	// Met is told of each packet that cannot be read; nil: nobody is told.
	Met func(table terms.Table, key packets.Key, err error)

	mutex sync.Mutex
	held  map[cachedKey]cachedPacket
	bytes int // of the documents that are held
}

type cachedPacket struct {
	stored []byte // what it was read from
	packet packets.Packet
}

type cachedKey struct {
	table terms.Table
	key   packets.Key
}

// The limits of the cache; it is emptied when it is full.
const (
	cachePackets = 64
	cacheBytes   = 4 << 20
)

// Read parses a stored packet, and checks that it is of its table and key.
func (c *Cache) Read(document []byte, table terms.Table, key packets.Key) (packets.Packet, error) {
	place := cachedKey{table, key}
	c.mutex.Lock()
	held, there := c.held[place]
	c.mutex.Unlock()
	if there && bytes.Equal(held.stored, document) {
		return held.packet, nil
	}
	packet, err := Read(&packets.Reader{}, document, table, key)
	if err != nil {
		if document != nil { // nil is of a packet that is not held
			c.Unread(table, key, err)
		}
		return packets.Packet{}, err
	}
	c.put(place, cachedPacket{bytes.Clone(document), packet})
	return packet, nil
}

// Unread tells Met of a packet that cannot be read.
func (c *Cache) Unread(table terms.Table, key packets.Key, err error) {
	if c.Met != nil {
		c.Met(table, key, err)
	}
}

func (c *Cache) put(place cachedKey, read cachedPacket) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held == nil || len(c.held) >= cachePackets || c.bytes > cacheBytes {
		c.held, c.bytes = map[cachedKey]cachedPacket{}, 0
	}
	c.bytes += len(read.stored) - len(c.held[place].stored)
	c.held[place] = read
}
