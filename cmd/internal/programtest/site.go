//go:build unix

package programtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Site is a machine with a store on it: a home with an identity, a store and the checkpoint kept
// outside it, each where Run points the program to.
type Site struct {
	T      *testing.T
	Folder string
}

// SampleCase is the case that a site's records are of.
const SampleCase = "case-2026-00117"

// EmptySite is a machine on which nothing was done.
func EmptySite(t *testing.T) *Site {
	t.Helper()
	return &Site{t, t.TempDir()}
}

// Decided is a site with an identity, the sample packets, and one record for each outcome, all of
// the same case, each superseding the one before. Those with the same outcomes are copies of one.
func Decided(t *testing.T, outcomes ...string) *Site {
	t.Helper()
	name := strings.Join(outcomes, " ")
	prepared.Lock()
	defer prepared.Unlock()
	first, there := prepared.sites[name]
	if !there {
		first = &Site{t, filepath.Join(BuiltFolder(t), fmt.Sprintf("site-%d", len(prepared.sites)))}
		Must(t, os.Mkdir(first.Folder, 0o700))
		first.Done("docket", InitAs("--no-passphrase")...)
		first.Write("packets.jsonl", first.Done("docket", "seal", Testdata(t, "packets", "appeals.json")).Stdout)
		first.Done("docket", "import", first.At("packets.jsonl"))
		for _, outcome := range outcomes {
			first.Done("docket-decide", SampleCase, outcome)
		}
		prepared.sites[name] = first
	}
	first.T = t
	return first.Copied(t)
}

// prepared are sites to copy, by the outcomes of their records.
var prepared = struct {
	sync.Mutex
	sites map[string]*Site
}{sites: map[string]*Site{}}

// Copied is a second machine with the same state.
func (s *Site) Copied(t *testing.T) *Site {
	t.Helper()
	other := &Site{t, filepath.Join(t.TempDir(), "site")}
	Must(t, os.CopyFS(other.Folder, os.DirFS(s.Folder)))
	identity := other.At("config/docket/identity.toml")
	other.Write("config/docket/identity.toml", strings.ReplaceAll(other.Read("config/docket/identity.toml"), s.Folder, other.Folder))
	for _, path := range append([]string{identity, other.At("config/docket/id_ed25519"), other.DB()}, other.Keys()...) {
		Must(t, os.Chmod(path, 0o600))
	}
	return other
}

func (s *Site) At(name string) string { return filepath.Join(s.Folder, filepath.FromSlash(name)) }
func (s *Site) DB() string            { return s.At("docket.db") }

// Keys are the key files beside the store.
func (s *Site) Keys() []string {
	s.T.Helper()
	keys, err := filepath.Glob(s.At("docket-*.key"))
	if err != nil || len(keys) == 0 {
		s.T.Fatalf("%d key files, %v", len(keys), err)
	}
	return keys
}

func (s *Site) Read(name string) string {
	s.T.Helper()
	content, err := os.ReadFile(s.At(name))
	Must(s.T, err)
	return string(content)
}

func (s *Site) Write(name, content string) {
	s.T.Helper()
	Must(s.T, os.WriteFile(s.At(name), []byte(content), 0o600))
}

func (s *Site) Remove(name string) {
	s.T.Helper()
	Must(s.T, os.RemoveAll(s.At(name)))
}

// List is what lies below the site, folders included, but for the files that SQLite keeps beside an
// open store: one that a failure leaves goes with the next opening.
func (s *Site) List() (names []string) {
	s.T.Helper()
	Must(s.T, filepath.WalkDir(s.Folder, func(path string, _ fs.DirEntry, err error) error {
		if !strings.HasSuffix(path, "docket.db-wal") && !strings.HasSuffix(path, "docket.db-shm") {
			names = append(names, strings.TrimPrefix(path, s.Folder))
		}
		return err
	}))
	return names
}

// Unchanged holds the site to having just what it had.
func (s *Site) Unchanged(before []string, after string) {
	s.T.Helper()
	if now := s.List(); !slices.Equal(now, before) {
		s.T.Errorf("%s: there was %v, now there is %v", after, before, now)
	}
}

// Docket runs the program at the site; docket-decide may be named in its place.
func (s *Site) Docket(args ...string) Ran {
	s.T.Helper()
	return Run(s.T, "docket", s.Folder, args...)
}

// Done runs a program that has to end well.
func (s *Site) Done(program string, args ...string) Ran {
	s.T.Helper()
	got := Run(s.T, program, s.Folder, args...)
	if got.Status != 0 {
		s.T.Fatalf("%s %s: exit status %d, %s%s", program, strings.Join(args, " "), got.Status, got.Stdout, got.Stderr)
	}
	return got
}

// Hold starts the sqlite3 program on the site's store, has it run the statements, and keeps it
// there until release is called or the test ends.
func (s *Site) Hold(statements string) (release func()) {
	s.T.Helper()
	command := exec.Command("sqlite3", "-batch", "-bail", s.DB())
	in, err := command.StdinPipe()
	Must(s.T, err)
	out, err := command.StdoutPipe()
	Must(s.T, err)
	Must(s.T, command.Start())
	release = sync.OnceFunc(func() {
		in.Close()
		command.Wait()
	})
	s.T.Cleanup(release)
	_, err = io.WriteString(in, statements+"\nSELECT 'held';\n")
	Must(s.T, err)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "held" {
			return release
		}
	}
	s.T.Fatalf("sqlite3 does not hold the store")
	return nil
}

// Verdict is what `docket verify --json` says: a line for each finding, and a summary.
type Verdict struct {
	Status            int
	Verified          bool
	Findings, Records int64
}

// Verify runs `docket verify` both ways, and holds them and the exit status to agree.
func (s *Site) Verify(args ...string) (v Verdict, plain string) {
	s.T.Helper()
	got := s.Docket(append([]string{"verify", "--json"}, args...)...)
	lines := strings.Split(strings.TrimSpace(got.Stdout), "\n")
	Must(s.T, json.Unmarshal([]byte(lines[len(lines)-1]), &v))
	v.Status = got.Status
	text := s.Docket(append([]string{"verify"}, args...)...)
	if got.Stderr != "" || text.Status != got.Status || v.Verified != (got.Status == 0) || v.Findings != int64(len(lines)-1) ||
		v.Findings != int64(strings.Count(got.Stdout, `"kind":"`)) || v.Verified != (v.Findings == 0) ||
		v.Verified != strings.Contains(text.Stdout, "✓ everything verifies") {
		s.T.Errorf("exit statuses %d and %d, %+v\n%s%s", got.Status, text.Status, v, text.Stdout, got.Stderr)
	}
	return v, text.Stdout
}

// Finds holds `docket verify` to naming a finding.
func (s *Site) Finds(kind string, args ...string) {
	s.T.Helper()
	if v, plain := s.Verify(args...); v.Status != 1 || !strings.Contains(plain, "✗ "+kind+": ") {
		s.T.Errorf("%s is not named, but %+v\n%s", kind, v, plain)
	}
}
