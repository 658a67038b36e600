package store

import (
	"context"

	"docket/domain"
)

// A rejudging judges the packets of a record again as they were when it was made, beside what else is done meanwhile.
type rejudging struct {
	record         domain.Enforcement
	policy, packet domain.Packet
	replayed       domain.Replayed
	wait           func() error
}

// rejudge begins with the packets in view, which are those under the names that the record gives. The error wraps
// ErrNotFound if the policy is not held; else finish has to be called.
func rejudge(record domain.Enforcement, view *domain.View) (*rejudging, error) {
	r := &rejudging{record: record, packet: view.Record(), policy: view.Policy()}
	switch named := record.Members().Policy; {
	case named == domain.Key{}:
		r.policy = domain.Packet{}
	case named != r.policy.Key() && r.policy.Table() == 0:
		return nil, notFound(domain.PolicyTable(record.Members().Area), named)
	}
	r.wait = beside(func() error {
		r.replayed = r.record.Replay(r.policy, r.packet, domain.Known{})
		return nil
	})
	return r, nil
}

// finish returns what is wrong with the record: a *domain.DiffersError if the evaluation differs, else a *domain.Refusal;
// nil if the record follows from its packets.
func (r *rejudging) finish(ctx context.Context, q querier) error {
	if err := r.wait(); err != nil {
		return err
	}
	if r.replayed.Has(domain.ReplayView) { // the reviewer may have known of newer packets
		known, err := knownOf(ctx, q, r.record.Members())
		if err != nil {
			return err
		}
		r.replayed = r.record.Replay(r.policy, r.packet, known)
	}
	return r.verdict()
}

// knownOf lists the numbers that are held of what a record judged and of its policy.
func knownOf(ctx context.Context, q querier, m *domain.EnforcementMembers) (known domain.Known, err error) {
	if known.Revisions, err = numbersOf(ctx, q, domain.RecordTable(m.Area), m.Key.ID); err == nil && m.Policy.ID.Present() {
		known.PolicyVersions, err = numbersOf(ctx, q, domain.PolicyTable(m.Area), m.Policy.ID)
	}
	return known, err
}

func numbersOf(ctx context.Context, q querier, table domain.Table, id domain.ID) (numbers []int64, err error) {
	column, number := keyColumns(table)
	query := "SELECT " + quote(number) + " FROM main." + table.String() + " INDEXED BY " + keyIndex(table) +
		" WHERE " + quote(column) + " = ? ORDER BY 1"
	err = eachRow(ctx, q, query, func(scan func(...any) error) error {
		var n int64
		err := scan(&n)
		numbers = append(numbers, n)
		return err
	}, string(id))
	return numbers, err
}

// notTaken tells of each fault of a replay whether the record may not be taken although it says what was found.
var notTaken = [...]bool{
	domain.ReplayOwnDecision: true,
	domain.ReplayRecused:     true,
	domain.ReplayParty:       true,
	domain.ReplayNotTheirs:   true,
	domain.ReplayChoice:      true,
	domain.ReplayTime:        true,
}

// verdict turns what was found into an error.
func (r *rejudging) verdict() error {
	if len(r.replayed.Findings) == 0 {
		return nil
	}
	m := r.record.Members()
	differs := domain.DiffersError{Stated: m.ComputedBlockers}
	follows := true
	for _, finding := range r.replayed.Findings {
		differs.Faults = append(differs.Faults, finding.Detail)
		follows = follows && int(finding.Fault) < len(notTaken) && notTaken[finding.Fault]
	}
	if follows {
		return &domain.Refusal{Reason: r.replayed.Findings[0].Detail}
	}
	view := domain.Look(r.policy, r.packet, r.replayed.Latest, m.EvaluatedAt)
	differs.Found = view.Judgment().Blockers()
	return &differs
}
