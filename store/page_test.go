package store

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
)

// The principals of these tests.
var (
	assignedRights = Permissions{ID: reviewerID, Role: terms.NeutralReviewer, Owners: []terms.ID{"owner-1"}}
	otherRights    = Permissions{ID: "rev-other", Role: terms.NeutralReviewer, Owners: []terms.ID{"owner-1", "owner-2"}}
	ownerless      = Permissions{ID: reviewerID, Role: terms.NeutralReviewer}
	adminRights    = Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{"owner-2"}}
	nobodysRights  = Permissions{ID: reviewerID, Owners: []terms.ID{"owner-1"}}
	someRights     = []Permissions{assignedRights, otherRights, ownerless, adminRights, nobodysRights, {}}
)

func TestWhoSeesWhatFollowsFromRoleAssigneeAndOwner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rights          Permissions
		area            terms.Area
		assignee, owner terms.ID
		sees            bool
	}{
		{assignedRights, terms.Appeals, reviewerID, "", true},
		{assignedRights, terms.Appeals, "rev-other", "", false},
		{assignedRights, terms.Appeals, "", "", false},
		{adminRights, terms.Appeals, "", "", true},
		{adminRights, terms.Appeals, reviewerID, "", true},
		{nobodysRights, terms.Appeals, reviewerID, "", false},
		{Permissions{}, terms.Appeals, "", "", false},
		{Permissions{Role: terms.NeutralReviewer}, terms.Appeals, "", "", false},
		{Permissions{Role: terms.SafetyAdmin}, terms.Appeals, "", "", false},
		{assignedRights, terms.Amendments, reviewerID, "owner-1", true},
		{assignedRights, terms.Amendments, reviewerID, "owner-2", false},
		{assignedRights, terms.Amendments, reviewerID, "", false},
		{assignedRights, terms.Amendments, "rev-other", "owner-1", false},
		{ownerless, terms.Amendments, reviewerID, "owner-1", false},
		{adminRights, terms.Amendments, "rev-other", "owner-2", true},
		{adminRights, terms.Amendments, "rev-other", "owner-1", false},
		{Permissions{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{""}}, terms.Amendments, "", "", false},
		{adminRights, 0, reviewerID, "", false},
	} {
		wantSame(t, "of assigned to of", c.rights.see(c.area, c.assignee, c.owner), c.sees)
	}
}

func TestSeeingGoesByTheLatestRevision(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sees := func(r Permissions, table terms.Table, id terms.ID) bool {
		t.Helper()
		return need(d.store.Sees(t.Context(), r, table, id))(t)
	}
	if !sees(assignedRights, terms.AppealCases, "case-1") || sees(otherRights, terms.AppealCases, "case-1") ||
		sees(assignedRights, terms.AppealCases, "case-2") || sees(assignedRights, terms.AmendmentRecords, "case-1") ||
		sees(adminRights, terms.AppealPolicies, "pol-appeal") || sees(adminRights, 0, "case-1") {
		t.Error("somebody sees what is not theirs, or not what is")
	}
	d.take(d.mill.appealCase(passing("case-1", 3).With(members{"neutralReview": review("rev-other")})),
		d.mill.appealCase(passing("case-1", 2)))
	wantNot(t, sees(assignedRights, terms.AppealCases, "case-1") ||
		!sees(otherRights, terms.AppealCases, "case-1"), "the latest revision does not decide")
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)))
	wantNot(t, !sees(assignedRights, terms.AmendmentRecords, "amd-1") ||
		sees(ownerless, terms.AmendmentRecords, "amd-1"), "the owner does not decide")
	d.take(d.mill.amendment(applied("amd-1", 2).With(members{"ownerId": "owner-2"})))
	wantNot(t, sees(assignedRights, terms.AmendmentRecords, "amd-1") ||
		!sees(adminRights, terms.AmendmentRecords, "amd-1"), "the owner of the latest revision does not decide")
}

// A held packet, as the model of a service keeps it.
type heldPacket struct {
	table           terms.Table
	key             packets.Key
	assignee, owner terms.ID
}

// A libraryModel is what a service holds, without a store.
type libraryModel []heldPacket

func (m libraryModel) latest(table terms.Table, id terms.ID) (latest heldPacket) {
	for _, p := range m {
		if p.table == table && p.key.ID == id && p.key.Number >= latest.key.Number {
			latest = p
		}
	}
	return latest
}

// visible are the packets that the rights let see.
func (m libraryModel) visible(r Permissions) map[string]bool {
	seen := map[string]bool{}
	for _, p := range m {
		latest := m.latest(p.table, p.key.ID)
		if area := terms.AreaOf(p.table); p.table == terms.PolicyTable(area) || r.see(area, latest.assignee, latest.owner) {
			seen[packetName(p.table, p.key)] = true
		}
	}
	return seen
}

// hadBeen reports whether somebody could see a revision of a case or an amendment while it was the latest.
func (m libraryModel) hadBeen(table terms.Table, id terms.ID, r *Permissions) bool {
	return slices.ContainsFunc(m, func(p heldPacket) bool {
		return p.table == table && p.key.ID == id && r.see(terms.AreaOf(table), p.assignee, p.owner)
	})
}

func packetName(table terms.Table, key packets.Key) string {
	return fmt.Sprintf("%v %s %d", table, key.ID, key.Number)
}

// A puller reads pages and keeps what it got, as a console does.
type puller struct {
	rights Permissions
	cursor string
	got    map[string]bool
	told   map[terms.Table]map[terms.ID]int64 // what was given to somebody else since it was got last, with which revision
}

// page reads one page, and fails unless all of it may be seen and policies come first.
func (p *puller) page(d *fixture, m libraryModel, most int) (page Page) {
	d.t.Helper()
	page = need(d.store.Page(d.t.Context(), p.rights, p.cursor, most))(d.t)
	mustNot(d.t, len(page.Packets) > most, "%d packets of at most %d", len(page.Packets), most)
	visible, records := m.visible(p.rights), false
	var reader packets.Reader
	for _, document := range page.Packets {
		packet := need(reader.ReadStored(document))(d.t)
		name := packetName(packet.Table(), packet.Key())
		mustNot(d.t, !visible[name], "%+v gets %s", p.rights, name)
		policy := packet.Table() == terms.PolicyTable(terms.AreaOf(packet.Table()))
		mustNot(d.t, policy && records, "policy %s comes after a record", name)
		records = records || !policy
		p.got[name] = true
		delete(p.told[packet.Table()], packet.Key().ID)
	}
	for _, r := range page.Reassigned {
		latest := m.latest(r.Table, r.Key.ID)
		if latest.key != r.Key || visible[packetName(r.Table, r.Key)] || !m.hadBeen(r.Table, r.Key.ID, &p.rights) {
			d.t.Fatalf("%+v is told that %v was given to somebody else", p.rights, r)
		}
		if p.told == nil {
			p.told = map[terms.Table]map[terms.ID]int64{terms.AppealCases: {}, terms.AmendmentRecords: {}}
		}
		p.told[r.Table][r.Key.ID] = r.Key.Number
	}
	p.cursor = page.Cursor
	return page
}

// all reads to the end, and fails unless everything came.
func (p *puller) all(d *fixture, m libraryModel, most int) {
	d.t.Helper()
	for pages := 0; p.page(d, m, most).More; pages++ {
		mustNot(d.t, pages > 10*len(m)+10, "there is no end with pages of %d", most)
	}
	for name := range m.visible(p.rights) {
		mustNot(d.t, !p.got[name], "%+v does not get %s", p.rights, name)
	}
	for _, held := range m {
		name, latest := packetName(held.table, held.key), m.latest(held.table, held.key.ID)
		if p.got[name] && !m.visible(p.rights)[name] && m.hadBeen(held.table, held.key.ID, &p.rights) &&
			p.told[held.table][held.key.ID] == 0 {
			d.t.Fatalf("%+v is not told that %s was given to somebody else with revision %d", p.rights, name, latest.key.Number)
		}
	}
	if again := p.page(d, m, most); len(again.Packets) > 0 || len(again.Reassigned) > 0 || again.More {
		d.t.Fatalf("%d packets come again", len(again.Packets))
	}
}

// TestWhoeverPullsGetsAllThatIsTheirsAndNothingElse lets packets come in and consoles pull, in any order, with pages of any size.
func TestWhoeverPullsGetsAllThatIsTheirsAndNothingElse(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 7))
		d := serviceFixture(t)
		d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1))
		m := libraryModel{{table: terms.AppealPolicies, key: packets.Key{ID: "pol-appeal", Number: 1}},
			{table: terms.AmendmentPolicies, key: packets.Key{ID: "pol-amend", Number: 1}}}
		pullers := make([]*puller, len(someRights))
		for i, rights := range someRights {
			pullers[i] = &puller{rights: rights, got: map[string]bool{}}
		}
		for range 60 {
			for range random.IntN(4) {
				m = append(m, d.arrive(random, m)...)
			}
			p := pullers[random.IntN(len(pullers))]
			if random.IntN(3) == 0 {
				p.all(d, m, 1+random.IntN(7))
			} else {
				p.page(d, m, 1+random.IntN(7))
			}
		}
		for _, p := range pullers {
			p.all(d, m, 3)
		}
	}
}

// arrive imports some packet that is not held, maybe of an id that is, in any order of the revisions.
func (d *fixture) arrive(random *rand.Rand, m libraryModel) libraryModel {
	d.t.Helper()
	people, owners := []terms.ID{reviewerID, "rev-other"}, []terms.ID{"owner-1", "owner-2"}
	p := heldPacket{table: terms.AppealCases, assignee: people[random.IntN(2)],
		key: packets.Key{ID: terms.ID(fmt.Sprintf("id-%d", random.IntN(6))), Number: 1 + int64(random.IntN(5))}}
	switch random.IntN(5) {
	case 0:
		p = heldPacket{table: terms.AppealPolicies, key: packets.Key{ID: "pol-appeal", Number: 2 + int64(random.IntN(9))}}
	case 1, 2:
		p.table, p.owner = terms.AmendmentRecords, owners[random.IntN(2)]
	}
	for _, held := range m {
		if held.table == p.table && held.key == p.key {
			return nil
		}
	}
	assigned := members{"neutralReview": review(p.assignee)}
	switch p.table {
	case terms.AppealPolicies:
		d.take(d.mill.appealPolicy(p.key.Number))
	case terms.AppealCases:
		d.take(d.mill.appealCase(passing(string(p.key.ID), p.key.Number).With(assigned)))
	default:
		d.take(d.mill.amendment(applied(string(p.key.ID), p.key.Number).With(assigned).With(members{"ownerId": string(p.owner)})))
	}
	return libraryModel{p}
}

func TestACursorOfOtherRightsIsTheBeginning(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	first := need(d.store.Page(t.Context(), assignedRights, "", 9))(t)
	mustNot(t, len(first.Packets) != 2 || first.More, "%d packets", len(first.Packets))
	reordered := otherRights
	reordered.Owners = []terms.ID{"owner-2", "owner-1", "owner-2"}
	other := need(d.store.Page(t.Context(), otherRights, "", 9))(t)
	for name, c := range map[string]struct {
		rights Permissions
		cursor string
		want   int
	}{
		"its own":                   {assignedRights, first.Cursor, 0},
		"the same owners":           {reordered, other.Cursor, 0},
		"another id":                {otherRights, first.Cursor, 1},
		"another role":              {Permissions{assignedRights.ID, terms.SafetyAdmin, assignedRights.Owners}, first.Cursor, 2},
		"other owners":              {Permissions{assignedRights.ID, assignedRights.Role, []terms.ID{"owner-2"}}, first.Cursor, 2},
		"more owners":               {Permissions{assignedRights.ID, assignedRights.Role, []terms.ID{"owner-1", "owner-2"}}, first.Cursor, 2},
		"owners that read as other": {Permissions{assignedRights.ID, assignedRights.Role, []terms.ID{`owner-1" "owner-2`}}, first.Cursor, 2},
	} {
		page := need(d.store.Page(t.Context(), c.rights, c.cursor, 9))(t)
		wantSame(t, name, len(page.Packets), c.want)
	}
}

func TestWhatIsNoCursorOfTheStoreIsRefused(t *testing.T) {
	t.Parallel()
	d, elsewhere := serviceWithCase(t), serviceWithCase(t)
	own := need(d.store.Page(t.Context(), assignedRights, "", 1))(t)
	theirs := need(elsewhere.store.Page(t.Context(), assignedRights, "", 1))(t)
	raw := need(base64.RawURLEncoding.DecodeString(own.Cursor))(t)
	longer := base64.RawURLEncoding.EncodeToString(append(raw, 0))
	for _, cursor := range []string{"x", longer, "!", theirs.Cursor, own.Cursor + "AA", own.Cursor[:len(own.Cursor)-2], own.Cursor[1:], own.Cursor + "=",
		strings.Repeat("A", 1000), own.Cursor[:len(own.Cursor)-8] + "_____________________w", " " + own.Cursor, own.Cursor + "\n",
		own.Cursor[:4] + "\r\n" + own.Cursor[4:]} {
		if page, err := d.store.Page(t.Context(), assignedRights, cursor, 1); !errors.Is(err, ErrCursor) || page.Packets != nil || page.Cursor != "" {
			t.Errorf("%q: %d packets, %v", cursor, len(page.Packets), err)
		}
	}
}

func TestACursorFromBeyondTheEndOfAnOlderStoreIsTheBeginning(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	key := d.store.key
	beyond := cursor{tables: [len(pageTables)]cursorPlace{2: {row: 99}}}
	page := need(d.store.Page(t.Context(), assignedRights, writeCursor(packetCursor, beyond.values(), key, &assignedRights), 9))(t)
	wantSame(t, "packets", len(page.Packets), 2)
}

func TestAPageEndsWhereMuchWasLookedAtOrIsOnIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	theirs := make([]packets.Packet, pageScanned+pagePortion)
	for i := range theirs {
		theirs[i] = d.mill.appealCase(passing(fmt.Sprintf("theirs-%d", i), 1).With(members{"neutralReview": review("rev-other")}))
	}
	d.take(theirs...)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	p := puller{rights: assignedRights, got: map[string]bool{}}
	m := libraryModel{{table: terms.AppealPolicies, key: packets.Key{ID: "pol-appeal", Number: 1}},
		{terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, reviewerID, ""}, {terms.AppealCases, packets.Key{ID: "case-2", Number: 1}, reviewerID, ""}}
	if page := p.page(d, m, 100); len(page.Packets) != 3 || page.More {
		t.Errorf("%d packets, more %v: what is somebody else's was looked at", len(page.Packets), page.More)
	}
	p.all(d, m, 100)
	unowned := make([]packets.Packet, pageScanned+pagePortion) // assigned to the reviewer, and of an owner whose they may not see
	for i := range unowned {
		unowned[i] = d.mill.amendment(applied(fmt.Sprintf("unowned-%d", i), 1).With(members{"ownerId": "owner-2"}))
	}
	d.take(d.mill.amendmentPolicy(1))
	d.take(unowned...)
	m = append(m, heldPacket{table: terms.AmendmentPolicies, key: packets.Key{ID: "pol-amend", Number: 1}})
	if page := p.page(d, m, 100); len(page.Packets) != 1 || !page.More {
		t.Errorf("%d packets, more %v", len(page.Packets), page.More)
	}
	p.all(d, m, 100)
	statement := strings.Repeat("The meter was read twice on one day. ", 54)
	large := make([]packets.Packet, 400)
	for i := range large {
		large[i] = d.mill.appealCase(passing(fmt.Sprintf("large-%d", i), 1).With(members{
			"evidenceScope": members{"items": []string{"ev-1"}, "statement": statement}}))
	}
	d.take(large...)
	page, err := d.store.Page(t.Context(), assignedRights, p.cursor, 1000)
	if count := len(page.Packets); err != nil || !page.More || count*len(large[0].Document()) > pageBytes+len(large[0].Document()) || count < 100 {
		t.Errorf("%d packets, more %v, %v", count, page.More, err)
	}
}

func TestAPacketComesWithAllItsRevisionsAndTheirPolicies(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealPolicy(2), d.mill.appealPolicy(3), d.mill.amendmentPolicy(1),
		d.mill.appealCase(passing("case-1", 3).With(members{"policyVersion": 2})), d.mill.appealCase(passing("case-1", 2)),
		d.mill.appealCase(passing("case-2", 1).With(members{"neutralReview": review("rev-other")})), d.mill.amendment(applied("case-2", 1)))
	names := func(r Permissions, id terms.ID) string {
		t.Helper()
		held, err := d.store.Packet(t.Context(), r, id)
		if err != nil {
			mustBe(t, err, ErrNotFound)
			return ""
		}
		var list []string
		for _, document := range held.Packets {
			packet := need((&packets.Reader{}).ReadStored(document))(t)
			list = append(list, fmt.Sprintf("%s %d", packet.Key().ID, packet.Key().Number))
		}
		return strings.Join(list, ", ")
	}
	for _, c := range []struct {
		rights Permissions
		id     terms.ID
		want   string
	}{
		{assignedRights, "case-1", "pol-appeal 1, pol-appeal 2, case-1 1, case-1 2, case-1 3"},
		{otherRights, "case-1", ""},
		{nobodysRights, "case-1", ""},
		{assignedRights, "case-2", "pol-amend 1, case-2 1"},
		{otherRights, "case-2", "pol-appeal 1, case-2 1"},
		{adminRights, "case-2", "pol-appeal 1, case-2 1"},
		{adminRights, "case-9", ""},
		{adminRights, "pol-appeal", ""},
		{adminRights, "", ""},
	} {
		wantSame(t, c.rights.ID, names(c.rights, c.id), c.want)
	}
}

func TestAPacketThatWasEditedIsGivenToNobodyAndKeepsNobodyFromTheOthers(t *testing.T) {
	t.Parallel()
	const mark = "The mark of case one."
	for name, edit := range map[string]func(text []byte, at int){
		"no JSON":      func(text []byte, at int) { text[bytes.LastIndex(text[:at], []byte(`{"digests"`))] = 'x' },
		"another text": func(text []byte, at int) { text[at] = 't' },
		"another id":   func(text []byte, at int) { text[bytes.LastIndex(text[:at], []byte(`"case-1"`))+6] = '7' },
	} {
		d := serviceFixture(t)
		d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1).With(members{
			"evidenceScope": members{"items": []string{"ev-1"}, "statement": mark}})), d.mill.appealCase(passing("case-2", 1)))
		o := d.store.options
		ofFile(t, o.Path)
		d.close()
		text := need(os.ReadFile(o.Path))(t)
		edit(text, bytes.Index(text, []byte(mark)))
		must(t, os.WriteFile(o.Path, text, disk.FileMode))
		d.store = openWith(t, o)
		page, err := d.store.Page(t.Context(), assignedRights, "", 9)
		wantNot(t, err != nil || len(page.Packets) != 2 || !strings.Contains(string(page.Packets[1]), `"case-2"`) ||
			page.More, "%s: %d packets, %v", name, len(page.Packets), err)
		wantSame(t, name, len(need(d.store.Packet(t.Context(), assignedRights, "case-2"))(t).Packets), 2)
		wantFailure(t, name, errOf(d.store.Packet(t.Context(), assignedRights, "case-1")))
	}
}
