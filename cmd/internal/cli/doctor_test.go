package cli

import (
	"bytes"
	"context"
	"docket/domain/pages"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/doctor"
	"docket/cmd/internal/identity"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/ui"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// healthy is an environment in which nothing is wrong.
func healthy(t *testing.T) *env {
	t.Helper()
	held, err := identity.Ephemeral("rev-0417", terms.NeutralReviewer)
	if err != nil {
		t.Fatal(err)
	}
	at := terms.InstantOf(noon)
	return &env{
		p: &program{System: System{InTerminal: true, OutTerminal: true, Getenv: terminalKind("xterm-256color"),
			TerminalSize: func() (int, int, error) { return 80, 24, nil }}},
		health: store.Health{Path: "/home/rev/docket.db", Exists: true, FileMode: 0o600, FolderMode: 0o700,
			Volume: store.Volume{Known: true, Name: "ext4", Free: 1 << 40}, FolderWritable: true, LogSize: 3,
			KeyFile: "/home/rev/docket-00.key", KeyMode: 0o600, Anchor: "/home/rev/state/checkpoint", AnchorSize: 3, NewestRecord: at, NewestPacket: at, Now: at},
		identity: held,
		covering: covering{named: true, seen: true, coverage: verify.Coverage{Met: true, Size: 3, At: at}, age: time.Hour},
	}
}

// A complaint is what one change to a healthy environment leads to. All other checks go on saying that nothing is wrong.
type complaint struct {
	name         string
	change       func(*env)
	check, state string
	says         []string // in what was found and the advice
}

func later(d time.Duration) terms.Instant { return terms.InstantOf(noon.Add(d)) }

var complaints = []complaint{
	{"a store that is locked", func(s *env) {
		s.health.OpenError = &store.Problem{Path: s.health.Path, Kind: store.ErrLocked, Advice: "close the other program"}
	}, "store", doctor.StateWrong, []string{"/home/rev/docket.db", "locked by another process", "close the other program"}},
	{"a store that cannot be read for another reason", func(s *env) { s.health.OpenError = errors.New("odd") },
		"store", doctor.StateWrong, []string{"odd", "restore a backup"}},
	{"a forged store", func(s *env) {
		s.health.Findings = []verify.Finding{verify.SchemaAltered.OfLog("a trigger is gone")}
	}, "log", doctor.StateWrong, []string{"(a trigger is gone)", "restore a backup that verifies."}},
	{"a store that others can read", func(s *env) { s.health.FileMode = 0o640 }, "permissions", doctor.StateWrong, []string{"chmod 600", "/home/rev/docket.db"}},
	{"a folder that others can write", func(s *env) { s.health.FolderMode = 0o775 }, "permissions", doctor.StateWrong, []string{"chmod go-w", "replace the store"}},
	{"a network file system", func(s *env) {
		s.health.Volume = store.Volume{Known: true, Name: "nfs", Network: true, Free: 1 << 40}
	},
		"disk", doctor.StateWrong, []string{"network", "nfs", "--db"}},
	{"a medium that can only be read", func(s *env) { s.health.Volume.ReadOnly, s.health.FolderWritable = true, false },
		"disk", doctor.StateWrong, []string{"only be read", "copy it"}},
	{"a folder that can only be read", func(s *env) { s.health.FolderWritable = false }, "disk", doctor.StateWrong, []string{"cannot be written", "make the folder writable"}},
	{"a disk that is nearly full", func(s *env) { s.health.Volume.Free = 5 << 20 }, "disk", doctor.StateWrong, []string{"5 MiB", "free some space"}},
	{"a checkpoint that cannot be read", func(s *env) { s.health.AnchorError = fs.ErrPermission }, "anchor", doctor.StateWrong, []string{"permission", "/home/rev/state/checkpoint"}},
	{"no usable checkpoint", func(s *env) { s.health.AnchorSize = -1 }, "anchor", doctor.StateWrong, []string{"no usable checkpoint", "docket accept anchor", "/home/rev/state/checkpoint"}},
	{"a log's key that others can read", func(s *env) { s.health.KeyMode = 0o640 }, "permissions", doctor.StateWrong, []string{"private key of the log", "chmod 600", "/home/rev/docket-00.key"}},
	{"a log's key that others can write", func(s *env) { s.health.KeyMode = 0o602 }, "permissions", doctor.StateWrong, []string{"chmod 600"}},
	{"a log without its key file", func(s *env) {
		s.health.KeyMode, s.health.KeyError = 0, &store.Problem{Path: s.health.Path, Kind: store.ErrNoKey, Advice: "put /home/rev/docket-00.key back"}
	}, "store", doctor.StateWrong, []string{"the key of the log cannot be used", "put /home/rev/docket-00.key back"}},
	{"records that wait for a service", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Waiting: 2, Accepted: 1}
	}, "service", doctor.StateNote, []string{"docket/service/00 has 1 of the records; 2 wait", "docket push"}},
	{"a record that a service turned away", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Accepted: 1, Rejected: 1}
	}, "service", doctor.StateNote, []string{"1 record rejected", "is:rejected"}},
	{"a record that has to be handed in", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Waiting: 2, By: later(time.Hour)}
	}, "service", doctor.StateNote, []string{"hand in by 2026-03-02 13:00Z", "docket push"}},
	{"a record that is too late", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Waiting: 2, By: later(-time.Hour)}
	}, "service", doctor.StateWrong, []string{"too late to hand in since 2026-03-02 11:00Z", "docket push"}},
	{"records that a revoked key signed", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Waiting: 1, Revoked: 2}
	}, "service", doctor.StateNote, []string{"2 records that a revoked key signed", "docket push", "is:rejected"}},
	{"a key that the service does not know", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Waiting: 1, Pulled: later(-time.Hour)}
		s.health.Registered = []string{"SHA256:another"}
	}, "service", doctor.StateWrong, []string{"your key is not registered there", "docket serve key add", "docket pull", "docket push"}},
	{"a service that has everything", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Accepted: 3}
	}, "service", doctor.StateOK, []string{"all records are handed in"}},
	{"a key that the service registered", func(s *env) {
		s.health.HandIns = records.HandInTally{Service: "docket/service/00", Accepted: 3, Pulled: later(-time.Hour)}
		s.health.Registered = []string{s.identity.Reviewer().KeyFingerprint}
	}, "service", doctor.StateOK, []string{"all records are handed in"}},
	{"a clock before the newest record", func(s *env) { s.health.NewestRecord = later(time.Hour) },
		"clock", doctor.StateWrong, []string{"2026-03-02T12:00:00Z", "2026-03-02T13:00:00Z", "set the clock"}},
	{"a clock before the newest record that a person accepted", func(s *env) {
		s.health.NewestRecord, s.health.ClockAccepted = later(time.Hour), later(-time.Minute)
	}, "clock", doctor.StateNote, []string{"2026-03-02T13:00:00Z", "accepted at 2026-03-02T11:59:00Z"}},
	{"a clock before one that a person accepted", func(s *env) {
		s.health.NewestRecord, s.health.ClockAccepted = later(time.Hour), later(10*time.Minute)
	}, "clock", doctor.StateWrong, []string{"set the clock", "docket accept clock"}},
	{"no witness policy", func(s *env) { s.covering = covering{} }, "witnesses", doctor.StateNote, []string{"no witness policy is set"}},
	{"a witness policy that cannot be read", func(s *env) { s.covering.fault = errors.New("line 3 of the witness policy: x") },
		"witnesses", doctor.StateWrong, []string{"line 3", "nothing is submitted"}},
	{"a witness policy that is not met", func(s *env) { s.covering.coverage = verify.Coverage{Uncovered: 3} },
		"witnesses", doctor.StateWrong, []string{"no checkpoint of the log has the quorum", "docket witness submit"}},
	{"a quorum that cosigned long ago", func(s *env) { s.covering.coverage.At = later(-61 * time.Minute) },
		"witnesses", doctor.StateWrong, []string{"cosigned the whole log of 3 entries", "more than 1h ago", "docket witness submit"}},
	{"entries that no witness saw", func(s *env) {
		s.covering.coverage = verify.Coverage{Met: true, Size: 2, At: later(0), Uncovered: 1}
	},
		"witnesses", doctor.StateNote, []string{"cosigned 2 entries", "1 newer entry is not covered yet"}},
	{"a clock before the newest packet", func(s *env) { s.health.NewestPacket = later(time.Hour) }, "clock", doctor.StateWrong, []string{"set the clock"}},
	{"a clock that is a little slow", func(s *env) { s.health.NewestRecord = later(30 * time.Second) }, "clock", doctor.StateOK, nil},
	{"a key that does not sign", func(s *env) { s.unsigned = errors.New("ssh-agent did not answer; unlock it") },
		"identity", doctor.StateWrong, []string{"unlock it", "nothing can be recorded until the key signs"}},
	{"no identity", func(s *env) { s.identity, s.keyError = identity.Identity{}, identity.ErrNone },
		"identity", doctor.StateNote, []string{"only reads", "docket identity init"}},
	{"a key that cannot be used", func(s *env) { s.identity, s.keyError = identity.Identity{}, errors.New("run `chmod 600` on it") },
		"identity", doctor.StateWrong, []string{"chmod 600", "nothing can be recorded"}},
	{"no terminal", func(s *env) { s.p.OutTerminal = false }, "terminal", doctor.StateNote, []string{"the console needs one"}},
	{"a terminal that cannot move its cursor", func(s *env) { s.p.Getenv = terminalKind("dumb") },
		"terminal", doctor.StateNote, []string{"can only print", "line by line", "docket --plain"}},
	{"a terminal without a kind", func(s *env) { s.p.Getenv = func(string) string { return "" } },
		"terminal", doctor.StateWrong, []string{"TERM", "xterm-256color", "docket --plain"}},
	{"a terminal that is too narrow", func(s *env) { s.p.TerminalSize = func() (int, int, error) { return 19, 24, nil } },
		"terminal", doctor.StateWrong, []string{"19 columns", "at least 20 columns wide and 8 rows high"}},
	{"a terminal that is too low", func(s *env) { s.p.TerminalSize = func() (int, int, error) { return 80, 7, nil } },
		"terminal", doctor.StateWrong, []string{"7 rows", "8 rows high"}},
	{"a terminal that does not say its size", func(s *env) { s.p.TerminalSize = func() (int, int, error) { return 0, 0, errors.New("none") } },
		"terminal", doctor.StateNote, []string{"size"}},
}

func TestAcceptingTheClockIsAdvisedOnlyWhereNothingIsRecordedWithoutIt(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*env)
		advised bool
	}{
		"a record within the leeway":        {func(s *env) { s.health.NewestRecord = later(records.OrderLeeway) }, false},
		"a record beyond the leeway":        {func(s *env) { s.health.NewestRecord = later(records.OrderLeeway + time.Second) }, true},
		"a packet, which nothing waits for": {func(s *env) { s.health.NewestPacket = later(time.Hour) }, false},
		"a packet, and no record": {func(s *env) {
			s.health.NewestRecord, s.health.NewestPacket = terms.Instant{}, later(time.Hour)
		}, false},
	} {
		s := healthy(t)
		c.change(s)
		found := doctor.Clock(&s.health)
		if found.State != doctor.StateWrong || strings.Contains(found.Advice, "docket accept clock") != c.advised {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestNothingIsWrongWithAHealthyPatient(t *testing.T) {
	for _, check := range checks {
		if check.name == "backups" {
			if found := check.look(healthy(t)); found != (result{}) {
				t.Errorf("backups that no setting names: %+v", found)
			}
			continue
		}
		if found := check.look(healthy(t)); found.State != doctor.StateOK || found.Found == "" || found.Advice != "" {
			t.Errorf("%s: %+v", check.name, found)
		}
	}
}

func TestEachComplaintIsFoundByItsCheckAndComesWithACure(t *testing.T) {
	for _, c := range complaints {
		t.Run(c.name, func(t *testing.T) {
			s := healthy(t)
			c.change(s)
			seen := false
			for _, check := range checks {
				found := check.look(s)
				if check.name != c.check {
					if found.State == doctor.StateWrong {
						t.Errorf("%s complains too: %+v", check.name, found)
					}
					continue
				}
				seen = true
				if found.State != c.state || c.state == doctor.StateWrong && found.Advice == "" {
					t.Errorf("%+v", found)
				}
				for _, text := range c.says {
					if !strings.Contains(found.Found+" → "+found.Advice, text) {
						t.Errorf("%q is not said: %+v", text, found)
					}
				}
			}
			if !seen {
				t.Errorf("there is no check %q", c.check)
			}
		})
	}
}

// examined runs `docket doctor --json` on a machine of its own, at a time, and returns the results by check.
func examined(t *testing.T, now time.Time, db string) (map[string]result, Status) {
	t.Helper()
	var out bytes.Buffer
	status := Main([]string{"--db", db, "doctor", "--json"}, systemAt(now, &out))
	results := map[string]result{}
	for line := range strings.Lines(out.String()) {
		var s result
		if err := json.Unmarshal([]byte(line), &s); err != nil || s.Check == "" || stateMarks[s.State] == pages.None {
			t.Fatalf("%q: %v", line, err)
		}
		results[s.Check] = s
	}
	for _, c := range checks {
		if _, told := results[c.name]; results["store"].State == doctor.StateOK && told == (c.name == "backups") { // a console with no folder of backups has none to look at
			t.Fatalf("%s: told %t: %v", c.name, told, results)
		}
	}
	return results, status
}

func systemAt(now time.Time, out *bytes.Buffer) System {
	return System{In: strings.NewReader(""), Out: out, Err: out, Now: func() time.Time { return now }, Getenv: os.Getenv}
}

func TestAClockThatWentBackIsFoundOnAStore(t *testing.T) {
	home := ownFolders(t)
	packets, db := filepath.Join(home, "packets.jsonl"), filepath.Join(home, "docket.db")
	if missing, status := examined(t, noon, db); status != Done || missing["store"].State != doctor.StateNote || missing["store"].Advice == "" {
		t.Errorf("no store: status %d, %+v", status, missing)
	}
	const packet = `{"table":"trade_appeal_cases","record":{"caseId":"case-good","revision":1,"contractVersion":"x","status":"filed"}}`
	if err := os.WriteFile(packets, []byte(packet), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if status := Main([]string{"--db", db, "import", packets}, systemAt(noon, &out)); status != Done {
		t.Fatal(out.String())
	}
	if now, status := examined(t, noon.Add(time.Hour), db); status != Done || now["clock"].State != doctor.StateOK {
		t.Errorf("status %d, %+v", status, now)
	}
	back, status := examined(t, noon.Add(-time.Hour), db)
	if status != Refused || back["clock"].State != doctor.StateWrong || !strings.Contains(back["clock"].Advice, "set the clock") {
		t.Errorf("status %d, %+v", status, back)
	}
}

// terminalKind is an environment that says nothing but the kind of the terminal.
func terminalKind(kind string) func(string) string {
	return func(name string) string {
		if name == "TERM" {
			return kind
		}
		return ""
	}
}

func TestTheConsoleNamesWhoAcceptedItsLog(t *testing.T) {
	at, _ := terms.ParseInstant("2026-06-15T12:00:00Z")
	stated := []records.LogStatement{{Kind: records.ServiceNamed, By: "rev-1", At: at}, {Kind: records.AnchorAccepted, By: "rev-2", At: at}}
	if withAccepted(stated[:1], nil) != nil {
		t.Error("it names who named a service")
	}
	other := func(context.Context) (ui.Note, bool) { return ui.Note{Text: "other"}, false }
	for _, then := range []func(context.Context) (ui.Note, bool){nil, other} {
		notes := withAccepted(slices.Clone(stated), then)
		if note, more := notes(t.Context()); !more || note.Text != "the log was accepted as it is by rev-2 at 2026-06-15T12:00:00Z" {
			t.Errorf("%q, %v", note.Text, more)
		}
		if note, more := notes(t.Context()); more || (note.Text == "other") != (then != nil) {
			t.Errorf("%q, %v", note.Text, more)
		}
	}
}
