package serve_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/peertest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// filled hands in so many records, and returns their leaves by position.
func (s *harness) filled(t testing.TB, count int) map[int64][]byte {
	t.Helper()
	leaves := map[int64][]byte{}
	for _, record := range s.decisions(t, count) {
		taken := s.takes(t, record, Reviewer)
		leaves[taken.Sequence] = append([]byte("record\n"+taken.At+"\n"), record.Document()...)
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
	s.get(t, fmt.Sprintf("/tile/0/000.p/%d", s.head(t).N+1), person{}).is(t, api.NotFound)
	leaves := s.filled(t, 3)
	before := s.head(t)
	maps.Copy(leaves, s.filled(t, 122))
	now := s.head(t)
	if now.N != 258 {
		t.Fatal(now)
	}
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
	hashes := tlog.TileHashReader(now, tileFetcher{t, s})
	other := regexp.MustCompile(`^statement\n[^\n]+\ndocket-|^packet\n[^\n]+\n\{"digest":"sha256:[0-9a-f]{64}","id":"[^"]+","number":1,"table":"[^"]+"\}$`)
	for i, leaf := range read {
		record, is := leaves[int64(i)]
		if is && !bytes.Equal(leaf, record) || !is && !other.Match(leaf) {
			t.Errorf("entry %d is %s", i, leaf)
		}
		proof, err := tlog.ProveRecord(now.N, int64(i), hashes)
		must(t, err)
		must(t, tlog.CheckRecord(proof, now.N, now.Hash, int64(i), tlog.RecordHash(leaf)))
	}
	if int64(len(read)) != now.N {
		t.Errorf("%d entries are read of %d", len(read), now.N)
	}
	proof, err := tlog.ProveTree(now.N, before.N, hashes)
	must(t, err)
	must(t, tlog.CheckTree(proof, now.N, now.Hash, before.N, before.Hash))
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

// An amendment's packet and its records are for a safety admin of its owner, now and at the time of
// the entry; a tile without any is for every safety admin.
func TestEntriesOfTheLogAreForWhoMayReadAllOfThem(t *testing.T) {
	s := serving(t)
	const before, amendment = "000.p/3", "000.p/4" // its packet is the fourth of the fixture
	s.filled(t, 1)
	s.takes(t, s.Decide(s.Amendment, Reviewer, nil), Reviewer)
	far := person{ID: "admin-2", Role: terms.SafetyAdmin, Owners: []terms.ID{OtherOwner}, Token: "far admin"}
	both := person{ID: "admin-3", Role: terms.SafetyAdmin, Owners: []terms.ID{OtherOwner, Owner}, Token: "admin of both"}
	for _, who := range []person{far, both} {
		s.Token(t, TokenOf(who), who)
	}
	gives := func(path string, kinds map[string]api.ProblemKind) {
		t.Helper()
		for _, who := range []person{Admin, far, both, Reviewer, {Token: "nobody"}} {
			want, told := kinds[who.Token]
			switch {
			case who.Token == "nobody":
				want = api.Unauthenticated
			case who.Token == Reviewer.Token:
				want = api.Forbidden
			case !told:
				want = granted
			}
			answered := s.get(t, "/tile/entries/"+path, who)
			if want != granted {
				answered.is(t, want)
			} else if answered.status != http.StatusOK {
				t.Errorf("%s as %s: %d %s", path, who.Token, answered.status, answered.body)
			}
		}
	}
	all, none := fmt.Sprintf("000.p/%d", s.head(t).N), map[string]api.ProblemKind{"admin": api.NotFound, "far admin": api.NotFound, "admin of both": api.NotFound}
	gives(before, nil)
	gives(amendment, map[string]api.ProblemKind{"far admin": api.Forbidden})
	gives(all, map[string]api.ProblemKind{"far admin": api.Forbidden})
	gives(fmt.Sprintf("000.p/%d", s.head(t).N+1), none)
	gives("data", none)
	s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(string(s.Amendment.Key.ID), 2).With(verifytest.Record{"ownerId": OtherOwner}))
	gives(amendment, map[string]api.ProblemKind{"admin": api.Forbidden})
	gives(all, map[string]api.ProblemKind{"admin": api.Forbidden, "far admin": api.Forbidden})
}

// A store whose tile has the one entry.
type ofEntry struct {
	serve.Store
	verify.Entry
}

func (o ofEntry) TileEntries(context.Context, tlog.Tile) ([]verify.Entry, error) {
	return []verify.Entry{o.Entry}, nil
}

func TestAnEntryOfWhichNothingIsKnownIsForNobody(t *testing.T) {
	s := serving(t)
	gives := func(entry verify.Entry) reply {
		s.restart(t, func(c *serve.Config) { c.Store = ofEntry{c.Store, entry} })
		return s.get(t, "/tile/entries/000.p/1", Admin)
	}
	text := []byte("{}")
	gives(verify.Entry{Kind: records.PacketEntry, Table: terms.AppealPolicies, Document: text}).want(t, http.StatusOK, "a policy")
	for _, entry := range []verify.Entry{
		{Table: terms.AppealPolicies, Document: text},
		{Kind: records.PacketEntry, Document: text},
		{Kind: records.PacketEntry, Table: terms.AmendmentRecords, Key: packets.Key{ID: "nowhere", Number: 1}, Document: text},
		{Kind: records.RecordEntry, Document: text},
		{Kind: records.StatementEntry, Document: text},
		{Kind: records.RecordEntry, Table: terms.AppealEnforcements, Document: text},
	} {
		gives(entry).is(t, api.Forbidden)
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
