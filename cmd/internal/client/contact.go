package client

import (
	"context"
	"errors"
	"fmt"
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

// A SetbackError says that the service showed a log that does not extend what is known of it. Both checkpoints were kept.
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

// A contact compares the log that a service shows with what is known of it.
type contact struct {
	binding Binding
	service *Client
	keys    []signed.Key            // of the log, and before it those that it had
	key     signed.Key              // the last of them
	seen    []store.KnownCheckpoint // in this process, whether the binding keeps it or not

	last   store.KnownCheckpoint // that was found to extend all that is known; zero before that
	hashes tlog.HashReader       // of its tree
	tiles  *tileReader           // from which they come
}

// meetAgain meets a known service by its checkpoint alone, which is signed with the key to which the console is bound,
// and extends what is known. The contact is nil at first contact, and if another key signed the checkpoint: then the
// service's page says how its log got another key.
func meetAgain(ctx context.Context, b Binding, service *Client) (*contact, error) {
	known, err := b.KnownOfService(ctx)
	if err != nil || len(known.Keys) == 0 {
		return nil, err
	}
	c := &contact{binding: b, service: service}
	for _, text := range known.Keys {
		if c.key, err = signed.ParseKey(text); err != nil {
			return nil, fmt.Errorf("the key of the service: %w: %w", store.ErrDamaged, err)
		}
		c.keys = append(c.keys, c.key)
	}
	if err := c.meet(ctx); !errors.Is(err, ErrUnreadable) {
		return c, err
	}
	return nil, nil
}

// meet requests the service's checkpoint and compares it with all that is known. The error is a *SetbackError if it
// does not extend that.
func (c *contact) meet(ctx context.Context) error {
	known, err := c.binding.KnownOfService(ctx)
	if err != nil {
		return err
	}
	if known.Setback.Kind.Present() {
		return &SetbackError{known.Setback}
	}
	note, err := c.service.Checkpoint(ctx)
	if err != nil {
		return fmt.Errorf("the checkpoint of the service's log: %w", err)
	}
	shown, err := openShown(c.key, note)
	if err != nil {
		return err
	}
	head := shown.LogHead
	tiles := &tileReader{ctx: ctx, service: c.service, held: map[tlog.Tile][]byte{}}
	hashes := tlog.TileHashReader(tlog.Tree{N: head.Size, Hash: merkle.ToTree(head.Root)}, tiles)
	for _, before := range append(known.Checkpoints, c.seen...) {
		kind := extends(before.LogHead, head, hashes)
		if tiles.failed != nil {
			return tiles.failed
		}
		if kind.Present() {
			return c.setBack(ctx, kind, &before, &shown)
		}
	}
	c.last, c.hashes, c.tiles = shown, hashes, tiles
	return c.binding.KeepShown(context.WithoutCancel(ctx), shown.Note)
}

// openShown opens the checkpoint of a service.
func openShown(key signed.Key, note []byte) (store.KnownCheckpoint, error) {
	checkpoint := withoutCosignatures(string(note), key.Origin())
	head, err := key.OpenCheckpoint(checkpoint)
	if err != nil {
		return store.KnownCheckpoint{}, fmt.Errorf("%w: its checkpoint is not signed with the key of its log", ErrUnreadable)
	}
	head.Origin = key.Origin()
	return store.KnownCheckpoint{Note: checkpoint, Key: key.String(), LogHead: head}, nil
}

// acknowledged compares a receipt with the log that the service showed: its checkpoint has to be of that log, or of a
// later one, which the next contact checks.
func (c *contact) acknowledged(ctx context.Context, receipt *store.KnownCheckpoint) error {
	if receipt.Size > c.last.Size {
		c.seen = append(c.seen, *receipt)
		return nil
	}
	kind := extends(receipt.LogHead, c.last.LogHead, c.hashes)
	if c.tiles.failed != nil {
		return c.tiles.failed
	}
	if kind.Present() {
		return c.setBack(ctx, kind, &c.last, receipt)
	}
	return nil
}

// include proves that the shown log of the service has a returned record at the place in its receipt. The error is
// ErrForged if it does not. The author of the record is not verified.
func (c *contact) include(ctx context.Context, given *api.Record) (proven signed.ServiceRecord, err error) {
	place := given.Receipt.Sequence
	if place >= c.last.Size {
		if err := c.meet(ctx); err != nil { // it was appended since
			return proven, err
		}
	}
	if place < 0 || place >= c.last.Size {
		return proven, ErrForged
	}
	path, err := tlog.ProveRecord(c.last.Size, place, c.hashes)
	if c.tiles.failed != nil {
		return proven, c.tiles.failed
	}
	if err != nil || tlog.CheckRecord(path, c.last.Size, merkle.ToTree(c.last.Root), place, tlog.RecordHash(given.Record)) != nil {
		return proven, ErrForged
	}
	proof := make([]terms.Hash, len(path))
	for i, hash := range path {
		proof[i] = merkle.FromTree(hash)
	}
	return signed.ServiceRecord{Record: string(given.Record), Signature: given.Signature, Sequence: place, Proof: signed.WriteProof(proof), Checkpoint: c.last.Note}, nil
}

// otherKey keeps, if something is known of the service's log, that the service now has a log with another key. The error is the
// *SetbackError, or the given one.
func otherKey(ctx context.Context, b Binding, service *Client, stated string, said error) error {
	known, err := b.KnownOfService(ctx)
	key, failed := signed.ParseKey(stated)
	switch {
	case err != nil || failed != nil || len(known.Checkpoints) == 0:
		return errors.Join(said, err)
	case known.Setback.Kind.Present():
		return &SetbackError{known.Setback}
	}
	note, err := service.Checkpoint(ctx)
	if err != nil {
		return said
	}
	shown, err := openShown(key, note)
	if err != nil {
		return said
	}
	c := contact{binding: b, service: service}
	return c.setBack(ctx, records.LogOtherKey, &known.Checkpoints[len(known.Checkpoints)-1], &shown)
}

// A ShownService is the log that a service shows.
type ShownService struct {
	Key        string // its verifier key
	Checkpoint string // what it signed
	// Restores are the statements of the service that lead to the log, oldest first: who restored it, when and why.
	Restores []records.LogStatement
}

// Show asks a service for its log, so that a person can accept it where it does not extend the one that was known; that it does not is kept.
func Show(ctx context.Context, b Binding, service *Client) (shown ShownService, err error) {
	page, err := service.Page(ctx, "")
	if err != nil {
		return shown, err
	}
	key, err := signed.ParseKey(page.Key)
	if err != nil {
		return shown, fmt.Errorf("%w: the key of its log cannot be read", ErrNotAService)
	}
	var setback *SetbackError
	_, _, err = meet(ctx, b, service, &page, func(records.LogStatement) error { return nil })
	if errors.Is(err, store.ErrOtherService) && !errors.As(err, &setback) {
		err = otherKey(ctx, b, service, page.Key, err)
	}
	if err != nil && !errors.As(err, &setback) {
		return shown, err
	}
	note, err := service.Checkpoint(ctx)
	if err != nil {
		return shown, fmt.Errorf("the checkpoint of the service's log: %w", err)
	}
	opened, err := openShown(key, note)
	if err != nil {
		return shown, err
	}
	shown.Key, shown.Checkpoint = page.Key, opened.Note
	_, statements := verify.ReadLineage(key.Origin(), page.Key, nil, api.Signed(page.Statements))
	for i := range statements {
		if s := &statements[i]; s.OK && s.Statement.Kind == records.LogRestored {
			shown.Restores = append(shown.Restores, s.Statement)
		}
	}
	return shown, nil
}

// A Witnessed names the witnesses that have to cosign the log of a service, if the policy names that log.
type Witnessed struct {
	Policy *verify.Policy // nil: none
	Now    func() terms.Instant
	// Tell is called with how far the service's log fulfils the policy.
	Tell func(verify.Coverage) error
}

// witnessed checks the shown log against the policy. A cosigned checkpoint that the log does not extend is a setback.
func (c *contact) witnessed(ctx context.Context, w Witnessed) error {
	if w.Policy == nil || !w.Policy.Names(c.key.String()) {
		return nil
	}
	return c.cosigned(ctx, w)
}

// cosigned checks the shown log against the policy.
func (c *contact) cosigned(ctx context.Context, w Witnessed) error {
	note, err := c.service.Cosigned(ctx)
	if isProblem(err, api.NotFound) {
		return w.Tell(verify.Coverage{Uncovered: c.last.Size})
	}
	if err != nil {
		return fmt.Errorf("the cosigned checkpoint of the service's log: %w", err)
	}
	cosigned, err := openShown(c.key, note)
	if err != nil { // such as one of the log before a restore
		return w.Tell(verify.Coverage{Uncovered: c.last.Size})
	}
	all := verify.Witnessing{Lineage: verify.Lineage{{Origin: c.key.Origin(), Key: c.key.String()}}, Keys: []string{c.key.String()}, Now: w.Now()}
	_, signatures, _ := strings.Cut(string(note), "\n\n")
	for line := range strings.Lines(signatures) {
		for _, witness := range w.Policy.Witnesses() {
			// Other witnesses may have cosigned, too: only cosignatures that verify with a key of the policy count.
			_, _, _ = all.Add(verify.Cosigned{Checkpoint: []byte(cosigned.Note), Line: []byte(line), Key: witness.Key})
		}
	}
	if err := c.acknowledged(ctx, &cosigned); err != nil {
		return err
	}
	if cosigned.Size > c.last.Size {
		if err := c.meet(ctx); err != nil { // it was cosigned since
			return err
		}
	}
	coverage, _ := all.Coverage(w.Policy, c.last.Size, func(verify.Checkpoint) bool { return true })
	return w.Tell(coverage)
}

// extends checks that a log extends what was known; the kind is absent if it does.
func extends(known, shown records.LogHead, hashes tlog.HashReader) records.SetbackKind {
	switch {
	case shown.Size < known.Size:
		return records.LogRolledBack
	case known.Size == 0 || shown.Size == known.Size && shown.Root == known.Root:
		return 0
	case shown.Size == known.Size:
		return records.LogForked
	}
	root, err := tlog.TreeHash(known.Size, hashes)
	switch {
	case err != nil:
		return records.LogUnproven
	case merkle.FromTree(root) != known.Root:
		return records.LogForked
	}
	return 0
}

// setBack keeps that the service showed a log that does not extend the known one, and returns the *SetbackError.
func (c *contact) setBack(ctx context.Context, kind records.SetbackKind, known, shown *store.KnownCheckpoint) error {
	if err := c.binding.KeepSetback(context.WithoutCancel(ctx), kind, shown.Note, shown.Key); err != nil {
		return err
	}
	return &SetbackError{records.Setback{Kind: kind, ServiceChange: records.ServiceChange{Known: known.LogHead, KnownKey: known.Key,
		Shown: shown.LogHead, ShownKey: shown.Key}}}
}

// withoutCosignatures returns a signed checkpoint with the signature of the log alone, without those of witnesses.
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

// A tileReader is the tlog.TileReader of a service's log. It keeps verified tiles as long as a contact lasts.
type tileReader struct {
	ctx     context.Context
	service *Client
	held    map[tlog.Tile][]byte
	failed  error // why the service gave no tile
}

// Height implements tlog.TileReader.
func (r *tileReader) Height() int { return merkle.TileHeight }

// ReadTiles implements tlog.TileReader.
func (r *tileReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		held, there := r.held[tile]
		if !there {
			var err error
			if held, err = r.service.Tile(r.ctx, tile); err != nil {
				r.failed = fmt.Errorf("a tile of the service's log: %w", err)
				return nil, r.failed
			}
		}
		data[i] = held
	}
	return data, nil
}

// SaveTiles implements tlog.TileReader.
func (r *tileReader) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	for i, tile := range tiles {
		r.held[tile] = data[i]
	}
}
