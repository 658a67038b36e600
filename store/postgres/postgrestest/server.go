// Package postgrestest starts PostgreSQL for tests: the server of Debian's package, or another
// installation, on a unix socket in a temporary folder, as an ordinary user. The server and its
// files are removed with the test's process, even if that is killed.
//
// New makes a database for a test on a server that all tests of a binary share. Start starts a
// separate server, which the test may stop and kill.
package postgrestest

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The roles that every server has. Superuser made it; the others may log in, and have no rights
// until a schema grants them some, except that Owner owns each database.
const (
	Superuser = "postgres"
	Owner     = "docket_owner"
	Writer    = "docket_writer"
	Reader    = "docket_reader"
	Auditor   = "docket_auditor"
)

// port is a part of the name of a server's socket only.
const port = 5432

// A Server is a server for tests.
type Server struct {
	Folder string // of its data, its log and its socket

	bin    string
	as     account
	keeper *exec.Cmd
	hold   io.Closer // its end, also with the process, makes the keeper stop and remove the server
	up     bool
}

const keeping = `read -r _; "$0" -D "$1/data" -m immediate -s stop 2>/dev/null; rm -rf "$1"`

// Reason says why no server can be started here, in the words of a skipped test; "" if one can.
func Reason() string {
	_, reason := found()
	return reason
}

// Drills reports whether drills are asked for: tests in which a server is killed, is replaced by
// its replica, or has no room. They take longer than others; .ci/long runs them.
func Drills() bool { return os.Getenv("DOCKET_DRILLS") == "1" }

// Drill skips a drill if none are asked for.
func Drill(t testing.TB) {
	t.Helper()
	if !Drills() {
		t.Skip("a failover drill, which .ci/long runs")
	}
}

// found returns the folder of the newest server's programs, or why there is none.
var found = sync.OnceValues(func() (bin, reason string) {
	list, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well-formed
	slices.SortFunc(list, func(a, b string) int { return version(b) - version(a) })
	if path, err := exec.LookPath("initdb"); err == nil {
		list = append(list, path)
	}
	if len(list) == 0 {
		return "", "PostgreSQL is not installed; on Debian: apt-get install postgresql"
	}
	if reason := noAccount(); reason != "" {
		return "", reason
	}
	return filepath.Dir(list[0]), ""
})

// version returns the version in a path of Debian's form: /usr/lib/postgresql/15/bin/initdb.
func version(path string) int {
	number, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 for another name
	return number
}

// Start starts a server for one test, which is stopped and removed with the test. Settings are
// those of postgresql.conf as name=value. The server runs without fsync unless they say fsync=on: a
// loss of power ends the test, too.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	if reason := Reason(); reason != "" {
		t.Skip(reason)
	}
	s, err := start(settings)
	if err != nil {
		t.Fatal(err)
	}
	s.removeWith(t)
	return s
}

func (s *Server) removeWith(t testing.TB) {
	t.Cleanup(func() {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	})
}

func start(settings []string) (*Server, error) {
	s, err := prepare()
	if err == nil {
		err = errors.Join(s.initialize(settings), s.launch(), s.makeRoles())
	}
	if err != nil && s != nil {
		err = errors.Join(err, s.remove())
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// prepare returns a server with an empty folder, and with its keeper.
func prepare() (s *Server, err error) {
	bin, _ := found()
	s = &Server{bin: bin}
	if s.as, err = accountOf(); err != nil {
		return nil, err
	}
	within := os.TempDir()
	if len(within) > mostTemporary {
		within = "/tmp" // the path of a socket has at most 107 bytes
	}
	if s.Folder, err = os.MkdirTemp(within, "docket-postgres-*"); err != nil {
		return nil, err
	}
	if err = s.as.own(s.Folder); err != nil {
		return s, err
	}
	s.keeper = s.program("sh", "-c", keeping, filepath.Join(bin, "pg_ctl"), s.Folder)
	if s.hold, err = s.keeper.StdinPipe(); err != nil {
		return s, err
	}
	return s, s.keeper.Start()
}

const mostTemporary = 60

// initialize makes a server that trusts every local user, because its folder is closed to others.
func (s *Server) initialize(settings []string) error {
	err := s.run("initdb", "-D", s.Data(), "-U", Superuser, "--auth=trust", "--no-sync",
		"--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions")
	if err != nil {
		return err
	}
	return s.set(slices.Concat([]string{"listen_addresses=", "unix_socket_directories=" + s.Folder,
		fmt.Sprintf("port=%d", port), "fsync=off",
		"max_connections=200", "shared_buffers=16MB", "log_line_prefix=%u@%d "}, settings))
}

// set adds settings to the server's configuration for its next start; a later one counts.
func (s *Server) set(settings []string) error {
	file, err := os.OpenFile(filepath.Join(s.Data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		_, failed := fmt.Fprintf(file, "%s = '%s'\n", name, strings.ReplaceAll(value, "'", "''"))
		err = errors.Join(err, failed)
	}
	return errors.Join(err, file.Close())
}

// Configure changes settings of the running server, and waits until new connections have them. Each
// value is written as the server shows it.
func (s *Server) Configure(t testing.TB, settings ...string) {
	t.Helper()
	if err := errors.Join(s.set(settings), s.control("reload")); err != nil {
		t.Fatal(err)
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		s.Await(t, "SELECT current_setting('"+name+"')", value)
	}
}

// makeRoles makes the roles of the whole server, on which tests make schemas at the same time.
func (s *Server) makeRoles() error {
	var text strings.Builder
	for _, role := range []string{Owner, Writer, Reader, Auditor} {
		fmt.Fprintf(&text, "CREATE ROLE %s LOGIN;", role)
	}
	fmt.Fprintf(&text, "GRANT %s TO %s, %s;", Reader, Writer, Auditor)
	_, err := s.Psql(Superuser, "postgres", text.String())
	return err
}

// Data is the folder of the server's data, which has its configuration.
func (s *Server) Data() string { return filepath.Join(s.Folder, "data") }

// Log returns what the server has written so far.
func (s *Server) Log() string {
	text, err := os.ReadFile(s.log())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (s *Server) log() string { return filepath.Join(s.Folder, "log") }

// launch starts the server, and waits, without a time limit, until it takes connections.
func (s *Server) launch() error {
	if err := s.control("start", "-l", s.log(), "-t", "600"); err != nil {
		return fmt.Errorf("%w\n%s", err, s.Log())
	}
	s.up = true
	return nil
}

// control runs pg_ctl and waits for its end.
func (s *Server) control(args ...string) error {
	return s.run("pg_ctl", append([]string{"-D", s.Data(), "-s", "-w"}, args...)...)
}

// Stop stops the server in order.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.up = false
	if err := s.control("stop", "-m", "fast"); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the server and all its processes at once, as kill -9 does, and removes the files that
// say that it runs: it seems to if the first process of the system does not reap others at once.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.up = false
	pid := s.pid(t)
	killed := append([]int{pid}, childrenOf(pid)...)
	for _, pid := range killed {
		if err := killProcess(pid); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	for slices.ContainsFunc(killed, runs) {
		runtime.Gosched()
	}
	for _, says := range []string{s.pidFile(), filepath.Join(s.Folder, fmt.Sprintf(".s.PGSQL.%d.lock", port))} {
		if err := os.Remove(says); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *Server) pidFile() string { return filepath.Join(s.Data(), "postmaster.pid") }

func (s *Server) pid(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile(s.pidFile())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// childrenOf returns a process's children where the system lists them; elsewhere they end unaided.
func childrenOf(parent int) (list []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
	for _, folder := range folders {
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			if of := status(pid); len(of) > 1 && of[1] == strconv.Itoa(parent) {
				list = append(list, pid)
			}
		}
	}
	return list
}

// ProcessorTime is what the server's processes took so far, including ended ones, where it is told.
func (s *Server) ProcessorTime(t testing.TB) (all time.Duration) {
	t.Helper()
	pid := s.pid(t)
	add := func(of []string, fields ...int) {
		for _, field := range fields {
			if field < len(of) {
				ticks, _ := strconv.Atoi(of[field]) // /proc writes numbers
				all += time.Duration(ticks) * tick
			}
		}
	}
	for _, child := range childrenOf(pid) {
		add(status(child), 11, 12)
	}
	add(status(pid), 11, 12, 13, 14) // with its children that have ended
	return all
}

// tick is the unit in which Linux counts processor time for others.
const tick = 10 * time.Millisecond

// runs reports whether a process is there and has not ended.
func runs(pid int) bool {
	of := status(pid)
	return len(of) > 0 && of[0] != "Z" && of[0] != "X"
}

// status returns the fields of a process in /proc from its state on; nil if there is none.
func status(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.Fields(after)
}

// Launch starts a server again that was stopped or killed, with more settings.
func (s *Server) Launch(t testing.TB, settings ...string) {
	t.Helper()
	if err := errors.Join(s.set(settings), s.launch()); err != nil {
		t.Fatal(err)
	}
}

// Restart starts the server again, from any state.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.up = false
	_ = s.control("stop", "-m", "immediate") // it may have ended by itself
	s.Launch(t)
}

func (s *Server) remove() (err error) {
	s.up = false
	if s.hold != nil {
		err = errors.Join(s.hold.Close(), s.keeper.Wait())
	}
	return errors.Join(err, os.RemoveAll(s.Folder))
}

// DSN returns the URL of a database of the server for a role.
func (s *Server) DSN(role, database string) string {
	return address(role, database, url.Values{"host": {s.Folder}, "port": {strconv.Itoa(port)}})
}

func address(role, database string, where url.Values) string {
	return (&url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: where.Encode()}).String()
}

// Psql runs statements, as a role, in one transaction, and returns their result: a line for each
// row, with | between the columns.
func (s *Server) Psql(role, database, statements string) (string, error) {
	cmd := exec.Command(filepath.Join(s.bin, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
		"-1", "-f", "-", s.DSN(role, database))
	cmd.Env, cmd.Stdin = environment(), strings.NewReader(statements)
	return output(cmd)
}

// program returns the command for one of the server's programs, run as its user.
func (s *Server) program(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = s.Folder, environment(), s.as.attributes()
	return cmd
}

func (s *Server) run(name string, args ...string) error {
	_, err := output(s.program(filepath.Join(s.bin, name), args...))
	return err
}

func output(cmd *exec.Cmd) (string, error) {
	var out, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, complaint.String())
	}
	return out.String(), nil
}

// environment returns the environment of the programs, without variables that name another server.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "PG") || strings.HasPrefix(entry, "LC_")
	})
}

// userOf returns the user of the server for tests that run as root, which PostgreSQL refuses.
func userOf() (*user.User, error) {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return u, nil
		}
	}
	return nil, errors.New("the tests run as root, whom PostgreSQL refuses, and there is no user postgres or nobody")
}

// Demand gives a role a password, which it needs from now on.
func (s *Server) Demand(t testing.TB, role, password string) {
	t.Helper()
	file := filepath.Join(s.Data(), "pg_hba.conf")
	rules, err := os.ReadFile(file)
	if err == nil {
		_, err = s.Psql(Superuser, "postgres", fmt.Sprintf("ALTER ROLE %s PASSWORD '%s'", role, password))
	}
	if err == nil {
		err = os.WriteFile(file, append(fmt.Appendf(nil, "local all %s scram-sha-256\n", role), rules...), 0o600)
	}
	if err == nil {
		err = s.control("reload")
	}
	if err != nil {
		t.Fatal(err)
	}
}
