package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"docket/domain"
)

// Rights are what a principal of a service may see: policies always; cases and amendments as a neutral reviewer where
// their latest revision is assigned to the principal, as a safety admin all of them; amendments only of the owners. The
// zero Rights see nothing but policies.
type Rights struct {
	ID     domain.ID
	Role   domain.Role
	Owners []domain.ID
}

// see tells whether the principal may see what has this assignee and, where it is an amendment, this owner.
func (r *Rights) see(area domain.Area, assignee, owner domain.ID) bool {
	if area != domain.Appeals && !(owner.Present() && slices.Contains(r.Owners, owner)) {
		return false
	}
	switch r.Role {
	case domain.NeutralReviewer:
		return assignee.Present() && assignee == r.ID
	case domain.SafetyAdmin:
		return r.ID.Present()
	}
	return false
}

// digest is the same for the same rights, whatever the order in which the owners are named.
func (r *Rights) digest() [sha256.Size]byte {
	owners := slices.Clone(r.Owners)
	slices.Sort(owners)
	var text bytes.Buffer
	fmt.Fprintf(&text, "%q %q", r.ID, r.Role)
	for _, owner := range slices.Compact(owners) {
		fmt.Fprintf(&text, " %q", owner)
	}
	return sha256.Sum256(text.Bytes())
}

// ownerColumn is the owner of what a table holds, as an expression over its row.
func ownerColumn(row string, table domain.Table) string {
	if domain.AreaOf(table) == domain.Appeals {
		return "''"
	}
	return "coalesce(" + row + `."ownerId", '')`
}

// assigneeOf is to whom a row is assigned, as an expression over its row.
func assigneeOf(row string) string {
	return "coalesce(json_extract(" + row + ".document, '$.record.neutralReview.reviewerId'), '')"
}

// A latestRow is what a principal's rights depend on: where the latest revision of an id is, and what it says.
type latestRow struct {
	place           int64
	assignee, owner domain.ID
}

// latestRowOf reads it; false if nothing is held under the id.
func latestRowOf(ctx context.Context, q querier, table domain.Table, id domain.ID) (l latestRow, held bool, err error) {
	column, number := keyColumns(table)
	query := fmt.Sprintf("SELECT latest.rowid, %[2]s, %[3]s FROM main.%[1]s AS latest WHERE latest.rowid = "+
		"(SELECT rowid FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = ? ORDER BY %[6]s DESC LIMIT 1)",
		table, assigneeOf("latest"), ownerColumn("latest", table), keyIndex(table), quote(column), quote(number))
	err = q.QueryRowContext(ctx, query, string(id)).Scan(&l.place, &l.assignee, &l.owner)
	if errors.Is(err, sql.ErrNoRows) {
		return l, false, nil
	}
	return l, err == nil, err
}

// Sees tells whether the principal may see a case or an amendment, which is decided by its latest revision. What is not
// held is not seen.
func (s *Store) Sees(ctx context.Context, r Rights, table domain.Table, id domain.ID) (sees bool, err error) {
	area := domain.AreaOf(table)
	if table != domain.RecordTable(area) {
		return false, nil
	}
	err = s.reading(ctx, "look up who may see a packet", func(ctx context.Context, tx *sql.Tx) error {
		latest, held, err := latestRowOf(ctx, tx, table, id)
		sees = held && r.see(area, latest.assignee, latest.owner)
		return err
	})
	return sees && err == nil, err
}
