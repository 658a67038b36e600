package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/parsed"
	"docket/store/verify"
)

// An ImportResult is the outcome of importing a packet. The zero value claims nothing was stored.
type ImportResult uint8

const (
	// Conflict says that the key is held with other content, or that texts are missing without a
	// statement about their erasure; nothing was stored.
	Conflict  ImportResult = iota
	Unchanged              // the same record is held already
	Imported               // it is held now
)

var importWords = [...]string{Conflict: "conflict", Unchanged: "unchanged", Imported: "imported"}

// String returns the word for the result.
func (r ImportResult) String() string {
	if int(r) >= len(importWords) {
		return importWords[Conflict]
	}
	return importWords[r]
}

// Import stores packets and returns the outcome for each, in their order. When it returns without
// an error, all that is Imported is durable. It takes one transaction, or more while others wait to
// write, who then write in between. After an error or a kill the first packets may therefore be
// held, each as a whole: importing all of them again leaves those Unchanged. While another program
// keeps the anchor locked, it waits and writes nothing.
//
// Two packets with the same key are the same if their records are, with or without private members.
// Different records are a Conflict: a frozen packet does not change. Numbers lower than the latest
// are stored as history.
func (s *Store) Import(ctx context.Context, packets []packets.Packet) ([]ImportResult, error) {
	for i := range packets {
		if !terms.PacketTables.Has(packets[i].Table()) {
			return nil, fmt.Errorf("packet %d of the portion has not been read and redacted", i)
		}
	}
	results := make([]ImportResult, 0, len(packets))
	told := s.options.Waiting == nil
	for first := true; first || len(results) < len(packets); {
		taken, err := s.importPortion(ctx, packets[len(results):])
		if errors.Is(err, ErrAnchorLocked) {
			var why *Problem
			if errors.As(err, &why) && !told {
				s.options.Waiting(why)
				told = true
			}
			if err = s.AwaitAnchor(ctx); err == nil {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		results, first = append(results, taken...), false
	}
	return results, nil
}

// leastPortion is after how many packets, a few milliseconds, an import lets others write.
const leastPortion = 50

// importPortion stores the first packets in one transaction: all, unless another writer waits.
func (s *Store) importPortion(ctx context.Context, packets []packets.Packet) (results []ImportResult, err error) {
	var in importing
	err = s.writing(ctx, "store packets", func(ctx context.Context, tx engine.Tx) error {
		before := results // of a try that may have been committed
		results = nil
		if err := s.verifyAgain(ctx, tx); err != nil {
			return err
		}
		in = importing{tx: tx, key: s.key, unread: s.metPacket, at: terms.InstantOf(s.now()).String()}
		for i := range packets {
			if i > 0 && i%leastPortion == 0 && s.db.Awaited() {
				break
			}
			result, err := in.add(ctx, &packets[i])
			if err != nil {
				return err
			}
			if result == Unchanged && i < len(before) {
				result = before[i]
			}
			results = append(results, result)
		}
		if !in.more {
			return nil
		}
		in.head.Position++
		return addPacketHead(ctx, tx, in.key, &in.head)
	})
	if err != nil {
		return nil, err
	}
	if in.more && s.anchor != nil {
		// The next opening tries again, and the next record reports it.
		_ = s.anchor.Keep(context.WithoutCancel(ctx), merkle.Anchored{Packets: in.head})
	}
	return results, nil
}

type importing struct {
	tx              engine.Tx
	key             *merkle.Key
	head            merkle.PacketHead // of the packets with those of this call
	more            bool              // it has brought some
	at              string
	reader          packets.Reader
	unread          func(terms.Table, packets.Key, error) // told of a held packet that cannot be read
	here, atService erasures                              // in this log, and at the service; or nil
}

// add stores one packet unless the store holds its key.
func (in *importing) add(ctx context.Context, p *packets.Packet) (ImportResult, error) {
	numbers, err := in.tx.Packets().Numbers(ctx, p.Table(), p.Key().ID)
	if err != nil {
		return Conflict, err
	}
	if slices.Contains(numbers, p.Key().Number) {
		held, err := documentOf(ctx, in.tx, p.Table(), p.Key())
		if err != nil {
			return Conflict, err
		}
		result, err := in.compare(held, p)
		if err != nil {
			in.unread(p.Table(), p.Key(), err)
		}
		return result, err
	}
	document, texts := p.Stored(packets.Salt(rand.Text()))
	if p.Erased() || texts != nil {
		here, left, err := in.isErased(ctx, p, document)
		if err != nil || !left {
			return Conflict, err
		}
		if here { // before a restore lost the packet
			texts = nil
		}
	}
	place, err := in.tx.Packets().Add(ctx, p.Table(), document, texts, in.at)
	if err == nil && len(numbers) > 0 && in.key.OfService() && p.Table() == terms.RecordTable(terms.AreaOf(p.Table())) {
		err = in.tx.Packets().AddFormers(ctx, p.Table(), p.Key().ID, place)
	}
	if err != nil {
		return Conflict, err
	}
	if !in.more {
		if in.head, err = newestPacketHead(ctx, in.tx, in.key); errors.Is(err, merkle.ErrPacketHead) {
			err = fmt.Errorf("the newest head of the packets: %w: %w", err, ErrDamaged)
		}
		if err != nil {
			return Conflict, err
		}
		in.more = true
	}
	chain := in.head.Chains[p.Table().String()]
	chain.Add([]byte(in.at), document)
	in.head.Chains[p.Table().String()] = chain
	return Imported, nil
}

// isErased reports whether the texts of a packet were erased in this log, and whether it may come
// in as it is: after an erasure only with what it left, and without texts only if erased at the
// service.
func (in *importing) isErased(ctx context.Context, p *packets.Packet, document []byte) (here, left bool, err error) {
	if in.here == nil {
		in.here = erasures{}
		any, err := in.tx.Statements().AnyErasure(ctx)
		if err == nil && any {
			in.here, in.atService, err = erasedIn(ctx, in.tx, in.key)
		}
		if err != nil {
			return false, false, err
		}
	}
	texts := records.Erasure{What: records.ErasableTexts, Table: p.Table(), Key: p.Key()}
	own, here := in.here[texts]
	theirs, atService := in.atService[texts]
	rest := terms.HashOf(packets.Rest(document))
	leaves := func(stated records.LogStatement) bool {
		e, _ := stated.Erasure()
		return e.Rest.Matches(rest)
	}
	return here, (!here || leaves(own)) && (!p.Erased() || atService && leaves(theirs)), nil
}

func (in *importing) compare(held []byte, p *packets.Packet) (ImportResult, error) {
	if p.HeldAs(held) {
		return Unchanged, nil
	}
	packet, err := in.reader.ReadStored(held)
	if err != nil || !packet.SameRecord(*p) {
		return Conflict, err
	}
	return Unchanged, nil
}

// newestPacketHead returns the head of the last import; merkle.ErrPacketHead if it is not signed.
func newestPacketHead(ctx context.Context, tx engine.Tx, key *merkle.Key) (merkle.PacketHead, error) {
	newest, err := tx.Packets().NewestHead(ctx)
	if errors.Is(err, engine.ErrNoRow) {
		return merkle.PacketHead{}, fmt.Errorf("there is none: %w", merkle.ErrPacketHead)
	}
	if err != nil {
		return merkle.PacketHead{}, err
	}
	head, err := key.OpenPackets(newest.Note)
	if err == nil && head.Position != newest.Position {
		err = merkle.ErrPacketHead
	}
	return head, err
}

func addPacketHead(ctx context.Context, tx engine.Tx, key *merkle.Key, head *merkle.PacketHead) error {
	if err := key.SignPackets(head); err != nil {
		return err
	}
	return tx.Packets().AddHead(ctx, engine.PacketHead{Position: head.Position, Note: head.Note})
}

func verifyPacketHead(ctx context.Context, tx engine.Tx, key *merkle.Key, held *merkle.PacketHead) (list []verify.Finding, err error) {
	newest, err := newestPacketHead(ctx, tx, key)
	switch {
	case errors.Is(err, merkle.ErrPacketHead):
		list = append(list, verify.PacketAltered.OfLog("this store did not sign the newest head"))
	case err != nil:
		return nil, err
	default:
		made, err := tx.Meta().Value(ctx, metaCreatedAt)
		if err != nil && !errors.Is(err, engine.ErrNoRow) {
			return nil, err
		}
		if made != newest.MadeAt.String() {
			list = append(list, found(verify.SchemaAltered, "%s: when the store was made", metaRows))
		}
	}
	if held == nil || held.Note == nil {
		return list, nil
	}
	kept, err := tx.Packets().Head(ctx, held.Position)
	switch {
	case errors.Is(err, engine.ErrNoRow):
		return append(list, found(verify.PacketsRolledBack, "head %d, which this machine last saw, is not there", held.Position)), nil
	case err == nil && !bytes.Equal(kept.Note, held.Note):
		return append(list, found(verify.PacketAltered, "head %d is not the one that this machine last saw", held.Position)), nil
	}
	return list, err
}

const packetsAtOnce = 512

// verifyPackets reads every packet as an evaluation does, and compares them with the newest head.
func (c *storageCheck) verifyPackets(ctx context.Context, tx engine.Tx) error {
	if c.key == nil {
		return nil // what is wrong with it has been found
	}
	heads, err := c.packetHeads(ctx, tx)
	if err != nil {
		return err
	}
	l, err := statedIn(ctx, tx, c.key)
	if err != nil {
		return err
	}
	erased := verify.ReadErasures(l.opened)
	for _, table := range terms.PacketTables.Terms() {
		chain, err := c.verifyPacketsOf(ctx, tx, table, heads, &erased)
		if err != nil {
			return err
		}
		if n := len(heads); n > 0 && chain.Count > heads[n-1].Chains[table.String()].Count {
			c.add(found(verify.PacketAltered, "%s: %d are there, and %d were signed for", table, chain.Count,
				heads[n-1].Chains[table.String()].Count))
		}
	}
	return c.verifyFormer(ctx, tx)
}

// verifyFormer compares the table of whom a revision concerned before with a service's packets.
func (c *storageCheck) verifyFormer(ctx context.Context, tx engine.Tx) error {
	if !c.key.OfService() {
		return nil
	}
	for _, table := range []terms.Table{terms.AppealCases, terms.AmendmentRecords} {
		differ, err := tx.Packets().FormersDiffer(ctx, table)
		if err != nil {
			return err
		}
		if differ {
			c.add(found(verify.PacketAltered, "%s: to whom they were assigned before, or whose they were", table))
		}
	}
	return nil
}

// keyBefore returns the key of the earlier log that a head of the packets names, or nil.
func (c *storageCheck) keyBefore(note []byte) *merkle.Key {
	if c.keys == nil {
		return nil
	}
	if place := c.keys.Find(merkle.HeadOrigin(note)); place >= 0 && place < len(c.keys.Lineage)-1 {
		return c.keys.at(place)
	}
	return nil
}

// packetHeads returns the heads that are signed and in their places; one by the key of an earlier
// log counts as well, because the next head of this log covers its packets.
func (c *storageCheck) packetHeads(ctx context.Context, tx engine.Tx) (heads []merkle.PacketHead, err error) {
	rows, err := tx.Packets().Heads(ctx)
	if err != nil {
		return nil, err
	}
	opened := make([]merkle.PacketHead, len(rows))
	err = inParallel(len(rows), func(i int) { opened[i], _ = c.key.OpenPackets(rows[i].Note) })
	own := slices.IndexFunc(opened, func(h merkle.PacketHead) bool { return h.Note != nil })
	for i := range rows {
		head := &opened[i]
		if i < own {
			if before := c.keyBefore(rows[i].Note); before != nil {
				*head, _ = before.OpenPackets(rows[i].Note)
			}
		}
		if head.Note == nil || head.Position != int64(i) || rows[i].Position != int64(i) {
			c.add(found(verify.PacketAltered, "this store did not sign head %d", rows[i].Position))
			continue
		}
		heads = append(heads, *head)
	}
	return heads, err
}

type storedPacket struct {
	engine.Packet
	joined []byte      // the document with its texts
	bad    bool        // it cannot be read
	left   verify.Code // what is wrong with its texts, or with what their erasure left; 0: nothing
	told   bool        // its texts are there
}

func (c *storageCheck) verifyPacketsOf(ctx context.Context, tx engine.Tx, table terms.Table, heads []merkle.PacketHead,
	erased *verify.Erasures) (chain merkle.Chain, err error) {
	held, differ := 0, false // heads that the packets so far were held to, and whether one was told
	agree := func() {
		for held < len(heads) && heads[held].Chains[table.String()].Count == chain.Count {
			if heads[held].Chains[table.String()] != chain && !differ {
				differ = true
				c.add(found(verify.PacketAltered, "%s: they are not those of head %d", table, heads[held].Position))
			}
			held++
		}
	}
	agree()
	for last := int64(-1); ; { // BelowZero finds those before
		var rows []storedPacket
		err := tx.Packets().Stored(ctx, table, last, packetsAtOnce, func(p engine.Packet, texts []byte) error {
			last = p.Place
			rows = append(rows, storedPacket{Packet: p, joined: packets.Joined(p.Document, texts)})
			return nil
		})
		if err != nil {
			return chain, err
		}
		if len(rows) == 0 {
			if held < len(heads) && !differ {
				c.add(found(verify.PacketAltered, "%s: %d are there, and head %d is of %d", table, chain.Count,
					heads[held].Position, heads[held].Chains[table.String()].Count))
			}
			return chain, nil
		}
		err = inParallel(len(rows), func(i int) {
			parsed.WithReader(func(reader *packets.Reader) {
				packet, err := reader.ReadStored(rows[i].joined)
				rows[i].bad, rows[i].Key = err != nil || packet.Table() != table, packet.Key()
				rows[i].left, rows[i].told = erased.Left(packet), packet.HasTexts()
			})
		})
		if err != nil {
			return chain, err
		}
		for i := range rows {
			row := &rows[i]
			chain.Add([]byte(row.ImportedAt), row.Document)
			agree()
			if row.bad {
				c.add(found(verify.PacketAltered, "row %d of %s", row.Place, table))
			}
			name := verify.RefName(verify.Ref{Table: table, Key: row.Key})
			switch {
			case row.left == verify.TextMissing:
				c.add(found(row.left, "%s", name))
			case row.left != 0 && row.told:
				c.add(found(row.left, "the texts of %s were erased, and are there again", name))
			case row.left != 0:
				c.add(found(row.left, "%s is not as the erasure of its texts left it", name))
			}
		}
		if c.full() {
			return chain, nil
		}
	}
}
