//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/peertest"
	"docket/store/agent/agenttest"
)

// emptyRoot is the root of a log without records, as litewitness keeps roots.
const emptyRoot = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

// A litewitness is the witness of torchwood, running with a key in an ssh-agent.
type litewitness struct {
	t        *testing.T
	database string
	key      string
	url      string
	end      func()
}

var litewitnessProgram struct {
	sync.Mutex
	path string
}

// buildLitewitness builds it once for all tests.
func buildLitewitness(t *testing.T) string {
	t.Helper()
	litewitnessProgram.Lock()
	defer litewitnessProgram.Unlock()
	if litewitnessProgram.path == "" {
		built := peertest.Build(t, filepath.Join("..", "..", "testdata"), "witness", "filippo.io/torchwood/cmd/litewitness")
		if err := os.MkdirAll(builtFolder(), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(builtFolder(), "litewitness")
		if err := os.Rename(built, path); err != nil {
			t.Fatal(err)
		}
		litewitnessProgram.path = path
	}
	return litewitnessProgram.path
}

// newLitewitness starts a witness that knows the logs.
func newLitewitness(t *testing.T, name string) *litewitness {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("sqlite3 is not installed; the witness keeps its logs in a file of SQLite")
	}
	program := buildLitewitness(t)
	keys, fingerprint := agenttest.Keys(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w := &litewitness{t: t, database: filepath.Join(t.TempDir(), "witness.db"), url: "http://" + address}
	cmd := exec.Command(program, "-name", name, "-db", w.database, "-ssh-agent", agenttest.Serve(t, keys), "-key", fingerprint, "-listen", address)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	w.end = func() {
		once.Do(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	t.Cleanup(w.end)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, key, found := strings.Cut(lines.Text(), "vkey="); found {
			w.key = key
		}
		if strings.Contains(lines.Text(), "listening") {
			break
		}
	}
	if w.key == "" {
		t.Fatal("the witness does not start")
	}
	go func() {
		for lines.Scan() { // until it ends
		}
	}()
	w.waitFor(address)
	return w
}

// waitFor waits until the witness takes connections.
func (w *litewitness) waitFor(address string) {
	w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// sql runs statements on the witness's database, as its operator does.
func (w *litewitness) sql(statements string) string {
	w.t.Helper()
	out, err := exec.Command("sqlite3", "-cmd", ".timeout 5000", w.database, statements).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// knows adds the log of a site.
func (w *litewitness) knows(s *site) {
	w.t.Helper()
	key := s.logKey()
	origin, _, _ := strings.Cut(key, "+")
	w.sql(fmt.Sprintf("INSERT INTO log VALUES ('%s', 0, '%s'); INSERT INTO key VALUES ('%s', '%s')", origin, emptyRoot, origin, key))
}

// logKey is the verifier key of a site's log.
func (s *site) logKey() string {
	s.t.Helper()
	_, after, told := strings.Cut(run(s.t, "docket", s.folder, "witness", "submit").stderr, "the verifier key of the log is ")
	if !told {
		s.t.Fatal("the key of the log is not told")
	}
	return strings.TrimSpace(after)
}

// underPolicy writes a policy that asks for so many of the witnesses into the config of a site.
func (s *site) underPolicy(quorum int, witnesses ...*litewitness) {
	s.t.Helper()
	var text bytes.Buffer
	group := fmt.Sprintf("group g %d", quorum)
	for i, w := range witnesses {
		fmt.Fprintf(&text, "witness w%d %s %s\n", i, w.key, w.url)
		group += fmt.Sprintf(" w%d", i)
	}
	s.write("policy", text.String()+group+"\nquorum g\n")
	s.write("config/docket/config.toml", fmt.Sprintf("witness_policy = %q\n", s.at("policy")))
}

// failed runs a command that has to end with the exit status.
func (s *site) failed(status int, program string, args ...string) ran {
	s.t.Helper()
	got := run(s.t, program, s.folder, args...)
	if got.status != status {
		s.t.Errorf("%s %s: exit status %d, not %d: %s%s", program, strings.Join(args, " "), got.status, status, got.stdout, got.stderr)
	}
	return got
}

func (s *site) says(want string, got ran) {
	s.t.Helper()
	if !strings.Contains(got.stdout+got.stderr, want) {
		s.t.Errorf("%q is not said:\n%s%s", want, got.stdout, got.stderr)
	}
}

func TestARealWitnessCosignsALogThatGrowsAndRefusesOneThatWasRolledBackOrForked(t *testing.T) {
	w := newLitewitness(t, "witness.example.org")
	s := decided(t, "request_evidence")
	s.underPolicy(1, w)
	s.says("it does not know this log or its key", s.failed(1, "docket", "witness", "submit"))
	s.says("policy_unmet", s.failed(1, "docket", "verify"))
	w.knows(s)
	s.says("✓ w0 cosigned 1 records", s.done("docket", "witness", "submit"))
	s.says("cosigned all 1 records", s.done("docket", "verify"))
	older := s.copied(t)
	older.underPolicy(1, w)
	s.done("docket-decide", sampleCase, "route_human_review")
	s.says("1 newer record is not covered yet", s.done("docket", "verify"))
	stale := s.copied(t)
	stale.underPolicy(1, w)
	s.says("✓ w0 cosigned 2 records", s.done("docket", "witness", "submit"))

	// What the copy knows of the witness is old: the witness says what it saw, and is asked again from there.
	stale.done("docket-decide", sampleCase, "request_evidence")
	stale.says("✓ w0 cosigned 3 records", stale.done("docket", "witness", "submit"))

	// An older copy, with the anchor of its time and the log's key, looks whole to itself.
	older.done("docket", "verify", "--policy", older.at("policy"))
	older.says("THIS LOG WAS ROLLED BACK: it saw 3 records of this log, and the log has 1", older.failed(1, "docket", "witness", "submit"))
	for range 3 {
		older.done("docket-decide", sampleCase, "request_evidence")
	}
	older.says("THIS LOG IS FORKED: the log does not extend the 3 records", older.failed(1, "docket", "witness", "submit"))
	if seen := w.sql("SELECT tree_size FROM log"); seen != "3" {
		t.Errorf("the witness saw %s", seen)
	}

	// An export holds what was cosigned; of the forked log nothing newer than what they share.
	stale.done("docket", "export", stale.at("bundle"))
	stale.says("cosigned all 3 records", stale.done("docket", "verify", stale.at("bundle")))
	older.done("docket", "export", older.at("bundle"))
	older.says("cosigned 1 records", older.done("docket", "verify", older.at("bundle")))
	if err := os.CopyFS(filepath.Join(older.at("bundle"), "cosignatures"), os.DirFS(filepath.Join(stale.at("bundle"), "cosignatures"))); err == nil {
		t.Error("the files of the other export have other names")
	}
	older.write("bundle/cosignatures/3", stale.read("bundle/cosignatures/3"))
	older.says("forked", older.failed(1, "docket", "verify", older.at("bundle")))
}

func TestAQuorumOfRealWitnessesIsMetAndUnmet(t *testing.T) {
	east, west := newLitewitness(t, "east.example.org"), newLitewitness(t, "west.example.org")
	s := decided(t, "request_evidence")
	s.underPolicy(2, east, west)
	east.knows(s)
	west.knows(s)
	s.says("cosigned all 1 records", s.done("docket", "witness", "submit"))
	s.says("✓ witnesses", run(t, "docket", s.folder, "doctor"))
	s.done("docket-decide", sampleCase, "route_human_review")
	west.end()
	submitted := s.failed(1, "docket", "witness", "submit")
	s.says("✓ w0 cosigned 2 records", submitted)
	s.says("w1 did not cosign: it cannot be reached", submitted)
	s.says("the quorum of the witness policy cosigned 1 records", submitted)
	s.says("1 newer record is not covered yet", s.done("docket", "verify"))
	s.underPolicy(1, east, west)
	s.says("cosigned all 2 records", s.done("docket", "verify"))
	s.says("cosigned all 2 records", s.done("docket", "witness", "submit"))
	s.write("strict", strings.Replace(s.read("policy"), "group g 1", "group g 2", 1))
	s.says("cosigned 1 records", s.done("docket", "verify", "--policy", s.at("strict"), "--max-age", "1h"))
	s.write("others", "log PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n"+s.read("policy"))
	s.says("the policy is for other logs", s.failed(1, "docket", "verify", "--policy", s.at("others")))
}
