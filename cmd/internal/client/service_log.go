package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/merkle"
	"docket/store/verify"
)

// A SetbackError says that a shown log does not extend the known one. Both checkpoints were kept.
type SetbackError struct{ Setback records.Setback }

// Error says what happened, and the next step.
func (e *SetbackError) Error() string {
	return fmt.Sprintf("%s; nothing more was sent or taken, and both checkpoints were kept as proof: ask the operator of the service, "+
		"and if it was restored, accept it with `docket accept service`", e.Setback.Sentence())
}

// Unwrap returns store.ErrOtherService where the log has another key.
func (e *SetbackError) Unwrap() error {
	if e.Setback.Kind == records.LogOtherKey {
		return store.ErrOtherService
	}
	return nil
}

// A Session is what a pull or a push needs of a service, and whom it tells.
type Session struct {
	Store   Store
	Service *Client
	// FirstContact is called with the service's key after the console was bound to it.
	FirstContact func(signed.Key) error
	// Operator is called with each statement about the operator of the service that was not known.
	Operator func(records.LogStatement) error
}

// connect binds the console to the service by a page and keeps its statements about the caller's
// keys; the error wraps ErrForged if the service did not sign one.
func (s *Session) connect(ctx context.Context, page *api.Page) (*serviceLog, error) {
	c, first, err := s.open(ctx, page)
	if err == nil {
		err = unlessForged(s.Store.KeepRegistrations(ctx, api.Signed(page.Keys)))
	}
	if err == nil && first {
		err = s.FirstContact(c.key)
	}
	return c, err
}

// A serviceLog compares the log that a service shows with what is known of it.
type serviceLog struct {
	*Session
	keys []signed.Key            // of the log, and before it those that it had
	key  signed.Key              // the last of them
	seen []store.KnownCheckpoint // in this process, whether the store keeps it or not
	last *shownTree              // that was found to extend all that is known; nil before that
}

// reconnect compares the log of a known service by its checkpoint alone; it is nil at first
// contact, and if another key signed the checkpoint: the service's page says how its log got that
// key.
func (s *Session) reconnect(ctx context.Context) (*serviceLog, error) {
	known, err := s.Store.KnownOfService(ctx)
	if err != nil || len(known.Keys) == 0 {
		return nil, err
	}
	c := &serviceLog{Session: s}
	if err := c.trust(known.Keys); err != nil {
		return nil, fmt.Errorf("the key of the service: %w: %w", store.ErrDamaged, err)
	}
	if err := c.compare(ctx); !errors.Is(err, ErrUnreadable) {
		return c, err
	}
	return nil, nil
}

func (c *serviceLog) trust(keys []string) (err error) {
	for i := 0; i < len(keys) && err == nil; i++ {
		c.key, err = signed.ParseKey(keys[i])
		c.keys = append(c.keys, c.key)
	}
	return err
}

// open binds the console to the service of a page and compares its log with what is known: a log to
// which statements of restores lead is a setback; another one is that of another service.
func (s *Session) open(ctx context.Context, page *api.Page) (c *serviceLog, first bool, err error) {
	known, err := s.Store.KnownOfService(ctx)
	if err == nil {
		err = s.bind(ctx, &known, page)
	}
	stated := api.Signed(page.Statements)
	if errors.Is(err, store.ErrOtherService) &&
		slices.Contains(verify.RestoredKeys([]string{page.Key}, stated), boundTo(&known)) {
		err = s.otherKey(ctx, &known, page.Key, err)
	}
	if err != nil {
		return nil, false, err
	}
	key, _ := signed.ParseKey(page.Key)
	// A receipt may be of a log that the service had before a restore.
	lineage, _ := verify.ReadLineage(key.Origin(), page.Key, nil, stated)
	var keys []string
	for _, g := range lineage {
		keys = append(keys, g.Key)
	}
	c = &serviceLog{Session: s}
	if c.trust(keys) != nil {
		return nil, false, fmt.Errorf("%w: a key that its log had cannot be read", ErrNotAService)
	}
	return c, len(known.Keys) == 0, c.compare(ctx)
}

// boundTo is the key to which the console is bound; "" for none.
func boundTo(known *store.KnownOfService) string {
	if len(known.Keys) == 0 {
		return ""
	}
	return known.Keys[len(known.Keys)-1]
}

// ErrNotAService says that the address is not one of a docket service.
var ErrNotAService = errors.New("the address is not one of a docket service")

// bind binds the console to this key and keeps who the operator is, but does not call Operator at
// first contact; the error wraps store.ErrOtherService if another key is bound.
func (s *Session) bind(ctx context.Context, known *store.KnownOfService, page *api.Page) error {
	if _, err := signed.ParseKey(page.Key); err != nil {
		return fmt.Errorf("%w: the key of its log cannot be read", ErrNotAService)
	}
	held := boundTo(known)
	if held != "" && held != page.Key {
		return fmt.Errorf("%w: the store belongs to the service with the key %s, and this service has the key %s; "+
			"nothing was sent or taken", store.ErrOtherService, held, page.Key)
	}
	if held == "" {
		if err := s.Store.BindService(ctx, page.Key); err != nil {
			return err
		}
	}
	named, err := s.Store.KeepOperators(ctx, api.Signed(page.Statements))
	for i := 0; i < len(named) && held != "" && err == nil; i++ {
		err = s.Operator(named[i])
	}
	return unlessForged(err)
}

// unlessForged says that a statement which the service did not sign is forged.
func unlessForged(err error) error {
	if errors.Is(err, records.ErrLogStatement) {
		return fmt.Errorf("%w: %w", ErrForged, err)
	}
	return err
}

// compare compares the checkpoint with all that is known; a *SetbackError if it does not extend
// that.
func (c *serviceLog) compare(ctx context.Context) error {
	known, err := c.Store.KnownOfService(ctx)
	if err != nil {
		return err
	}
	if known.Setback.Kind.Present() {
		return &SetbackError{known.Setback}
	}
	shown, err := c.shownBy(ctx, c.key)
	if err != nil {
		return err
	}
	tree := &shownTree{KnownCheckpoint: shown, ctx: ctx, service: c.Service}
	tree.held = map[tlog.Tile][]byte{}
	head := tlog.Tree{N: shown.Size, Hash: signed.ToTree(shown.Root)}
	tree.HashReader = tlog.TileHashReader(head, tree)
	for _, before := range append(known.Checkpoints, c.seen...) {
		kind, err := tree.extends(&before.LogHead)
		if err != nil {
			return err
		}
		if kind.Present() {
			return c.setBack(ctx, kind, &before, &shown)
		}
	}
	c.last = tree
	return c.Store.KeepShown(context.WithoutCancel(ctx), shown.Note)
}

func (s *Session) shownBy(ctx context.Context, key signed.Key) (store.KnownCheckpoint, error) {
	note, err := s.Service.Checkpoint(ctx)
	if err != nil {
		return store.KnownCheckpoint{}, fmt.Errorf("the checkpoint of the service's log: %w", err)
	}
	return openShown(key, note)
}

func openShown(key signed.Key, note []byte) (store.KnownCheckpoint, error) {
	checkpoint := withoutCosignatures(string(note), key.Origin())
	head, err := key.OpenCheckpoint(checkpoint)
	if err != nil {
		return store.KnownCheckpoint{}, fmt.Errorf("%w: its checkpoint is not signed with the key of its log", ErrUnreadable)
	}
	head.Origin = key.Origin()
	return store.KnownCheckpoint{Note: checkpoint, Key: key.String(), LogHead: head}, nil
}

// acknowledged compares a receipt with the log that the service showed: its checkpoint has to be of
// that log, or of a later one, which the next contact checks.
func (c *serviceLog) acknowledged(ctx context.Context, receipt *store.KnownCheckpoint) error {
	if receipt.Size > c.last.Size {
		c.seen = append(c.seen, *receipt)
		return nil
	}
	kind, err := c.last.extends(&receipt.LogHead)
	if err != nil || !kind.Present() {
		return err
	}
	return c.setBack(ctx, kind, &c.last.KnownCheckpoint, receipt)
}

// include proves that the shown log of the service has a returned record at the place in its
// receipt, or returns ErrForged; it does not verify the author of the record.
func (c *serviceLog) include(ctx context.Context, given *api.Record) (proven signed.ServiceRecord, err error) {
	place := given.Receipt.Sequence
	if place >= c.last.Size {
		if err := c.compare(ctx); err != nil { // it was appended since
			return proven, err
		}
	}
	if place < 0 || place >= c.last.Size {
		return proven, ErrForged
	}
	path, err := tlog.ProveRecord(c.last.Size, place, c.last)
	if c.last.failed != nil {
		return proven, c.last.failed
	}
	leaf := signed.LeafHash(records.RecordEntry, given.Receipt.At, given.Record)
	if err != nil || tlog.CheckRecord(path, c.last.Size, signed.ToTree(c.last.Root), place, leaf) != nil {
		return proven, ErrForged
	}
	proof := make([]terms.Hash, len(path))
	for i, hash := range path {
		proof[i] = signed.FromTree(hash)
	}
	return signed.ServiceRecord{Record: string(given.Record), Signature: given.Signature,
		Sequence: place, At: given.Receipt.At, Proof: signed.WriteProof(proof), Checkpoint: c.last.Note}, nil
}

// otherKey keeps, if something is known of the service's log, that the service now has a log with
// another key, and returns that *SetbackError or else the given error.
func (s *Session) otherKey(ctx context.Context, known *store.KnownOfService, stated string, said error) error {
	key, err := signed.ParseKey(stated)
	switch {
	case err != nil || len(known.Checkpoints) == 0:
		return said
	case known.Setback.Kind.Present():
		return &SetbackError{known.Setback}
	}
	shown, err := s.shownBy(ctx, key)
	if err != nil {
		return said
	}
	return s.setBack(ctx, records.LogOtherKey, &known.Checkpoints[len(known.Checkpoints)-1], &shown)
}

// A ShownService is the log that a service shows.
type ShownService struct {
	Key        string // its verifier key
	Checkpoint string // what it signed
	// Restores are the statements that lead to the log, oldest first: by whom, when and why.
	Restores []records.LogStatement
}

// Show asks the service for its log, so that a person can accept one that does not extend the known
// one, which is kept as a setback.
func (s *Session) Show(ctx context.Context) (shown ShownService, err error) {
	page, err := s.Service.Page(ctx, "")
	if err != nil {
		return shown, err
	}
	known, err := s.Store.KnownOfService(ctx)
	if err != nil {
		return shown, err
	}
	var setback *SetbackError
	_, _, err = s.open(ctx, &page)
	if errors.Is(err, store.ErrOtherService) && !errors.As(err, &setback) {
		err = s.otherKey(ctx, &known, page.Key, err)
	}
	if err != nil && !errors.As(err, &setback) {
		return shown, err
	}
	key, _ := signed.ParseKey(page.Key)
	opened, err := s.shownBy(ctx, key)
	if err != nil {
		return shown, err
	}
	shown.Key, shown.Checkpoint = page.Key, opened.Note
	_, statements := verify.ReadLineage(key.Origin(), page.Key, nil, api.Signed(page.Statements))
	for i := range statements {
		if one := &statements[i]; one.OK && one.Statement.Kind == records.LogRestored {
			shown.Restores = append(shown.Restores, one.Statement)
		}
	}
	return shown, nil
}

// setBack keeps a shown log that does not extend the known one, and returns the *SetbackError.
func (s *Session) setBack(ctx context.Context, kind records.SetbackKind, known, shown *store.KnownCheckpoint) error {
	if err := s.Store.KeepSetback(context.WithoutCancel(ctx), kind, shown.Note, shown.Key); err != nil {
		return err
	}
	return &SetbackError{records.Setback{Kind: kind, ServiceChange: records.ServiceChange{Known: known.LogHead, KnownKey: known.Key,
		Shown: shown.LogHead, ShownKey: shown.Key}}}
}

// withoutCosignatures returns a signed checkpoint with the signature of the log alone.
func withoutCosignatures(note, origin string) string {
	text, signatures, _ := strings.Cut(note, "\n\n")
	text += "\n\n"
	for line := range strings.Lines(signatures) {
		if strings.HasPrefix(line, "— "+origin+" ") {
			text += line
		}
	}
	return text
}

// A shownTree is the log of a shown checkpoint as its tlog.TileReader, with the verified tiles.
type shownTree struct {
	store.KnownCheckpoint
	tlog.HashReader
	ctx     context.Context
	service *Client
	held    map[tlog.Tile][]byte
	failed  error // why the service gave no tile
}

// extends checks that the log extends the known one: no kind if it does; errors are those of tiles.
func (t *shownTree) extends(known *records.LogHead) (kind records.SetbackKind, err error) {
	switch {
	case t.Size < known.Size:
		kind = records.LogRolledBack
	case t.Size == known.Size && known.Size > 0 && t.Root != known.Root:
		kind = records.LogForked
	case t.Size > known.Size && known.Size > 0:
		root, err := tlog.TreeHash(known.Size, t)
		if err != nil {
			kind = records.LogUnproven
		} else if signed.FromTree(root) != known.Root {
			kind = records.LogForked
		}
	}
	return kind, t.failed
}

// Height implements tlog.TileReader.
func (t *shownTree) Height() int { return merkle.TileHeight }

// ReadTiles implements tlog.TileReader.
func (t *shownTree) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		var held bool
		if data[i], held = t.held[tile]; held {
			continue
		}
		var err error
		if data[i], err = t.service.Tile(t.ctx, tile); err != nil {
			t.failed = fmt.Errorf("a tile of the service's log: %w", err)
			return nil, t.failed
		}
	}
	return data, nil
}

// SaveTiles implements tlog.TileReader.
func (t *shownTree) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	for i, tile := range tiles {
		t.held[tile] = data[i]
	}
}
