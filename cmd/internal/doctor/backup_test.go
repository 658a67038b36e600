package doctor_test

import (
	"docket/cmd/internal/doctor"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheAgeOfTheLastBackupIsThatOfWhatChangedLast(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	folder := t.TempDir()
	made := func(name string, age time.Duration) string {
		path := filepath.Join(folder, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chtimes(path, now, now.Add(-age)))
		return path
	}
	made("fresh/old", 90*time.Hour)
	made("fresh/new", 47*time.Hour)
	made("stale/one.db", 49*time.Hour)
	made("stale/one.db-shm", time.Hour) // somebody has verified it
	must(t, os.Mkdir(filepath.Join(folder, "empty"), 0o700))
	for path, due := range map[string][2]string{
		"":                                      {doctor.StateNote, "name no backups"},
		filepath.Join(folder, "fresh"):          {doctor.StateOK, "was made at 2026-11-21T13:00:00Z"},
		filepath.Join(folder, "stale"):          {doctor.StateWrong, "was made at 2026-11-21T11:00:00Z, longer ago"},
		made("stamp", time.Hour):                {doctor.StateOK, "was made at 2026-11-23T11:00:00Z"},
		filepath.Join(folder, "empty"):          {doctor.StateWrong, "no backup is at"},
		filepath.Join(folder, "none"):           {doctor.StateWrong, "no backup is at"},
		filepath.Join(folder, "stamp", "below"): {doctor.StateWrong, "cannot be looked at"},
	} {
		found := doctor.OfBackups(path, 48*time.Hour, now)
		if found.State != due[0] || !strings.Contains(found.Found, due[1]) || found.State != doctor.StateOK && found.Advice == "" {
			t.Errorf("%q: %+v", path, found)
		}
	}
}
