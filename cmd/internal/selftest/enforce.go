package selftest

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"docket/cmd/internal/identity"
	"docket/contracts/report"
	"docket/domain"
	"docket/store"
)

// A route is what a contract has to say of the one route of an area that writes (seed 4.1 and 4.2).
type route struct {
	kind report.Kind
	path string
}

var routes = map[domain.Area]route{
	domain.Appeals:    {report.Appeals, "/api/trade/challenge-appeal/enforce"},
	domain.Amendments: {report.Amendments, "/api/trade/agreement-amendments/enforce"},
}

// enforceRoute checks what appending an enforcement record does, on the way that every record takes.
func enforceRoute(area domain.Area) check {
	return func(ctx context.Context, b *bench) (string, error) {
		if err := b.routeStated(routes[area]); err != nil {
			return "", err
		}
		sample, err := b.pair(area)
		if err != nil {
			return "", err
		}
		sub, err := b.appendOnce(ctx, sample)
		if err != nil {
			return "", err
		}
		if area == domain.Amendments && string(sub.Record.Members().OwnerID) != sample.record.record["ownerId"] {
			return "", errors.New("the record is not scoped to the owner that the packet names")
		}
		refused, err := b.blockedChoices(ctx, sample)
		if err != nil {
			return "", err
		}
		if err := b.changedMeanwhile(ctx, sample); err != nil {
			return "", err
		}
		if err := b.enforceServed(ctx, area, sample); err != nil {
			return "", err
		}
		return fmt.Sprintf("unsigned refused; 1 row appended, 0 the second time, 0 other rows changed; on blocked %s refused; "+
			"a record on what changed meanwhile refused; the service's route takes it with a token only, and once", counted(refused, "choice")), nil
	}
}

func (b *bench) routeStated(want route) error {
	published, _, err := b.published(want.kind)
	if err != nil {
		return err
	}
	stated, _ := at(published, bodyPointer+"/enforcementRoute").(object)
	if !maps.Equal(stated, object{"method": "POST", "path": want.path, "auth": "authenticated",
		"stateMutation": "append_only_enforcement_record"}) {
		return errors.New("the contract does not state the enforcement route: POST, authenticated, append-only")
	}
	return nil
}

// appendOnce records on the sample, twice with one record, and holds the store to what that may change.
func (b *bench) appendOnce(ctx context.Context, sample pair) (store.Submission, error) {
	s, o, record, err := b.openPair(ctx, sample)
	if err != nil {
		return store.Submission{}, err
	}
	view, err := b.look(ctx, s, record)
	if err != nil {
		return store.Submission{}, err
	}
	if view.Judgment().Gate() != domain.Pass {
		return store.Submission{}, errors.New("the sample does not pass")
	}
	sub, err := b.submit(ctx, s, &view, b.choice(&view))
	if err != nil {
		return store.Submission{}, err
	}
	before, err := contents(ctx, o.Path)
	if err != nil {
		return store.Submission{}, err
	}
	if err := b.unauthenticated(ctx, s, sub); err != nil {
		return store.Submission{}, err
	}
	first, err := b.append(ctx, s, sub)
	if err != nil {
		return store.Submission{}, err
	}
	after, err := contents(ctx, o.Path)
	if err != nil {
		return store.Submission{}, err
	}
	if err := oneMore(before, after, domain.EnforcementTable(view.Area())); err != nil {
		return store.Submission{}, err
	}
	second, err := b.append(ctx, s, sub)
	if err != nil {
		return store.Submission{}, fmt.Errorf("the same record handed in again: %w", err)
	}
	again, err := contents(ctx, o.Path)
	if err != nil {
		return store.Submission{}, err
	}
	if first != second || !maps.Equal(again, after) {
		return store.Submission{}, errors.New("the same record handed in again is not the one row with the one receipt")
	}
	return sub, nil
}

// unauthenticated hands the record in unsigned, and signed with another key than the one it names.
func (b *bench) unauthenticated(ctx context.Context, s *store.Store, sub store.Submission) error {
	stranger, err := identity.Ephemeral(b.identity.Reviewer().ID, b.identity.Reviewer().Role)
	if err != nil {
		return err
	}
	foreign, err := stranger.Sign(ctx, sub.Record.Document())
	if err != nil {
		return err
	}
	for _, signature := range [][]byte{nil, foreign} {
		sub.Signature = signature
		if _, err := b.append(ctx, s, sub); !errors.Is(err, domain.ErrRefused) {
			return errors.New("a record that its reviewer did not sign was not refused")
		}
	}
	return nil
}

// openPair makes a store with a pair in it and returns the record as it was read.
func (b *bench) openPair(ctx context.Context, p pair) (*store.Store, store.Options, domain.Packet, error) {
	policy, record, fault := b.readPair(p)
	if fault != nil {
		return nil, store.Options{}, record, fault
	}
	s, o, err := b.openWith(ctx, policy, record)
	return s, o, record, err
}
