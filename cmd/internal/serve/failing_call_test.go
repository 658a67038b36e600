package serve_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// failingAt is a store of which one call fails, counted from 1.
type failingAt struct {
	sound     serve.Store
	at, calls int
}

var _ serve.Store = (*failingAt)(nil)

func (f *failingAt) next() serve.Store {
	if f.calls++; f.calls == f.at {
		return failing{&store.Problem{Kind: store.ErrLocked}}
	}
	return f.sound
}

func (f *failingAt) TokenOf(ctx context.Context, digest [32]byte) (store.Token, error) {
	return f.next().TokenOf(ctx, digest)
}

func (f *failingAt) Registrations(ctx context.Context, id terms.ID) ([]signed.Statement, error) {
	return f.next().Registrations(ctx, id)
}

func (f *failingAt) KeyState(ctx context.Context, id terms.ID, fingerprint string) (keys.State, error) {
	return f.next().KeyState(ctx, id, fingerprint)
}

func (f *failingAt) HandIn(ctx context.Context, sub store.Submission) (store.Acceptance, error) {
	return f.next().HandIn(ctx, sub)
}

func (f *failingAt) Appendable(ctx context.Context, free int64) error {
	return f.next().Appendable(ctx, free)
}

func (f *failingAt) RevisionState(ctx context.Context, area terms.Area, key packets.Key) (store.RevisionState, error) {
	return f.next().RevisionState(ctx, area, key)
}

func (f *failingAt) Feed(ctx context.Context, p store.Permissions, about store.About, after string, most int) (store.RecordFeed, error) {
	return f.next().Feed(ctx, p, about, after, most)
}

func (f *failingAt) ReadRecord(ctx context.Context, p store.Permissions, id records.RecordID) (store.ServedRecord, error) {
	return f.next().ReadRecord(ctx, p, id)
}

func (f *failingAt) ProveRecord(ctx context.Context, p store.Permissions, id records.RecordID) (store.Inclusion, []byte, error) {
	return f.next().ProveRecord(ctx, p, id)
}

func (f *failingAt) Reliance(ctx context.Context, p *store.Permissions, about store.About) (store.Reliance, error) {
	return f.next().Reliance(ctx, p, about)
}

func (f *failingAt) ServiceStatements(ctx context.Context) ([]signed.Statement, error) {
	return f.next().ServiceStatements(ctx)
}

func (f *failingAt) SignRejection(ctx context.Context, r records.Rejection) (string, error) {
	return f.next().SignRejection(ctx, r)
}

func (f *failingAt) Page(ctx context.Context, p store.Permissions, after string, most int) (store.Page, error) {
	return f.next().Page(ctx, p, after, most)
}

func (f *failingAt) Packet(ctx context.Context, p store.Permissions, id terms.ID) (store.Page, error) {
	return f.next().Packet(ctx, p, id)
}

func (f *failingAt) Sees(ctx context.Context, p store.Permissions, table terms.Table, id terms.ID) (bool, error) {
	return f.next().Sees(ctx, p, table, id)
}

func (f *failingAt) Verifier(ctx context.Context) (string, error) { return f.next().Verifier(ctx) }

func (f *failingAt) PublishedCheckpoint(ctx context.Context) ([]byte, error) {
	return f.next().PublishedCheckpoint(ctx)
}

func (f *failingAt) CosignedCheckpoint(ctx context.Context) ([]byte, error) {
	return f.next().CosignedCheckpoint(ctx)
}

func (f *failingAt) Tile(ctx context.Context, tile tlog.Tile) ([]byte, error) {
	return f.next().Tile(ctx, tile)
}

func (f *failingAt) TileEntries(ctx context.Context, tile tlog.Tile) ([][]byte, error) {
	return f.next().TileEntries(ctx, tile)
}

func (f *failingAt) Head(ctx context.Context) (records.LogHead, error) { return f.next().Head(ctx) }

func (f *failingAt) Findings() []verify.Finding { return f.sound.Findings() }

// Whichever call of the store fails, a request is answered as unavailable: an answer lacks no part, and no record is rejected on grounds
// that could not be read.
func TestARequestOfWhichAnyCallOfTheStoreFailsIsUnavailable(t *testing.T) {
	s := serving(t)
	inForce := s.recorded(t, s.Case, Reviewer, nil)
	tried := 0
	sweep := func(name string, want int, request func() *http.Request) {
		for at := 1; ; at++ {
			f := &failingAt{sound: s.store, at: at}
			s.service = serviceOver(t, f, unlimited)
			answered := s.send(t, request())
			if f.calls < at {
				if answered.status != want {
					t.Errorf("%s is answered with %d, want %d: %s", name, answered.status, want, answered.body)
				}
				return
			}
			tried++
			if answered.status != http.StatusServiceUnavailable {
				t.Errorf("%s: call %d fails, and the answer is %d: %s", name, at, answered.status, answered.body)
			}
		}
	}
	for _, route := range serve.Routes() {
		if route.Method != http.MethodGet || route.Access != serve.Bearer && !strings.HasPrefix(route.Path, api.CheckpointPath) && !strings.HasPrefix(route.Path, "/tile/") {
			continue
		}
		id := string(s.Case.Key.ID)
		if strings.HasPrefix(route.Path, api.RecordsPath) {
			id = string(inForce)
		}
		path := strings.NewReplacer("{id}", id, "{level}", "0", "{index}", "000.p/1").Replace(route.Path)
		s.service = serviceOver(t, s.store, unlimited)
		get := func() *http.Request {
			r := s.request(http.MethodGet, path, Admin, nil)
			if route.Access != serve.Bearer {
				r.Header.Del("Authorization") // with a token that cannot be looked up, the caller is anybody
			}
			return r
		}
		sweep("GET "+path, s.send(t, get()).status, get)
	}
	enforcing := func(name string, want int, who person, record records.Enforcement) {
		body := s.Body(t, record)
		sweep(name, want, func() *http.Request { return s.request(http.MethodPost, enforcePath(record), who, body) })
	}
	enforcing("a record", http.StatusCreated, Reviewer, s.Decide(s.Amendment, Reviewer, nil))
	blind := s.Decide(s.Case, Reviewer, nil)
	enforcing("a record that does not supersede the one in force", http.StatusConflict, Reviewer, blind)
	enforcing("a record under an id that is taken", http.StatusConflict, Reviewer,
		reread(t, terms.Appeals, s.Log.Forged(blind, verifytest.Record{"recordId": string(inForce)})))
	honest := s.Decide(s.Case, Reviewer, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NoticeMissing) })
	enforcing("a record whose evaluation differs", http.StatusUnprocessableEntity, Reviewer,
		reread(t, terms.Appeals, s.Log.Forged(honest, verifytest.Record{"computedBlockers": []string{"notice_missing"}, "reviewerBlockers": []string{}})))
	if tried < 40 {
		t.Errorf("only %d calls were made", tried)
	}
}
