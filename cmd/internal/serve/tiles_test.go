package serve_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/peertest"
	"docket/store/verify/verifytest"
)

// filled hands in so many records.
func (s *harness) filled(t testing.TB, count int) (leaves [][]byte) {
	t.Helper()
	for _, record := range s.decisions(t, count) {
		at := s.takes(t, record, Reviewer).At
		leaves = append(leaves, append([]byte("record\n"+at+"\n"), record.Document()...))
	}
	return leaves
}

// tileFetcher reads the tiles of a service as any client of C2SP tlog-tiles does.
type tileFetcher struct {
	t testing.TB
	s *harness
}

func (f tileFetcher) Height() int { return 8 }

func (f tileFetcher) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		answered := f.s.get(f.t, "/"+merkle.TilePath(tile), person{})
		if answered.status != http.StatusOK {
			return nil, fmt.Errorf("%s: %d", tile.Path(), answered.status)
		}
		data = append(data, answered.body)
	}
	return data, nil
}

func (f tileFetcher) SaveTiles([]tlog.Tile, [][]byte) {}

// head opens the checkpoint that the service gives out.
func (s *harness) head(t testing.TB) tlog.Tree {
	t.Helper()
	head := s.opened(t, s.get(t, api.CheckpointPath, person{}).body)
	return tlog.Tree{N: int64(head.Size), Hash: tlog.Hash(head.Hash)}
}

func TestTheTilesOfAServiceProveEveryRecordAndEveryEarlierCheckpoint(t *testing.T) {
	s := serving(t)
	if empty := s.head(t); empty.N != 0 {
		t.Fatal(empty)
	}
	s.get(t, "/tile/0/000.p/1", person{}).is(t, api.NotFound)
	leaves := s.filled(t, 3)
	before := s.head(t)
	leaves = append(leaves, s.filled(t, 255)...)
	now := s.head(t)
	if now.N != 258 {
		t.Fatal(now)
	}
	hashes := tlog.TileHashReader(now, tileFetcher{t, s})
	for i, leaf := range leaves {
		proof, err := tlog.ProveRecord(now.N, int64(i), hashes)
		must(t, err)
		must(t, tlog.CheckRecord(proof, now.N, now.Hash, int64(i), tlog.RecordHash(leaf)))
	}
	proof, err := tlog.ProveTree(now.N, before.N, hashes)
	must(t, err)
	must(t, tlog.CheckTree(proof, now.N, now.Hash, before.N, before.Hash))
	var read [][]byte
	for _, tile := range []string{"000", "001.p/2"} {
		answered := s.get(t, "/tile/entries/"+tile, Admin)
		for data := answered.body; len(data) > 0; {
			end := 2 + int(binary.BigEndian.Uint16(data))
			read, data = append(read, data[2:end]), data[end:]
		}
		if cache := answered.header.Get("Cache-Control"); !strings.HasPrefix(cache, "private") || !strings.Contains(cache, "immutable") {
			t.Errorf("%s may be cached: %s", tile, cache)
		}
	}
	if !slices.EqualFunc(read, leaves, slices.Equal) {
		t.Error("the entries are not the records")
	}
	for path, status := range map[string]int{"0/000": 200, "0/001.p/2": 200, "0/001.p/1": 200, "1/000.p/1": 200, "0/000.p/255": 200,
		"0/001": 404, "0/001.p/3": 404, "0/002": 404, "1/000": 404, "1/000.p/2": 404, "2/000.p/1": 404, "0/000.p/256": 404, "0/000.p/0": 404,
		"0/0": 404, "0/x000/000": 404, "00/000": 404, "-1/000": 404, "8/000": 404, "63/000": 404, "data/000": 404, "0/000.p/": 404, "0/000.p/01": 404,
		"0/x999/x999/x999/x999/x999/999": 404, "0/x999/x999/x999/x999/x999/x999/x999/999": 404, "7/000.p/1": 404, "0/": 404} {
		answered := s.get(t, "/tile/"+path, person{})
		if answered.status != status {
			t.Errorf("/tile/%s: %d", path, answered.status)
		}
		if status == 200 && (!strings.Contains(answered.header.Get("Cache-Control"), "immutable") || len(answered.body)%32 != 0) {
			t.Errorf("/tile/%s: %v", path, answered.header)
		}
	}
	for _, path := range []string{api.CheckpointPath, "/tile/0/000", "/tile/entries/000"} {
		tag := s.get(t, path, Admin).header.Get("ETag")
		if answered := s.unlike(t, path, tag, Admin); answered.status != http.StatusNotModified || len(answered.body) > 0 {
			t.Errorf("%s: %d", path, answered.status)
		}
	}
}

func TestRecordsOfTheLogAreForWhoMayReadAllOfThem(t *testing.T) {
	s := serving(t)
	s.filled(t, 1)
	s.takes(t, s.Decide(s.Amendment, Reviewer, nil), Reviewer)
	far := person{ID: "admin-2", Role: terms.SafetyAdmin, Owners: []terms.ID{OtherOwner}, Token: "far admin"}
	s.Token(t, TokenOf(far), far)
	for path, kinds := range map[string]map[string]api.ProblemKind{
		"000.p/1": {"admin": granted, "reviewer": api.Forbidden, "far admin": granted, "nobody": api.Unauthenticated},
		"000.p/2": {"admin": granted, "reviewer": api.Forbidden, "far admin": api.Forbidden, "nobody": api.Unauthenticated},
		"000.p/3": {"admin": api.NotFound, "reviewer": api.Forbidden, "far admin": api.NotFound, "nobody": api.Unauthenticated},
		"data":    {"admin": api.NotFound, "reviewer": api.Forbidden, "far admin": api.NotFound, "nobody": api.Unauthenticated},
	} {
		for _, who := range []person{Admin, Reviewer, far, {Token: "nobody"}} {
			answered := s.get(t, "/tile/entries/"+path, who)
			if want := kinds[who.Token]; want != granted {
				answered.is(t, want)
			} else if answered.status != http.StatusOK {
				t.Errorf("%s as %s: %d %s", path, who.Token, answered.status, answered.body)
			}
		}
	}
}

func TestCosignaturesAreGivenOutWithTheirCheckpoint(t *testing.T) {
	s := serving(t)
	cosign := func(w verifytest.Witness) string {
		t.Helper()
		checkpoint, err := s.store.Checkpoint(t.Context())
		must(t, err)
		must(t, s.store.KeepCosignature(t.Context(), w.Cosign(checkpoint, Noon)))
		return string(w.Line(checkpoint, Noon))
	}
	a, b := verifytest.NewWitness(t, "example.org/a"), verifytest.NewWitness(t, "example.org/b")
	s.filled(t, 1)
	lines := cosign(a) + cosign(a) + cosign(b) // kept once
	lines = strings.Replace(lines, cosign(a), "", 1)
	first := string(s.get(t, api.CheckpointPath, person{}).body)
	for line := range strings.Lines(lines) {
		if strings.Count(first, line) != 1 {
			t.Errorf("%q is not under the checkpoint:\n%s", line, first)
		}
	}
	s.filled(t, 1)
	cosign(a)
	newest := string(s.get(t, api.CheckpointPath, person{}).body)
	if strings.Count(newest, "— example.org") != 1 {
		t.Errorf("newest:\n%s", newest)
	}
}

// A checker of tile logs that nobody here wrote reads every entry over HTTP, computes the root and each tile, and finds another key.
func TestTesserasCheckerReadsTheTilesOfAService(t *testing.T) {
	t.Parallel()
	check := peertest.Fsck(t)
	s := newHarness(t, newServiceStore(t))
	s.filled(t, 300)
	key := s.key(t)
	s.book = nil
	server := httptest.NewServer(s.service)
	defer server.Close()
	fsck := func(key, token string) error {
		if out, err := check(server.URL+"/", key, "--bearer_token", token); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	must(t, fsck(key, TokenOf(Admin)))
	if fsck(key, TokenOf(Reviewer)) == nil {
		t.Error("the records were read with a reviewer's token")
	}
	_, other, err := note.GenerateKey(nil, strings.SplitN(key, "+", 2)[0])
	must(t, err)
	if fsck(other, TokenOf(Admin)) == nil {
		t.Error("another key verifies the checkpoint")
	}
}
