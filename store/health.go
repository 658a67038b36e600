package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// Health is the state of a store and of its surroundings.
type Health struct {
	Path   string // of the store's file, absolute
	Exists bool   // all that follows is zero where it does not

	FileMode       fs.FileMode // of the file; 0 where the system has no permission bits
	FolderMode     fs.FileMode // of its folder; likewise
	Volume         Volume      // where the file lies
	FolderWritable bool

	// OpenError is why the store cannot be read; the fields below are then unknown.
	OpenError error
	Findings  []verify.Finding
	Origin    string // of the log
	LogSize   int64  // entries
	HandIns   records.HandInTally
	// KeyFile is the path of the file with the log's private key, "" if the store names no usable key;
	// KeyMode is its mode, 0 without one or without permission bits; KeyError is why the log cannot be
	// signed.
	KeyFile  string
	KeyMode  fs.FileMode
	KeyError error
	// Anchor is the path of the checkpoint that is kept outside the store, "" without a folder for
	// it; AnchorSize is its number of entries, -1 without a checkpoint. More than LogSize means
	// that entries are missing here: the file is older, or a copy without its WAL.
	Anchor      string
	AnchorSize  int64
	AnchorError error // why it cannot be read; what it says is among the Findings
	// NewestRecord is when the last record was recorded, NewestPacket when the last packet came in,
	// by the clock of the machine that wrote them; absent if there is none.
	NewestRecord, NewestPacket terms.Instant
	// Keys are the keys of Options.Reviewer that the log knows, with their state.
	Keys []ReviewerKey
	// Registered are the fingerprints of those of the keys that the service registered and did not
	// revoke, as far as this console knows.
	Registered []string
	// ClockAccepted is when a person last accepted this machine's clock although it was before the
	// newest record; absent for never.
	ClockAccepted terms.Instant
	// Accepted are the statements that Store.Accepted lists.
	Accepted []records.LogStatement
	// ErasedElsewhere is what the operator of the service erased there and this store still holds.
	ErasedElsewhere []records.LogStatement
	// Unscrubbed says that the file may hold erased bytes, because a docket ended before rewriting it.
	Unscrubbed bool
	Now        terms.Instant // by this machine's clock
}

// Inspect reads the state of a store, changes nothing, and fails only if the path cannot be read.
func Inspect(ctx context.Context, o Options) (Health, error) {
	o.ReadOnly = true
	h := Health{Path: o.Path, Exists: true, AnchorSize: -1, Now: terms.InstantOf((&Store{options: o}).now())}
	if o.Database == nil {
		var err error
		if h.Path, h.Exists, err = disk.Locate(o.Path); err != nil {
			return Health{}, err
		}
		if !h.Exists {
			return h, nil
		}
		folder := filepath.Dir(h.Path)
		h.FileMode, h.FolderMode = modeOf(h.Path), modeOf(folder)
		h.Volume, h.FolderWritable = disk.VolumeOf(folder), disk.FolderWritable(h.Path)
	}
	s, err := Open(ctx, o)
	if o.Database != nil && errors.Is(err, ErrNoStore) {
		h.Exists = false
		return h, nil
	}
	if err != nil {
		h.OpenError = err
		return h, nil
	}
	h.OpenError = errors.Join(h.ask(ctx, s), s.Close())
	return h, nil
}

// modeOf returns the mode of a file, 0 if there is none.
func modeOf(path string) fs.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm() & disk.ModeMask
}

func (h *Health) ask(ctx context.Context, s *Store) error {
	h.Findings = s.Findings()
	if h.KeyFile = s.KeyFile(); h.KeyFile != "" {
		h.KeyMode = modeOf(h.KeyFile)
		h.KeyError = s.unlock(ctx, s.key)
	}
	log, err := ask(ctx, s, "read what the store is", currentLog)
	if h.Origin = log.origin; err == nil {
		err = h.askLog(ctx, s)
	}
	if s.anchor == nil || err != nil {
		return err
	}
	h.Anchor = s.anchor.Path
	held, err := s.anchor.Read(ctx)
	var unreadable *merkle.UnreadableAnchor
	switch {
	case err == nil:
		h.AnchorSize = held.Size
	case !errors.Is(err, merkle.ErrNoAnchor) && !errors.As(err, &unreadable):
		h.AnchorError = err
	}
	return nil
}

func (h *Health) askLog(ctx context.Context, s *Store) (err error) {
	list, err := s.Records(ctx, 0, 1)
	if err == nil && len(list) == 1 {
		h.NewestRecord = list[0].Record.Members().RecordedAt
	}
	if me := s.options.Reviewer; err == nil && me.Known() {
		err = cmp.Or(into(&h.Keys)(s.KeysOf(ctx, me.ID)), into(&h.Registered)(s.registeredAtService(ctx, me.ID)))
	}
	h.Unscrubbed = s.db.Unscrubbed()
	err = cmp.Or(err, into(&h.LogSize)(ask(ctx, s, "read the log", logSize)), into(&h.HandIns)(s.HandInTally(ctx)),
		into(&h.NewestPacket)(ask(ctx, s, "read the packets", newestPacket)), into(&h.ErasedElsewhere)(s.ErasedElsewhere(ctx)))
	if err != nil || s.key == nil {
		return err
	}
	h.Accepted, err = s.Accepted(ctx)
	for i := range h.Accepted {
		if h.Accepted[i].Kind == records.ClockAccepted {
			h.ClockAccepted = h.Accepted[i].At
		}
	}
	return err
}

func newestPacket(ctx context.Context, tx engine.Tx) (newest terms.Instant, err error) {
	for _, table := range terms.PacketTables.Terms() {
		at, err := tx.Packets().LastImport(ctx, table)
		if err != nil {
			return newest, err
		}
		if parsed, ok := terms.ParseInstant(at); ok && parsed.Time().After(newest.Time()) {
			newest = parsed
		}
	}
	return newest, nil
}

// errTried rolls a transaction back that only tried to write.
var errTried = errors.New("nothing was to be written")

// Appendable returns nil if a record could be appended now, as far as that can be known without
// appending: the store takes records, ssh-agent lists the log's key if it has it, a writing
// transaction can be begun before ctx ends, the file can be written, and its volume has free bytes
// left, if the system tells. It changes nothing.
func (s *Store) Appendable(ctx context.Context, free int64) error {
	s.handles.RLock()
	key := s.key
	s.handles.RUnlock()
	if key != nil {
		if err := key.Held(ctx); err != nil {
			return err
		}
	}
	err := s.writingRecord(ctx, "try to write", func(ctx context.Context, tx engine.Tx) error {
		if err := errors.Join(tx.Structure().TryWrite(ctx), s.verifyAgain(ctx, tx), s.verifySigned(ctx, tx)); err != nil {
			return err
		}
		return errTried
	})
	if !errors.Is(err, errTried) {
		return err
	}
	if s.options.Database != nil {
		return nil // its disk is the server's
	}
	if volume := disk.VolumeOf(filepath.Dir(s.path)); volume.Known && volume.Free < free {
		return &Problem{Path: s.path, Kind: ErrDiskFull, Advice: "free some space, or lower the limit of free space"}
	}
	return nil
}

// verifySigned finds a newest checkpoint of another size than the log's, which stops all appending.
func (s *Store) verifySigned(ctx context.Context, tx engine.Tx) error {
	size, err := logSize(ctx, tx)
	if err != nil {
		return err
	}
	newest, err := tx.Log().NewestCheckpoint(ctx)
	if unlessNoRow(err) != nil {
		return err
	}
	if err != nil || newest.Size != size {
		s.findings.add(found(verify.CheckpointUnusable, "the newest is of %s, and there are %d", records.Count(newest.Size), size))
	}
	return s.checkNoFindings()
}

// A Volume is the file system that a file lies on.
type Volume = disk.Volume
