package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/merkle"
	"docket/store/sqlite"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"
)

// Prove recomputes the whole log from the records: each leaf, each hash of the tree, the root that each checkpoint
// signs, each signature, each note. It adds what it finds to Findings and returns that; the store takes nothing from
// then on. What is appended while it runs is left out, and it keeps nobody from writing. progress, which may be nil,
// is told how many records are done.
//
// What it cannot know is whether the store as a whole was replaced by an equally consistent one. The anchor tells
// that, as do receipts and exports.
func (s *Store) Prove(ctx context.Context, progress func(done, total int64)) ([]Finding, error) {
	db, err := s.db.OpenReader(ctx)
	if err != nil {
		return nil, s.explain("open the store once more", err)
	}
	p := &proving{store: s, q: db, progress: progress, seen: map[signerName]bool{}}
	err = p.run(ctx)
	list := p.found.all()
	s.findings.add(list...)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, s.explain("prove the log", err)
	}
	return list, nil
}

// proving is one call of Prove.
type proving struct {
	store    *Store
	q        querier
	progress func(done, total int64)
	key      *merkle.Key
	handedIn bool // the log is a service's: see domain.OfService
	size     int64
	signers  map[signerName]domain.Instant // listed, with the time of the first record that they signed
	seen     map[signerName]bool
	tree     recomputed
	found    findings
}

type signerName struct {
	reviewer    domain.ID
	fingerprint string
}

func (p *proving) run(ctx context.Context) (err error) {
	if p.size, err = logExtent(ctx, p.q); err != nil {
		return err
	}
	end, err := logSize(ctx, p.q)
	switch {
	case errors.Is(err, ErrDamaged):
		p.add(found(TreeBroken, err))
	case err != nil:
		return err
	default:
		p.size = min(p.size, end)
	}
	for _, step := range []func(context.Context) error{p.provePlan, p.proveSigners, p.proveFirst} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for from := int64(0); from < p.size && !p.found.full(); from += entriesAtOnce {
		to := min(from+entriesAtOnce, p.size)
		if err := p.proveStretch(ctx, from, to); err != nil {
			return err
		}
		if p.progress != nil {
			p.progress(to, p.size)
		}
	}
	if err := errors.Join(p.provePackets(ctx), p.proveHandIns(ctx)); err != nil {
		return err
	}
	return p.proveCounts(ctx)
}

// add keeps a finding.
func (p *proving) add(f ...Finding) { p.found.add(f...) }

// provePlan looks at the schema, at the structure of the file and at the key.
func (p *proving) provePlan(ctx context.Context) error {
	altered, err := sqlite.Altered(ctx, p.q)
	if err != nil {
		return err
	}
	for _, name := range altered {
		p.add(found(SchemaAltered, name))
	}
	faults, err := sqlite.StructureFaults(ctx, p.q)
	if err != nil {
		return err
	}
	if faults > 0 {
		p.add(found(StructureDamaged, faults))
	}
	if p.handedIn, err = sayOfService(ctx, p.q); err != nil {
		return err
	}
	p.key, err = p.store.loadKey(ctx, p.q)
	var unusable *merkle.KeyError
	if errors.As(err, &unusable) {
		p.add(found(KeyUnusable, unusable.Cause))
		return nil
	}
	return err
}

// sayOfService tells whether the store says that it is a service's, whatever its key is worth.
func sayOfService(ctx context.Context, q querier) (bool, error) {
	var origin string
	err := q.QueryRowContext(ctx, oneMeta, metaOrigin).Scan(&origin)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return domain.OfService(origin), err
}

// proveSigners holds the listed keys to their fingerprints.
func (p *proving) proveSigners(ctx context.Context) error {
	signers, err := signersOf(ctx, p.q)
	if err != nil {
		return err
	}
	p.signers = map[signerName]domain.Instant{}
	for _, s := range signers {
		key, _, _, rest, err := ssh.ParseAuthorizedKey([]byte(s.PublicKey))
		if err != nil || len(rest) > 0 || authorizedKey(key) != s.PublicKey || ssh.FingerprintSHA256(key) != s.Fingerprint {
			p.add(found(SignerAltered, s.Reviewer))
			continue
		}
		p.signers[signerName{s.Reviewer, s.Fingerprint}] = s.Since
	}
	return nil
}

// proveFirst looks at the checkpoint of the log without records.
func (p *proving) proveFirst(ctx context.Context) error {
	notes, err := checkpointsOf(ctx, p.q, 0, 0)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(0, nil)
	if err != nil {
		return err
	}
	p.proveCheckpoint(0, root, notes[0])
	return nil
}

// proveCheckpoint holds what was signed of a size to the root that the records have there.
func (p *proving) proveCheckpoint(size int64, root tlog.Hash, signed string) {
	if p.key == nil && signed != "" {
		return
	}
	var c merkle.Checkpoint
	var err error
	if signed != "" {
		c, err = p.key.Open([]byte(signed))
	}
	p.judgeCheckpoint(size, root, signed, c, err)
}

// judgeCheckpoint says what is wrong with a checkpoint that was opened, if anything is.
func (p *proving) judgeCheckpoint(size int64, root tlog.Hash, signed string, c merkle.Checkpoint, err error) {
	switch {
	case signed == "":
		p.add(found(CheckpointMissing, size))
	case errors.Is(err, merkle.ErrOtherOrigin):
		p.add(found(ForeignOrigin, fmt.Sprintf("The checkpoint of %d records", size)))
	case err != nil:
		p.add(found(CheckpointUnreadable, size, err))
	case c.Size != size || c.Root != root:
		p.add(found(CheckpointDiffers, size))
	}
}

// proveCounts looks for rows that no sequence led to: records of the same number in both tables, and records and
// what lies beside them beyond the log.
func (p *proving) proveCounts(ctx context.Context) error {
	for _, table := range []string{domain.AppealEnforcements.String(), domain.AmendmentEnforcements.String(),
		signaturesTable, saltsTable, reasonsTable, notesTable} {
		var strays int64
		query := fmt.Sprintf("SELECT count(*) FROM main.%s AS held WHERE NOT EXISTS "+
			"(SELECT 1 FROM main.%s AS log WHERE log.sequence = held.sequence)", table, logTable)
		err := p.q.QueryRowContext(ctx, query).Scan(&strays)
		if err != nil {
			return err
		}
		if strays > 0 {
			p.add(found(RecordWithoutLeaf, table))
		}
	}
	return nil
}
