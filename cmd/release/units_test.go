//go:build linux

package release

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

var units = []string{"docket.service", "docket-backup.service", "docket-backup.timer"}

// installed copies the units into a folder, with a program that is there in the place of /usr/bin/docket.
func installed(t *testing.T) (paths []string) {
	t.Helper()
	programtest.Needs(t, "systemd-analyze")
	program, err := os.Executable()
	must(t, err)
	folder := t.TempDir()
	for _, unit := range units {
		text := read(t, unit)
		if strings.HasSuffix(unit, ".service") {
			text = replaced(t, text, "/usr/bin/docket", program)
		}
		write(t, filepath.Join(folder, unit), text)
		paths = append(paths, filepath.Join(folder, unit))
	}
	return paths
}

func TestSystemdFindsNothingWrongWithTheUnits(t *testing.T) {
	t.Parallel()
	paths := installed(t)
	if out, err := exec.Command("systemd-analyze", append([]string{"verify", "--man=no"}, paths...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	write(t, paths[0], replaced(t, read(t, paths[0]), "ProtectSystem=strict", "ProtectSistem=strict"))
	if out, _ := exec.Command("systemd-analyze", "verify", "--man=no", paths[0]).CombinedOutput(); !strings.Contains(string(out), "ProtectSistem") {
		t.Errorf("a word that systemd does not know is not found: %s", out)
	}
}

// The exposure is systemd's own figure, from 0 to 10: a service without any option has 9.6.
func TestTheUnitsLeaveTheServiceLittle(t *testing.T) {
	t.Parallel()
	paths := installed(t)
	security := func(path, most string) error {
		return exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold="+most, path).Run()
	}
	for unit, most := range map[string]string{paths[0]: "5", paths[1]: "5"} { // in tenths
		if err := security(unit, most); err != nil {
			t.Errorf("%s is exposed more than %s: %v", unit, most, err)
		}
	}
	write(t, paths[0], replaced(t, read(t, paths[0]), "ProtectSystem=strict\n", "", "CapabilityBoundingSet=\n", ""))
	if security(paths[0], "5") == nil {
		t.Error("a unit without two of its options is found as good")
	}
}

// permitted returns the system calls that the filters of a unit let through.
func permitted(t *testing.T, unit string) (calls map[string]bool) {
	t.Helper()
	calls = map[string]bool{}
	var add func(group string, allowed bool)
	add = func(group string, allowed bool) {
		out, err := exec.Command("systemd-analyze", "syscall-filter", group).Output()
		if err != nil {
			t.Fatalf("%s: %v", group, err)
		}
		for _, line := range strings.Split(string(out), "\n") {
			name := strings.TrimSpace(line)
			switch {
			case !strings.HasPrefix(line, " ") || strings.HasPrefix(name, "#") || name == "":
			case strings.HasPrefix(name, "@"):
				add(name, allowed)
			default:
				calls[name] = allowed
			}
		}
	}
	filters := regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(read(t, unit), -1)
	if len(filters) < 2 {
		t.Fatalf("%s has %d filters", unit, len(filters))
	}
	add("@default", true)
	for _, filter := range filters {
		for _, group := range strings.Fields(filter[2]) {
			add(group, filter[1] == "")
		}
	}
	return calls
}

// called returns the names of the system calls in what strace wrote.
func called(t *testing.T, trace string) (names []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`(?m)^\d+ +(\w+)\(`).FindAllStringSubmatch(read(t, trace), -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	if len(names) < 20 {
		t.Fatalf("the trace has %d calls", len(names))
	}
	return names
}

// systemd itself cannot run here: what strace sees of the service and of a backup is held to the units instead.
func TestTheServiceAsksTheSystemForNothingThatItsUnitsForbid(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "strace", "systemd-analyze")
	m, token := stocked(t)
	traced := func(name string) []string {
		return []string{"strace", "-f", "-qq", "-o", m.At(name)}
	}
	service, socket := serving(m, traced("serve.trace")...)
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	for _, path := range []string{"/healthz", "/readyz", "/api/trade/queue", "/checkpoint"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://docket"+path, nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := client.Do(request)
		must(t, err)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, answer.Status)
		}
		_ = answer.Body.Close()
	}
	if err := service.stopTraced(t, m.At("serve.trace")); err != nil {
		t.Errorf("%v\n%s", err, service.log.String())
	}
	backups := m.At("backups")
	must(t, os.Mkdir(backups, 0o700))
	m.Done("strace", append(traced("backup.trace")[1:], "docket", "backup", "--keep", "1", backups)...)
	for unit, trace := range map[string]string{"docket.service": "serve.trace", "docket-backup.service": "backup.trace"} {
		allowed := permitted(t, unit)
		for _, name := range called(t, m.At(trace)) {
			if name == "fchown" && os.Geteuid() == 0 {
				continue // SQLite gives the files that root makes to the owner of the store, and calls it for nobody else
			}
			if !allowed[name] {
				t.Errorf("%s forbids %s", unit, name)
			}
		}
	}
	if allowed := permitted(t, "docket.service"); allowed["mount"] || allowed["ptrace"] || allowed["setuid"] || !allowed["fsync"] {
		t.Error("the filter is not read as systemd reads it")
	}
}

func TestTheUnitsCallTheProgramAsItIsCalled(t *testing.T) {
	t.Parallel()
	m := programtest.EmptySite(t)
	for _, unit := range []string{"docket.service", "docket-backup.service"} {
		match := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/docket (\w+) (.*)$`).FindStringSubmatch(read(t, unit))
		if match == nil {
			t.Fatalf("%s starts something else", unit)
		}
		help := m.Done("docket", "help", match[1]).Stdout
		for _, word := range strings.Fields(match[2]) {
			if strings.HasPrefix(word, "--") && !strings.Contains(help, word+" ") {
				t.Errorf("%s: `docket %s` has no %s", unit, match[1], word)
			}
		}
	}
}

func TestEveryFileOfTheReleaseIsPacked(t *testing.T) {
	t.Parallel()
	packed := read(t, filepath.Join("..", "..", ".ci", "nfpm", "nfpm.yaml"))
	entries, err := os.ReadDir(".")
	must(t, err)
	archive := regexp.MustCompile(`cp cmd/release/\{(.*)\} `).FindStringSubmatch(read(t, filepath.Join("..", "..", ".ci", "release")))
	if archive == nil {
		t.Fatal("the archives have no folder for them")
	}
	count := 0
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, ".go") {
			continue
		}
		count++
		if !strings.Contains(packed, "src: cmd/release/"+name+", dst: /") {
			t.Errorf("%s is in no package", name)
		}
		if !slices.ContainsFunc(strings.Split(archive[1], ","), func(pattern string) bool {
			matched, err := filepath.Match(pattern, name)
			return err == nil && matched
		}) {
			t.Errorf("%s is in no archive", name)
		}
	}
	if count < 8 {
		t.Errorf("only %d files", count)
	}
}

// The accounts and folders that the units name are those that systemd makes.
func TestTheAccountAndTheFoldersOfTheUnitsAreMade(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "systemd-sysusers", "systemd-tmpfiles")
	root := t.TempDir()
	for _, folder := range []string{"etc", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d", "var"} {
		must(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	write(t, filepath.Join(root, "usr/lib/sysusers.d/docket.conf"), read(t, "docket.sysusers"))
	write(t, filepath.Join(root, "usr/lib/tmpfiles.d/docket.conf"), read(t, "docket.tmpfiles"))
	if out, err := exec.Command("systemd-sysusers", "--root="+root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if accounts := read(t, filepath.Join(root, "etc/passwd")); !regexp.MustCompile(`(?m)^docket:x:\d+:\d+:docket service:/var/lib/docket:/usr/sbin/nologin$`).MatchString(accounts) {
		t.Errorf("%s", accounts)
	}
	if os.Geteuid() == 0 {
		if out, err := exec.Command("systemd-tmpfiles", "--root="+root, "--create", "docket.conf").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, folder := range []string{"var/lib/docket", "var/backups/docket"} {
			if info, err := os.Stat(filepath.Join(root, folder)); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%s: %v, %v", folder, info, err)
			}
		}
	}
	for _, unit := range units[:2] {
		if text := read(t, unit); !strings.Contains(text, "\nUser=docket\n") || !strings.Contains(text, "\nStateDirectory=docket\n") {
			t.Errorf("%s is of another account", unit)
		}
	}
}
