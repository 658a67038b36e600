package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// The log is one RFC 6962 tree over the packets, the records and the statements of the store, in the
// order of appending. A leaf is as records.LeafData writes it. Hashes are numbered as by sumdb/tlog.

// logSize returns an error that wraps ErrDamaged if the number of entries is impossible.
func logSize(ctx context.Context, tx engine.Tx) (size int64, err error) {
	last, err := tx.Log().Last(ctx)
	if err != nil {
		return 0, err
	}
	return merkle.SizeOf(last)
}

// Head returns the log's origin, size and root as they are now.
func (s *Store) Head(ctx context.Context) (records.LogHead, error) {
	return ask(ctx, s, "read the log", headOf)
}

func headOf(ctx context.Context, tx engine.Tx) (records.LogHead, error) {
	l, err := logOf(ctx, tx)
	if err != nil {
		return records.LogHead{}, err
	}
	root, err := l.Root(l.Size)
	if err != nil {
		return records.LogHead{}, err
	}
	name, err := currentLog(ctx, tx)
	return records.LogHead{Origin: name.origin, Size: l.Size, Root: signed.FromTree(root)}, err
}

func logOf(ctx context.Context, tx engine.Tx) (*merkle.Log, error) {
	size, err := logSize(ctx, tx)
	if err != nil {
		return nil, err
	}
	return merkle.NewLog(size, hashTable(ctx, tx)), nil
}

func hashTable(ctx context.Context, tx engine.Tx) merkle.Source {
	return func(positions []int64, each func(position int64, hash []byte)) error {
		return tx.Log().Hashes(ctx, positions, each)
	}
}

// timeOfNext is the time of the next entry: now, but not before the newest entry, unless a person
// accepted the clock since.
func (s *Store) timeOfNext(ctx context.Context, tx engine.Tx) (string, error) {
	now := records.LogTime(terms.InstantOf(s.now()))
	last, err := tx.Log().LastAt(ctx, 0)
	if err != nil || last <= now {
		return now, err
	}
	statements, err := openedStatements(ctx, tx, s.key)
	if err != nil {
		return "", err
	}
	last, err = tx.Log().LastAt(ctx, verify.ClockSince(statements, math.MaxInt64))
	return max(last, now), err
}

// An entering appends entries to the log in one transaction, and signs the checkpoint of the log
// with them.
type entering struct {
	tx     engine.Tx
	key    *merkle.Key // which signs the checkpoint
	log    *merkle.Log
	at     string      // the time of the entries
	first  int64       // the position of the first of the hashes
	hashes []tlog.Hash // of the tree, that are still to be stored
}

// mostHashes is how many hashes of the tree are stored at once.
const mostHashes = 2048

// entering begins at the end of the log.
func (s *Store) entering(ctx context.Context, tx engine.Tx) (*entering, error) {
	log, err := logOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	at, err := s.timeOfNext(ctx, tx)
	if err != nil {
		return nil, err
	}
	return enter(tx, s.key, log, at)
}

func enter(tx engine.Tx, key *merkle.Key, log *merkle.Log, at string) (*entering, error) {
	e := &entering{tx: tx, key: key, log: log, at: at, first: tlog.StoredHashIndex(0, log.Size)}
	return e, log.Hashes.Preload([]int64{log.Size})
}

// add appends an entry with a body, whose position, time and leaf it fills in.
func (e *entering) add(ctx context.Context, entry *engine.NewEntry, body []byte) error {
	entry.Position, entry.At, entry.Leaf = e.log.Size, e.at, signed.LeafHash(entry.Kind, e.at, body)
	hashes, err := e.log.Add(entry.Leaf)
	if err != nil {
		return err
	}
	if err := e.tx.Log().Append(ctx, *entry); err != nil {
		return err
	}
	if e.hashes = append(e.hashes, hashes...); len(e.hashes) >= mostHashes {
		return e.flush(ctx)
	}
	return nil
}

// state appends a statement.
func (e *entering) state(ctx context.Context, stated signed.Statement) error {
	statement, err := records.ReadLogStatement(stated.Text)
	if err != nil {
		return err
	}
	return e.add(ctx, &engine.NewEntry{Kind: records.StatementEntry, Subject: statement.Kind.String(),
		Body: stated.Text, Signature: stated.Signatures()}, []byte(stated.Text))
}

func (e *entering) flush(ctx context.Context) error {
	first, hashes := e.first, e.hashes
	e.first, e.hashes = first+int64(len(hashes)), nil
	if len(hashes) == 0 {
		return nil
	}
	return e.tx.Log().AddHashes(ctx, first, hashes)
}

// sign stores what is left of the tree, and signs the checkpoint of the log as it is now.
func (e *entering) sign(ctx context.Context) (newest merkle.Checkpoint, err error) {
	if err := e.flush(ctx); err != nil {
		return newest, err
	}
	root, err := e.log.Root(e.log.Size)
	if err == nil {
		newest, err = e.key.Sign(e.log.Size, root)
	}
	if err != nil {
		return newest, err
	}
	return newest, e.tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: newest.Size, Note: newest.Note})
}

// state appends statements to a log that extends the anchor. In a log with findings, which a
// statement may mend, the next opening compares them.
func (s *Store) state(ctx context.Context, tx engine.Tx, list ...signed.Statement) error {
	if len(s.findings.all()) == 0 {
		if err := s.verifyAgain(ctx, tx); err != nil {
			return err
		}
	}
	e, err := s.entering(ctx, tx)
	for i := 0; i < len(list) && err == nil; i++ {
		if accepted, failed := records.ReadLogStatement(list[i].Text); failed == nil && accepted.Kind == records.ClockAccepted {
			e.at = records.LogTime(terms.InstantOf(s.now())) // the order starts again
		}
		err = e.state(ctx, list[i])
	}
	if err == nil {
		_, err = e.sign(ctx)
	}
	return err
}

// addRecord appends the entry of a record.
func addRecord(ctx context.Context, tx engine.Tx, l *merkle.Log, record records.Enforcement,
	signature []byte, at string) (records.Receipt, error) {
	e := entering{tx: tx, log: l, at: at, first: tlog.StoredHashIndex(0, l.Size)}
	id := record.Members().RecordID
	entry := engine.NewEntry{Kind: records.RecordEntry, Table: record.Table(),
		Subject: string(id), Signature: string(signature)}
	err := e.add(ctx, &entry, record.Document())
	if err == nil {
		err = e.flush(ctx)
	}
	if err != nil {
		return records.Receipt{}, err
	}
	return l.Receipt(id, entry.Position, at, entry.Leaf)
}

func rootOf(ctx context.Context, tx engine.Tx, size int64) (tlog.Hash, error) {
	return tlog.TreeHash(size, merkle.NewHashes(hashTable(ctx, tx)))
}

func checkpointOf(ctx context.Context, tx engine.Tx, k *merkle.Key, size int64) (c merkle.Checkpoint, err error) {
	signed, err := tx.Log().Checkpoint(ctx, size)
	if err != nil && !errors.Is(err, engine.ErrNoRow) {
		return c, err
	}
	if err == nil {
		keys, unread := readKeys(ctx, tx, k)
		if unread != nil {
			return c, unread
		}
		c, err = keys.of(size).Open(signed)
	}
	if err != nil {
		return merkle.Checkpoint{}, fmt.Errorf("the checkpoint of %s: %w: %w", records.Count(size), err, ErrDamaged)
	}
	return c, nil
}

// unlock reads the key file; the error is a *Problem that names it.
func (s *Store) unlock(ctx context.Context, key *merkle.Key) error {
	path := key.File(s.keyFolder())
	text, err := disk.ReadRegular(path, merkle.KeyFileBound)
	if err == nil {
		err = key.Unlock(ctx, string(text))
	}
	if err == nil {
		return nil
	}
	why := disk.Reason(err)
	if errors.Is(err, fs.ErrNotExist) {
		why = errors.New("it is not there")
	}
	advice := fmt.Sprintf(
		"%v; put %s back from where you keep a copy of it, or move the store aside and run `docket restore` on it; until then the store is only read",
		why, path)
	if merkle.InAgent(string(text)) {
		advice = fmt.Sprintf(
			"%v; open the store again then, or move it aside and run `docket restore` on it; until then it is only read",
			why)
	}
	return &Problem{Path: s.path, Kind: merkle.ErrNoKey, Cause: err, Advice: advice}
}

// KeyFile is the path of the file with the log's private key; "" if the store names no usable key.
func (s *Store) KeyFile() string {
	s.handles.RLock()
	defer s.handles.RUnlock()
	if s.key == nil {
		return ""
	}
	return s.key.File(s.keyFolder())
}

// loadKey reads the log's key, without its private half where the key file lacks it.
func (s *Store) loadKey(ctx context.Context, tx engine.Tx) (*merkle.Key, error) {
	key, err := loadLogKey(ctx, tx)
	if err == nil {
		_ = s.unlock(ctx, key)
	}
	return key, err
}

// loadLogKey reads the public key; a *merkle.KeyError if it cannot be read.
func loadLogKey(ctx context.Context, tx engine.Tx) (*merkle.Key, error) {
	name, err := currentLog(ctx, tx)
	if err != nil {
		return nil, err
	}
	key, err := merkle.ParseKey(name.origin, name.verifier)
	if err != nil {
		return nil, &merkle.KeyError{Cause: err}
	}
	return key, nil
}

// Verifier returns the public key of checkpoints as sumdb/note has it: "<origin>+<hash>+<base64>".
func (s *Store) Verifier(ctx context.Context) (string, error) {
	name, err := ask(ctx, s, "read the store's key", currentLog)
	return name.verifier, err
}

// logKeys are the keys of a log and of those before it.
type logKeys struct {
	verify.Lineage
	own *merkle.Key // of the newest log
}

// at returns the key of the log at a place; a lineage has no earlier log whose key cannot be read.
func (k *logKeys) at(place int) *merkle.Key {
	if place == len(k.Lineage)-1 {
		return k.own
	}
	key, _ := merkle.ParseKey(k.Lineage[place].Origin, k.Lineage[place].Key)
	return key
}

// of returns the key that signed the checkpoint of a size when the records up to there came in.
func (k *logKeys) of(size int64) *merkle.Key { return k.at(k.Find(k.Of(size - 1).Origin)) }

func readKeys(ctx context.Context, tx engine.Tx, key *merkle.Key) (*logKeys, error) {
	statements, err := statementsOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	lineage, _ := verify.ReadLineage(key.Origin, key.Encoded, nil, statements)
	return &logKeys{lineage, key}, nil
}

// newestCheckpoint returns the newest signed checkpoint, unverified, or engine.ErrNoRow.
func newestCheckpoint(ctx context.Context, tx engine.Tx) (signed []byte, err error) {
	newest, err := tx.Log().NewestCheckpoint(ctx)
	return newest.Note, err
}

// Checkpoint returns the newest checkpoint, a C2SP tlog-checkpoint by the key that Verifier
// returns. An empty log has one too.
func (s *Store) Checkpoint(ctx context.Context) ([]byte, error) {
	return ask(ctx, s, "read the checkpoint", func(ctx context.Context, tx engine.Tx) ([]byte, error) {
		signed, err := newestCheckpoint(ctx, tx)
		return signed, orNotFound(err, "a checkpoint of the log")
	})
}

// Tile returns a tile as C2SP tlog-tiles has it, from the stored hashes. The error wraps
// ErrNotFound if the log does not have all of it.
func (s *Store) Tile(ctx context.Context, tile tlog.Tile) ([]byte, error) {
	return askTile(ctx, s, tile, func(ctx context.Context, tx engine.Tx) ([]byte, error) {
		return tlog.ReadTileData(tile, merkle.NewHashes(hashTable(ctx, tx)))
	})
}

// TileEntries returns the entries of a tile of them, as they were logged. The error wraps
// ErrNotFound if the log does not have all of them.
func (s *Store) TileEntries(ctx context.Context, tile tlog.Tile) ([]verify.Entry, error) {
	return askTile(ctx, s, tile, func(ctx context.Context, tx engine.Tx) (entries []verify.Entry, err error) {
		first := tile.N * merkle.TileWidth
		entries, err = entriesOf(ctx, tx, first, first+int64(tile.W))
		if err == nil && len(entries) != tile.W {
			err = ErrDamaged
		}
		for i := 0; i < len(entries) && err == nil; i++ {
			if hash := verify.LeafOf(&entries[i]); string(hash[:]) != string(entries[i].LeafHash) {
				err = fmt.Errorf("entry %d is not the one that was logged: %w", first+int64(i), ErrDamaged)
			}
		}
		return entries, err
	})
}

// askTile is ask for a tile that the log has all of.
func askTile[T any](ctx context.Context, s *Store, tile tlog.Tile, get func(ctx context.Context, tx engine.Tx) (T, error)) (T, error) {
	return ask(ctx, s, "read a tile of the log", func(ctx context.Context, tx engine.Tx) (data T, err error) {
		if err := s.checkNoFindings(); err != nil {
			return data, err
		}
		size, err := logSize(ctx, tx)
		if err == nil && !merkle.HasTile(tile, size) {
			err = fmt.Errorf("a tile of the log: %w", ErrNotFound)
		}
		if err != nil {
			return data, err
		}
		return get(ctx, tx)
	})
}

// Consistency proves that the log of one size is the beginning of a later one (RFC 6962). It is
// empty for equal sizes and the empty log. The error wraps ErrNotFound if the log is shorter.
func (s *Store) Consistency(ctx context.Context, from, to int64) ([]terms.Hash, error) {
	return ask(ctx, s, "prove the log", func(ctx context.Context, tx engine.Tx) ([]terms.Hash, error) {
		l, err := logOf(ctx, tx)
		if err != nil {
			return nil, err
		}
		if from < 0 || from > to || to > l.Size {
			return nil, fmt.Errorf("a log of %s that begins with one of %d: %w", records.Count(to), from, ErrNotFound)
		}
		if from == 0 || from == to {
			return []terms.Hash{}, nil
		}
		path, err := tlog.ProveTree(to, from, l.Hashes)
		return hashesIn(path), err
	})
}

// An Inclusion is the RFC 6962 audit path from the leaf at a sequence of the log to the root.
type Inclusion struct {
	Sequence int64        `json:"sequence"`
	TreeSize int64        `json:"treeSize"`
	LeafHash terms.Hash   `json:"leafHash"`
	Path     []terms.Hash `json:"path"` // from the leaf up
	Root     terms.Hash   `json:"root"`
}

// Inclusion proves that the record is in the log as it is now. It was checked against the record's
// bytes; the error wraps ErrDamaged if it does not hold, and ErrNotFound if there is no such
// record.
func (s *Store) Inclusion(ctx context.Context, id records.RecordID) (Inclusion, error) {
	logged, err := s.Record(ctx, id)
	if err != nil {
		return Inclusion{}, err
	}
	return ask(ctx, s, "prove the record", func(ctx context.Context, tx engine.Tx) (Inclusion, error) {
		return inclusionOf(ctx, tx, &logged)
	})
}

func inclusionOf(ctx context.Context, tx engine.Tx, logged *records.LoggedRecord) (Inclusion, error) {
	sequence, leaf := logged.Receipt.Sequence, signed.LeafHash(records.RecordEntry, logged.Receipt.At, logged.Record.Document())
	head, err := headOf(ctx, tx)
	if err != nil {
		return Inclusion{}, err
	}
	path, err := tlog.ProveRecord(head.Size, sequence, merkle.NewHashes(hashTable(ctx, tx)))
	if err != nil {
		return Inclusion{}, err
	}
	if err := tlog.CheckRecord(path, head.Size, signed.ToTree(head.Root), sequence, leaf); err != nil {
		return Inclusion{}, fmt.Errorf("record %s is not in the tree of the log: %w", logged.Receipt.RecordID, ErrDamaged)
	}
	return Inclusion{Sequence: sequence, TreeSize: head.Size, LeafHash: signed.FromTree(leaf), Path: hashesIn(path), Root: head.Root}, nil
}

func hashesIn(path []tlog.Hash) []terms.Hash {
	hashes := make([]terms.Hash, len(path))
	for i, hash := range path {
		hashes[i] = signed.FromTree(hash)
	}
	return hashes
}
