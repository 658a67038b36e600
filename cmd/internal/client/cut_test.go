package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

type httpRoundTripper = http.RoundTripper

// A place is where an exchange is cut.
type place uint8

const (
	before place = iota // nothing of it reached the service
	after               // the service has done it, and nothing of its answer came back
	within              // half of the answer came back
)

var errCut = errors.New("the connection was cut")

// A cutter is a network that cuts one exchange.
type cutter struct {
	next  http.RoundTripper
	nth   int // counted from 0
	where place
	count int
}

// RoundTrip implements http.RoundTripper.
func (c *cutter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.count++
	if c.count-1 != c.nth {
		return c.next.RoundTrip(r)
	}
	if c.where == before {
		return nil, errCut
	}
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || c.where == after {
		return nil, errCut
	}
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), broken{}))
	return response, nil
}

// broken is a body that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestAPushThatIsCutAnywhereIsMadeGoodByTheNext(t *testing.T) {
	t.Parallel()
	for _, where := range []place{before, after, within} {
		for n := 0; ; n++ {
			c, ids := decided(t)
			s := newService(t, 1)
			network := &cutter{nth: n, where: where}
			first := push(t.Context(), c.store, s.client(func(next http.RoundTripper) http.RoundTripper { network.next = next; return network }))
			whole := network.count <= n
			if whole != (first.err == nil && first.tally.Whole()) {
				t.Fatalf("cut %d at %d of %d: %+v", where, n, network.count, first)
			}
			if first.err == nil && len(first.results) != len(ids) {
				t.Errorf("cut %d at %d: not every record is told of: %+v", where, n, first.results)
			}
			second := push(t.Context(), c.store, s.client(nil))
			if second.err != nil || !second.tally.Whole() {
				t.Fatalf("cut %d at %d: %+v", where, n, second)
			}
			wholly(t, c, s, ids)
			if whole {
				break
			}
		}
	}
}

func TestAPullThatIsCutAnywhereIsMadeGoodByTheNext(t *testing.T) {
	t.Parallel()
	for _, where := range []place{before, after, within} {
		for n := 0; ; n++ {
			c, s := newConsole(t), newService(t, 1)
			s.packets = samples(t)
			network := &cutter{nth: n, where: where}
			first := pull(t.Context(), c.store, s.client(func(next http.RoundTripper) http.RoundTripper { network.next = next; return network }), false)
			whole := network.count <= n
			if whole != (first.err == nil) {
				t.Fatalf("cut %d at %d of %d: %+v", where, n, network.count, first)
			}
			second := pull(t.Context(), c.store, s.client(nil), false)
			if second.err != nil || first.Imported+second.Imported != len(s.packets) || second.Unchanged != 0 {
				t.Fatalf("cut %d at %d: %+v %+v", where, n, first, second)
			}
			held(t, c, s)
			if whole {
				break
			}
		}
	}
}

// A mortal is a store that is killed before or after it has done its nth thing.
type mortal struct {
	*store.Store
	nth   int
	where place
	count int
}

var errKilled = errors.New("the console was killed")

// die does something unless the console is killed before, and is killed after it.
func die[T any](m *mortal, do func() (T, error)) (T, error) {
	var none T
	m.count++
	if m.count-1 == m.nth && m.where == before || m.count-1 > m.nth {
		return none, errKilled
	}
	done, err := do()
	if err == nil && m.count-1 == m.nth {
		return none, errKilled
	}
	return done, err
}

func (m *mortal) dies(do func() error) error {
	_, err := die(m, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

func (m *mortal) BindService(ctx context.Context, key string) error {
	return m.dies(func() error { return m.Store.BindService(ctx, key) })
}

func (m *mortal) SavePull(ctx context.Context, cursor string, complete bool) error {
	return m.dies(func() error { return m.Store.SavePull(ctx, cursor, complete) })
}

func (m *mortal) Import(ctx context.Context, packets []packets.Packet) ([]store.ImportResult, error) {
	return die(m, func() ([]store.ImportResult, error) { return m.Store.Import(ctx, packets) })
}

func (m *mortal) KeepAcceptance(ctx context.Context, id records.RecordID, receipt records.Receipt, proof []terms.Hash, checkpoint []byte) error {
	return m.dies(func() error { return m.Store.KeepAcceptance(ctx, id, receipt, proof, checkpoint) })
}

func (m *mortal) KeepRejection(ctx context.Context, id records.RecordID, signed string, changes []string) error {
	return m.dies(func() error { return m.Store.KeepRejection(ctx, id, signed, changes) })
}

func TestAPushOfAConsoleThatIsKilledAnywhereIsMadeGoodByTheNext(t *testing.T) {
	for _, where := range []place{before, after} {
		for n := 0; ; n++ {
			c, ids := decided(t)
			s := newService(t, 1)
			s.refuse[ids[2]] = func(record []byte) *api.Problem {
				return s.rejection(api.PacketStale, record, "", "something")
			}
			m := &mortal{Store: c.store, nth: n, where: where}
			first := push(t.Context(), m, s.client(nil))
			whole := m.count <= n
			if whole != (first.err == nil) || !whole && !errors.Is(first.err, errKilled) {
				t.Fatalf("killed %d at %d of %d: %+v", where, n, m.count, first)
			}
			second := push(t.Context(), c.store, s.client(nil))
			if second.err != nil || second.tally.Of(client.Waiting) != 0 || !slices.Equal(s.order, []records.RecordID{ids[0], ids[1], ids[3]}) {
				t.Fatalf("killed %d at %d: %+v", where, n, second)
			}
			for i, id := range ids {
				if state := c.state(id).State; (i == 2) != (state == records.Rejected) || (i != 2) != (state == records.Accepted) {
					t.Errorf("killed %d at %d: record %d is %d", where, n, i, state)
				}
			}
			if whole {
				break
			}
		}
	}
}

func TestAPullOfAConsoleThatIsKilledAnywhereIsMadeGoodByTheNext(t *testing.T) {
	t.Parallel()
	for _, where := range []place{before, after} {
		for n := 0; ; n++ {
			c, s := newConsole(t), newService(t, 1)
			s.packets = samples(t)
			m := &mortal{Store: c.store, nth: n, where: where}
			first := pull(t.Context(), m, s.client(nil), false)
			whole := m.count <= n
			if whole != (first.err == nil) || !whole && !errors.Is(first.err, errKilled) {
				t.Fatalf("killed %d at %d of %d: %+v", where, n, m.count, first)
			}
			if second := pull(t.Context(), c.store, s.client(nil), false); second.err != nil || len(second.refused) != 0 {
				t.Fatalf("killed %d at %d: %+v", where, n, second)
			}
			held(t, c, s)
			if whole {
				break
			}
		}
	}
}
