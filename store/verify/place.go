package verify

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// checkHead proves that what the reviewer saw of the log is the beginning of this one. Of a record that was handed in to a
// service the reviewer saw another log.
func (c *check) checkHead(e *entryResult, seen records.LogHead) error {
	if records.OfService(c.head.Origin) {
		return nil
	}
	if seen.Origin != c.head.Origin {
		e.found(HeadNotPrefix, "it names another log")
		return nil
	}
	if seen.Size > c.tree.Size() {
		e.found(HeadNotPrefix, fmt.Sprintf("it names %d records, %d are before it", seen.Size, c.tree.Size()))
		return nil
	}
	root, err := c.tree.RootAt(seen.Size)
	if errors.Is(err, errForgotten) {
		root, err = c.rootLongPast(seen.Size)
	}
	if err != nil {
		return err
	}
	if !domainHash(root).Matches(seen.Root) {
		e.found(HeadNotPrefix, fmt.Sprintf("the root of the first %d records is another one", seen.Size))
	}
	return nil
}

// rootLongPast computes a root of which the lower hashes are no longer kept, from the records themselves.
func (c *check) rootLongPast(size int64) (tlog.Hash, error) {
	var leaves []tlog.Hash
	start := size &^ (1<<keptLevel - 1)
	if start < size {
		err := c.log.Entries(c.ctx, start, func(e Entry) error {
			leaves = append(leaves, tlog.RecordHash(e.Document))
			if start+int64(len(leaves)) == size {
				return errEnough
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			return tlog.Hash{}, errors.Join(fmt.Errorf("read the records before %d again", size), err)
		}
	}
	return c.tree.rootFrom(size, leaves)
}

// checkChain finds what is wrong with the place of a record in the log.
func (c *check) checkChain(e *entryResult, m *records.Members, rejection *rejected) error {
	if !c.report.Newest.Present() || c.report.Newest.Before(m.RecordedAt) {
		c.report.Newest = m.RecordedAt
	}
	for len(c.clocks) > 0 && c.clocks[0].Size <= e.entry.Sequence {
		c.newest, c.clocks = c.clocks[0].At, c.clocks[1:]
	}
	if !records.OfService(c.head.Origin) {
		if c.newest.Sub(m.RecordedAt) > records.OrderLeeway {
			e.found(TimeBackwards, fmt.Sprintf("it is of %s, and a record before it of %s", m.RecordedAt, c.newest))
		}
		if c.newest.Before(m.RecordedAt) || !c.newest.Present() {
			c.newest = m.RecordedAt
		}
	}
	c.checkOriginOrder(e, m)
	if kind := c.chain.carries(m); kind != 0 {
		e.found(kind, "")
	}
	kind, named := c.chain.add(m, e.entry.Sequence, rejection)
	switch kind {
	case 0:
		return nil
	case RecordDuplicate, SupersedesMissing:
		e.found(kind, "")
		return nil
	case SupersedesSuperseded:
		entry, err := c.entryAt(named)
		if err != nil {
			return err
		}
		var reader packets.Reader
		earlier, err := records.ReadEnforcement(&reader, terms.AreaOf(entry.Table), entry.Document)
		if err != nil || judgedRef(earlier.Members()) != judgedRef(m) {
			kind = SupersedesOtherRevision
		}
	}
	e.found(kind, "it names "+string(m.Supersedes))
	return nil
}

// entryAt reads one entry again.
func (c *check) entryAt(sequence int64) (found Entry, err error) {
	err = c.log.Entries(c.ctx, sequence, func(e Entry) error {
		found = e
		return errEnough
	})
	if !errors.Is(err, errEnough) {
		return Entry{}, errors.Join(fmt.Errorf("read record %d again", sequence), err)
	}
	return found, nil
}

// errEnough ends the reading of entries.
var errEnough = errors.New("read enough")
