package selftest

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"docket/cmd/internal/identity"
	"docket/contracts/report"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/wording"
)

// A route is what a contract has to say of the one route of an area that writes (source 4.1 and 4.2).
type route struct {
	kind report.Kind
	path string
}

var routes = map[terms.Area]route{
	terms.Appeals:    {report.Appeals, "/api/trade/challenge-appeal/enforce"},
	terms.Amendments: {report.Amendments, "/api/trade/agreement-amendments/enforce"},
}

// enforceRoute checks the effects of appending an enforcement record, on the path of every record.
func enforceRoute(area terms.Area) check {
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
		if area == terms.Amendments && string(sub.Record.Members().OwnerID) != sample.record.record["ownerId"] {
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
			"a record on what changed meanwhile refused; the service's route takes it with a token only, and once", wording.Plural(refused, "choice", "choices")), nil
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

// appendOnce appends one record on the sample twice, and checks the changes of the store.
func (b *bench) appendOnce(ctx context.Context, sample pair) (store.Submission, error) {
	s, o, record, err := b.openPair(ctx, sample)
	if err != nil {
		return store.Submission{}, err
	}
	view, err := b.look(ctx, s, record)
	if err != nil {
		return store.Submission{}, err
	}
	if view.Evaluation().Gate() != terms.Pass {
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
	if err := oneMore(before, after, terms.EnforcementTable(view.Area())); err != nil {
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
		if _, err := b.append(ctx, s, sub); !errors.Is(err, records.ErrRefused) {
			return errors.New("a record that its reviewer did not sign was not refused")
		}
	}
	return nil
}

// openPair makes a store with a pair in it and returns the record as it was read.
func (b *bench) openPair(ctx context.Context, p pair) (*store.Store, store.Options, packets.Packet, error) {
	policy, record, fault := b.readPair(p)
	if fault != nil {
		return nil, store.Options{}, record, fault
	}
	s, o, err := b.openWith(ctx, policy, record)
	return s, o, record, err
}

// permitted lists the outcomes that may be recorded while the gate is blocked (this project's choice): none of them
// permits reliance. A case without a delivered notice is not closed.
var (
	permitted        = permittedUnheard.With(terms.CloseUnresolved)
	permittedUnheard = terms.SetOf(terms.BlockReliance, terms.RequestEvidence, terms.RouteHumanReview)
)

// blockedChoices tries every outcome on a sample without notice, and on the complete one with a blocker that the
// reviewer adds. It returns how many choices were refused.
func (b *bench) blockedChoices(ctx context.Context, sample pair) (refused int, err error) {
	blocked, err := (pair{sample.policy, sample.record.with("notice", removed{})}).sealed()
	if err != nil {
		return 0, err
	}
	for _, try := range []struct {
		pair  pair
		added terms.BlockerSet
		may   terms.OutcomeSet
	}{{blocked, 0, permittedUnheard}, {sample, terms.SetOf(terms.NoticeMissing), permitted}} {
		s, _, record, err := b.openPair(ctx, try.pair)
		if err != nil {
			return 0, err
		}
		view, err := b.look(ctx, s, record)
		if err != nil {
			return 0, err
		}
		for _, outcome := range terms.Outcomes.All() {
			choice := b.choice(&view)
			choice.Outcome, choice.AddedBlockers = outcome, try.added
			sub, err := b.submit(ctx, s, &view, choice)
			may := view.Area() == terms.Appeals && try.may.Has(outcome)
			switch {
			case may != (err == nil):
				return 0, fmt.Errorf("on a blocked gate the outcome %s: refused is %t", outcome, err != nil)
			case err != nil && !errors.Is(err, records.ErrRefused):
				return 0, err
			case err != nil:
				refused++
			case sub.Record.Members().Gate != terms.Blocked:
				return 0, errors.New("a record with blockers says that the gate passes")
			}
		}
		if err := b.gateStays(ctx, s, &view, try.added); err != nil {
			return 0, err
		}
	}
	return refused, nil
}

// gateStays records with a permitted outcome: the gate has to stay blocked, and an amendment has to hold back the
// actions that its transition blocks.
func (b *bench) gateStays(ctx context.Context, s *store.Store, view *views.View, added terms.BlockerSet) error {
	choice := b.choice(view)
	choice.AddedBlockers = added
	sub, err := b.submit(ctx, s, view, choice)
	if err != nil {
		return err
	}
	members := sub.Record.Members()
	if members.Gate != terms.Blocked || len(members.ComputedBlockers)+len(members.ReviewerBlockers) == 0 {
		return errors.New("a record with blockers says that the gate passes")
	}
	if view.Area() == terms.Amendments && len(members.Blocked) != len(blocks[members.Transition.String()]) {
		return errors.New("a blocked amendment does not hold back what its transition blocks")
	}
	return nil
}

// changedMeanwhile decides on the sample, imports a newer revision, and appends the record.
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
	if _, err := s.Import(ctx, []packets.Packet{arrived}); err != nil {
		return err
	}
	before, err := contents(ctx, o.Path)
	if err != nil {
		return err
	}
	if _, err = b.append(ctx, s, sub); !errors.Is(err, records.ErrRefused) {
		return errors.New("a record on a revision that is no longer the latest was not refused")
	}
	after, err := contents(ctx, o.Path)
	if err == nil && !maps.Equal(before, after) {
		err = errors.New("a refused record left something in the store")
	}
	return err
}
