package verify

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// chain follows which record is in force on each revision: the last; the one that the service
// named, perhaps not in the log, if it rejected the last; or the one before, if a revoked key
// signed it.
type chain struct {
	records map[RecordName]uint32 // record -> its sequence
	inForce map[Ref]uint32        // case or amendment and revision -> sequence of the last record
	// instead maps revisions whose last record was rejected, or signed by a revoked key, to the
	// record in force in its place; "" for none.
	instead map[Ref]records.RecordID
	// people maps revisions to the blockers that people added to them.
	people map[Ref]added
	// open are the records on a case or an amendment, under revision 0, that added blockers or, after
	// one that did, gave reasons.
	open map[Ref][]records.Addition
	// answered maps cases and amendments to the latest revision another console gave reasons on.
	answered map[Ref]int64
	// foreign are other consoles' records of the service's log, which this log's records may
	// supersede.
	foreign map[RecordName]foreign
}

// A RecordName is the 16 bytes of a record's id.
type RecordName [16]byte

// NameOf returns the name of a record with a valid id.
func NameOf(id records.RecordID) (name RecordName) {
	_, _ = hex.Decode(name[:], []byte(strings.ReplaceAll(string(id), "-", "")))
	return name
}

// ID returns the record's id.
func (n RecordName) ID() records.RecordID {
	h := hex.EncodeToString(n[:])
	return records.RecordID(strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-"))
}

// added are the blockers that people added to a revision.
type added struct {
	last    terms.BlockerSet // those of the last record on it, carried over and its own
	service terms.BlockerSet // of a rejected record, those that the rejection names
	known   terms.BlockerSet // all that a record or a rejection ever named
}

func newChain() chain {
	return chain{records: map[RecordName]uint32{}, inForce: map[Ref]uint32{}, instead: map[Ref]records.RecordID{}, people: map[Ref]added{},
		open: map[Ref][]records.Addition{}, answered: map[Ref]int64{},
		foreign: map[RecordName]foreign{}}
}

// add takes the next record of the log and returns what is wrong with its place, "" for nothing; if
// that is supersededBefore, named is the superseded record's sequence: only that record says
// whether it is on this revision.
func (c *chain) add(m *records.Members, sequence int64, rejection *rejected) (fault string, named int64) {
	id, revision := NameOf(m.RecordID), judgedRef(m)
	if _, there := c.records[id]; there {
		return twice, 0
	}
	fault, named = c.supersedes(m, revision)
	revision.Key.ID = terms.ID(strings.Clone(string(revision.Key.ID))) // do not retain the record
	delete(c.instead, revision)
	if rejection != nil {
		c.instead[revision] = rejection.inForce
	}
	c.addPeople(revision, m, rejection)
	on := revision
	on.Key.Number = 0
	if one := records.AdditionOf(m); rejection == nil && !one.Codes.Empty() || one.Reasons && len(c.open[on]) > 0 {
		one.Record, one.Reviewer = "", "" // not parts of the whole record
		c.open[on] = append(c.open[on], one)
	}
	c.records[id], c.inForce[revision] = uint32(sequence), uint32(sequence)
	return fault, named
}

// place returns, before a record is added, what replaces it: what the service named when it
// rejected it or, if a revoked key signed it, what was in force before; nil if the record is in
// force; blockers that a revoked key added stand if the record was in force until the revocation
// was stated, because no one can remove a blocker.
func (c *chain) place(m *records.Members, rejection *rejected, standing keys.Standing, sequence int64) *rejected {
	if rejection != nil || standing.State != keys.Revoked {
		return rejection
	}
	revision := judgedRef(m)
	before := c.people[revision]
	instead, replaced := c.instead[revision]
	after := rejected{inForce: instead, carried: before.service}
	if !replaced {
		after.carried = before.last
		if _, there := c.inForce[revision]; there {
			after.inForce = m.Supersedes // that it is the one in force is checked with the record
		}
	}
	if sequence < standing.Made {
		after.carried = after.carried.Union(terms.SetOf(m.CarriedBlockers...)).Union(terms.SetOf(m.ReviewerBlockers...))
	}
	return &after
}

// carries returns, before a record is added, what is wrong with the blockers that it carries over:
// it has to carry exactly those of the record that it supersedes, which may be of the service's
// log, or those that a rejection of that names, which the reviewer may not have known yet.
func (c *chain) carries(m *records.Members) (fault string) {
	revision := judgedRef(m)
	before, carried := c.people[revision], terms.SetOf(m.CarriedBlockers...)
	stands := before.last
	if instead, rejection := c.instead[revision]; rejection && instead == m.Supersedes {
		stands = before.service
	}
	if theirs, is := c.foreignOf(m); is {
		stands = theirs.added
	}
	switch {
	case !stands.Minus(carried).Empty():
		return "it leaves out a blocker that an earlier record on the revision added"
	case !carried.Minus(before.known).Empty():
		return "it carries a blocker that no earlier record on the revision added"
	}
	return ""
}

// silent returns, before a record is added, the blockers that people added on earlier revisions and
// that the record neither has nor gives reasons about; a record that was in force once may have
// answered, and one of the service's log at any time.
func (c *chain) silent(m *records.Members) terms.BlockerSet {
	if m.StatementDigest.Present() {
		return 0
	}
	on := judgedRef(m)
	on.Key.Number = 0
	open := slices.DeleteFunc(records.Unanswered(c.open[on], m.Key.Number, func(*records.Addition) bool {
		return true
	}), func(a records.Addition) bool {
		return m.RecordedAt.Before(a.At) || c.answered[on] > a.Revision
	})
	has := terms.SetOf(m.ComputedBlockers...).Union(terms.SetOf(m.CarriedBlockers...)).Union(terms.SetOf(m.ReviewerBlockers...))
	return records.CodesOf(open).Minus(has)
}

func (c *chain) addPeople(revision Ref, m *records.Members, rejection *rejected) {
	before := c.people[revision]
	after := added{last: terms.SetOf(m.CarriedBlockers...).Union(terms.SetOf(m.ReviewerBlockers...))}
	if rejection != nil {
		after.service = rejection.carried
	}
	after.known = before.known.Union(after.last).Union(after.service)
	if after != (added{}) {
		c.people[revision] = after
	}
}

const (
	twice            = "a record before it has its id"
	supersedesNone   = "it does not name the record in force that it supersedes"
	supersedesOther  = "it supersedes one on another case, amendment or revision"
	supersedesNobody = "it supersedes one that is not before it in the log"
	supersededBefore = "it supersedes one that was superseded before"
)

func (c *chain) supersedes(m *records.Members, revision Ref) (fault string, named int64) {
	current, there := c.inForce[revision]
	instead, rejection := c.instead[revision]
	if theirs, is := c.foreignOf(m); is {
		return c.supersedesForeign(m, theirs, revision)
	}
	sequence, known := c.records[NameOf(m.Supersedes)]
	switch named := m.Supersedes.Present(); {
	case rejection && instead == m.Supersedes, !named && !there, named && known && there && sequence == current:
		return "", 0
	case !named:
		return supersedesNone, 0
	case !known:
		return supersedesNobody, 0
	}
	return supersededBefore, int64(sequence)
}

func judgedRef(m *records.Members) Ref { return Ref{terms.RecordTable(m.Area), m.Key} }

// checkHead proves that the log that the reviewer saw is the beginning of this one; for a record
// that was handed in, the reviewer saw another log.
func (c *check) checkHead(e *entryResult, seen records.LogHead) error {
	if records.OfService(c.head.Origin) {
		return nil
	}
	if due := c.lineage.Of(e.entry.Sequence); seen.Origin != due.Origin || seen.Size < due.Start {
		e.found(HeadNotPrefix, "it names another log")
		return nil
	}
	if seen.Size > c.tree.Size() {
		e.found(HeadNotPrefix, fmt.Sprintf("it names %s, %d are before it", records.Count(seen.Size), c.tree.Size()))
		return nil
	}
	root, err := c.tree.rootAt(seen.Size)
	if errors.Is(err, errForgotten) {
		root, err = c.rootLongPast(seen.Size)
	}
	if err != nil {
		return err
	}
	if !signed.FromTree(root).Matches(seen.Root) {
		e.found(HeadNotPrefix, fmt.Sprintf("the root of the first %d records differs", seen.Size))
	}
	return nil
}

// rootLongPast computes a root from the records, because its lower hashes are not kept.
func (c *check) rootLongPast(size int64) (tlog.Hash, error) {
	var leaves []tlog.Hash
	start := size &^ (1<<keptLevel - 1)
	if start < size {
		err := c.log.Entries(c.ctx, start, func(e Entry) error {
			leaves = append(leaves, LeafOf(&e))
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

func (c *check) checkChain(e *entryResult, m *records.Members, rejection *rejected) error {
	if !c.report.Newest.Present() || c.report.Newest.Before(m.RecordedAt) {
		c.report.Newest = m.RecordedAt
	}
	c.statementTimes(e.entry.Sequence)
	if !records.OfService(c.head.Origin) {
		if c.newest.Sub(m.RecordedAt) > records.OrderLeeway {
			e.found(TimeBackwards, fmt.Sprintf("it is of %s, and a record or statement before it of %s", m.RecordedAt, c.newest))
		}
		if c.newest.Before(m.RecordedAt) || !c.newest.Present() {
			c.newest = m.RecordedAt
		}
	}
	c.checkOriginOrder(e, m)
	if fault := c.chain.carries(m); fault != "" {
		e.found(ChainBroken, fault)
	}
	if left := c.chain.silent(m); !left.Empty() {
		e.found(ChoiceNotPermitted,
			fmt.Sprintf("%s, which a person added on an earlier revision, is not added again",
				strings.Join(left.Texts(), ", ")))
	}
	fault, named := c.chain.add(m, e.entry.Sequence, rejection)
	switch fault {
	case "":
		return nil
	case twice:
		e.found(RecordAltered, fault)
		return nil
	case supersededBefore:
		entry, err := c.entryAt(named)
		if err != nil {
			return err
		}
		var reader packets.Reader
		earlier, err := records.ReadEnforcement(&reader, terms.AreaOf(entry.Table), entry.Document)
		if err != nil || judgedRef(earlier.Members()) != judgedRef(m) {
			fault = supersedesOther
		}
	}
	e.found(ChainBroken, strings.TrimSpace(fault+" "+string(m.Supersedes)))
	return nil
}

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

// errEnough ends a reading early.
var errEnough = errors.New("read enough")

// An originOrder follows the times of the records of one console's log that a service accepted: for
// each size of that log, the time of the newest record made on it or a shorter one, if newer than
// on any shorter one; sizes and times rise.
type originOrder []originStep

type originStep struct {
	size   int64
	newest int64 // in milliseconds
}

// before returns the time of the newest record made on a shorter log; false if there is none.
func (o originOrder) before(size int64) (newest int64, some bool) {
	at, _ := o.find(size)
	if at == 0 {
		return 0, false
	}
	return o[at-1].newest, true
}

func (o originOrder) find(size int64) (int, bool) {
	return slices.BinarySearchFunc(o, size, func(s originStep, size int64) int { return cmp.Compare(s.size, size) })
}

func (o originOrder) add(size, recorded int64) originOrder {
	at, there := o.find(size)
	if at > 0 && o[at-1].newest >= recorded || there && o[at].newest >= recorded {
		return o
	}
	end := at
	for end < len(o) && o[end].newest <= recorded {
		end++
	}
	return slices.Replace(o, at, end, originStep{size, recorded})
}

// checkOriginOrder finds a record whose time is too long before that of a record that precedes it
// in its console's log, as the sizes of that log tell; the order of handing in does not.
func (c *check) checkOriginOrder(e *entryResult, m *records.Members) {
	if !records.OfService(c.head.Origin) {
		return
	}
	order, recorded := c.origins[m.LogHead.Origin], m.RecordID.At().Time().UnixMilli()
	newest, some := order.before(m.LogHead.Size)
	if some && newest-recorded > records.OrderLeeway.Milliseconds() {
		e.found(TimeBackwards,
			fmt.Sprintf("it is of %s, and a record before it in the log of its console of %s",
				m.RecordedAt.String(), terms.InstantOf(time.UnixMilli(newest)).String()))
	}
	c.origins[m.LogHead.Origin] = order.add(m.LogHead.Size, recorded)
}
