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

// A place is where something is interrupted.
type place uint8

const (
	before place = iota // nothing of it was done
	after               // it was done, and its author does not know
	within              // half of the answer came back
)

var errCut, errKilled = errors.New("the connection was cut"), errors.New("the console was killed")

// An interruption is of the nth thing that is done, counted from 0.
type interruption struct {
	where place
	nth   int
	count int
}

// cut is a network that interrupts an exchange.
func (i *interruption) cut() http.RoundTripper {
	return network(func(r *http.Request) (*http.Response, error) {
		i.count++
		if i.count-1 == i.nth && i.where == before {
			return nil, errCut
		}
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil || i.count-1 != i.nth {
			return response, err
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || i.where == after {
			return nil, errCut
		}
		response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), broken{}))
		return response, nil
	})
}

// broken is a body that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A mortal is a store that is killed before or after it has done its nth thing.
type mortal struct {
	*client.Console
	*interruption
}

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
	return m.dies(func() error { return m.Console.BindService(ctx, key) })
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

// anywhere interrupts at each place in turn, until nothing is left to be interrupted. run reports whether all went well.
func anywhere(t *testing.T, name string, places []place, run func(t *testing.T, i *interruption) (well bool)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		for _, where := range places {
			for n, whole := 0, false; !whole; n++ {
				i := &interruption{where: where, nth: n}
				well := run(t, i)
				if whole = i.count <= n; whole != well || t.Failed() {
					t.Fatalf("interrupted %d at %d of %d: all went well: %t", where, n, i.count, well)
				}
			}
		}
	})
}

func TestWhatIsInterruptedAnywhereIsMadeGoodByTheNextTime(t *testing.T) {
	decided(t) // the store that is copied is made with the outer test
	network := []place{before, after, within}
	anywhere(t, "a push by the network", network, func(t *testing.T, i *interruption) bool {
		c, s, ids := decided(t)
		first := push(t.Context(), c.store, s.client(i.cut()))
		if first.err == nil && len(first.results) != len(ids) {
			t.Errorf("not every record is told of: %+v", first.results)
		}
		c.pushes(s)
		wholly(t, c, s, ids)
		return first.err == nil && first.tally.Whole()
	})
	anywhere(t, "a push by the end of the console", network[:2], func(t *testing.T, i *interruption) bool {
		c, s, ids := decided(t)
		s.refuse[ids[2]] = func(record []byte) *api.Problem {
			return s.rejection(api.PacketStale, record, "", "something")
		}
		first := push(t.Context(), &mortal{c.store, i}, s.client(nil))
		second := push(t.Context(), c.store, s.client(nil))
		if first.err != nil && !errors.Is(first.err, errKilled) || second.err != nil || second.tally[client.Waiting] != 0 ||
			!slices.Equal(s.order, []records.RecordID{ids[0], ids[1], ids[3]}) {
			t.Errorf("%+v, %+v", first, second)
		}
		for n, id := range ids {
			if state := c.state(id).State; (n == 2) != (state == records.Rejected) || (n != 2) != (state == records.Accepted) {
				t.Errorf("record %d is %d", n, state)
			}
		}
		return first.err == nil
	})
	anywhere(t, "a pull by the network", network, func(t *testing.T, i *interruption) bool {
		c, s := newConsole(t), newService(t, 1)
		s.packets = samples(t)
		first := pull(t.Context(), c.store, s.client(i.cut()), false)
		second := pull(t.Context(), c.store, s.client(nil), false)
		if second.err != nil || len(second.refused) != 0 || first.Imported+second.Imported != len(s.packets) || second.Unchanged != 0 {
			t.Errorf("%+v %+v", first, second)
		}
		held(t, c, s)
		return first.err == nil
	})
	anywhere(t, "a pull by the end of the console", network[:2], func(t *testing.T, i *interruption) bool {
		c, s := newConsole(t), newService(t, 1)
		s.packets = samples(t)
		first := pull(t.Context(), &mortal{c.store, i}, s.client(nil), false)
		second := pull(t.Context(), c.store, s.client(nil), false)
		if first.err != nil && !errors.Is(first.err, errKilled) || second.err != nil || len(second.refused) != 0 {
			t.Errorf("%+v %+v", first, second)
		}
		held(t, c, s)
		return first.err == nil
	})
}
