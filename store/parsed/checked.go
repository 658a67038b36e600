package parsed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"sync"

	"docket/domain/packets"
	"docket/domain/terms"
)

// Checked remembers which stored packets were found to be what their places say, with nothing
// private and nothing erased in them, so that a service does not parse them again to give them out.
// It knows a packet by the SHA-256 digest of its stored bytes, its table and its key: the file
// always decides. The zero value is ready to use by several goroutines.
type Checked struct {
	mutex  sync.Mutex
	young  map[[sha256.Size]byte]struct{} // those that were met lately
	old    map[[sha256.Size]byte]struct{} // those before, which go when young is full
	hashes sync.Pool                      // of hash.Hash
}

// checkedBytes is what the digests take at most; a map takes less than 64 bytes for one of them.
const (
	checkedBytes = 16 << 20
	mostYoung    = checkedBytes / 64 / 2
)

// digest is that under which a stored packet is known.
func (c *Checked) digest(document []byte, table terms.Table, key packets.Key) (digest [sha256.Size]byte) {
	h, is := c.hashes.Get().(hash.Hash)
	if !is {
		h = sha256.New()
	}
	h.Reset()
	var sized [24]byte // the lengths keep one part from being taken for another
	binary.BigEndian.PutUint64(sized[:], uint64(table))
	binary.BigEndian.PutUint64(sized[8:], uint64(key.Number))
	binary.BigEndian.PutUint64(sized[16:], uint64(len(key.ID)))
	_, _ = h.Write(sized[:])
	_, _ = h.Write([]byte(key.ID))
	_, _ = h.Write(document)
	h.Sum(digest[:0])
	c.hashes.Put(h)
	return digest
}

// Shown returns the packet as given out, if its bytes were checked before under the table and key.
func (c *Checked) Shown(document []byte, table terms.Table, key packets.Key) (shown []byte, digest [sha256.Size]byte) {
	digest = c.digest(document, table, key)
	c.mutex.Lock()
	_, there := c.young[digest]
	if !there {
		if _, there = c.old[digest]; there {
			c.put(digest)
		}
	}
	c.mutex.Unlock()
	if there {
		shown = packets.Shown(document)
	}
	return shown, digest
}

// Remember remembers a packet that was read from the bytes with the digest and is given out as
// shown, if it may be given out again.
func (c *Checked) Remember(digest [sha256.Size]byte, document, shown []byte, packet packets.Packet) {
	if packet.HoldsPrivate() || packet.Erased() || !bytes.Equal(packets.Shown(document), shown) {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.put(digest)
}

// Len is how many packets were met lately.
func (c *Checked) Len() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.young)
}

// put puts a digest among the young ones. The mutex is held.
func (c *Checked) put(digest [sha256.Size]byte) {
	if len(c.young) >= mostYoung {
		c.old, c.young = c.young, nil
	}
	if c.young == nil {
		c.young = map[[sha256.Size]byte]struct{}{}
	}
	c.young[digest] = struct{}{}
}
