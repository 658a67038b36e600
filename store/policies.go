package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
)

// A policyBook looks policies up within one transaction, each once.
type policyBook struct {
	tx     *sql.Tx
	table  domain.Table
	reader *domain.Reader
	held   map[domain.Key]domain.Packet
	latest map[domain.ID]int64
}

func newPolicyBook(tx *sql.Tx, area domain.Area, reader *domain.Reader) *policyBook {
	return &policyBook{tx: tx, table: domain.PolicyTable(area), reader: reader,
		held: map[domain.Key]domain.Packet{}, latest: map[domain.ID]int64{}}
}

// named is the key of the policy that a packet names; the zero Key if it names none.
func named(p domain.Packet) domain.Key {
	switch {
	case p.AppealCase().Held():
		record := p.AppealCase().Record()
		return domain.Key{ID: record.PolicyID, Number: record.PolicyVersion}
	case p.Amendment().Held():
		record := p.Amendment().Record()
		return domain.Key{ID: record.PolicyID, Number: record.PolicyVersion}
	}
	return domain.Key{}
}

// of returns the policy that the packet names and the latest version of it that is held. Where none is held, or it
// cannot be read, the policy is the zero Packet, which blocks.
func (b *policyBook) of(ctx context.Context, p domain.Packet) (policy domain.Packet, latestVersion int64, err error) {
	key := named(p)
	if !key.ID.Present() {
		return domain.Packet{}, 0, nil
	}
	if latestVersion, err = b.latestVersion(ctx, key.ID); err != nil {
		return domain.Packet{}, 0, err
	}
	policy, known := b.held[key]
	if known {
		return policy, latestVersion, nil
	}
	policy, err = b.load(ctx, key)
	if err != nil {
		return domain.Packet{}, 0, err
	}
	b.held[key] = policy
	return policy, latestVersion, nil
}

func (b *policyBook) load(ctx context.Context, key domain.Key) (domain.Packet, error) {
	document, err := documentOf(ctx, b.tx, b.table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.Packet{}, nil
	}
	if err != nil {
		return domain.Packet{}, err
	}
	policy, err := readHeld(b.reader, document, b.table, key)
	if err != nil {
		return domain.Packet{}, nil
	}
	return policy, nil
}

func (b *policyBook) latestVersion(ctx context.Context, id domain.ID) (int64, error) {
	latest, known := b.latest[id]
	if known {
		return latest, nil
	}
	idColumn, number := keyColumns(b.table)
	query := fmt.Sprintf("SELECT coalesce(max(%s), 0) FROM main.%s WHERE %s = ?", quote(number), b.table, quote(idColumn))
	if err := b.tx.QueryRowContext(ctx, query, string(id)).Scan(&latest); err != nil {
		return 0, err
	}
	b.latest[id] = latest
	return latest, nil
}

// documentOf returns the stored bytes under a key, or sql.ErrNoRows. The key is looked up in the index alone, so that
// a document that is no longer JSON is still found.
func documentOf(ctx context.Context, q querier, table domain.Table, key domain.Key) (document []byte, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT document FROM main.%[1]s WHERE rowid = "+
		"(SELECT rowid FROM main.%[1]s WHERE %[2]s = ? AND %[3]s = ?)", table, quote(id), quote(number))
	err = q.QueryRowContext(ctx, query, string(key.ID), key.Number).Scan(&document)
	return document, err
}

// readHeld reads a stored packet, and holds it to being what its place in the store says.
func readHeld(reader *domain.Reader, document []byte, table domain.Table, key domain.Key) (domain.Packet, error) {
	packet, err := reader.ReadStored(document)
	if err != nil {
		return domain.Packet{}, err
	}
	if packet.Table() != table || packet.Key() != key {
		return domain.Packet{}, fmt.Errorf("%w: it stands under another key", domain.ErrStoredPacket)
	}
	return packet, nil
}
