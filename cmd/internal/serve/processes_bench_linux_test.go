package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// askers is how many clients ask at once, for any number of processes.
const askers = 16

// oneProcessor is the configuration of the processes, in which no rate bounds what one token asks for.
const oneProcessor = `log_level = "error"
[limits]
token_rate = 1000000
`

// BenchmarkProcesses measures pages of a queue, and packets that are evaluated, by one process of the built program and by two, over one server of
// PostgreSQL. Each process uses one processor at a time, so that a second one can add to it on a machine of two, which the server and the clients
// use, too: the processor time of a request, of the processes ("cpu-ms"), of the clients and of the server, says what bounds the ratio. Both numbers are measured in turn, so that what else the machine does falls on both.
func BenchmarkProcesses(b *testing.B) {
	w := newDatabaseStore(b, postgrestest.New(b))
	s := newHarness(b, w)
	for i := range 20 {
		s.Bring(b, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-%04d", i), 1))
	}
	const token = "docket_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	err := w.store.AddToken(b.Context(), store.Token{ID: "bench", Digest: serve.TokenDigest(token), Principal: Reviewer.ID, Role: Reviewer.Role, Owners: Reviewer.Owners,
		Expires: terms.InstantOf(time.Now().Add(time.Hour))})
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(b.TempDir(), "docket")
	build := exec.Command("go", "build", "-o", program, "docket/cmd/docket")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	processes := []*exec.Cmd{nil, nil}
	addresses := []string{"", ""}
	for i := range processes {
		processes[i], addresses[i] = startProcess(b, w, program)
	}
	questions := oracle(b)
	transport := &http.Transport{MaxIdleConnsPerHost: askers, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	for _, of := range []struct {
		what string
		ask  func(address string, i int) error
	}{
		{"a page of 20", func(address string, _ int) error {
			return exchangeOver(client, http.MethodGet, address+api.QueuePath, token, nil, http.StatusOK)
		}},
		{"evaluate", func(address string, i int) error {
			text := questions[i%len(questions)].text
			return exchangeOver(client, http.MethodPost, address+evaluatePath(b, text), token, text, http.StatusOK)
		}},
	} {
		b.Run(of.what, func(b *testing.B) {
			const requests = 1000 // in a turn
			taken, spent := make([]time.Duration, len(addresses)), make([]time.Duration, len(addresses))
			var asking, server time.Duration
			wave := func(count int) {
				own, theirs, served := verifytest.ProcessorTime(), w.database.Server.ProcessorTime(b), processorTimeOf(b, processes)
				begin := time.Now()
				if err := askAll(requests, func(i int) error { return of.ask(addresses[i%count], i) }); err != nil {
					b.Fatal(err)
				}
				taken[count-1] += time.Since(begin)
				spent[count-1] += processorTimeOf(b, processes) - served
				asking += verifytest.ProcessorTime() - own
				server += w.database.Server.ProcessorTime(b) - theirs
			}
			turns := 0
			for b.Loop() {
				wave(1)
				wave(2)
				turns++
			}
			one, two := float64(requests*turns)/taken[0].Seconds(), float64(requests*turns)/taken[1].Seconds()
			b.ReportMetric(one, "requests/s-of-one")
			b.ReportMetric(two, "requests/s-of-two")
			b.ReportMetric(two/one, "two/one")
			each := func(all time.Duration, waves int) float64 {
				return float64(all.Microseconds()) / 1000 / float64(requests*turns*waves)
			}
			b.ReportMetric(each(spent[0], 1), "cpu-ms-of-one")
			b.ReportMetric(each(spent[1], 1), "cpu-ms-of-two")
			b.ReportMetric(each(asking, 2), "client-cpu-ms")
			b.ReportMetric(each(server, 2), "server-cpu-ms")
		})
	}
}

// askAll has the clients send so many requests, each its next one when it has its answer.
func askAll(count int, ask func(i int) error) error {
	var next atomic.Int64
	failed := make(chan error, askers)
	var all sync.WaitGroup
	for range askers {
		all.Go(func() {
			for i := int(next.Add(1) - 1); i < count; i = int(next.Add(1) - 1) {
				if err := ask(i); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(failed)
	return <-failed
}

// processorTimeOf is how much the processes took so far.
func processorTimeOf(b *testing.B, processes []*exec.Cmd) (all time.Duration) {
	b.Helper()
	for _, p := range processes {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
		if err != nil {
			b.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), ") ")
		for _, field := range strings.Fields(after)[11:13] { // in the system and outside
			ticks, err := strconv.Atoi(field)
			if err != nil {
				b.Fatal(err)
			}
			all += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return all
}

// startProcess starts the service with the key and an anchor of its own, and ends it with the benchmark.
func startProcess(b *testing.B, w *serviceStore, program string) (command *exec.Cmd, address string) {
	b.Helper()
	folder := b.TempDir()
	err := os.CopyFS(filepath.Join(folder, "docket"), os.DirFS(filepath.Dir(w.path)))
	config := filepath.Join(folder, "service.toml")
	if err == nil {
		err = os.WriteFile(config, []byte(oneProcessor), 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	command = exec.CommandContext(ctx, program, "serve", "--config", config, "--listen", "127.0.0.1:0")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.Env = append(os.Environ(), "GOMAXPROCS=1", "DOCKET_DB="+w.database.DSN(postgrestest.Writer), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_STATE_HOME="+folder,
		"XDG_CONFIG_HOME="+folder)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		stop()
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stop()
		_ = command.Wait() // it was told to end
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatalf("the process does not serve: %v", err)
	}
	return command, strings.TrimSpace(line)
}
