package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	for i, result := range take(t, c.store, s.packets...) {
		if result != store.Unchanged {
			t.Errorf("%s is not held", s.packets[i])
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
	l := verifytest.New(t)
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-3", 1))
	for _, step := range []struct {
		before              func()
		afresh              bool
		imported, unchanged int
		asked               int // since the first step
		met                 []string
	}{
		{func() {}, false, 0, 0, 3, []string{s.key}}, // nothing is there for the caller
		{func() { s.packets = samples(t) }, false, 6, 0, 8, nil},
		{func() {}, false, 0, 0, 11, nil},
		{func() { s.packets = append(s.packets, packetsOf(l)[2]) }, false, 1, 0, 14, nil},
		{func() {}, true, 0, 7, 20, nil},
		{func() { s.cursors = map[string]int{"": 0} }, false, 0, 7, 27, nil}, // one that the service does not know is given up
	} {
		step.before()
		got := pull(t.Context(), c.store, s.client(nil), step.afresh)
		if got.err != nil || got.Imported != step.imported || got.Unchanged != step.unchanged || got.Refused != 0 ||
			!slices.Equal(got.met, step.met) || len(s.asked) != step.asked {
			t.Fatalf("%+v, not %+v: asked %d times", got, step, len(s.asked))
		}
		held(t, c, s)
	}
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
	take(t, c.store, packetsOf(l)...)
	s.packets = samples(t)
	got := pull(t.Context(), c.store, s.client(nil), false)
	if got.err != nil || got.Imported != 3 || got.Unchanged != 2 || got.Refused != 1 || got.refused[0].key != (packets.Key{ID: "case-1", Number: 1}) ||
		!strings.Contains(got.refused[0].reason, "other content") {
		t.Errorf("%+v", got)
	}
}

// A pull that ends early keeps what it has, and the next one goes on.
func TestAPullThatCannotGoOnEndsAndTheNextOneTakesTheRest(t *testing.T) {
	page := func(change func(s *service, page *api.Page)) func(s *service) {
		return func(s *service) {
			s.forge = func(_ string, answer any) {
				if page, is := answer.(*api.Page); is {
					change(s, page)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		do       func(s *service)
		imported int
		asked    int
		bound    bool
		right    func(error) bool
	}{
		"the key changes on the way": {page(func(s *service, page *api.Page) {
			if len(s.asked) == 3 {
				page.Key = newService(t, 5).key
			}
		}), 2, 3, true, func(err error) bool { return strings.Contains(err.Error(), "the key of the service changed") }},
		"a page is followed by itself": {page(func(_ *service, page *api.Page) { page.Cursor, page.More = "after 2", true }),
			4, 3, true, func(err error) bool { return strings.Contains(err.Error(), "repeats the same page") }},
		"pages without end are empty": {page(func(s *service, page *api.Page) {
			page.Cursor, page.More, page.Packets = fmt.Sprint("page ", len(s.asked)), true, []json.RawMessage{}
			s.cursors[page.Cursor] = 0
		}), 0, 1<<10 + 2, true, func(err error) bool { return errors.Is(err, client.ErrNothingNew) }},
		"the service does not know the caller": {func(s *service) { s.token = "docket_another" }, 0, 1, false, func(err error) bool {
			var problem *api.Problem
			return errors.As(err, &problem) && problem.Kind() == api.Unauthenticated
		}},
		"the disk is full": {func(*service) {}, 2, 2, true, func(err error) bool { return errors.Is(err, store.ErrDiskFull) }},
	} {
		console, s := newConsole(t), newService(t, 1)
		s.packets = samples(t)
		c.do(s)
		var in client.Store = console.store
		if name == "the disk is full" {
			in = fullDisk{console.store}
		}
		got := pull(t.Context(), in, s.client(nil), false)
		if got.err == nil || !c.right(got.err) || got.Imported != c.imported || len(s.asked) != c.asked {
			t.Errorf("%s: %+v after %d", name, got, len(s.asked))
		}
		if _, err := console.store.Service(t.Context()); (err == nil) != c.bound {
			t.Errorf("%s: bound: %v", name, err)
		}
		s.forge, s.token = nil, token
		if got := pull(t.Context(), console.store, s.client(nil), false); got.err != nil || got.Imported != 6-c.imported {
			t.Errorf("%s: then %+v", name, got)
		}
		held(t, console, s)
	}
}

// fullDisk is an inbox that cannot keep how far the pull is.
type fullDisk struct{ *client.Console }

func (fullDisk) SavePull(context.Context, string, bool) error { return store.ErrDiskFull }

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
		c.pulls(s)
	}
	asked := slices.DeleteFunc(s.asked, func(path string) bool { return path != api.RecordsPath })
	cursor, _, err := c.store.PullCursor(t.Context())
	if err != nil || !strings.HasSuffix(cursor, "\nlater") || len(asked) != 3 {
		t.Errorf("asked %d times; the next pull goes on at %q: %v", len(asked), cursor, err)
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
