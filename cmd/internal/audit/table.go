package audit

import "math/bits"

// A table maps 64-bit fingerprints to numbers in as little memory as will do: 12 bytes an entry, less than twice that
// with the room to grow. It has many small parts, each of which grows by itself, so that growing never needs much
// memory at once. The zero value is empty.
type table struct {
	parts [256]tablePart
}

// tablePart is an open hash table; where a key is 0, the place is free.
type tablePart struct {
	keys   []uint64
	values []uint32
	used   int
}

// place is where the key is, or where it would go.
func (p *tablePart) place(key uint64) int {
	high, _ := bits.Mul64(key<<8, uint64(len(p.keys)))
	at := int(high)
	for p.keys[at] != 0 && p.keys[at] != key {
		if at++; at == len(p.keys) {
			at = 0
		}
	}
	return at
}

// fingerprint keeps 0 for what is free.
func fingerprint(key uint64) uint64 { return max(key, 1) }

func (t *table) get(key uint64) (uint32, bool) {
	key = fingerprint(key)
	part := &t.parts[key>>56]
	if len(part.keys) == 0 {
		return 0, false
	}
	at := part.place(key)
	return part.values[at], part.keys[at] == key
}

func (t *table) set(key uint64, value uint32) {
	key = fingerprint(key)
	part := &t.parts[key>>56]
	if 5*part.used >= 4*len(part.keys) {
		part.grow()
	}
	at := part.place(key)
	if part.keys[at] == 0 {
		part.used++
	}
	part.keys[at], part.values[at] = key, value
}

// grow makes room for a quarter more.
func (p *tablePart) grow() {
	size := len(p.keys)*5/4 + 8
	larger := tablePart{make([]uint64, size), make([]uint32, size), p.used}
	for i, key := range p.keys {
		if key != 0 {
			at := larger.place(key)
			larger.keys[at], larger.values[at] = key, p.values[i]
		}
	}
	*p = larger
}
