package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/engine"
	"docket/store/parsed"
)

// CaseFile returns one revision of a case or amendment, evaluated for the moment at, with
// everything that is known about it here. Revision 0 is the latest. The skip and the draft are
// those of reviewer, who may be absent. The error wraps ErrNotFound if the store has no such
// revision, and packets.ErrStoredPacket if it cannot be read.
func (s *Store) CaseFile(ctx context.Context, table terms.Table, id terms.ID, revision int64, at terms.Instant,
	reviewer terms.ID) (queue.CaseFile, error) {
	d, err := ask(ctx, s, "read the packet", func(ctx context.Context, tx engine.Tx) (queue.CaseFile, error) {
		d, err := s.lookWithRecords(ctx, tx, table, packets.Key{ID: id, Number: revision}, at)
		if err != nil {
			return d, err
		}
		key := d.View.Key()
		d.Related, d.Unlisted, err = s.related(ctx, tx, d.View.Record(), at, reviewer)
		err = cmp.Or(err, into(&d.Skipped)(skipReason(ctx, tx, reviewer, table, key)), s.boundHandIns(ctx, tx, d.Records),
			into(&d.Draft)(s.draftOf(ctx, tx, reviewer, table, key)), into(&d.Waits)(s.waitsFor(ctx, tx, at)))
		return d, err
	})
	s.metRecords(d.Records, d.Elsewhere)
	return d, err
}

// notFound names the packet: ids are opaque and not private.
func notFound(table terms.Table, key packets.Key) error {
	what := fmt.Sprintf("%s in %s", key.ID, table)
	if key.Number > 0 {
		what = fmt.Sprintf("%s revision %d in %s", key.ID, key.Number, table)
	}
	return fmt.Errorf("%s: %w", what, ErrNotFound)
}

func (s *Store) lookWithRecords(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key,
	at terms.Instant) (d queue.CaseFile, err error) {
	if d, err = s.look(ctx, tx, table, key, at); err != nil {
		return d, err
	}
	key = d.View.Key()
	reader := &packets.Reader{}
	if d.Records, d.Elsewhere, err = s.recordsOn(ctx, tx, reader, terms.AreaOf(table), key); err != nil {
		return d, err
	}
	d.AtService, err = serviceRecordsOn(ctx, tx, reader, table, key)
	return d, err
}

// look reads the part on which a decision depends: the view, the revisions and the record in force.
func (s *Store) look(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key,
	at terms.Instant) (d queue.CaseFile, err error) {
	area := terms.AreaOf(table)
	if table != terms.RecordTable(area) {
		return d, notFound(table, key)
	}
	held, err := heldOf(ctx, tx, table, key)
	if err != nil {
		return d, err
	}
	d.Revisions, d.Arrived = held.revisions, held.arrived
	if held.document == nil {
		return d, notFound(table, key)
	}
	latest := rules.Latest{Revision: d.Revisions[len(d.Revisions)-1]}
	if key.Number == 0 {
		key.Number = latest.Revision
	}
	packet, err := s.cache.Read(held.document, table, key)
	if err != nil {
		return d, fmt.Errorf("%s revision %d in %s: %w", key.ID, key.Number, table, err)
	}
	if packet.Erased() {
		if packet, err = noteErased(ctx, tx, packet); err != nil {
			return d, err
		}
	}
	policy, latestVersion, err := newPolicyBook(tx, area, &s.cache).of(ctx, packet)
	if err != nil {
		return d, err
	}
	latest.PolicyVersion = latestVersion
	on, err := s.historyOf(ctx, tx, area, key.ID)
	if err != nil {
		return d, err
	}
	if again := on.Again(key.Number); again != nil {
		d.Again = again.Record
	}
	d.InForce = on.InForce(key.Number)
	carried, unanswered := on.Added(key.Number)
	d.Unanswered = unanswered
	d.View = views.New(policy, packet, latest, at).Carrying(carried).Leaving(records.CodesOf(unanswered))
	if d.Reassigned, err = tx.Local().Reassigned(ctx, table, key.ID); d.Reassigned <= latest.Revision {
		d.Reassigned = 0
	}
	return d, err
}

type holding struct {
	revisions []int64         // ascending
	arrived   []terms.Instant // when each of them came in
	document  []byte          // of the revision that was asked for; nil if that is not held
}

// heldOf asks for the latest revision with number 0.
func heldOf(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) (h holding, err error) {
	revisions, err := tx.Packets().Revisions(ctx, table, key.ID, key.Number)
	for _, r := range revisions {
		// The column is this machine's own word; an absent time shows as none.
		at, _ := terms.ParseInstant(r.ImportedAt)
		h.revisions, h.arrived = append(h.revisions, r.Number), append(h.arrived, at)
		if r.Document != nil {
			h.document = r.Document
		}
	}
	return h, err
}

// Find returns the packet tables that hold an id: as a case, an amendment or a policy.
func (s *Store) Find(ctx context.Context, id terms.ID) ([]terms.Table, error) {
	return ask(ctx, s, "look an id up", func(ctx context.Context, tx engine.Tx) (tables []terms.Table, err error) {
		for _, table := range terms.PacketTables.Terms() {
			held, err := tx.Packets().Holds(ctx, table, id)
			if err != nil {
				return nil, err
			}
			if held {
				tables = append(tables, table)
			}
		}
		return tables, nil
	})
}

// A RevisionState is the present state of a revision of a case or an amendment.
type RevisionState struct {
	InForce  records.RecordID // "" for none
	Latest   int64            // the latest revision that is held
	Blockers []terms.Blocker
	Carried  terms.BlockerSet // added by people, in records on the revision
}

// RevisionState evaluates a revision for now; zero for one that is not held.
func (s *Store) RevisionState(ctx context.Context, area terms.Area, key packets.Key) (RevisionState, error) {
	return ask(ctx, s, "look at what is in force", func(ctx context.Context, tx engine.Tx) (state RevisionState, err error) {
		d, err := s.look(ctx, tx, terms.RecordTable(area), key, terms.InstantOf(s.now()))
		if errors.Is(err, ErrNotFound) {
			return state, nil
		}
		if err != nil {
			return state, err
		}
		return RevisionState{InForce: d.InForce, Latest: d.Revisions[len(d.Revisions)-1],
			Blockers: d.View.Evaluation().Blockers(), Carried: d.View.Carried()}, nil
	})
}

// A Reliance is what may be relied on in a case or an amendment at a moment.
type Reliance struct {
	records.Reliance
	At       terms.Instant
	Revision int64            // the latest
	Record   *records.Members // in force on it; nil if there is none, or if it is not held
}

// Reliance judges it for now, where the permissions allow it; nil stands for the store's own
// console. The error wraps ErrNotFound if the case or the amendment is not held.
func (s *Store) Reliance(ctx context.Context, r *Permissions, about About) (Reliance, error) {
	return ask(ctx, s, "judge what may be relied on", func(ctx context.Context, tx engine.Tx) (judged Reliance, err error) {
		if r != nil {
			if err := r.checkSees(ctx, tx, about); err != nil {
				return judged, err
			}
		}
		judged.At = terms.InstantOf(s.now())
		d, err := s.lookWithRecords(ctx, tx, terms.RecordTable(about.Area), packets.Key{ID: about.ID}, judged.At)
		if err != nil {
			return judged, err
		}
		judged.Reliance, judged.Revision, judged.Record = d.Reliance(), d.View.Key().Number, d.MembersInForce()
		if r == nil || judged.Record == nil {
			return judged, nil
		}
		sees, err := r.seesRecord(ctx, tx, judged.Record)
		if err == nil && !sees {
			err = fmt.Errorf("%s: %w", about.ID, ErrNotFound)
		}
		return judged, err
	})
}

// A policyBook reads policies within one transaction, each once.
type policyBook struct {
	tx    engine.Tx
	table terms.Table
	cache *parsed.Cache
	held  map[packets.Key]heldPolicy
}

// A heldPolicy is a policy, zero if not held or unreadable, and the latest version of it.
type heldPolicy struct {
	packet        packets.Packet
	latestVersion int64
}

func newPolicyBook(tx engine.Tx, area terms.Area, cache *parsed.Cache) *policyBook {
	return &policyBook{tx: tx, table: terms.PolicyTable(area), cache: cache, held: map[packets.Key]heldPolicy{}}
}

// of returns the policy that a packet names; without one the zero Packet, which blocks.
func (b *policyBook) of(ctx context.Context, p packets.Packet) (policy packets.Packet, latestVersion int64, err error) {
	key := p.PolicyKey()
	if !key.ID.Present() {
		return packets.Packet{}, 0, nil
	}
	held, known := b.held[key]
	if !known {
		document, latest, err := b.tx.Packets().Policy(ctx, b.table, key)
		if err != nil {
			return packets.Packet{}, 0, err
		}
		held.latestVersion = latest
		if document != nil {
			if packet, unreadable := b.cache.Read(document, b.table, key); unreadable == nil {
				held.packet = packet
			}
		}
		b.held[key] = held
	}
	return held.packet, held.latestVersion, nil
}

// documentOf returns the stored bytes under a key, or engine.ErrNoRow.
func documentOf(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) ([]byte, error) {
	held, err := tx.Packets().Packet(ctx, table, key, math.MaxInt64)
	return held.Document, err
}
