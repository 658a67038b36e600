package store

import (
	"context"
	"database/sql"
	"errors"

	"docket/domain"
)

// replay judges the packets of a record that is handed in as they were when it was made. A record that is in the log was
// judged when it came.
func (s *Store) replay(ctx context.Context, a *appending) error {
	return s.reading(ctx, "judge the record again", func(ctx context.Context, tx *sql.Tx) error {
		m := a.Record.Members()
		_, err := leafOf(ctx, tx, m.RecordID)
		if err == nil || !errors.Is(err, ErrNotFound) {
			return err
		}
		packet, err := s.heldPacket(ctx, tx, domain.RecordTable(m.Area), m.Key)
		if err != nil {
			return err
		}
		var policy domain.Packet
		if m.Policy != (domain.Key{}) {
			if policy, err = s.heldPacket(ctx, tx, domain.PolicyTable(m.Area), m.Policy); err != nil {
				return err
			}
		}
		replayed := a.Record.Replay(policy, packet, domain.Known{})
		if replayed.Has(domain.ReplayView) { // the reviewer may have known of newer ones
			known, err := knownOf(ctx, tx, m)
			if err != nil {
				return err
			}
			replayed = a.Record.Replay(policy, packet, known)
		}
		return judgedAgain(m, policy, packet, &replayed)
	})
}

// heldPacket reads a packet that is stored under a key; the error wraps ErrNotFound if there is none.
func (s *Store) heldPacket(ctx context.Context, tx *sql.Tx, table domain.Table, key domain.Key) (domain.Packet, error) {
	document, err := documentOf(ctx, tx, table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.Packet{}, notFound(table, key)
	}
	if err != nil {
		return domain.Packet{}, err
	}
	return s.shelf.read(document, table, key)
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
	domain.ReplayNotTheirs:   true,
	domain.ReplayChoice:      true,
	domain.ReplayTime:        true,
}

// judgedAgain turns what a replay found into an error: a *domain.DiffersError if the evaluation differs, else a
// *domain.Refusal.
func judgedAgain(m *domain.EnforcementMembers, policy, packet domain.Packet, replayed *domain.Replayed) error {
	if len(replayed.Findings) == 0 {
		return nil
	}
	differs := domain.DiffersError{Stated: m.ComputedBlockers}
	same := true
	for _, finding := range replayed.Findings {
		differs.Faults = append(differs.Faults, finding.Detail)
		same = same && int(finding.Fault) < len(notTaken) && notTaken[finding.Fault]
	}
	if same {
		return &domain.Refusal{Reason: replayed.Findings[0].Detail}
	}
	view := domain.Look(policy, packet, replayed.Latest, m.EvaluatedAt)
	differs.Found = view.Judgment().Blockers()
	return &differs
}
