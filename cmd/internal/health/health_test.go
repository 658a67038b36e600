package health_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/health"
	"docket/contracts/report"
	"docket/domain/terms"
	"docket/store"
)

// made is a closed store without a record.
func made(t *testing.T) store.Options {
	t.Helper()
	folder := t.TempDir()
	o := store.Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors")}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return o
}

func asked(t *testing.T, o store.Options, prove bool) health.Health {
	t.Helper()
	at, _ := terms.ParseInstant("2026-07-01T00:00:00Z")
	h, err := health.Of(t.Context(), health.Options{Kind: report.Amendments, At: at, Store: o, Prove: prove})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestASoundStoreIsWell(t *testing.T) {
	o := made(t)
	for _, prove := range []bool{false, true} {
		h := asked(t, o, prove)
		if !h.OK || h.ContractStatus != terms.Pass || h.Store != (health.Store{Exists: true, Readable: true, Proved: prove}) {
			t.Errorf("prove %t: %+v", prove, h)
		}
	}
}

// TestAgreementAmendmentHealthContract: the health is one small document that names nobody and nothing.
func TestAgreementAmendmentHealthContract(t *testing.T) {
	o := made(t)
	text, err := json.Marshal(asked(t, o, true))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"ok":true,"contractVersion":"trade-agreement-amendments-v0.1-2026-06","contractStatus":"pass",` +
		`"store":{"exists":true,"readable":true,"proved":true,"findings":false}}`
	if string(text) != want {
		t.Errorf("health %s, want %s", text, want)
	}
	if strings.Contains(string(text), filepath.Dir(o.Path)) {
		t.Error("the path is in it")
	}
}

func TestAStoreThatIsNotThereIsNotWellAndIsNotMade(t *testing.T) {
	o := store.Options{Path: filepath.Join(t.TempDir(), "docket.db")}
	if h := asked(t, o, true); h.OK || h.Store != (health.Store{}) || h.ContractStatus != terms.Pass {
		t.Errorf("%+v", h)
	}
	if _, err := os.Stat(o.Path); !errors.Is(err, os.ErrNotExist) {
		t.Error("asking made a store")
	}
}

func TestWhatIsNoStoreIsNotWell(t *testing.T) {
	o := store.Options{Path: filepath.Join(t.TempDir(), "docket.db")}
	if err := os.WriteFile(o.Path, []byte("something else entirely, and long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if h := asked(t, o, true); h.OK || h.Store != (health.Store{Exists: true}) {
		t.Errorf("%+v", h)
	}
}

func TestAnAnchorThatWasTamperedWithIsAFinding(t *testing.T) {
	o := made(t)
	tampered := 0
	if err := filepath.WalkDir(o.AnchorFolder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) == 0 {
			return err
		}
		tampered++
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(content), "docket", "tekcod")), 0o600)
	}); err != nil || tampered == 0 {
		t.Fatalf("%d anchors tampered with, error %v", tampered, err)
	}
	for _, prove := range []bool{false, true} {
		if h := asked(t, o, prove); h.OK || !h.Store.Findings {
			t.Errorf("prove %t: %+v", prove, h)
		}
	}
}

func TestTheZeroHealthIsNotWell(t *testing.T) {
	var h health.Health
	if h.OK || h.ContractStatus == terms.Pass {
		t.Errorf("%+v", h)
	}
}

func TestAnInterruptedQuestionHasNoAnswer(t *testing.T) {
	o := made(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	at, _ := terms.ParseInstant("2026-07-01T00:00:00Z")
	if h, err := health.Of(ctx, health.Options{Kind: report.Amendments, At: at, Store: o, Prove: true}); err == nil || h.OK {
		t.Errorf("%+v, error %v", h, err)
	}
	if _, err := health.Of(t.Context(), health.Options{At: at, Store: o}); err == nil {
		t.Error("the health of no contract is told")
	}
}

func TestTheHealthOfAnOpenStoreIsThatOfTheSameStoreClosed(t *testing.T) {
	o := made(t)
	at, _ := terms.ParseInstant("2026-07-01T00:00:00Z")
	closed := asked(t, o, false)
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	open, err := health.OfOpen(t.Context(), report.Amendments, at, s)
	if err != nil || open != closed || !open.OK {
		t.Errorf("open %+v, closed %+v, error %v", open, closed, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := health.OfOpen(t.Context(), report.Amendments, at, s); err != nil || after.OK || after.Store.Readable {
		t.Errorf("after it was closed: %+v, error %v", after, err)
	}
	if _, err := health.OfOpen(t.Context(), 0, at, s); err == nil {
		t.Error("the health of no contract is told")
	}
}
