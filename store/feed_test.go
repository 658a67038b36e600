package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
)

// recordedFor is a service with records on cases, of which all but the first so many were given to somebody else afterwards.
func recordedFor(t testing.TB, count, mine int) *fixture {
	t.Helper()
	d := serviceWithCase(t)
	for i := range count {
		id := fmt.Sprintf("case-%06d", i)
		d.take(d.mill.appealCase(passing(id, 1)))
		d.handIn(d.judged(terms.ID(id), decision{}))
		if i >= mine {
			d.take(d.mill.appealCase(passing(id, 2).With(members{"neutralReview": review("rev-other")})))
		}
	}
	return d
}

// feedOf is what a principal reads in pages of a size, and how many pages that takes.
func feedOf(t testing.TB, s *Store, r Permissions, about About, size int) (sequences []int64, pages int) {
	t.Helper()
	after := ""
	for pages < 1000 {
		feed := need(s.Feed(t.Context(), r, about, after, size))(t)
		pages++
		for i := range feed.Records {
			sequences = append(sequences, feed.Records[i].Receipt.Sequence)
		}
		if after = feed.Cursor; !feed.More {
			return sequences, pages
		}
	}
	t.Fatal("the pages do not end")
	return nil, 0
}

var (
	assigned = Permissions{ID: reviewerID, Role: terms.NeutralReviewer}
	overseer = Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{"owner-1", "owner-2", "owner-2"}}
)

func TestAReaderGetsTheirRecordsByIndexHoweverManyOthersThereAre(t *testing.T) {
	t.Parallel()
	const count, mine = 140, 7 // more than the tail of the log that is looked at row by row
	d := recordedFor(t, count, mine)
	read, queries := d.noting()
	for name, c := range map[string]struct {
		who   Permissions
		about About
		want  int
	}{
		"whom they are assigned to": {assigned, About{}, mine},
		"a safety admin":            {overseer, About{}, count},
		"on one case":               {assigned, About{terms.Appeals, "case-000003"}, 1},
		"on one case, an admin":     {overseer, About{terms.Appeals, "case-000139"}, 1},
		"of owners":                 {Permissions{ID: reviewerID, Role: terms.NeutralReviewer, Owners: overseer.Owners}, About{}, mine},
	} {
		*queries = nil
		got, pages := feedOf(t, read, c.who, c.about, 5)
		wantNot(t, len(got) != c.want || !slices.IsSorted(got) || pages != (c.want+4)/5,
			"%s: %v in %d pages, want %d", name, got, pages, c.want)
		for _, plan := range d.plansOf(*queries, "recorded.sequence") {
			for step := range strings.Lines(plan) {
				wantNot(t, strings.Contains(step, "SCAN") && !strings.Contains(step, "CONSTANT"),
					"%s: the records are looked for in whole tables: %s", name, step)
			}
		}
	}
	wantErr(t, "a case that was given to somebody else", errOf(read.Feed(t.Context(), assigned, About{terms.Appeals, "case-000139"}, "", 5)), ErrNotFound)
	nobody := Permissions{}
	got, pages := feedOf(t, read, nobody, About{}, 5)
	wantNot(t, len(got) > 0 || pages != 1, "without rights %v in %d pages", got, pages)
}

// A record that is not what was logged ends the feed: what is left out of a log is not told from what was never in it.
func TestARecordThatWasAlteredEndsTheFeed(t *testing.T) {
	t.Parallel()
	d := recordedFor(t, 3, 3)
	read := openWith(t, Options{Path: d.store.Path(), ReadOnly: true, Now: d.store.now})
	feed := need(read.Feed(t.Context(), assigned, About{}, "", 1))(t)
	mustNot(t, len(feed.Records) != 1, "%v", feed)
	id, table := feed.Records[0].Receipt.RecordID, terms.AppealEnforcements.String()
	forge(t, d.store.Path(), "UPDATE "+table+" SET document = replace(document, '\"gate\":\"pass\"', '\"gate\":\"blocked\"') WHERE sequence = (SELECT sequence FROM "+table+" ORDER BY sequence LIMIT 1 OFFSET 1)")
	wantErr(t, "the feed goes on past it", errOf(read.Feed(t.Context(), assigned, About{}, feed.Cursor, 5)), ErrDamaged)
	wantErr(t, "another record", errOf(read.ReadRecord(t.Context(), assigned, id)), nil)
	list := need(read.Records(t.Context(), 0, 1))(t)
	last := list[0].Receipt.RecordID
	forge(t, d.store.Path(), fmt.Sprintf("DELETE FROM docket_texts WHERE owner = %d AND member = 'packetDigest'", feed.Records[0].Receipt.Sequence),
		"UPDATE docket_log SET at = '2026-03-01T12:00:00.001Z' WHERE subject = '"+string(last)+"'")
	wantErr(t, "a salt that is gone", errOf(read.ReadRecord(t.Context(), assigned, id)), ErrDamaged, "what lies beside record "+string(id))
	wantErr(t, "a time that was altered", errOf(read.ReadRecord(t.Context(), assigned, last)), ErrDamaged, "record "+string(last))
}

func TestARecordOfAnotherOwnerIsLeftOutOfTheFeed(t *testing.T) {
	d := serviceWithCase(t)
	other := applied("amd-1", 1).With(members{"ownerId": "owner-9"})
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(other), d.mill.amendment(applied("amd-2", 1)))
	for _, id := range []terms.ID{"amd-1", "amd-2"} {
		caseFile := d.caseFile(terms.AmendmentRecords, id)
		d.handIn(d.decide(&caseFile.View, decision{head: &consoleHead}))
	}
	d.handIn(d.judged("case-1", decision{}))
	who := assigned
	who.Owners = []terms.ID{"owner-1"}
	newest := need(d.store.Records(t.Context(), 0, 2))(t)
	theirs := []int64{newest[1].Receipt.Sequence, newest[0].Receipt.Sequence}
	for size, pages := range map[int]int{1: 3, 2: 2, 3: 1} {
		if got, in := feedOf(t, d.store, who, About{}, size); !slices.Equal(got, theirs) || in != pages {
			t.Errorf("in pages of %d: %v in %d", size, got, in)
		}
	}
}

func TestARecordIsProvenInTheLogAsItIsNow(t *testing.T) {
	t.Parallel()
	d := recordedFor(t, 3, 3)
	feed := need(d.store.Feed(t.Context(), assigned, About{}, "", 5))(t)
	mustNot(t, feed.More || len(feed.Records) != 3,
		"%d records, more %v", len(feed.Records), feed.More)
	first, second := len(feed.Records[0].Record.Document()), len(feed.Records[1].Record.Document())
	for bytes, want := range map[int]int{0: 1, first: 1, first + second - 1: 1, first + second: 2, pageBytes: 3} {
		after, seen := "", []int64{}
		for page := range 3 {
			some, err := d.store.feedWithin(t.Context(), &assigned, About{}, after, 5, bytes)
			if err != nil || page == 0 && len(some.Records) != want || some.More != (len(seen)+len(some.Records) < 3) {
				t.Fatalf("of %d bytes: %d records, more %v, %v", bytes, len(some.Records), some.More, err)
			}
			for i := range some.Records {
				seen = append(seen, some.Records[i].Receipt.Sequence)
			}
			after = some.Cursor
		}
		wantList(t, bytes, seen, []int64{feed.Records[0].Receipt.Sequence, feed.Records[1].Receipt.Sequence, feed.Records[2].Receipt.Sequence})
	}
	size := need(d.store.Head(t.Context()))(t).Size
	for _, r := range feed.Records {
		proof, checkpoint, err := d.store.ProveRecord(t.Context(), assigned, r.Receipt.RecordID)
		wantNot(t, err != nil || proof.Sequence != r.Receipt.Sequence || proof.TreeSize != size ||
			!strings.Contains(string(checkpoint), fmt.Sprintf("\n%d\n", size)), "record %d: %+v %q %v", r.Receipt.Sequence, proof, checkpoint, err)
	}
	nobody := Permissions{}
	_, _, err := d.store.ProveRecord(t.Context(), nobody, feed.Records[0].Receipt.RecordID)
	wantNot(t, !errors.Is(err, ErrNotFound), "for nobody: %v", err)
}

func TestACursorBeyondTheLogIsRefused(t *testing.T) {
	t.Parallel()
	longer, shorter := recordedFor(t, 3, 3), serviceWithCase(t)
	feed := need(longer.store.Feed(t.Context(), assigned, About{}, "", 5))(t)
	wantErr(t, "one of another log", errOf(shorter.store.Feed(t.Context(), assigned, About{}, feed.Cursor, 5)), ErrCursor)
	next := int64(99)
	beyond := writeCursor(recordCursor, []*int64{&next}, longer.store.key, &assigned)
	wantErr(t, "one beyond the log", errOf(longer.store.Feed(t.Context(), assigned, About{}, beyond, 5)), ErrCursor)
}

func TestARecordComesWithTheStatementOfWhatWasErasedBesideIt(t *testing.T) {
	t.Parallel()
	d, _ := erasingService(t)
	d.handIn(d.judged("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}, statement: records.Statement{Salt: packetSalt, Text: "The notice came late."}}))
	read := func() ServedRecord {
		t.Helper()
		feed := need(d.store.Feed(t.Context(), assigned, About{}, "", 5))(t)
		mustNot(t, len(feed.Records) != 1, "%v", len(feed.Records))
		return feed.Records[0]
	}
	whole := read()
	mustNot(t, !whole.Statement.Present() || whole.PacketSalt == "" || len(whole.Erasures) != 0,
		"%+v", whole)
	d.erase(records.Erasure{What: records.ErasableStatement, Record: whole.Receipt.RecordID, Reason: textsOfCase1.Reason})
	if after := read(); after.Statement.Present() || after.PacketSalt == "" || len(after.Erasures) != 1 {
		t.Errorf("without its statement: %+v", after)
	}
	d.erase(textsOfCase1)
	if after := read(); after.PacketSalt != "" || len(after.Erasures) != 2 || string(after.Record.Document()) != string(whole.Record.Document()) {
		t.Errorf("without the texts: %+v", after)
	}
}

// scans are the steps of a query plan that look at every row of what they name.
func scans(plan string) (list []string) {
	for line := range strings.Lines(plan) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "SCAN") {
			list = append(list, line)
		}
	}
	return list
}

func TestAPageOfAReviewerScansNoTable(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-1", 2)), d.mill.appealCase(passing("case-1", 3).With(members{"neutralReview": review("rev-other")})),
		d.mill.appealCase(passing("case-2", 1)), d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)),
		d.mill.amendment(applied("amd-2", 1)), d.mill.amendment(applied("amd-2", 2).With(members{"ownerId": "owner-other"})),
		d.mill.amendment(applied("amd-3", 1).With(members{"ownerId": "owner-other"})))
	admin := Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{"owner-none", assignedRights.Owners[0]}}
	for _, reader := range []struct {
		rights                 Permissions
		arrivals, got, givenTo int
		other                  string
		indexes                []string
	}{
		{assignedRights, 2, 4, 2, formersTable, []string{"_assigned (<expr>=? AND position>?)", "SEARCH other USING PRIMARY KEY (kind=? AND holder=? AND tableName=? AND position>?)"}},
		{admin, 1, 7, 1, formersTable, []string{"_owned (ownerId=? AND position>?)", "SEARCH other USING PRIMARY KEY (kind=? AND holder=? AND tableName=? AND position>?)"}},
	} {
		s, queries := d.noting()
		page, err := s.Page(t.Context(), reader.rights, "", 100)
		wantNot(t, err != nil || len(page.Packets) != reader.got || len(page.Reassigned) != reader.givenTo,
			"%s: %d packets, %v given to others, %v", reader.rights.Role, len(page.Packets), page.Reassigned, err)
		plans := d.plansOf(*queries, reader.other)
		for _, plan := range plans {
			for _, scan := range scans(plan) {
				wantNot(t, scan != "SCAN came" && !strings.HasPrefix(scan, "SCAN (subquery"),
					"%s in\n%s", scan, plan)
			}
			for _, index := range reader.indexes {
				wantText(t, "the plan", plan, index)
			}
		}
		wantSame(t, reader.rights.Role, len(plans), reader.arrivals)
	}
}

func TestAPageIsOfAsManyOwnersAsATokenHas(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1).With(members{"ownerId": "owner-other"})))
	rights := Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: slices.Clone(assignedRights.Owners)}
	few := need(d.store.Page(t.Context(), rights, "", 100))(t)
	for i := range 200 {
		rights.Owners = append(rights.Owners, terms.ID(fmt.Sprintf("owner-%d", i)))
		if i != 40 && i != 63 && i != 199 {
			continue
		}
		many, err := d.store.Page(t.Context(), rights, "", 100)
		wantNot(t, err != nil || !slices.EqualFunc(many.Packets, few.Packets, bytes.Equal),
			"%d owners: %d packets and not %d, %v", len(rights.Owners), len(many.Packets), len(few.Packets), err)
	}
}
