//go:build unix

package main_test

import (
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A site is a machine with a store on it: a home with an identity, a store and the checkpoint kept outside it, each
// where `run` points the program to.
type site struct {
	t      *testing.T
	folder string
}

// sampleCase is the case that a site's records are of.
const sampleCase = "case-2026-00117"

// newSite sets up an identity and takes the sample packets in.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t, t.TempDir()}
	s.done("docket", "identity", "init", "--id", "rev-0417", "--role", "neutral_reviewer", "--no-passphrase")
	sealed := s.done("docket", "seal", filepath.Join("..", "..", "testdata", "packets", "appeals.json"))
	s.write("packets.jsonl", sealed.stdout)
	s.done("docket", "import", s.at("packets.jsonl"))
	return s
}

// decided is a site with one record for each outcome, all of the same case, each superseding the one before.
func decided(t *testing.T, outcomes ...string) *site {
	t.Helper()
	s := newSite(t)
	for _, outcome := range outcomes {
		s.done("docket-decide", sampleCase, outcome)
	}
	return s
}

// copied is another machine on which all is as it is here.
func (s *site) copied(t *testing.T) *site {
	t.Helper()
	other := &site{t, filepath.Join(t.TempDir(), "site")}
	if err := os.CopyFS(other.folder, os.DirFS(s.folder)); err != nil {
		t.Fatal(err)
	}
	identity := other.at("config/docket/identity.toml")
	other.write("config/docket/identity.toml", strings.ReplaceAll(other.read("config/docket/identity.toml"), s.folder, other.folder))
	for _, path := range append([]string{identity, other.at("config/docket/id_ed25519"), other.db()}, other.keys()...) {
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return other
}

func (s *site) at(name string) string { return filepath.Join(s.folder, filepath.FromSlash(name)) }
func (s *site) db() string            { return s.at("docket.db") }

// keys are the key files beside the store.
func (s *site) keys() []string {
	s.t.Helper()
	keys, err := filepath.Glob(s.at("docket-*.key"))
	if err != nil || len(keys) == 0 {
		s.t.Fatalf("%d key files, %v", len(keys), err)
	}
	return keys
}

func (s *site) read(name string) string {
	s.t.Helper()
	content, err := os.ReadFile(s.at(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(content)
}

func (s *site) write(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(s.at(name), []byte(content), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.at(name)); err != nil {
		s.t.Fatal(err)
	}
}

// list is what lies below the site, folders included, but for the files that SQLite keeps beside an open store.
func (s *site) list() (names []string) {
	s.t.Helper()
	err := filepath.WalkDir(s.folder, func(path string, _ fs.DirEntry, err error) error {
		if !besideStore(path) {
			names = append(names, strings.TrimPrefix(path, s.folder))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return names
}

// besideStore reports whether SQLite made the file. One that is left there by a failure goes with the next opening.
func besideStore(name string) bool {
	return strings.HasSuffix(name, "docket.db-wal") || strings.HasSuffix(name, "docket.db-shm")
}

// unchanged holds the site to having just what it had.
func (s *site) unchanged(before []string, after string) {
	s.t.Helper()
	if now := s.list(); !slices.Equal(now, before) {
		s.t.Errorf("%s: there was %v, now there is %v", after, before, now)
	}
}

// docket runs the program at the site; docket-decide may be named in its place.
func (s *site) docket(args ...string) ran {
	s.t.Helper()
	return run(s.t, "docket", s.folder, args...)
}

// done runs a program that has to end well.
func (s *site) done(program string, args ...string) ran {
	s.t.Helper()
	got := run(s.t, program, s.folder, args...)
	if got.status != 0 {
		s.t.Fatalf("%s %s: exit status %d, %s%s", program, strings.Join(args, " "), got.status, got.stdout, got.stderr)
	}
	return got
}

// sqlite runs statements with the sqlite3 program on the site's store, and returns what they print.
func (s *site) sqlite(statements string) string {
	s.t.Helper()
	command := exec.Command("sqlite3", "-batch", "-bail", s.db())
	command.Stdin = strings.NewReader(statements)
	out, err := command.CombinedOutput()
	if err != nil {
		s.t.Fatalf("sqlite3: %v\n%s\n%s", err, out, statements)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// text is one value of the store, whatever characters are in it.
func (s *site) text(query string) string {
	s.t.Helper()
	content, err := hex.DecodeString(s.sqlite("SELECT hex((" + query + "))"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(content)
}

// finding is a line of `docket verify --json`; the last one is the summary.
type finding struct {
	Sequence int64  `json:"sequence"`
	RecordID string `json:"recordId"`
	Kind     string `json:"kind"`
	Detail   string `json:"detail"`
}

// verdict is what `docket verify --json` says.
type verdict struct {
	status   int
	findings []finding
	Verified bool  `json:"verified"`
	Findings int64 `json:"findings"`
	Records  int64 `json:"records"`
}

// verify runs `docket verify` both ways, and holds them and the exit status to agree.
func (s *site) verify(args ...string) (v verdict, plain string) {
	s.t.Helper()
	got := s.docket(append([]string{"verify", "--json"}, args...)...)
	v.status = got.status
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	for _, line := range lines[:len(lines)-1] {
		var f finding
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.Kind == "" {
			s.t.Fatalf("%q: %v", line, err)
		}
		v.findings = append(v.findings, f)
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &v); err != nil {
		s.t.Fatalf("exit status %d: %s%s", got.status, got.stdout, got.stderr)
	}
	text := s.docket(append([]string{"verify"}, args...)...)
	if got.stderr != "" || text.status != got.status || v.Verified != (got.status == 0) || v.Findings != int64(len(v.findings)) ||
		v.Verified != (v.Findings == 0) || v.Verified != strings.Contains(text.stdout, "✓ everything verifies") {
		s.t.Errorf("exit statuses %d and %d, %+v\n%s%s", got.status, text.status, v, text.stdout, got.stderr)
	}
	return v, text.stdout
}

// names holds the verdict to naming a finding, with the record's sequence and id; "" where it is about the log.
func (s *site) names(v verdict, plain, kind string, sequence int64, record string) {
	s.t.Helper()
	for _, f := range v.findings {
		if f.Kind == kind && f.Sequence == sequence && f.RecordID == record {
			if !strings.Contains(plain, kind+": ") || !strings.Contains(plain, record) {
				s.t.Errorf("%s is in the JSON only:\n%s", kind, plain)
			}
			return
		}
	}
	s.t.Errorf("%s of record %d (%s) is not named, but %+v", kind, sequence, record, v.findings)
}
