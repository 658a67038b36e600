package client_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

func TestALogThatIsForkedHandsNothingIn(t *testing.T) {
	for name, moreOfTheCopy := range map[string]int{"as long as it was": 1, "longer than it was": 2} {
		first, _ := decided(t)
		second, _ := decided(t) // the same store, taken back to where it was
		s := newService(t, 1)
		first.decide(terms.AppealCases, "case-2")
		if got := push(t.Context(), first.store, s.client(nil)); got.err != nil || !got.tally.Whole() {
			t.Fatalf("%+v", got)
		}
		for range moreOfTheCopy {
			second.decide(terms.AppealCases, "case-1")
		}
		taken := len(s.order)
		got := push(t.Context(), second.store, s.client(nil))
		var refused *client.WitnessError
		if !errors.As(got.err, &refused) || refused.Kind != api.CheckpointForked || refused.Held != 5 || len(got.results) != 0 || len(s.order) != taken {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		if !strings.Contains(got.err.Error(), "FORKED") || !strings.Contains(got.err.Error(), "nothing was handed in") {
			t.Errorf("%v", got.err)
		}
	}
}

func TestALogThatBecameShorterHandsNothingIn(t *testing.T) {
	first, _ := decided(t)
	second, _ := decided(t)
	s := newService(t, 1)
	first.decide(terms.AppealCases, "case-2")
	if got := push(t.Context(), first.store, s.client(nil)); got.err != nil {
		t.Fatalf("%+v", got)
	}
	got := push(t.Context(), second.store, s.client(nil))
	var refused *client.WitnessError
	if !errors.As(got.err, &refused) || refused.Kind != api.CheckpointShorter || refused.Held != 5 || refused.Ours != 4 || len(got.results) != 0 ||
		!strings.Contains(got.err.Error(), "TOO SHORT") {
		t.Errorf("%+v", got)
	}
}

func TestAServiceThatSawMoreThanTheConsoleKeptOfItIsMet(t *testing.T) {
	c, ids := decided(t)
	s := newService(t, 1)
	m := &mortal{Store: c.store, nth: 1, where: before} // killed before the cosignature is kept
	if got := push(t.Context(), m, s.client(nil)); !errors.Is(got.err, errKilled) || len(s.order) != 0 {
		t.Fatalf("%+v", got)
	}
	ids = append(ids, c.decide(terms.AppealCases, "case-2"))
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || !got.tally.Whole() {
		t.Fatalf("%+v", got)
	}
	wholly(t, c, s, ids)
}

func TestAServiceThatForgotTheLogSeesItAnew(t *testing.T) {
	c, ids := decided(t)
	s := newService(t, 1)
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil {
		t.Fatalf("%+v", got)
	}
	clear(s.seen)
	ids = append(ids, c.decide(terms.AppealCases, "case-2"))
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || !got.tally.Whole() {
		t.Fatalf("%+v", got)
	}
	wholly(t, c, s, ids)
}

func TestACosignatureThatIsNotOneOfTheCheckpointHandsNothingIn(t *testing.T) {
	stranger := newService(t, 5)
	for name, forge := range map[string]func(c *api.Cosigned){
		"another size":      func(c *api.Cosigned) { c.Size++ },
		"another's key":     func(c *api.Cosigned) { c.Key = stranger.coKey },
		"the key of a log":  func(c *api.Cosigned) { c.Key = stranger.key },
		"no key":            func(c *api.Cosigned) { c.Key = "" },
		"no cosignature":    func(c *api.Cosigned) { c.Cosignature = "" },
		"no line":           func(c *api.Cosigned) { c.Cosignature = "x" },
		"a line too many":   func(c *api.Cosigned) { c.Cosignature += c.Cosignature },
		"a byte is another": func(c *api.Cosigned) { c.Cosignature = swapped(c.Cosignature, 100) },
	} {
		c, _ := decided(t)
		s := newService(t, 1)
		s.forge = func(_ string, answer any) {
			if cosigned, ok := answer.(*api.Cosigned); ok {
				forge(cosigned)
			}
		}
		got := push(t.Context(), c.store, s.client(nil))
		if got.err == nil || !errors.Is(got.err, client.ErrForged) && !errors.Is(got.err, records.ErrRefused) || len(got.results) != 0 || len(s.order) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if size, err := c.store.CosignedSize(t.Context()); err != nil || size != 0 {
			t.Errorf("%s: %d %v", name, size, err)
		}
	}
}

func TestAWitnessWithAnotherKeyThanBeforeHandsNothingIn(t *testing.T) {
	c, _ := decided(t)
	s := newService(t, 1)
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil {
		t.Fatalf("%+v", got)
	}
	c.decide(terms.AppealCases, "case-2")
	other := newService(t, 5)
	s.cosigner, s.coKey = other.cosigner, other.coKey
	got := push(t.Context(), c.store, s.client(nil))
	if !errors.Is(got.err, store.ErrOtherService) || len(got.results) != 0 || len(s.order) != 4 {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsRecordedWhileAPushIsUnderWayIsWitnessedAndHandedIn(t *testing.T) {
	c, ids := decided(t)
	s := newService(t, 1)
	s.forge = func(path string, _ any) {
		if path == api.AmendmentEnforcePath && len(ids) == 4 {
			ids = append(ids, c.decide(terms.AppealCases, "case-2"))
		}
	}
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || len(got.results) != 5 {
		t.Fatalf("%+v", got)
	}
	wholly(t, c, s, ids)
	var order []string
	for _, path := range s.asked {
		if path == api.CheckpointsPath {
			order = append(order, "submitted")
		} else if path != api.QueuePath {
			order = append(order, "handed in")
		}
	}
	if !slices.Equal(order, []string{"submitted", "handed in", "handed in", "handed in", "handed in", "submitted", "handed in", "submitted"}) {
		t.Errorf("%v", order)
	}
}

// swapped is the text with another character at that place.
func swapped(text string, at int) string {
	other := "A"
	if text[at] == 'A' {
		other = "B"
	}
	return text[:at] + other + text[at+1:]
}
