package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/merkle"
	"docket/store/verify"
)

// grow adds records of other consoles to the service's log.
func (s *service) grow(leaves ...string) {
	s.t.Helper()
	for _, leaf := range leaves {
		added, err := tlog.StoredHashes(int64(len(s.order)), []byte(leaf), s.hashes)
		must(s.t, err)
		s.hashes, s.order = append(s.hashes, added...), append(s.order, "")
	}
}

// setBack takes the service's log back to its first records.
func (s *service) setBack(size int64) {
	s.order, s.hashes = s.order[:size], s.hashes[:tlog.StoredHashCount(size)]
}

// shownBefore is what a service gives out that hides that its log was changed since.
func shownBefore(t testing.TB, checkpoint string, hashes hashReader, path string) []byte {
	t.Helper()
	if path == api.CheckpointPath {
		return []byte(checkpoint)
	}
	tile, ok := merkle.ParseTilePath(strings.TrimPrefix(path, "/"))
	if !ok {
		return nil
	}
	data, err := tlog.ReadTileData(tile, hashes)
	must(t, err)
	return data
}

// ofCheckpoint changes the checkpoint that a service gives out, and nothing else.
func ofCheckpoint(change func(log []byte) []byte) func(path string, log []byte) []byte {
	return func(path string, log []byte) []byte {
		if path == api.CheckpointPath {
			return change(log)
		}
		return log
	}
}

// ofTiles changes the tiles that a service gives out, and nothing else.
func ofTiles(change func(log []byte) []byte) func(path string, log []byte) []byte {
	return func(path string, log []byte) []byte {
		if path != api.CheckpointPath && len(log) > 0 {
			return change(log)
		}
		return log
	}
}

// setbackOf is the setback that an error says; zero if it says none.
func setbackOf(err error) (setback records.Setback) {
	if said := (*client.SetbackError)(nil); errors.As(err, &said) {
		setback = said.Setback
	}
	return setback
}

// many are leaves of a log of several tiles.
func many(name string, count int) (leaves []string) {
	for i := range count {
		leaves = append(leaves, fmt.Sprint(name, " ", i))
	}
	return leaves
}

// setbacks are what a service does to its log of 300 records, and what a console finds.
var setbacks = map[string]struct {
	do   func(s *service)
	kind records.SetbackKind
}{
	"set back":                            {func(s *service) { s.setBack(4) }, records.LogRolledBack},
	"set back to nothing":                 {func(s *service) { s.setBack(0) }, records.LogRolledBack},
	"set back, some others since":         {func(s *service) { s.setBack(4); s.grow(many("other", 100)...) }, records.LogRolledBack},
	"set back, as many others since":      {func(s *service) { s.setBack(4); s.grow(many("other", 296)...) }, records.LogForked},
	"set back, more others since":         {func(s *service) { s.setBack(4); s.grow(many("other", 400)...) }, records.LogForked},
	"the last record changed, more since": {func(s *service) { s.setBack(299); s.grow(many("other", 2)...) }, records.LogForked},
	"tiles of another log": {func(s *service) {
		s.grow("more")
		s.show = ofTiles(func(log []byte) []byte { return append([]byte{log[0] ^ 1}, log[1:]...) })
	}, records.LogUnproven},
	"tiles that are too short": {func(s *service) {
		s.grow("more")
		s.show = ofTiles(func(log []byte) []byte { return log[:len(log)/2] })
	}, records.LogUnproven},
}

// accept has a person accept the log that a service shows.
func (c *console) accept(s *service) {
	c.t.Helper()
	met := session(c.store, s.client(nil), new([]string))
	met.Operator = func(records.LogStatement) error { return nil }
	shown, err := met.Show(c.t.Context())
	must(c.t, err)
	due, err := c.store.ServiceToAccept(c.t.Context(), shown.Key, shown.Checkpoint)
	must(c.t, err)
	due.At, _ = terms.ParseInstant("2026-06-15T12:00:00Z")
	accepted, err := c.workbench.State(c.t.Context(), due)
	must(c.t, err)
	must(c.t, c.store.AcceptService(c.t.Context(), accepted, shown.Checkpoint))
}

func TestASetbackOfTheServiceStopsPullAndPushAndBothCheckpointsAreKept(t *testing.T) {
	for name, c := range setbacks {
		t.Run(name, func(t *testing.T) {
			console, s, _ := decided(t)
			s.packets = samples(t)
			s.grow(many("a record", 300)...)
			console.pulls(s)
			hashes, order := slices.Clone(s.hashes), slices.Clone(s.order)
			c.do(s)
			caller := s.client(nil)
			s.packets = append(s.packets, s.packets[0])
			for range 2 {
				pulled, pushed := pull(t.Context(), console.store, caller, true), push(t.Context(), console.store, caller)
				if setbackOf(pulled.err).Kind != c.kind || setbackOf(pushed.err).Kind != c.kind {
					t.Errorf("pull: %v; push: %v", pulled.err, pushed.err)
				}
				if pulled.Imported+pulled.Unchanged > 0 || len(pushed.results) > 0 || slices.ContainsFunc(s.asked, func(path string) bool { return strings.HasSuffix(path, "enforce") }) {
					t.Errorf("%+v, %+v, %v", pulled, pushed, s.asked)
				}
			}
			report, err := console.store.Verify(t.Context(), verify.Options{})
			known, failed := console.store.KnownOfService(t.Context())
			if errors.Join(err, failed) != nil || known.Setback.Kind != c.kind || known.Setback.Known.Size != 300 || report.Count(verify.ServiceSetBack) != 1 || !report.Sound() {
				t.Fatal(err, failed, known.Setback, report.Findings)
			}
			console.decide(terms.AppealCases, "case-2") // what is decided here goes on
			s.hashes, s.order, s.show = hashes, order, nil
			if got := push(t.Context(), console.store, s.client(nil)); setbackOf(got.err).Kind != c.kind {
				t.Error("in order again, before a person accepted it:", got.err)
			}
			console.accept(s)
			console.pushes(s)
			console.isSound()
		})
	}
}

// A service that is set back after it acknowledged something is found by the receipt, even if the console did not ask for a checkpoint since.
func TestWhatTheServiceAcknowledgedIsHeldToItsLog(t *testing.T) {
	for name, then := range map[string]func(s *service){
		"set back":                    func(s *service) { s.setBack(3) },
		"set back, others since":      func(s *service) { s.setBack(3); s.grow("other") },
		"set back, more others since": func(s *service) { s.setBack(3); s.grow("other", "another") },
	} {
		c, s, _ := decided(t)
		// The checkpoint after the push does not come.
		cut := s.client(nil)
		s.show = ofCheckpoint(func(log []byte) []byte {
			if len(s.order) > 0 {
				return nil
			}
			return log
		})
		if got := push(t.Context(), c.store, cut); got.err == nil || got.tally[client.Accepted] != 4 {
			t.Fatal(name, got.err, got.tally)
		}
		s.show = nil
		then(s)
		if got := pull(t.Context(), c.store, s.client(nil), false); setbackOf(got.err).Known.Size != 4 {
			t.Errorf("%s: %v", name, got.err)
		}
	}
}

// A service that acknowledges a record and shows a log without it afterwards is found before the push ends.
func TestAServiceThatForgetsWhatItAcknowledgesIsFoundByTheSamePush(t *testing.T) {
	c, s, _ := decided(t)
	s.grow("a", "b")
	shown, hashes := s.head(2), slices.Clone(s.hashes)
	s.show = func(path string, _ []byte) []byte { return shownBefore(t, shown, hashes, path) }
	got := push(t.Context(), c.store, s.client(nil))
	if setbackOf(got.err).Kind != records.LogRolledBack || got.tally[client.Accepted] != 4 {
		t.Errorf("%v %v", got.err, got.tally)
	}
}

// Another service than the one that is known gets nothing, and the console goes on with the known one, unless a person accepts the other.
func TestAServiceWithAnotherKeyIsRefusedUntilAPersonAcceptsIt(t *testing.T) {
	c, _, _ := decided(t)
	s, other := newService(t, 1), newService(t, 5)
	s.grow("a")
	c.pulls(s)
	other.grow("a")
	other.packets = samples(t)
	pushed, pulled := push(t.Context(), c.store, other.client(nil)), pull(t.Context(), c.store, other.client(nil), false)
	for _, err := range []error{pushed.err, pulled.err} {
		if !errors.Is(err, store.ErrOtherService) || setbackOf(err).Kind.Present() || !strings.Contains(err.Error(), other.key) {
			t.Error(err)
		}
	}
	if len(pushed.results)+len(pushed.met)+pulled.Imported+len(pulled.met) > 0 ||
		!slices.Equal(other.asked, []string{api.CheckpointPath, api.QueuePath, api.QueuePath, api.QueuePath}) {
		t.Errorf("%+v, %+v, asked %v", pushed, pulled, other.asked)
	}
	c.isSound()
	c.accept(other)
	c.pushes(other)
}

// A service that states a restore stops the console, which keeps both checkpoints.
func TestARestoredServiceStopsTheConsoleUntilAPersonAcceptsIt(t *testing.T) {
	c, s, _ := decided(t)
	s.grow("a", "b")
	c.pulls(s)
	s.restored(1, 2, "op-1", true)
	for range 2 {
		got := push(t.Context(), c.store, s.client(nil))
		if setback := setbackOf(got.err); setback.Kind != records.LogOtherKey || setback.Known.Size != 2 {
			t.Error(got.err)
		}
	}
	c.accept(s)
	c.pushes(s)
	c.isSound()
}

// What shows nothing of its log gets nothing and gives nothing; that is no proof of anything.
func TestAServiceThatShowsNoLogGetsNothing(t *testing.T) {
	for name, show := range map[string]func(path string, log []byte) []byte{
		"no checkpoint":             ofCheckpoint(func([]byte) []byte { return nil }),
		"no tiles":                  ofTiles(func([]byte) []byte { return nil }),
		"a checkpoint that is none": ofCheckpoint(func([]byte) []byte { return []byte("all is well\n") }),
		"an edited checkpoint": ofCheckpoint(func(log []byte) []byte {
			return []byte(strings.Replace(string(log), "\n3\n", "\n4\n", 1))
		}),
		"a checkpoint of another key": ofCheckpoint(func([]byte) []byte { return []byte(newService(t, 5).head(0)) }),
		"a checkpoint without end": ofCheckpoint(func(log []byte) []byte {
			return append(log, strings.Repeat("— w AAAA\n", 1<<16)...)
		}),
	} {
		c, s, _ := decided(t)
		s.grow("a", "b")
		c.pulls(s)
		s.grow("c")
		s.show = show
		got := push(t.Context(), c.store, s.client(nil))
		if got.err == nil || setbackOf(got.err).Kind.Present() || len(got.results) > 0 || slices.Contains(s.asked, api.AppealEnforcePath) {
			t.Errorf("%s: %v %+v", name, got.err, got.results)
		}
		c.isSound()
	}
}

// The lines of witnesses under a checkpoint are nobody's reason to refuse it.
func TestACheckpointMayBeCosigned(t *testing.T) {
	c, s, _ := decided(t)
	s.grow("a")
	s.show = ofCheckpoint(func(log []byte) []byte { return append(log, "— example.org/w AAAAAAAA\n"...) })
	c.pushes(s)
}

func TestAnAnswerOf200MegabytesTakesBoundedMemory(t *testing.T) {
	for name, length := range map[string]int64{"announced": 200 << 20, "not announced": -1} {
		c, s := newConsole(t), newService(t, 1)
		caller := s.client(network(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {api.JSON}}, Body: io.NopCloser(endless{}), ContentLength: length, Request: r}, nil
		}))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got := pull(t.Context(), c.store, caller, false)
		runtime.ReadMemStats(&after)
		if !errors.Is(got.err, client.ErrUnreadable) {
			t.Errorf("%s: %v", name, got.err)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 192 {
			t.Errorf("%s: %d MiB were allocated", name, taken)
		}
	}
}
