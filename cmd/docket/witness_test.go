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

	"docket/cmd/internal/programtest"
	"docket/store/agent/agenttest"
	"docket/store/peertest"
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
		built := peertest.Install(t, "filippo.io/torchwood/cmd/litewitness@v0.9.0")
		path := filepath.Join(programtest.BuiltFolder(t), "litewitness")
		must(t, os.Rename(built, path))
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
	must(t, err)
	address := listener.Addr().String()
	must(t, listener.Close())
	w := &litewitness{t: t, database: filepath.Join(t.TempDir(), "witness.db"), url: "http://" + address}
	cmd := exec.Command(program, "-name", name, "-db", w.database, "-ssh-agent", agenttest.Serve(t, keys), "-key", fingerprint, "-listen", address)
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
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
func (w *litewitness) knows(s *programtest.Site) {
	w.t.Helper()
	key := logKey(s)
	origin, _, _ := strings.Cut(key, "+")
	w.sql(fmt.Sprintf("INSERT INTO log VALUES ('%s', 0, '%s'); INSERT INTO key VALUES ('%s', '%s')", origin, emptyRoot, origin, key))
}

// logKey is the verifier key of a site's log.
func logKey(s *programtest.Site) string {
	s.T.Helper()
	_, after, told := strings.Cut(programtest.Run(s.T, "docket", s.Folder, "witness", "submit").Stderr, "the verifier key of the log is ")
	if !told {
		s.T.Fatal("the key of the log is not told")
	}
	return strings.TrimSpace(after)
}

// underPolicy writes a policy that asks for so many of the witnesses into the config of a site.
func underPolicy(s *programtest.Site, quorum int, witnesses ...*litewitness) {
	s.T.Helper()
	var text bytes.Buffer
	group := fmt.Sprintf("group g %d", quorum)
	for i, w := range witnesses {
		fmt.Fprintf(&text, "witness w%d %s %s\n", i, w.key, w.url)
		group += fmt.Sprintf(" w%d", i)
	}
	s.Write("policy", text.String()+group+"\nquorum g\n")
	s.Write("config/docket/config.toml", fmt.Sprintf("witness_policy = %q\n", s.At("policy")))
}

// failed runs a command that has to end with the exit status.
func failed(s *programtest.Site, status int, program string, args ...string) programtest.Ran {
	s.T.Helper()
	got := programtest.Run(s.T, program, s.Folder, args...)
	if got.Status != status {
		s.T.Errorf("%s %s: exit status %d, not %d: %s%s", program, strings.Join(args, " "), got.Status, status, got.Stdout, got.Stderr)
	}
	return got
}

func says(s *programtest.Site, want string, got programtest.Ran) {
	s.T.Helper()
	if !strings.Contains(got.Stdout+got.Stderr, want) {
		s.T.Errorf("%q is not said:\n%s%s", want, got.Stdout, got.Stderr)
	}
}

func TestARealWitnessCosignsALogThatGrowsAndRefusesOneThatWasRolledBackOrForked(t *testing.T) {
	t.Parallel()
	w := newLitewitness(t, "witness.example.org")
	s := programtest.Decided(t, "request_evidence")
	underPolicy(s, 1, w)
	says(s, "it does not know this log or its key", failed(s, 1, "docket", "witness", "submit"))
	says(s, "policy_unmet", failed(s, 1, "docket", "verify"))
	w.knows(s)
	says(s, "✓ w0 cosigned 3 entries", s.Done("docket", "witness", "submit"))
	says(s, "cosigned the whole log of 3 entries", s.Done("docket", "verify"))
	older := s.Copied(t)
	underPolicy(older, 1, w)
	s.Done("docket-decide", programtest.SampleCase, "route_human_review")
	says(s, "1 newer entry is not covered yet", s.Done("docket", "verify"))
	stale := s.Copied(t)
	underPolicy(stale, 1, w)
	says(s, "✓ w0 cosigned 4 entries", s.Done("docket", "witness", "submit"))

	// What the copy knows of the witness is old: the witness says what it saw, and is asked again from there.
	stale.Done("docket-decide", programtest.SampleCase, "request_evidence")
	says(stale, "✓ w0 cosigned 5 entries", stale.Done("docket", "witness", "submit"))

	// An older copy, with the anchor of its time and the log's key, looks whole to itself.
	older.Done("docket", "verify", "--policy", older.At("policy"))
	says(older, "THIS LOG WAS ROLLED BACK: it saw 5 entries of this log, and the log has 3", failed(older, 1, "docket", "witness", "submit"))
	for range 3 {
		older.Done("docket-decide", programtest.SampleCase, "request_evidence")
	}
	says(older, "THIS LOG IS FORKED: the log does not extend the 5 entries", failed(older, 1, "docket", "witness", "submit"))
	if seen := w.sql("SELECT tree_size FROM log"); seen != "5" {
		t.Errorf("the witness saw %s", seen)
	}

	// An export holds what was cosigned; of the forked log nothing newer than what they share.
	stale.Done("docket", "export", stale.At("bundle"))
	says(stale, "cosigned the whole log of 5 entries", stale.Done("docket", "verify", stale.At("bundle")))
	older.Done("docket", "export", older.At("bundle"))
	says(older, "cosigned 3 entries", older.Done("docket", "verify", older.At("bundle")))
	for _, name := range []string{"0.txt", "0.vkey"} {
		older.Write("bundle/evidence/cosignatures/"+name, stale.Read("bundle/evidence/cosignatures/"+name))
	}
	says(older, "forked", failed(older, 1, "docket", "verify", older.At("bundle")))
}

func TestAQuorumOfRealWitnessesIsMetAndUnmet(t *testing.T) {
	t.Parallel()
	east, west := newLitewitness(t, "east.example.org"), newLitewitness(t, "west.example.org")
	s := programtest.Decided(t, "request_evidence")
	underPolicy(s, 2, east, west)
	east.knows(s)
	west.knows(s)
	says(s, "cosigned the whole log of 3 entries", s.Done("docket", "witness", "submit"))
	says(s, "✓ witnesses", programtest.Run(t, "docket", s.Folder, "doctor"))
	s.Done("docket-decide", programtest.SampleCase, "route_human_review")
	west.end()
	submitted := failed(s, 1, "docket", "witness", "submit")
	says(s, "✓ w0 cosigned 4 entries", submitted)
	says(s, "w1 did not cosign: it cannot be reached", submitted)
	says(s, "the quorum of the witness policy cosigned 3 entries", submitted)
	says(s, "1 newer entry is not covered yet", s.Done("docket", "verify"))
	underPolicy(s, 1, east, west)
	says(s, "cosigned the whole log of 4 entries", s.Done("docket", "verify"))
	says(s, "cosigned the whole log of 4 entries", s.Done("docket", "witness", "submit"))
	s.Write("strict", strings.Replace(s.Read("policy"), "group g 1", "group g 2", 1))
	says(s, "cosigned 3 entries", s.Done("docket", "verify", "--policy", s.At("strict"), "--max-age", "1h"))
	s.Write("others", "log PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n"+s.Read("policy"))
	says(s, "the policy is for other logs", failed(s, 1, "docket", "verify", "--policy", s.At("others")))
}
