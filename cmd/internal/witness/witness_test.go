package witness_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/witness"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// A ledger is a log in memory.
type ledger struct {
	mutex  sync.Mutex
	signer note.Signer
	key    string
	hashes []tlog.Hash
	size   int64
	kept   []verify.Cosigned
	broken error // of every call
	full   error // of KeepCosignature
}

const origin = "docket/00112233445566778899aabbccddeeff"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newLedger(t *testing.T, leaves ...string) *ledger {
	t.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{7}, 64)), origin)
	must(t, err)
	l := &ledger{key: public}
	l.signer, err = note.NewSigner(private)
	must(t, err)
	l.add(t, leaves...)
	return l
}

func (l *ledger) add(t *testing.T, leaves ...string) {
	t.Helper()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, leaf := range leaves {
		hashes, err := tlog.StoredHashes(l.size, []byte(leaf), l)
		must(t, err)
		l.hashes, l.size = append(l.hashes, hashes...), l.size+1
	}
}

// ReadHashes implements tlog.HashReader.
func (l *ledger) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		read[i] = l.hashes[position]
	}
	return read, nil
}

func (l *ledger) Checkpoint(context.Context) ([]byte, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.broken != nil {
		return nil, l.broken
	}
	root, err := tlog.TreeHash(l.size, l)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, l.size, base64.StdEncoding.EncodeToString(root[:]))
	return note.Sign(&note.Note{Text: text}, l.signer)
}

func (l *ledger) Consistency(_ context.Context, from, to int64) (proof []terms.Hash, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	path, err := tlog.ProveTree(to, from, l)
	for _, hash := range path {
		proof = append(proof, signed.FromTree(hash))
	}
	return proof, err
}

func (l *ledger) CosignedSize(_ context.Context, key string) (size int64, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, c := range l.kept {
		if c.Key == key {
			size, err = sizeOf(&c)
		}
	}
	return size, err
}

func sizeOf(c *verify.Cosigned) (int64, error) {
	return strconv.ParseInt(strings.Split(string(c.Checkpoint), "\n")[1], 10, 64)
}

func (l *ledger) KeepCosignature(_ context.Context, c verify.Cosigned) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.full != nil {
		return l.full
	}
	l.kept = append(l.kept, c)
	return nil
}

// Coverage tells that the policy is met once the newest size is cosigned.
func (l *ledger) Coverage(context.Context, *verify.Policy) (verify.Coverage, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.broken != nil {
		return verify.Coverage{}, l.broken
	}
	c := verify.Coverage{Uncovered: l.size}
	for _, kept := range l.kept {
		size, err := sizeOf(&kept)
		if err != nil {
			return c, err
		}
		c = verify.Coverage{Met: true, Size: size, At: terms.InstantOf(noon), Uncovered: l.size - size}
	}
	return c, nil
}

// A server is a witness that keeps to the protocol, unless it is told to answer otherwise.
type server struct {
	t     *testing.T
	w     verifytest.Witness
	log   *ledger // whose key it knows
	mutex sync.Mutex
	seen  tlog.Tree
	asked atomic.Int64
	last  []byte // body of the last request
	do    http.HandlerFunc
	url   string
}

func newServer(t *testing.T, name string, l *ledger) *server {
	t.Helper()
	s := &server{t: t, w: verifytest.NewWitness(t, name), log: l}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	s.mutex.Lock()
	do := s.do
	s.mutex.Unlock()
	if do != nil {
		do(w, r)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/add-checkpoint" {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	s.last = body
	head, signed, _ := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	verifier, odd := note.NewVerifier(s.log.key)
	if err = errors.Join(err, odd); err != nil {
		s.t.Error(err)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		http.Error(w, "invalid signature", http.StatusForbidden)
		return
	}
	fields := strings.Split(opened.Text, "\n")
	size, _ := strconv.ParseInt(fields[1], 10, 64)
	root, err := tlog.ParseHash(fields[2])
	if err != nil {
		s.t.Error(err)
	}
	if old != s.seen.N {
		w.Header().Set("Content-Type", "text/x.tlog.size")
		w.WriteHeader(http.StatusConflict)
		fmt.Fprintf(w, "%d\n", s.seen.N)
		return
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			s.t.Error(err)
		}
		proof = append(proof, hash)
	}
	if old > 0 && tlog.CheckTree(proof, size, root, s.seen.N, s.seen.Hash) != nil {
		http.Error(w, "bad consistency proof", http.StatusUnprocessableEntity)
		return
	}
	s.seen = tlog.Tree{N: size, Hash: root}
	_, _ = w.Write(s.w.Line([]byte(signed), noon))
}

// answer makes the server answer otherwise.
func (s *server) answer(do http.HandlerFunc) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.do = do
}

// size is how many entries the server saw.
func (s *server) size() int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.seen.N
}

// sent is the last request.
func (s *server) sent() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return string(s.last)
}

// forget takes what the server saw.
func (s *server) forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.seen = tlog.Tree{}
}

// policy asks for all of the servers.
func policy(t *testing.T, servers ...*server) *verify.Policy {
	t.Helper()
	var text strings.Builder
	group := "group all all"
	for i, s := range servers {
		fmt.Fprintf(&text, "witness w%d %s %s\n", i, s.w.Key, s.url)
		group += fmt.Sprintf(" w%d", i)
	}
	p, err := verify.ParsePolicy([]byte(text.String() + group + "\nquorum all\n"))
	must(t, err)
	return p
}

func submit(t *testing.T, l *ledger, servers ...*server) []witness.Result {
	t.Helper()
	results, err := witness.Submit(t.Context(), witness.Options{Log: l, Policy: policy(t, servers...), Patience: 5 * time.Second})
	if err != nil || len(results) != len(servers) {
		t.Fatal(results, err)
	}
	return results
}

func TestACheckpointGoesToEveryWitnessWithTheProofFromWhatItSaw(t *testing.T) {
	l := newLedger(t, "a", "b", "c")
	one, two := newServer(t, "example.org/1", l), newServer(t, "example.org/2", l)
	for _, leaves := range [][]string{nil, {"d"}, {"e", "f", "g"}, nil} {
		l.add(t, leaves...)
		before := len(l.kept)
		for i, r := range submit(t, l, one, two) {
			if r.State != witness.Cosigned || r.Size != l.size || r.Why != "" || r.Witness != fmt.Sprintf("w%d", i) {
				t.Errorf("%+v", r)
			}
		}
		if len(l.kept) != before+2 || one.size() != l.size || two.size() != l.size {
			t.Errorf("%d are kept, and %d and %d were seen of %d", len(l.kept)-before, one.size(), two.size(), l.size)
		}
	}
	if one.asked.Load() != 4 || two.asked.Load() != 4 {
		t.Errorf("asked %d and %d times", one.asked.Load(), two.asked.Load())
	}
}

func TestAWitnessThatSawAnotherSizeIsAskedAgainFromThere(t *testing.T) {
	l := newLedger(t, "a", "b", "c")
	s := newServer(t, "example.org/w", l)
	submit(t, l, s)
	l.add(t, "d")
	l.kept = nil // the cosignature was lost
	if r := submit(t, l, s)[0]; r.State != witness.Cosigned || s.asked.Load() != 3 {
		t.Errorf("%+v after %d", r, s.asked.Load())
	}
	s.forget()
	if r := submit(t, l, s)[0]; r.State != witness.Cosigned || s.size() != 4 {
		t.Errorf("%+v, %d were seen", r, s.size())
	}
}

func TestALogThatWasRolledBackOrForkedIsNotCosigned(t *testing.T) {
	whole := newLedger(t, "a", "b", "c")
	s := newServer(t, "example.org/w", whole)
	submit(t, whole, s)
	for name, c := range map[string]struct {
		log  *ledger
		want witness.State
		why  string
	}{
		"rolled back":             {newLedger(t, "a", "b"), witness.SawMore, "saw 3 entries of this log, and the log has 2"},
		"rolled back to nothing":  {newLedger(t), witness.SawMore, "saw 3 entries of this log, and the log has 0"},
		"forked":                  {newLedger(t, "a", "b", "x"), witness.SawAnother, "does not extend the 3 entries"},
		"forked, with more":       {newLedger(t, "a", "x", "c", "d", "e"), witness.SawAnother, "does not extend the 3 entries"},
		"rolled back and then on": {newLedger(t, "a", "b", "y", "z"), witness.SawAnother, "does not extend the 3 entries"},
	} {
		r := submit(t, c.log, s)[0]
		if r.State != c.want || !strings.Contains(r.Why, c.why) || r.Saw != 3 || len(c.log.kept) != 0 || !r.State.Contradicts() {
			t.Errorf("%s: %+v", name, r)
		}
		if text := r.Sentence(); !strings.Contains(text, "THIS LOG") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if r := submit(t, newLedger(t, "a", "b", "c", "d"), s)[0]; r.State != witness.Cosigned {
		t.Errorf("%+v", r)
	}
}

func answering(status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestWhatIsNoAnswerOfTheWitnessKeepsNothing(t *testing.T) {
	l := newLedger(t, "a", "b")
	other := verifytest.NewWitness(t, "example.org/other")
	s := newServer(t, "example.org/w", l)
	checkpoint, err := l.Checkpoint(t.Context())
	must(t, err)
	good := string(s.w.Line(checkpoint, noon))
	elsewhere := newServer(t, "example.org/w", l)
	for name, c := range map[string]struct {
		do   http.HandlerFunc
		want witness.State
		why  string
	}{
		"nothing":               {answering(200, "text/plain", ""), witness.NotVerified, "compare the key"},
		"garbage":               {answering(200, "text/plain", "\x00\xff— \n\n"), witness.NotVerified, "no cosignature"},
		"another key's":         {answering(200, "text/plain", string(other.Line(checkpoint, noon))), witness.NotVerified, "no cosignature"},
		"of another checkpoint": {answering(200, "text/plain", string(s.w.Line([]byte("x\n1\ny\n\n"), noon))), witness.NotVerified, "no cosignature"},
		"without its end":       {answering(200, "text/plain", strings.TrimSuffix(good, "\n")), witness.NotVerified, "no cosignature"},
		"a status between":      {answering(204, "text/plain", ""), witness.Unanswered, "status 204"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.url+"/add-checkpoint", http.StatusTemporaryRedirect)
		}, witness.Unanswered, "redirects"},
		"a failure":                     {answering(500, "text/plain", "\x1b]0;x\x07oh\nno"), witness.Refused, `status 500: \x1b]0;x\x07oh`},
		"an unknown log":                {answering(404, "text/plain", "unknown log"), witness.Refused, "give its operator the log's verifier key"},
		"an unknown key":                {answering(403, "text/plain", ""), witness.Refused, "give its operator the log's verifier key"},
		"a proof refused from nothing":  {answering(422, "text/plain", ""), witness.Refused, "status 422"},
		"a conflict without a size":     {answering(409, "text/x.tlog.size", ""), witness.Unanswered, "size that it saw cannot be read"},
		"a conflict with a negative":    {answering(409, "text/x.tlog.size", "-1\n"), witness.Unanswered, "cannot be read"},
		"a conflict with a huge number": {answering(409, "text/x.tlog.size", "99999999999999999999\n"), witness.Unanswered, "cannot be read"},
		"a conflict with another form":  {answering(409, "text/x.tlog.size", "02\n"), witness.Unanswered, "cannot be read"},
		"a conflict of a proxy":         {answering(409, "text/html", "1\n"), witness.Unanswered, "cannot be read"},
		"a conflict without an end":     {answering(409, "text/x.tlog.size", "1"), witness.Unanswered, "cannot be read"},
		"the same conflict for ever":    {answering(409, "text/x.tlog.size", "1\n"), witness.Refused, "another program"},
		"a panic":                       {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, witness.Unanswered, "cannot be reached"},
	} {
		s.answer(c.do)
		r := submit(t, l, s)[0]
		if r.State != c.want || !strings.Contains(r.Why, c.why) || strings.ContainsAny(r.Sentence(), "\x1b\x00\n") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if len(l.kept) != 0 || elsewhere.asked.Load() != 0 {
		t.Errorf("%d are kept, and the redirect was followed %d times", len(l.kept), elsewhere.asked.Load())
	}
	s.answer(answering(200, "text/plain", string(other.Line(checkpoint, noon))+good))
	if r := submit(t, l, s)[0]; r.State != witness.Cosigned || len(l.kept) != 1 {
		t.Errorf("its line among others: %+v", r)
	}
}

func TestAHugeAnswerIsReadInBoundedMemory(t *testing.T) {
	l := newLedger(t, "a")
	s := newServer(t, "example.org/w", l)
	const sent = 64 << 20
	s.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, endless{}, sent) })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := submit(t, l, s)[0]
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; r.State != witness.Unanswered || !strings.Contains(r.Why, "larger than 16 KiB") || grown > 8<<20 {
		t.Errorf("%+v, with %d bytes", r, grown)
	}
}

// endless yields spaces.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestAWitnessThatDoesNotAnswerIsGivenUpAndHoldsUpNoOther(t *testing.T) {
	l := newLedger(t, "a")
	slow, quick := newServer(t, "example.org/slow", l), newServer(t, "example.org/quick", l)
	release := make(chan struct{})
	slow.answer(func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	results, err := witness.Submit(t.Context(), witness.Options{Log: l, Policy: policy(t, slow, quick), Patience: 200 * time.Millisecond})
	if err != nil || results[0].State != witness.Unanswered || !strings.Contains(results[0].Why, "did not answer in time") || results[1].State != witness.Cosigned {
		t.Errorf("%+v %v", results, err)
	}
}

func TestAWitnessWithoutAnAddressThatCanBeUsedIsNotAsked(t *testing.T) {
	l := newLedger(t, "a")
	w := verifytest.NewWitness(t, "example.org/w")
	for address, why := range map[string]string{"": "write the address after its key", "http://witness.example.org": "use https", "ftp://127.0.0.1": "use https",
		"https://me:secret@witness.example.org": "leave the user name"} {
		p, err := verify.ParsePolicy([]byte("witness w " + w.Key + " " + address + "\nquorum w\n"))
		must(t, err)
		results, err := witness.Submit(t.Context(), witness.Options{Log: l, Policy: p})
		if err != nil || results[0].State != witness.NotAsked || !strings.Contains(results[0].Why, why) || strings.Contains(results[0].Why, "secret") {
			t.Errorf("%s: %+v %v", address, results, err)
		}
	}
}

func TestAStoreThatFailsIsToldAndKeepsNothing(t *testing.T) {
	l := newLedger(t, "a")
	s := newServer(t, "example.org/w", l)
	l.full = errors.New("the disk is full")
	if r := submit(t, l, s)[0]; r.State != witness.Unanswered || !errors.Is(r.Cause, l.full) || !strings.Contains(r.Why, "the disk is full") {
		t.Errorf("%+v", r)
	}
	l.broken = errors.New("it cannot be read")
	if _, err := witness.Submit(t.Context(), witness.Options{Log: l, Policy: policy(t, s)}); !errors.Is(err, l.broken) {
		t.Error(err)
	}
}

func TestARequestIsWrittenAsTheProtocolHasIt(t *testing.T) {
	l := newLedger(t, "a", "b", "c")
	s := newServer(t, "example.org/w", l)
	submit(t, l, s)
	checkpoint, err := l.Checkpoint(t.Context())
	if sent := s.sent(); err != nil || sent != "old 0\n\n"+string(checkpoint) {
		t.Errorf("%q %v", sent, err)
	}
	l.add(t, "d")
	submit(t, l, s)
	proof, err := tlog.ProveTree(4, 3, l)
	must(t, err)
	want := "old 3\n"
	for _, hash := range proof {
		want += hash.String() + "\n"
	}
	if sent := s.sent(); !strings.HasPrefix(sent, want+"\n"+origin+"\n4\n") {
		t.Errorf("%q", sent)
	}
}
