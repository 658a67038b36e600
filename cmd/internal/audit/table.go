package audit

import "math/bits"

// A table maps 64-bit fingerprints to numbers. Up to keysInMemory of them it is in memory, and takes as little as will
// do: 12 bytes an entry, less than twice that with the room to grow. It has many small parts, each of which grows by
// itself, so that growing never needs much memory at once. A larger one is in a file. It has to be closed.
type table struct {
	parts [256]tablePart
	file  *tableFile // nil: it is in memory
}

// keysInMemory is how many keys a table has in memory at most.
const keysInMemory = 1 << 16

// newTable makes an empty table for so many keys.
func newTable(keys int64) (*table, error) {
	if keys <= keysInMemory {
		return &table{}, nil
	}
	file, err := newTableFile(keys)
	if err != nil {
		return nil, err
	}
	return &table{file: file}, nil
}

func (t *table) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.close()
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

func (t *table) get(key uint64) (uint32, bool, error) {
	key = fingerprint(key)
	if t.file != nil {
		return t.file.get(key)
	}
	part := &t.parts[key>>56]
	if len(part.keys) == 0 {
		return 0, false, nil
	}
	at := part.place(key)
	return part.values[at], part.keys[at] == key, nil
}

func (t *table) set(key uint64, value uint32) error {
	key = fingerprint(key)
	if t.file != nil {
		return t.file.set(key, value)
	}
	part := &t.parts[key>>56]
	if 5*part.used >= 4*len(part.keys) {
		part.grow()
	}
	at := part.place(key)
	if part.keys[at] == 0 {
		part.used++
	}
	part.keys[at], part.values[at] = key, value
	return nil
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
