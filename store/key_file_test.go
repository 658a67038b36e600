package store

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/agent/agenttest"
	"docket/store/disk"
	"docket/store/merkle"
)

func TestTheLogsKeyLiesInAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, service := range []bool{false, true} {
		o := anchoredOptions(t)
		o.Service = service
		s := openWith(t, o)
		path := s.KeyFile()
		info := need(os.Stat(path))(t)
		wantNot(t, runtime.GOOS != "windows" && info.Mode().Perm() != 0o600, "%v", info)
		must(t, s.Close())
		private, err := os.ReadFile(path)
		mustNot(t, err != nil || !strings.HasPrefix(string(private), "PRIVATE+KEY+"), "%v", err)
		ofFile(t, o.Path)
		content := need(os.ReadFile(o.Path))(t)
		wantNot(t, strings.Contains(string(content), "PRIVATE"), "the database holds a private key")
		for _, line := range strings.Fields(string(private)) {
			// "PRIVATE+KEY+<name>+<hash>+<base64>": the last part may hold a plus sign, too.
			wantNot(t, strings.Contains(string(content), strings.SplitN(line, "+", 5)[4]),
				"the database holds the private key")
		}
	}
}

func TestAStoreWithoutItsKeyFileIsOnlyRead(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, path string) error{
		"gone":  func(_ *testing.T, path string) error { return os.Remove(path) },
		"empty": func(_ *testing.T, path string) error { return os.WriteFile(path, nil, disk.FileMode) },
		"another's": func(t *testing.T, path string) error {
			other, err := os.ReadFile(openWith(t, anchoredOptions(t)).KeyFile())
			return errors.Join(err, os.WriteFile(path, other, disk.FileMode))
		},
		"a folder": func(_ *testing.T, path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, disk.FolderMode))
		},
		"too long": func(_ *testing.T, path string) error { return os.Truncate(path, 4<<30) },
	} {
		t.Run(name, func(t *testing.T) {
			d, o := anchoredFixture(t)
			path := d.store.KeyFile()
			key := need(os.ReadFile(path))(t)
			d.close()
			must(t, change(t, path))
			s := openWith(t, o)
			mustBe(t, s.Obstacle(), merkle.ErrNoKey)
			wantNot(t, !s.ReadOnly() || !strings.Contains(s.Obstacle().Error(), path) ||
				strings.Contains(s.Obstacle().Error(), "PRIVATE"), "read-only %v: %v", s.ReadOnly(), s.Obstacle())
			advice := "; put " + path + " back from where you keep a copy of it, or move the store aside and run `docket restore` on it; until then the store is only read"
			if text := s.Obstacle().Error(); !strings.Contains(text, advice) || strings.Contains(text, "it is not there"+advice) != (name == "gone") {
				t.Errorf("it says %s", text)
			}
			wantKinds(t, "without the key", append(proven(t, s), s.Findings()...))
			mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-9", 1))})), merkle.ErrNoKey)
			need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), reviewerID))(t)
			must(t, errors.Join(os.RemoveAll(path), os.WriteFile(path, key, disk.FileMode)))
			fixtureAt(t, s).record("case-4", decision{outcome: terms.UpholdDecision}) // once it is back
			wantNot(t, s.Obstacle() != nil, "%v", s.Obstacle())
		})
	}
}

// With the database alone nobody signs a checkpoint: a key put in place of the public half is found by the anchor and by the key
// file.
func TestAnotherKeyInTheDatabaseIsFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	other := openWith(t, anchoredOptions(t))
	forge(t, o.Path, "UPDATE docket_meta SET value = '"+other.key.Encoded+"' WHERE name = 'verifierKey'",
		"UPDATE docket_meta SET value = '"+other.key.Origin+"' WHERE name = 'origin'")
	s := openWith(t, o)
	mustTakeNothing(t, s)
	mustBe(t, s.Obstacle(), merkle.ErrNoKey)
}

// withLogAgent serves an agent, and returns options for a store whose log's key it holds.
func withLogAgent(t *testing.T) (o Options, keys agent.Agent) {
	t.Helper()
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	o = anchoredOptions(t)
	o.LogAgent = fingerprint
	return o, keys
}

func TestAKeyOfTheAgentSignsForALog(t *testing.T) {
	o, keys := withLogAgent(t)
	d := fixtureAt(t, openWith(t, o))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)), d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	held := d.checkpoint()
	file := d.store.KeyFile()
	text := need(os.ReadFile(file))(t)
	mustNot(t, string(text) != "ssh-agent "+o.LogAgent+"\n", "%q", text)
	d.close()

	// The fingerprint is asked for where a log begins, and nowhere else.
	o.LogAgent = ""
	d.store = openWith(t, o)
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	wantKinds(t, "afterwards", proven(t, d.store))
	report := since(t, d.store, held)
	wantNot(t, !report.OK(), "%v", report.Findings)
	d.close()

	must(t, keys.RemoveAll())
	d.store = openWith(t, o)
	var problem *Problem
	if err := d.store.Obstacle(); !d.store.ReadOnly() || !errors.As(err, &problem) || !errors.Is(err, ErrNoKey) || !strings.Contains(problem.Error(), "ssh-add") ||
		!strings.Contains(problem.Error(), "open the store again then") {
		t.Errorf("without the key: %v", err)
	}
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestARecordIsNotTakenWhenTheAgentDoesNotSign(t *testing.T) {
	o, keys := withLogAgent(t)
	d := fixtureAt(t, openWith(t, o))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	submission := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	must(t, keys.Lock([]byte("x")))
	mustBe(t, errOf(d.store.Append(t.Context(), submission)), ErrNoKey)
	wantSame(t, "records in the log", recordsIn(t, d.store), 0)
	must(t, keys.Unlock([]byte("x")))
	need(d.store.Append(t.Context(), submission))(t)
}

func TestALogMovesIntoTheAgentByARestore(t *testing.T) {
	d, o := anchoredFixture(t)
	backup := d.backup()
	held := d.checkpoint()
	d.lost(false)
	with, _ := withLogAgent(t)
	r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.KeyExposed, LogAgent: with.LogAgent}))(t)
	must(t, errors.Join(r.Make(t.Context(), d.stated(r.Statement, nil)), r.Close()))
	d.store = openWith(t, o)
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	report := since(t, d.store, held)
	wantNot(t, !report.OK() || len(report.Followed) != 1, "%v", report.Findings)
	text := need(os.ReadFile(d.store.KeyFile()))(t)
	wantNot(t, !strings.HasPrefix(string(text), "ssh-agent SHA256:"), "%q", text)
}

func TestNoStoreIsMadeWithAKeyThatTheAgentCannotUse(t *testing.T) {
	o, keys := withLogAgent(t)
	other := need(rsa.GenerateKey(rand.Reader, 2048))(t)
	must(t, keys.Add(agent.AddedKey{PrivateKey: other}))
	public := need(ssh.NewPublicKey(&other.PublicKey))(t)
	for name, fingerprint := range map[string]string{"another type": ssh.FingerprintSHA256(public), "unknown": "SHA256:none", "a form of old": "MD5:00"} {
		o.LogAgent = fingerprint
		wantErr(t, name, errOf(Open(t.Context(), o)), ErrNoKey)
		left, err := os.ReadDir(filepath.Dir(o.Path))
		wantNot(t, err == nil && len(left) > 0, "%s: %v is left", name, left)
	}
}
