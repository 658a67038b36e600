package store

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/agent/agenttest"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// withLogAgent serves an agent, and returns options for a store whose log's key it holds.
func withLogAgent(t *testing.T) (o Options, keys agent.Agent) {
	t.Helper()
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	folder := t.TempDir()
	return Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon }, LogAgent: fingerprint}, keys
}

func TestAKeyOfTheAgentSignsForALog(t *testing.T) {
	o, keys := withLogAgent(t)
	d := fixtureAt(t, openWith(t, o))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)), d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	held := d.checkpoint()
	file := d.store.KeyFile()
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "ssh-agent "+o.LogAgent+"\n" {
		t.Fatalf("%q, %v", text, err)
	}
	d.close()

	// The fingerprint is asked for where a log begins, and nowhere else.
	o.LogAgent = ""
	d.store = openWith(t, o)
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	wantKinds(t, "afterwards", proven(t, d.store))
	if report := since(t, d.store, held); !report.OK() {
		t.Error(report.Findings)
	}
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
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	submission := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	must(t, keys.Lock([]byte("x")))
	mustBe(t, errOf(d.store.Append(t.Context(), submission)), ErrNoKey)
	wantSame(t, "head.Size", need(d.store.Head(t.Context()))(t).Size, 0)
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
	if report := since(t, d.store, held); !report.OK() || len(report.Followed) != 1 {
		t.Error(report.Findings)
	}
	if text, err := os.ReadFile(d.store.KeyFile()); err != nil || !strings.HasPrefix(string(text), "ssh-agent SHA256:") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestNoStoreIsMadeWithAKeyThatTheAgentCannotUse(t *testing.T) {
	o, keys := withLogAgent(t)
	other := need(rsa.GenerateKey(rand.Reader, 2048))(t)
	must(t, keys.Add(agent.AddedKey{PrivateKey: other}))
	public := need(ssh.NewPublicKey(&other.PublicKey))(t)
	for name, fingerprint := range map[string]string{"another type": ssh.FingerprintSHA256(public), "unknown": "SHA256:none", "a form of old": "MD5:00"} {
		o.LogAgent = fingerprint
		wantErr(t, name, errOf(Open(t.Context(), o)), ErrNoKey)
		if left, err := os.ReadDir(filepath.Dir(o.Path)); err == nil && len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}
