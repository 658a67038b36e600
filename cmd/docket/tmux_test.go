package main_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/store/agent/agenttest"
)

// A terminal is a tmux server with one window in which the program runs.
type terminal struct {
	t      *testing.T
	socket string
	ctx    context.Context
}

// program is docket, built once for all tests.
func program(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// built builds docket once, for all tests; TestMain takes it away.
var built = sync.OnceValues(func() (path string, err error) {
	if err := os.Mkdir(builtFolder(), 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(builtFolder(), "docket")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// builtFolder is of this process alone, so that what is in it was built by it.
func builtFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("docket-built-%d", os.Getpid()))
}

// openTerminal starts the command line in a window of that size. The window stays when the command has ended.
func openTerminal(t *testing.T, width, height int, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed; this test drives the console in it")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	term := &terminal{t: t, socket: filepath.Join(t.TempDir(), "tmux"), ctx: ctx}
	t.Cleanup(func() {
		exec.Command("tmux", "-S", term.socket, "kill-server").Run()
		cancel()
	})
	home := t.TempDir()
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"env", "-u", "NO_COLOR", "TERM=screen-256color", "HOME="+home, "XDG_DATA_HOME="+home+"/data", "XDG_CONFIG_HOME="+home+"/config",
		"XDG_STATE_HOME="+home+"/state", "sh", "-c", command+`; echo "exit status $?"; cat`)
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// screen is what the window shows. Looking takes a moment, so that tests that wait for a screen leave the processor to the program.
func (term *terminal) screen() string {
	<-time.After(20 * time.Millisecond)
	return term.tmux("capture-pane", "-p")
}

// waitFor looks at the screen until it shows all the texts.
func (term *terminal) waitFor(texts ...string) string {
	term.t.Helper()
	screen := ""
	for term.ctx.Err() == nil {
		screen = term.screen()
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(screen, text)
		}
		if !missing {
			return screen
		}
	}
	term.t.Fatalf("%q did not come; the screen shows\n%s", texts, screen)
	return ""
}

// press types keys by their tmux names.
func (term *terminal) press(keys ...string) { term.tmux(append([]string{"send-keys"}, keys...)...) }

// waitQuiet looks at the screen until it has not changed for as long as that.
func (term *terminal) waitQuiet(long time.Duration) {
	screen, since := term.screen(), time.Now()
	for time.Since(since) < long && term.ctx.Err() == nil {
		if now := term.screen(); now != screen {
			screen, since = now, time.Now()
		}
	}
}

// readReview pages through the last page until all of it has been on the screen.
func (term *terminal) readReview() {
	term.waitQuiet(time.Second)
	for strings.Contains(term.screen(), "not shown yet") && term.ctx.Err() == nil {
		before := term.screen()
		term.press("NPage")
		for term.screen() == before && term.ctx.Err() == nil {
		}
		term.waitQuiet(100 * time.Millisecond) // a page that is replaced at once does not count
	}
}

// record types the word key by key, once the page has been read and left alone long enough to take it.
func (term *terminal) record() {
	term.readReview()
	for typed := 1; typed <= len("record"); typed++ {
		term.press("record"[typed-1 : typed])
		term.waitFor("record it: " + "record"[:typed])
	}
	term.press("Enter")
}

func TestTheDemoIsWorkedFromQueueToReceipt(t *testing.T) {
	t.Parallel()
	term := openTerminal(t, 80, 24, program(t)+" demo")
	term.waitFor("Appeals", "Amendments", "sample docket", "rev-demo")
	term.press("/")
	term.press("-l", "case-004122")
	term.waitFor("1 of ")
	term.press("Enter")
	term.press("Enter")
	term.waitFor("case-004122", "PASS", "No blockers.")
	term.press("d")
	term.waitFor("Which outcome?")
	term.press("Space")
	term.press("Enter")
	term.waitFor("Which reasons")
	term.press("Enter")
	term.waitFor("Does anything else block it?")
	term.press("Enter")
	term.waitFor("Your reasons")
	term.press("-l", "because")
	term.press("Enter")
	term.waitFor("A note for yourself")
	term.press("Enter")
	term.waitFor("Type record to record it")
	term.record()
	term.waitFor("✓ recorded case-004122", "open cases in the list", "on disk and in the log")
	term.press("z")
	term.waitFor("leaf hash", "tree size")
	term.press("Escape")
	term.waitFor("1 decided")
	term.press("r")
	term.waitFor("1 record in the log")
	term.press("q")
	term.waitFor("exit status 0")
}

func TestTheLastPageIsReadToItsEndInASmallWindowBeforeItTakesTheWord(t *testing.T) {
	t.Parallel()
	term := openTerminal(t, 48, 14, program(t)+" demo")
	term.waitFor("case-0")
	term.press("/")
	term.press("-l", "case-004122")
	term.waitFor("1 of ")
	term.press("Enter")
	term.press("Enter")
	term.waitFor("case-004122", "PASS")
	term.press("d")
	term.waitFor("[1 outcome]")
	term.press("Space")
	term.press("Enter")
	term.waitFor("[2 factors]")
	term.press("Enter")
	term.waitFor("[3 blockers]")
	term.press("Enter")
	term.waitFor("[4 statement]")
	term.press("-l", "because")
	term.press("Enter")
	term.waitFor("[5 note]")
	term.press("Enter")
	term.waitFor("Type record to record it: ▏", "not shown yet (PgDn)")
	term.waitQuiet(time.Second)
	term.press("-l", "rec")
	term.press("-l", "ord")
	term.press("Enter")
	term.waitFor("✗", "not shown yet (PgDn)", "Type record to record it: ▏")
	term.tmux("resize-window", "-x", "18", "-y", "6")
	term.waitFor("docket needs a")
	term.press("-l", "rec")
	term.press("-l", "ord")
	term.press("Enter")
	term.tmux("resize-window", "-x", "48", "-y", "14")
	term.waitFor("not shown yet (PgDn)", "Type record to record it: ▏")
	term.readReview()
	term.press("-l", "record")
	term.waitFor("came in one piece; type it letter by letter")
	term.press("-l", "reco")
	term.waitFor("record it: reco▏")
	term.press("-l", "rd")
	term.waitFor("record it: record▏")
	term.press("Enter")
	term.waitFor("✓ recorded case-004122")
	term.press("q")
	term.waitFor("exit status 0")
}

func TestAnAgentThatHangsIsLeftByControlC(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	packets, err := filepath.Abs(filepath.Join("..", "..", "testdata", "packets"))
	if err != nil {
		t.Fatal(err)
	}
	keys, fingerprint := agenttest.Keys(t)
	hangs, _ := agenttest.NeverSigns(t, keys)
	socket := agenttest.Serve(t, hangs)
	command := fmt.Sprintf("export SSH_AUTH_SOCK=%[4]s; %[1]s identity init --id rev-0417 --role neutral_reviewer --agent %[5]s >%[2]s/log && "+
		"%[1]s seal %[3]s/appeals.json | %[1]s --db %[2]s/docket.db import - 2>>%[2]s/log && %[1]s --db %[2]s/docket.db; echo left; %[1]s --db %[2]s/docket.db records",
		docket, folder, packets, socket, fingerprint)
	term := openTerminal(t, 80, 40, command)
	term.waitFor("case-2026-00117")
	term.press("/")
	term.press("-l", "case-2026-00117")
	term.waitFor("1 of ")
	term.press("Enter")
	term.press("Enter")
	term.waitFor("PASS")
	term.press("d")
	term.waitFor("[1 outcome]")
	term.press("Space")
	for _, step := range []string{"[1 outcome]", "[2 factors]", "[3 blockers]", "[4 statement]", "[5 note]"} {
		term.waitFor(step)
		if step == "[4 statement]" {
			term.press("-l", "because")
		}
		term.press("Enter")
	}
	term.waitFor("[6 review]")
	term.record()
	term.waitFor("recording …", "^C cancel")
	term.press("C-c")
	term.waitFor("The decision on case-2026-00117 revision 1 is not recorded.", "left", "exit status 0")
}

func TestTheReviewerIsRefusedTheirOwnDecision(t *testing.T) {
	t.Parallel()
	term := openTerminal(t, 120, 40, program(t)+" demo")
	term.waitFor("Appeals", "case-004174")
	term.press("/")
	term.press("-l", "case-004174")
	term.waitFor("1 of ")
	term.press("Enter")
	term.press("Enter")
	term.waitFor("case-004174", "PASS")
	term.press("d")
	term.waitFor("you took the decision that is challenged here")
	term.press("q")
	term.waitFor("exit status 0")
}

func TestWithoutAnIdentityTheConsoleOnlyReads(t *testing.T) {
	t.Parallel()
	docket := program(t)
	packets, err := filepath.Abs(filepath.Join("..", "..", "testdata", "packets"))
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "docket.db")
	command := fmt.Sprintf("%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - && %[1]s --db %[3]s", docket, packets, db)
	term := openTerminal(t, 80, 24, command)
	term.waitFor("case-2026-00117")
	term.press("Enter")
	term.waitFor("PASS")
	term.press("d")
	term.waitFor("not yours to decide: no reviewer is set up")
	term.press("q")
	term.waitFor("exit status 0")
	if info, err := os.Stat(db); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the store's file: %v, %v", info, err)
	}
}

func TestTheConsoleStartsAsItsConfigFileSays(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	log := filepath.Join(folder, "debug.log")
	config := "docket = \"amendments\"\ntheme = \"colour-blind\"\n[filters]\nblocked = \"gate:blocked\"\n"
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	term := openTerminal(t, 80, 24, fmt.Sprintf(`mkdir -p "$XDG_CONFIG_HOME/docket" && cp %s/config.toml "$XDG_CONFIG_HOME/docket" && %s demo --debug %s`,
		folder, docket, log))
	term.waitFor("▐Amendments", "sample docket")
	term.press("f")
	term.waitFor("Saved filters", "gate:blocked")
	term.press("Enter")
	term.waitFor("gate:blocked", "▐1 blocked ")
	term.press("T")
	term.waitFor("❯ colour-blind ")
	term.press("Escape")
	term.waitFor("BLOCKERS")
	term.press("/", "C-u")
	term.press("-l", "CANARY")
	term.waitFor("CANARY")
	term.press("Tab", "C-u", "Escape")
	term.waitFor("↵ open  / filter")
	term.press("q")
	term.waitFor("exit status 0")
	written, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(written), "kind=tea.KeyMsg") || strings.Contains(string(written), "CANARY") {
		t.Errorf("%v: %s", err, written)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the debug log: %v, %v", info, err)
	}
}
