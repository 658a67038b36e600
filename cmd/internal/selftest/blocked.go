package selftest

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"docket/domain"
	"docket/store"
)

// permitted are the outcomes that may be recorded while the gate is blocked (this project's choice): none of them lets
// anything be relied upon. Where no notice was delivered, a case is not closed.
var (
	permitted        = permittedUnheard.With(domain.CloseUnresolved)
	permittedUnheard = domain.SetOf(domain.BlockReliance, domain.RequestEvidence, domain.RouteHumanReview)
)

// blockedChoices tries every outcome on a sample without notice, and on the whole one with a blocker that the reviewer
// adds. It returns how many choices were refused.
func (b *bench) blockedChoices(ctx context.Context, sample pair) (refused int, err error) {
	blocked, err := (pair{sample.policy, sample.record.with("notice", removed{})}).sealed()
	if err != nil {
		return 0, err
	}
	for _, try := range []struct {
		pair  pair
		added domain.BlockerSet
		may   domain.OutcomeSet
	}{{blocked, 0, permittedUnheard}, {sample, domain.SetOf(domain.NoticeMissing), permitted}} {
		s, _, record, err := b.openPair(ctx, try.pair)
		if err != nil {
			return 0, err
		}
		view, err := b.look(ctx, s, record)
		if err != nil {
			return 0, err
		}
		for _, outcome := range domain.Outcomes.All() {
			choice := b.choice(&view)
			choice.Outcome, choice.AddedBlockers = outcome, try.added
			sub, err := b.submit(ctx, s, &view, choice)
			may := view.Area() == domain.Appeals && try.may.Has(outcome)
			switch {
			case may != (err == nil):
				return 0, fmt.Errorf("on a blocked gate the outcome %s: refused is %t", outcome, err != nil)
			case err != nil && !errors.Is(err, domain.ErrRefused):
				return 0, err
			case err != nil:
				refused++
			case sub.Record.Members().Gate != domain.Blocked:
				return 0, errors.New("a record with blockers says that the gate passes")
			}
		}
		if err := b.gateStays(ctx, s, &view, try.added); err != nil {
			return 0, err
		}
	}
	return refused, nil
}

// gateStays records without an outcome of its own choosing: the gate has to stay blocked, and an amendment has to hold
// back what its transition blocks.
func (b *bench) gateStays(ctx context.Context, s *store.Store, view *domain.View, added domain.BlockerSet) error {
	choice := b.choice(view)
	choice.AddedBlockers = added
	sub, err := b.submit(ctx, s, view, choice)
	if err != nil {
		return err
	}
	members := sub.Record.Members()
	if members.Gate != domain.Blocked || len(members.ComputedBlockers)+len(members.ReviewerBlockers) == 0 {
		return errors.New("a record with blockers says that the gate passes")
	}
	if view.Area() == domain.Amendments && len(members.Blocked) != len(blocks[members.Transition.String()]) {
		return errors.New("a blocked amendment does not hold back what its transition blocks")
	}
	return nil
}

// changedMeanwhile decides on the sample, lets a newer revision come in, and hands the record in.
func (b *bench) changedMeanwhile(ctx context.Context, sample pair) error {
	s, o, record, err := b.openPair(ctx, sample)
	if err != nil {
		return err
	}
	view, err := b.look(ctx, s, record)
	if err != nil {
		return err
	}
	sub, err := b.submit(ctx, s, &view, b.choice(&view))
	if err != nil {
		return err
	}
	newer, err := (pair{sample.policy, sample.record.with("revision", sample.record.number()+1)}).sealed()
	if err != nil {
		return err
	}
	arrived, fault := b.read(newer.record.text())
	if fault != nil {
		return fault
	}
	if _, err := s.Import(ctx, []domain.Packet{arrived}); err != nil {
		return err
	}
	before, err := contents(ctx, o.Path)
	if err != nil {
		return err
	}
	if _, err = b.append(ctx, s, sub); !errors.Is(err, domain.ErrRefused) {
		return errors.New("a record on a revision that is no longer the latest was not refused")
	}
	after, err := contents(ctx, o.Path)
	if err == nil && !maps.Equal(before, after) {
		err = errors.New("a refused record left something in the store")
	}
	return err
}
