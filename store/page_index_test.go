package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
)

// scans are the steps of a query plan that look at every row of what they name.
func scans(plan string) (list []string) {
	for line := range strings.Lines(plan) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "SCAN") {
			list = append(list, line)
		}
	}
	return list
}

// The queries of a page take from the tables what the reviewer has, and of amendments what is the owners' of a safety admin, by an index, and
// look at no other row.
func TestAPageOfAReviewerScansNoTable(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-1", 2)), d.mill.appealCase(passing("case-1", 3).with(members{"neutralReview": review("rev-other")})),
		d.mill.appealCase(passing("case-2", 1)), d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)),
		d.mill.amendment(applied("amd-2", 1)), d.mill.amendment(applied("amd-2", 2).with(members{"ownerId": "owner-other"})),
		d.mill.amendment(applied("amd-3", 1).with(members{"ownerId": "owner-other"})))
	admin := Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{"owner-none", assignedRights.Owners[0]}}
	for _, reader := range []struct {
		rights                 Permissions
		arrivals, got, givenTo int
		other                  string
		indexes                []string
	}{
		{assignedRights, 2, 4, 2, otherAssigneesTable, []string{"_assigned (<expr>=? AND place>?)", "SEARCH other USING PRIMARY KEY (assignee=? AND tableName=? AND place>?)"}},
		{admin, 1, 7, 1, otherOwnersTable, []string{"_owned (ownerId=? AND place>?)", "SEARCH other USING PRIMARY KEY (owner=? AND place>?)"}},
	} {
		s, queries := d.noting()
		page, err := s.Page(t.Context(), reader.rights, "", 100)
		if err != nil || len(page.Packets) != reader.got || len(page.Reassigned) != reader.givenTo {
			t.Errorf("%s: %d packets, %v given to others, %v", reader.rights.Role, len(page.Packets), page.Reassigned, err)
		}
		arrivals := 0
		for _, query := range *queries {
			if !strings.Contains(query.text, reader.other) {
				continue
			}
			arrivals++
			plan := d.planOf(query)
			for _, scan := range scans(plan) {
				if scan != "SCAN came" && !strings.HasPrefix(scan, "SCAN (subquery") {
					t.Errorf("%s in\n%s", scan, plan)
				}
			}
			for _, index := range reader.indexes {
				wantText(t, "the plan", plan, index)
			}
		}
		wantSame(t, reader.rights.Role, arrivals, reader.arrivals)
	}
}

// Of more owners than one query is for, everything is looked at, and what is seen stays the same.
func TestAPageIsOfAsManyOwnersAsATokenHas(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1).with(members{"ownerId": "owner-other"})))
	rights := Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: slices.Clone(assignedRights.Owners)}
	few := need(d.store.Page(t.Context(), rights, "", 100))(t)
	for i := range 200 {
		rights.Owners = append(rights.Owners, terms.ID(fmt.Sprintf("owner-%d", i)))
		if i != 40 && i != 63 && i != 199 {
			continue
		}
		many, err := d.store.Page(t.Context(), rights, "", 100)
		if err != nil || !slices.EqualFunc(many.Packets, few.Packets, bytes.Equal) {
			t.Errorf("%d owners: %d packets and not %d, %v", len(rights.Owners), len(many.Packets), len(few.Packets), err)
		}
	}
}

// assignedCase makes the case with a number, of 3 KB, that is assigned to one of so many reviewers in turn.
func (m *mill) assignedCase(number, reviewers int) packets.Packet {
	return m.appealCase(passing(fmt.Sprintf("case-%07d", number*7919%1_000_003), 1).with(members{
		"neutralReview": review(terms.ID(fmt.Sprintf("rev-%04d", number%reviewers))),
		"evidenceScope": members{"items": []string{"ev-1", "ev-2"}, "statement": strings.Repeat("The meter was read twice on one day. ", 50)}}))
}
