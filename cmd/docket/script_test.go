package main_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"docket/cmd/internal/programtest"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// TestScripts runs every script under testdata/script, the longest first, so that none is left alone at the end. Each starts in a
// folder of its own with an empty home.
func TestScripts(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "testdata", "script")
	scripts, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s", folder)
	}
	sizes := map[string]int64{}
	for _, script := range scripts {
		info, err := os.Stat(script)
		must(t, err)
		sizes[script] = info.Size()
	}
	slices.SortFunc(scripts, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	packets := programtest.Testdata(t, "packets")
	var pairs sync.Map // servers with their replicas, by the folder of the script
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		Condition: func(name string) (bool, error) {
			switch name {
			case "postgres":
				return postgrestest.Reason() == "", nil
			case "drills":
				return postgrestest.Drills(), nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		// postgres makes an empty database, whose addresses for a login of each role are in variables.
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"postgres": func(ts *testscript.TestScript, _ bool, _ []string) {
			d := postgrestest.New(t)
			for name, role := range map[string]string{"SUPERUSER": postgrestest.Superuser, "WRITER": postgrestest.Writer, "READER": postgrestest.Reader} {
				ts.Setenv(name, d.DSN(role))
			}
		},
			// records sets RECORD0, RECORD1, … to the ids of the records of an export.
			"records": func(ts *testscript.TestScript, _ bool, args []string) {
				count := 0
				for line := range strings.Lines(ts.ReadFile(args[0] + "/entries.csv")) {
					if entry := strings.Split(line, ","); entry[1] == "record" {
						ts.Setenv(fmt.Sprint("RECORD", count), entry[2])
						count++
					}
				}
			},
			// postgres-replica starts a server with a replica: ADMIN and ADMIN_DOCKET name it for the administrator, SERVICE both for the service.
			"postgres-replica": func(ts *testscript.TestScript, _ bool, _ []string) {
				primary := postgrestest.Start(t)
				replica := primary.Replica(t)
				pairs.Store(ts.Getenv("WORK"), [2]*postgrestest.Server{primary, replica})
				ts.Setenv("ADMIN", postgrestest.EitherDSN(postgrestest.Superuser, "postgres", primary, replica))
				ts.Setenv("ADMIN_DOCKET", postgrestest.EitherDSN(postgrestest.Superuser, "docket", primary, replica))
				ts.Setenv("SERVICE", postgrestest.EitherDSN("docket_service", "docket", primary, replica))
			},
			// witness runs a witness that cosigns no log that got shorter, and writes the policy that asks for it to a file.
			"witness": func(ts *testscript.TestScript, _ bool, args []string) {
				witness := verifytest.NewWitness(t, "east.example.org")
				var mutex sync.Mutex
				seen := map[string]string{} // the sizes of the logs that it saw, by origin
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					if err != nil {
						t.Error(err)
					}
					old, checkpoint, _ := bytes.Cut(body, []byte("\n\n"))
					first, _, _ := strings.Cut(string(old), "\n")
					lines := strings.SplitN(string(checkpoint), "\n", 3)
					mutex.Lock()
					defer mutex.Unlock()
					if newest := cmp.Or(seen[lines[0]], "0"); first != "old "+newest {
						w.Header().Set("Content-Type", "text/x.tlog.size")
						w.WriteHeader(http.StatusConflict)
						_, _ = io.WriteString(w, newest+"\n") // likewise
						return
					}
					seen[lines[0]] = lines[1]
					_, _ = w.Write(witness.Line(checkpoint, time.Now())) // the console that asks tells of an answer that it does not get
				}))
				ts.Defer(server.Close)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), fmt.Appendf(nil, "witness east %s %s\nquorum east\n", witness.Key, server.URL), 0o600))
			},
			// fall-behind stops the replica once it has all that its server has, which goes on without it.
			"fall-behind": func(ts *testscript.TestScript, _ bool, _ []string) {
				pair, _ := pairs.Load(ts.Getenv("WORK"))
				servers := pair.([2]*postgrestest.Server)
				servers[1].CatchUp(t, servers[0])
				servers[1].Stop(t)
			},
			// fail-over kills the server, and has the replica that fell behind take writes.
			"fail-over": func(ts *testscript.TestScript, _ bool, _ []string) {
				pair, _ := pairs.Load(ts.Getenv("WORK"))
				servers := pair.([2]*postgrestest.Server)
				servers[0].Kill(t)
				servers[1].Launch(t)
				servers[1].Promote(t)
			},
			// promote stops the server, and has its replica take writes.
			"promote": func(ts *testscript.TestScript, _ bool, _ []string) {
				pair, _ := pairs.Load(ts.Getenv("WORK"))
				servers := pair.([2]*postgrestest.Server)
				servers[0].Stop(t)
				servers[1].Promote(t)
			},
		},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_DATA_HOME", filepath.Join(home, "data"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
			env.Setenv("DOCKET_DB", filepath.Join(env.WorkDir, "docket.db"))
			env.Setenv("PACKETS", packets)
			env.Setenv("README", filepath.Join(filepath.Dir(packets), "..", "README.md"))
			env.Setenv("PROFILES", filepath.Join(filepath.Dir(packets), "profiles"))
			env.Setenv("REPORTS", filepath.Join(filepath.Dir(packets), "reports"))
			return os.MkdirAll(home, 0o700)
		},
	})
}

var must = programtest.Must
