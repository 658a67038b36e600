package engine

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// The members of the texts that may be erased, and of the salts with which a short one could be
// guessed. The owner of the first is the place of a case, and of the others the sequence of a
// record.
const (
	ofPacket       = "texts"
	ofPacketDigest = "packetDigest"
	ofStatement    = "statement"
	ofNote         = "note"
)

type text struct {
	Owner int64
	Salt  packets.Salt
	Text  string
}

func (t Tx) addText(ctx context.Context, owner int64, member string, salt packets.Salt, text string) error {
	return t.add(ctx, "AddText", owner, member, salt, Text(text))
}

// An erased holds what the store's statements say was erased, which is not read even where its row
// is there again; whether a statement counts is for the checks, which read the Whole.
type erased struct {
	sizes map[records.Erasure]int64 // of the log then, by the erasure without its reason; nil: unread
	salts map[int64]bool            // sequences whose salts went with texts and are there; likewise
}

// Whole is the transaction as the checks read it: with what was erased and is there again.
func (t Tx) Whole() Tx {
	t.erased = nil
	return t
}

// erasures is read before the rows that may be erased: PostgreSQL runs no query within another.
func (t Tx) erasures(ctx context.Context) (map[records.Erasure]int64, error) {
	if t.erased == nil {
		return nil, nil
	}
	if t.erased.sizes != nil {
		return t.erased.sizes, nil
	}
	sizes := map[records.Erasure]int64{}
	err := eachOf(ctx, t, t.named("Erasures"), func(stated *pair[string, string]) error {
		statement, err := records.ReadLogStatement(stated.First)
		e, is := statement.Erasure()
		// What a service erased there stays here until it is erased here, too.
		if err == nil && is && records.OfService(statement.Origin) == records.OfService(stated.Second) {
			sizes[e.Object()] = max(sizes[e.Object()], statement.Size)
		}
		return nil
	})
	if err == nil {
		t.erased.sizes = sizes
	}
	return sizes, err
}

func (t Tx) isErased(ctx context.Context, what records.Erasable, id records.RecordID) (bool, error) {
	sizes, err := t.erasures(ctx)
	_, is := sizes[records.Erasure{What: what, Record: id}]
	return is, err
}

// erasedSalts returns the sequences whose salts were erased with the packets' texts, and are there.
func (t Tx) erasedSalts(ctx context.Context) (map[int64]bool, error) {
	sizes, err := t.erasures(ctx)
	switch {
	case err != nil || len(sizes) == 0:
		return nil, err
	case t.erased.salts != nil:
		return t.erased.salts, nil
	}
	salts := map[int64]bool{}
	for e, size := range sizes {
		for _, rows := range rowsOf(e, "", size) {
			if rows.args[0] != ofPacketDigest {
				continue
			}
			there, err := List[int64](ctx, t, "SELECT owner FROM "+rows.table+" WHERE "+rows.where, rows.args...)
			if err != nil {
				return nil, err
			}
			for _, sequence := range there {
				salts[sequence] = true
			}
		}
	}
	t.erased.salts = salts
	return salts, nil
}

// joiner returns what joins documents with their texts, unless those were erased.
func (t Tx) joiner(ctx context.Context, table terms.Table) (func(key packets.Key, document, texts []byte) []byte, error) {
	sizes, err := t.erasures(ctx)
	return func(key packets.Key, document, texts []byte) []byte {
		if len(sizes) > 0 && texts != nil {
			if _, is := sizes[records.Erasure{What: records.ErasableTexts, Table: table, Key: key}]; is {
				texts = nil
			}
		}
		return packets.Joined(document, texts)
	}, err
}

// erasedRows selects the rows of an erasure: the table, and the condition.
type erasedRows struct {
	table, where string
	args         []any
}

func rowsOf(e records.Erasure, by terms.ID, before int64) []erasedRows {
	const onRecord = "member = $1 AND owner = (SELECT position FROM docket_log WHERE kind = 'record' AND subject = $2)"
	const onRevision = " AND tableName = $2 AND id = $3 AND revision = $4"
	own := []any{by, e.Table.String(), e.Key.ID, e.Key.Number}
	switch e.What {
	case records.ErasableNote:
		return []erasedRows{{"docket_texts", onRecord, []any{ofNote, e.Record}}}
	case records.ErasableStatement:
		return []erasedRows{{"docket_texts", onRecord, []any{ofStatement, e.Record}}}
	case records.ErasableTexts:
		id, number := keyOf(terms.AppealCases)
		recordOn, recordNumber := keyOf(terms.AppealEnforcements)
		return []erasedRows{
			{"docket_texts", fmt.Sprintf(
				"member = $1 AND owner = (SELECT position FROM trade_appeal_cases WHERE %s = $2 AND %s = $3)",
				id, number),
				[]any{ofPacket, e.Key.ID, e.Key.Number}},
			// The packetDigest covers the texts, too: with its salt a short text could be guessed.
			{"docket_texts", fmt.Sprintf(
				"member = $1 AND owner IN (SELECT sequence FROM trade_challenge_appeal_enforcement_records WHERE %s = $2 AND %s = $3)"+
					" AND owner < $4", recordOn, recordNumber), []any{ofPacketDigest, e.Key.ID, e.Key.Number, before}},
		}
	case records.ErasableDraft: // of any console
		return []erasedRows{{"docket_local",
			"kind = 'draft' AND (owner = $1 OR substr(owner, 1, length($1) + 1) = $1 || '@')" + onRevision,
			own}}
	}
	return []erasedRows{{"docket_local", "kind = 'skip' AND owner = $1" + onRevision, own}}
}

// Erasable counts the rows that an erasure for a person deletes, and the salts of those records
// before a sequence whose digests cover them, too.
func (q Records) Erasable(ctx context.Context, e records.Erasure, by terms.ID, before int64) (own, salts int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		into := &own
		if rows.args[0] == ofPacketDigest {
			into = &salts
		}
		if err := q.Row(ctx, "SELECT count(*) FROM "+rows.table+" WHERE "+rows.where, rows.args, into); err != nil {
			return 0, 0, err
		}
	}
	return own, salts, nil
}

// Erase deletes these rows, and returns how many there were.
func (q Records) Erase(ctx context.Context, e records.Erasure, by terms.ID, before int64) (total int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		count, err := q.Exec(ctx, "DELETE FROM "+rows.table+" WHERE "+rows.where, rows.args...)
		if err != nil {
			return 0, err
		}
		total += count
	}
	return total, nil
}
