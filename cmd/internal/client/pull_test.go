package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// held fails the test unless the console holds all packets of the service, and knows where the next pull goes on.
func held(t *testing.T, c *console, s *service) {
	t.Helper()
	var reader packets.Reader
	for _, document := range s.packets {
		packet, err := reader.ReadStored(document)
		must(t, err)
		results, err := c.store.Import(t.Context(), []packets.Packet{packet})
		if err != nil || results[0] != store.Unchanged {
			t.Errorf("%v is not held: %v %v", packet.Key(), results, err)
		}
	}
	cursor, completed, err := c.store.PullCursor(t.Context())
	if err != nil || s.cursors[cursor] != len(s.packets) || !completed.Present() {
		t.Errorf("the next pull goes on at %q, after %d of %d: %v", cursor, s.cursors[cursor], len(s.packets), err)
	}
	if key, err := c.store.Service(t.Context()); err != nil || key != s.key {
		t.Errorf("bound to %q: %v", key, err)
	}
}

func TestPacketsArePulledPageByPageAndTheNextPullGoesOn(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	first := pull(t.Context(), c.store, s.client(nil), false)
	if first.err != nil || first.Imported != 6 || first.Unchanged != 0 || first.Refused != 0 || !slices.Equal(first.met, []string{s.key}) || len(s.asked) != 5 {
		t.Fatalf("%+v after %d", first, len(s.asked))
	}
	held(t, c, s)
	second := pull(t.Context(), c.store, s.client(nil), false)
	if second.err != nil || second.Imported != 0 || second.Unchanged != 0 || len(second.met) != 0 || len(s.asked) != 8 {
		t.Errorf("%+v", second)
	}
	l := verifytest.New(t)
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-3", 1))
	s.packets = append(s.packets, packetsOf(l)[2])
	if third := pull(t.Context(), c.store, s.client(nil), false); third.err != nil || third.Imported != 1 {
		t.Errorf("%+v", third)
	}
	held(t, c, s)
	if fourth := pull(t.Context(), c.store, s.client(nil), true); fourth.err != nil || fourth.Unchanged != 7 {
		t.Errorf("%+v", fourth)
	}
	held(t, c, s)
}

func TestAServiceWithNothingForTheCallerLeavesTheConsoleBoundAndUpToDate(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	if got := pull(t.Context(), c.store, s.client(nil), false); got.err != nil || got.Imported != 0 {
		t.Errorf("%+v", got)
	}
	held(t, c, s)
}

func TestACursorThatTheServiceDoesNotKnowAnyMoreIsGivenUp(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	if got := pull(t.Context(), c.store, s.client(nil), false); got.err != nil {
		t.Fatal(got.err)
	}
	s.cursors = map[string]int{"": 0}
	if got := pull(t.Context(), c.store, s.client(nil), false); got.err != nil || got.Unchanged != 6 {
		t.Errorf("%+v", got)
	}
	held(t, c, s)
}

func TestWhatCannotBeReadIsToldAndTheRestIsTaken(t *testing.T) {
	good := samples(t)
	edited := json.RawMessage(strings.Replace(string(good[2]), `"sha256:`, `"sha256:0`, 1))
	private := json.RawMessage(strings.Replace(string(good[3]), `"contractVersion":"`, `"contractVersion":"SECRET@example.org `, 1))
	for name, bad := range map[string]json.RawMessage{
		"edited":            edited,
		"not redacted":      private,
		"no packet":         json.RawMessage(`{"SECRET":"SECRET"}`),
		"an unknown member": json.RawMessage(strings.Replace(string(good[2]), `"record":{`, `"record":{"SECRET":"SECRET",`, 1)),
	} {
		c, s := newConsole(t), newService(t, 1)
		s.packets = append([]json.RawMessage{good[0], bad}, good[1:]...)
		got := pull(t.Context(), c.store, s.client(nil), false)
		if got.err != nil || got.Imported != 6 || got.Refused != 1 || len(got.refused) != 1 || got.refused[0].number != 2 || got.refused[0].reason == "" {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		if strings.Contains(got.refused[0].reason, "SECRET") {
			t.Errorf("%s: %s", name, got.refused[0].reason)
		}
		cursor, completed, err := c.store.PullCursor(t.Context())
		if err != nil || s.cursors[cursor] != 7 || !completed.Present() {
			t.Errorf("%s: %q %v", name, cursor, err)
		}
	}
}

func TestWhatIsHeldWithOtherContentIsAConflictAndStaysAsItWas(t *testing.T) {
	l := verifytest.New(t)
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1).With(verifytest.Record{"status": "noticed"}))
	c, s := newConsole(t), newService(t, 1)
	c.take(packetsOf(l))
	s.packets = samples(t)
	got := pull(t.Context(), c.store, s.client(nil), false)
	if got.err != nil || got.Imported != 3 || got.Unchanged != 2 || got.Refused != 1 || got.refused[0].key != (packets.Key{ID: "case-1", Number: 1}) ||
		!strings.Contains(got.refused[0].reason, "other content") {
		t.Errorf("%+v", got)
	}
}

func TestAnotherServiceIsNotPulledFrom(t *testing.T) {
	c, other := newConsole(t), newService(t, 5)
	if got := pull(t.Context(), c.store, newService(t, 1).client(nil), false); got.err != nil {
		t.Fatal(got.err)
	}
	other.packets, other.cursors = samples(t), map[string]int{"": 0, "after 0": 0}
	got := pull(t.Context(), c.store, other.client(nil), false)
	if !errors.Is(got.err, store.ErrOtherService) || got.Imported != 0 || len(got.met) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAKeyThatChangesOnTheWayEndsThePull(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	s.forge = func(_ string, answer any) {
		if len(s.asked) == 3 {
			answer.(*api.Page).Key = newService(t, 5).key
		}
	}
	if got := pull(t.Context(), c.store, s.client(nil), false); got.err == nil || got.Imported != 2 {
		t.Errorf("%+v", got)
	}
	s.forge = nil
	if got := pull(t.Context(), c.store, s.client(nil), false); got.err != nil || got.Imported != 4 {
		t.Errorf("%+v", got)
	}
	held(t, c, s)
}

func TestAPageThatIsFollowedByItselfEndsThePull(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	s.forge = func(_ string, answer any) {
		page := answer.(*api.Page)
		page.Cursor, page.More = "after 2", true
	}
	got := pull(t.Context(), c.store, s.client(nil), false)
	if got.err == nil || len(s.asked) != 3 {
		t.Errorf("%+v after %d", got, len(s.asked))
	}
}

func TestACallerWhomTheServiceDoesNotKnowIsToldSo(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.token = "docket_another"
	var problem *api.Problem
	if got := pull(t.Context(), c.store, s.client(nil), false); !errors.As(got.err, &problem) || problem.Kind() != api.Unauthenticated {
		t.Errorf("%+v", got)
	}
	if _, err := c.store.Service(t.Context()); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("bound all the same: %v", err)
	}
}

func TestWhatWasGivenToSomebodyElseIsToldOnceItIsHeld(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	s.reassigned = []api.Reassigned{{Table: terms.AppealCases, ID: "case-1", Revision: 2}, {Table: terms.AppealCases, ID: "case-9", Revision: 2}}
	want := []verify.Ref{{Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 2}}}
	got := pull(t.Context(), c.store, s.client(nil), false)
	if got.err != nil || len(got.reassigned) == 0 || !slices.Equal(got.reassigned[len(got.reassigned)-1:], want) {
		t.Fatalf("%+v", got)
	}
	file, err := c.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.Instant{}, "")
	if err != nil || file.Reassigned != 2 {
		t.Errorf("%d, %v", file.Reassigned, err)
	}
	s.reassigned = nil // from the beginning the service tells everything again
	if got := pull(t.Context(), c.store, s.client(nil), true); got.err != nil || len(got.reassigned) != 0 {
		t.Errorf("%+v", got)
	}
	if file, err := c.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.Instant{}, ""); err != nil || file.Reassigned != 0 {
		t.Errorf("%d, %v", file.Reassigned, err)
	}
	for name, bad := range map[string]api.Reassigned{
		"a policy": {Table: terms.AppealPolicies, ID: "case-1", Revision: 2}, "no id": {Table: terms.AppealCases, ID: "no id", Revision: 2},
		"revision 0": {Table: terms.AppealCases, ID: "case-1"},
	} {
		s.reassigned = []api.Reassigned{bad}
		if got := pull(t.Context(), c.store, s.client(nil), true); !errors.Is(got.err, client.ErrUnreadable) {
			t.Errorf("%s: %v", name, got.err)
		}
	}
}

func TestACursorOfTheRecordsThatTheServiceDoesNotKnowAnyMoreIsGivenUp(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.forge = func(_ string, answer any) {
		if feed, is := answer.(*api.RecordFeed); is {
			feed.After = "later" // which the service refuses
		}
	}
	for range 2 {
		if got := pull(t.Context(), c.store, s.client(nil), false); got.err != nil {
			t.Fatal(got.err)
		}
	}
	asked := slices.DeleteFunc(s.asked, func(path string) bool { return path != api.RecordsPath })
	cursor, _, err := c.store.PullCursor(t.Context())
	if err != nil || !strings.HasSuffix(cursor, "\nlater") || len(asked) != 3 {
		t.Errorf("asked %d times; the next pull goes on at %q: %v", len(asked), cursor, err)
	}
}

// fullDisk is an inbox that cannot keep how far the pull is.
type fullDisk struct{ *store.Store }

func (fullDisk) SavePull(context.Context, string, bool) error { return store.ErrDiskFull }

func TestAPullThatCannotBeKeptEnds(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	if got := pull(t.Context(), fullDisk{c.store}, s.client(nil), false); !errors.Is(got.err, store.ErrDiskFull) || got.Imported != 2 || len(s.asked) != 2 {
		t.Errorf("%+v after %v", got, s.asked)
	}
}

func TestAPacketWithoutItsTextsIsRefusedUnlessTheServiceSaysThatItErasedThem(t *testing.T) {
	var reader packets.Reader
	c, s := newConsole(t), newService(t, 1)
	s.packets = samples(t)
	erased := 0
	for i := range s.packets {
		packet, err := reader.ReadStored(s.packets[i])
		must(t, err)
		if !packet.HasTexts() || packet.Key().ID != "case-1" {
			continue
		}
		document, _ := packet.Stored(verifytest.Salt)
		packet, err = reader.ReadStored(packets.Joined(document, nil))
		must(t, err)
		s.packets[i], erased = packet.Document(), erased+1
	}
	got := pull(t.Context(), c.store, s.client(nil), false)
	if got.err != nil || erased != 1 || got.Imported != 5 || len(got.refused) != 1 || got.refused[0].key.ID != "case-1" || !strings.Contains(got.refused[0].reason, "its texts are missing") {
		t.Errorf("%d erased: %+v", erased, got)
	}
}
