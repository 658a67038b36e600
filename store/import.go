package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
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
	err = s.writing(ctx, "store packets", func(ctx context.Context, tx engine.Tx) error {
		before := results // of a try that may have been committed
		results = nil
		if err := s.verifyAgain(ctx, tx); err != nil {
			return err
		}
		in := importing{store: s, tx: tx}
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
		if in.entries != nil {
			_, err = in.entries.sign(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

type importing struct {
	store           *Store
	tx              engine.Tx
	entries         *entering // with the packets of this call; nil: none has come yet
	reader          packets.Reader
	here, atService erasures // in this log, and at the service; or nil
}

// enter appends the entry of a packet, and then its row.
func (in *importing) enter(ctx context.Context, p *packets.Packet, document, texts []byte) (position int64, err error) {
	if in.entries == nil {
		if in.entries, err = in.store.entering(ctx, in.tx); err != nil {
			return 0, err
		}
	}
	position = in.entries.log.Size
	err = in.entries.add(ctx, &engine.NewEntry{Kind: records.PacketEntry, Table: p.Table(), Subject: records.PacketSubject(p.Key())},
		records.PacketBody(p.Table(), p.Key(), document))
	if err == nil {
		err = in.tx.Packets().Add(ctx, p.Table(), position, document, texts)
	}
	return position, err
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
			in.store.metPacket(p.Table(), p.Key(), err)
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
	position, err := in.enter(ctx, p, document, texts)
	if err == nil && len(numbers) > 0 && in.store.key.OfService() && p.Table() == terms.RecordTable(terms.AreaOf(p.Table())) {
		err = in.tx.Packets().AddFormers(ctx, p.Table(), p.Key().ID, position)
	}
	if err != nil {
		return Conflict, err
	}
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
			in.here, in.atService, err = erasedIn(ctx, in.tx, in.store.key)
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

// verifyFormer compares the table of whom a revision concerned before with a service's packets.
func (c *storageCheck) verifyFormer(ctx context.Context, tx engine.Tx) error {
	if c.key == nil || !c.key.OfService() {
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
