// Package health says in one small value whether a docket is well: the result of its contract's checks and the state of
// its store. A Health contains only words of the contract: no figure, id, name, path or text by which a person, a
// case, a store or a machine could be identified, so that it can be public.
package health

import (
	"context"
	"errors"

	"docket/contracts/report"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// A Health is the state of one contract and of the store of its records. The zero value is not well.
type Health struct {
	OK              bool       `json:"ok"` // the contract passes and the store is well; false for everything unknown
	ContractVersion string     `json:"contractVersion"`
	ContractStatus  terms.Gate `json:"contractStatus"` // pass if every check of the contract's report passes
	Store           Store      `json:"store"`
}

// A Store is the public state of a store.
type Store struct {
	Exists   bool `json:"exists"`
	Readable bool `json:"readable"`
	Proved   bool `json:"proved"`   // every record was recomputed, which is done only where Options.Prove asks for it
	Findings bool `json:"findings"` // there are some; the store takes no record
}

// Options say which health to return.
type Options struct {
	Kind  report.Kind   // of the contract
	At    terms.Instant // the time of asking
	Store store.Options // the store; it is only read
	// Prove has the whole log recomputed, as `docket verify` does. Without it only the checks of every opening run,
	// whose time does not depend on the size of the log.
	Prove bool
}

// Of returns the health. Faults of the store are in the Health; an error means that the contract cannot be checked,
// that the store's path cannot be read, or that ctx ended.
func Of(ctx context.Context, o Options) (Health, error) {
	contract, err := report.Of(o.Kind, o.At)
	if err != nil {
		return Health{}, err
	}
	h := Health{ContractVersion: o.Kind.Contract().Version}
	if contract.Passes() {
		h.ContractStatus = terms.Pass
	}
	if h.Store, err = storeOf(ctx, o); err != nil {
		return Health{}, err
	}
	h.OK = h.ContractStatus == terms.Pass && h.Store.well(o.Prove)
	return h, nil
}

func (s *Store) well(prove bool) bool {
	return s.Exists && s.Readable && !s.Findings && (s.Proved || !prove)
}

func storeOf(ctx context.Context, o Options) (Store, error) {
	seen, err := store.Inspect(ctx, o.Store)
	if err = errors.Join(err, ctx.Err()); err != nil {
		return Store{}, err
	}
	s := Store{Exists: seen.Exists, Readable: seen.Exists && seen.OpenError == nil, Findings: len(seen.Findings) > 0}
	if !o.Prove || !s.Readable {
		return s, nil
	}
	found, err := proved(ctx, o.Store)
	if ended := ctx.Err(); ended != nil {
		return Store{}, ended
	}
	if err != nil {
		s.Readable = false // it could be opened, but not read to its end
		return s, nil
	}
	s.Proved, s.Findings = true, len(found) > 0
	return s, nil
}

// proved recomputes the whole log.
func proved(ctx context.Context, o store.Options) (found []verify.Finding, err error) {
	o.ReadOnly = true
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err = s.Verify(ctx, verify.Options{}); err != nil {
		return nil, err
	}
	return s.Findings(), nil
}

// OfOpen returns the health of a contract and of an open store, as Of does without Options.Prove. It opens nothing, so
// that it can be called while the store is in use.
func OfOpen(ctx context.Context, kind report.Kind, at terms.Instant, s *store.Store) (Health, error) {
	contract, err := report.Of(kind, at)
	if err != nil {
		return Health{}, err
	}
	h := Health{ContractVersion: kind.Contract().Version, Store: Store{Exists: true, Findings: len(s.Findings()) > 0}}
	if contract.Passes() {
		h.ContractStatus = terms.Pass
	}
	_, err = s.Head(ctx)
	if ended := ctx.Err(); ended != nil {
		return Health{}, ended
	}
	h.Store.Readable = err == nil
	h.OK = h.ContractStatus == terms.Pass && h.Store.well(false)
	return h, nil
}
