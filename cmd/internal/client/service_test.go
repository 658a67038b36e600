package client_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gowebpki/jcs"
	"github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify/verifytest"
)

const token = "docket_SECRET"

// A service does what a service does, in memory, unless it is told to do something else. It serves one request at a time.
type service struct {
	t      testing.TB
	turn   sync.Mutex
	token  string // that it knows
	origin string
	signer note.Signer
	key    string // of its log

	packets    []json.RawMessage
	reassigned []api.Reassigned
	pageSize   int
	cursors    map[string]int     // those that it knows, with how many packets come before them
	stated     []api.LogStatement // about its log

	taken   map[records.RecordID][]byte // records by id, in canonical form
	answers map[records.RecordID]api.Enforced
	order   []records.RecordID
	hashes  hashReader

	refuse map[records.RecordID]func(record []byte) *api.Problem // in place of taking the record
	forge  func(path string, answer any)                         // changes an answer that is granted
	show   func(path string, log []byte) []byte                  // changes what is given out of the log
	asked  []string                                              // paths
}

// hashReader are the stored hashes of a tree.
type hashReader []tlog.Hash

func (h hashReader) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		read[i] = h[position]
	}
	return read, nil
}

// newService is an empty service. The seed makes its keys.
func newService(t testing.TB, seed byte) *service {
	t.Helper()
	s := &service{t: t, token: token, origin: "docket/service/" + strings.Repeat(hex.EncodeToString([]byte{seed}), 16), pageSize: 2,
		cursors: map[string]int{"": 0}, taken: map[records.RecordID][]byte{}, answers: map[records.RecordID]api.Enforced{},
		refuse: map[records.RecordID]func([]byte) *api.Problem{}}
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), s.origin)
	must(t, err)
	s.signer, err = note.NewSigner(private)
	must(t, err)
	s.key = public
	return s
}

// right fails the test, which a handler cannot end, if there is an error.
func (s *service) right(err error) {
	if err != nil {
		s.t.Error(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.asked = append(s.asked, r.URL.Path)
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Authorization") != "Bearer "+s.token {
		s.answer(w, 401, api.Unauthenticated.New(""))
		return
	}
	switch r.URL.Path {
	case api.QueuePath:
		s.page(w, r.URL.Query().Get("cursor"))
	case api.RecordsPath:
		s.feed(w, r.URL.Query().Get("after"))
	case api.AppealEnforcePath, api.AmendmentEnforcePath:
		s.enforce(w, r.URL.Path, body)
	default:
		s.log(w, r.URL.Path)
	}
}

// feed gives out no record, and knows no place to continue at.
func (s *service) feed(w http.ResponseWriter, after string) {
	if after != "" {
		s.answer(w, 400, api.Malformed.New(""))
		return
	}
	s.grant(w, api.RecordsPath, 200, &api.RecordFeed{Records: []api.Record{}})
}

// log gives out the checkpoint and the tiles of the log.
func (s *service) log(w http.ResponseWriter, path string) {
	var data []byte
	media := api.Octets
	size := int64(len(s.order))
	if tile, isTile := merkle.ParseTilePath(strings.TrimPrefix(path, "/")); isTile && merkle.HasTile(tile, size) {
		var err error
		data, err = tlog.ReadTileData(tile, s.hashes)
		s.right(err)
	} else if path == api.CheckpointPath {
		data = []byte(s.head(size))
	}
	if strings.HasPrefix(path, api.CheckpointPath) {
		media = api.Text
	}
	if s.show != nil {
		data = s.show(path, data)
	}
	if data == nil {
		s.answer(w, 404, api.NotFound.New(""))
		return
	}
	w.Header().Set("Content-Type", media)
	_, _ = w.Write(data)
}

// head is the checkpoint of a size.
func (s *service) head(size int64) string {
	root, err := tlog.TreeHash(size, s.hashes)
	s.right(err)
	return s.checkpoint(size, root)
}

func (s *service) answer(w http.ResponseWriter, status int, document any) {
	media := api.JSON
	if _, refused := document.(*api.Problem); refused {
		media = api.ProblemJSON
	}
	text, err := json.Marshal(document)
	s.right(err)
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func (s *service) grant(w http.ResponseWriter, path string, status int, document any) {
	if s.forge != nil {
		s.forge(path, document)
	}
	s.answer(w, status, document)
}

func (s *service) page(w http.ResponseWriter, cursor string) {
	from, known := s.cursors[cursor]
	if !known {
		s.answer(w, 400, api.Malformed.New("there is no such cursor"))
		return
	}
	to := min(from+s.pageSize, len(s.packets))
	page := &api.Page{Packets: append([]json.RawMessage{}, s.packets[from:to]...), More: to < len(s.packets), Key: s.key,
		Cursor: "after " + strconv.Itoa(to), Reassigned: s.reassigned, Statements: s.stated}
	s.cursors[page.Cursor] = to
	s.grant(w, api.QueuePath, 200, page)
}

func (s *service) enforce(w http.ResponseWriter, path string, body []byte) {
	var sent api.Enforce
	s.right(json.Unmarshal(body, &sent))
	record, err := jcs.Transform(sent.Record)
	s.right(err)
	var members struct{ RecordID records.RecordID }
	if err := json.Unmarshal(record, &members); err != nil || sent.Signature == "" {
		s.t.Errorf("%v: %s", err, body)
	}
	id := members.RecordID
	if refuse := s.refuse[id]; refuse != nil {
		problem := refuse(record)
		s.answer(w, problem.Status, problem)
		return
	}
	if held, there := s.taken[id]; there {
		if !bytes.Equal(held, record) {
			s.answer(w, 409, s.rejection(api.RecordConflict, record, ""))
			return
		}
		again := s.answers[id]
		s.grant(w, path, 200, &again)
		return
	}
	s.taken[id], s.order = record, append(s.order, id)
	size := int64(len(s.order))
	added, err := tlog.StoredHashes(size-1, records.LeafData(records.RecordEntry, loggedAt, record), s.hashes)
	s.right(err)
	s.hashes = append(s.hashes, added...)
	root, err := tlog.TreeHash(size, s.hashes)
	s.right(err)
	answer := api.Enforced{Checkpoint: s.checkpoint(size, root), Receipt: records.Receipt{RecordID: id, Sequence: size - 1,
		At: loggedAt, LeafHash: signed.FromTree(signed.LeafHash(records.RecordEntry, loggedAt, record)), TreeSize: size, Root: signed.FromTree(root)}}
	proof, err := tlog.ProveRecord(size, size-1, s.hashes)
	s.right(err)
	for _, hash := range proof {
		answer.Proof = append(answer.Proof, signed.FromTree(hash))
	}
	s.answers[id] = answer
	s.grant(w, path, 201, &answer)
}

// loggedAt is when the service takes records in.
const loggedAt = "2026-06-15T12:30:00.000Z"

func (s *service) checkpoint(size int64, root tlog.Hash) string {
	return s.signed(string(log.Checkpoint{Origin: s.origin, Size: uint64(size), Hash: root[:]}.Marshal()))
}

func (s *service) signed(text string) string {
	signed, err := note.Sign(&note.Note{Text: text}, s.signer)
	s.right(err)
	return string(signed)
}

// rejection is the problem by which a record is rejected.
func (s *service) rejection(kind api.ProblemKind, record []byte, inForce records.RecordID, changes ...string) *api.Problem {
	var members struct{ RecordID records.RecordID }
	s.right(json.Unmarshal(record, &members))
	at, _ := terms.ParseInstant("2026-06-15T13:00:00Z")
	statement := records.Rejection{Origin: s.origin, RecordID: members.RecordID, Digest: terms.HashOf(record),
		Reason: kind.Rejects(), InForce: inForce, At: at}
	problem := kind.New("judge again")
	problem.Changes, problem.InForce, problem.Rejection = changes, inForce, s.signed(statement.Text())
	return problem
}

// client reaches the service through a network, trying everything once.
func (s *service) client(network http.RoundTripper) *client.Client {
	s.t.Helper()
	server := httptest.NewServer(s)
	s.t.Cleanup(server.Close)
	return to(s.t, server.URL, func(o *client.Options) { o.Transport, o.Retry.Attempts = network, 1 })
}

// state has a person state something about the service's log as it is; byLog says that the log's key signs it, too.
func (s *service) state(statement records.LogStatement, by terms.ID, byLog bool) {
	s.t.Helper()
	root, err := tlog.TreeHash(int64(len(s.order)), s.hashes)
	must(s.t, err)
	statement.Origin, statement.Size, statement.Root = s.origin, int64(len(s.order)), signed.FromTree(root)
	statement.At, _ = terms.ParseInstant("2026-06-15T12:00:00Z")
	key := verifytest.Key(string(by))
	statement.By, statement.KeyFingerprint = by, ssh.FingerprintSHA256(key.PublicKey())
	text := statement.Text()
	stated := api.LogStatement{Text: text, Signature: string(verifytest.New(s.t).Armored([]byte(text), key, records.LogStatementNamespace))}
	if byLog {
		stated.LogSignature = strings.TrimPrefix(s.signed(text), text+"\n")
	}
	s.stated = append(s.stated, stated)
}

// restored ends the service's log with its first records, and begins another one.
func (s *service) restored(size int64, seed byte, by terms.ID, byLog bool) {
	s.t.Helper()
	s.setBack(size)
	next := newService(s.t, seed)
	s.state(records.LogStatement{Kind: records.LogRestored, Found: []string{},
		Restore: records.Restore{OldKey: s.key, NewKey: next.key, Reason: records.StoreLost}}, by, byLog)
	s.origin, s.signer, s.key = next.origin, next.signer, next.key
}
