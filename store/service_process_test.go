package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// servicePlaces tell the process of a service where everything is.
type servicePlaces struct{ DSN, KeyFolder, AnchorFolder string }

// A wave is what one service is to take at once: its clients take the records in turn.
type wave struct {
	Clients int
	Records []handedOver
}

// handedOver is a Submission as it is handed over to another process.
type handedOver struct {
	Document, Signature []byte
	Salt                packets.Salt
	Statement           records.Statement
	Token               string
}

// A serviceProcess is a service that runs as a process of its own. It answers each line that it is sent: a wave once it has
// read it, and an empty line with the processor time, in nanoseconds, that it took for the wave.
type serviceProcess struct {
	in  io.Writer
	out *bufio.Reader
}

// startService starts the service, and ends it with the test.
func startService(t testing.TB, places servicePlaces) *serviceProcess {
	t.Helper()
	text := need(json.Marshal(places))(t)
	command := exec.Command(os.Args[0], "-test.run=^TestServicesInProcessesOfTheirOwn$")
	command.Env = append(os.Environ(), pathVariable+"="+string(text))
	command.Stderr = os.Stderr
	in := need(command.StdinPipe())(t)
	out := need(command.StdoutPipe())(t)
	must(t, command.Start())
	p := &serviceProcess{in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, p.out)
		if err := command.Wait(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// load gives the service a wave, and waits until it has read it.
func (p *serviceProcess) load(t testing.TB, w *wave) {
	t.Helper()
	must(t, json.NewEncoder(p.in).Encode(w))
	p.wait(t)
}

// begin has the service take the wave.
func (p *serviceProcess) begin(t testing.TB) {
	t.Helper()
	need(io.WriteString(p.in, "\n"))(t)
}

// wait waits for an answer.
func (p *serviceProcess) wait(t testing.TB) time.Duration {
	t.Helper()
	line, err := p.out.ReadString('\n')
	var took int64
	if err == nil {
		_, err = fmt.Sscan(line, &took)
	}
	if err != nil {
		t.Fatalf("the service answered %q: %v", line, err)
	}
	return time.Duration(took)
}

// Two services with an anchor each take records in turn, and each finds the log to extend what it knew of it.
func TestServicesInProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	if text := os.Getenv(pathVariable); text != "" {
		var places servicePlaces
		must(t, json.Unmarshal([]byte(text), &places))
		serve(t, &places)
		return
	}
	const rounds, each = 3, 4
	database := postgrestest.New(t)
	d, list := serviceProcesses(t, database, 2)
	for round := range rounds {
		waves := make([]wave, len(list))
		for i := range waves {
			waves[i].Clients = 2
			for n := range each {
				id := fmt.Sprintf("case-%d", (round*len(list)+i)*each+n)
				d.take(d.mill.appealCase(passing(id, 1)))
				waves[i].add(d, terms.ID(id))
			}
			list[i].load(t, &waves[i])
		}
		for _, service := range list {
			service.begin(t)
		}
		for _, service := range list {
			service.wait(t)
		}
	}
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), rounds*len(list)*each)
	if report, err := d.store.Verify(t.Context(), verify.Options{}); err != nil || !report.OK() {
		t.Error(report.Findings, err)
	}
}

// serviceProcesses starts so many services on a database, and a store for importing cases to it.
func serviceProcesses(t testing.TB, database *postgrestest.Database, count int) (d *fixture, list []*serviceProcess) {
	t.Helper()
	folder := t.TempDir()
	anchors := func(of string) string { return filepath.Join(folder, "anchors-"+of) }
	db := need(postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute}))(t)
	d = fixtureAt(t, openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, AnchorFolder: anchors("import"),
		Now: func() time.Time { return noon }}))
	d.take(d.mill.appealPolicy(1))
	d.register()
	for n := range count {
		own := anchors(strconv.Itoa(n))
		must(t, os.CopyFS(own, os.DirFS(anchors("import"))))
		list = append(list, startService(t, servicePlaces{DSN: database.DSN(postgrestest.Superuser), KeyFolder: folder, AnchorFolder: own}))
	}
	return d, list
}

// add makes a record on a case that is to be taken.
func (w *wave) add(d *fixture, id terms.ID) Submission {
	d.t.Helper()
	sub := d.judged(id, decision{outcome: terms.UpholdDecision})
	sub.Token = d.grant(d.reviewer)
	w.Records = append(w.Records, handedOver{sub.Record.Document(), sub.Signature, sub.PacketSalt, sub.Statement, sub.Token})
	return sub
}

// serve answers what the process is sent, until nothing more comes.
func serve(t *testing.T, places *servicePlaces) {
	db := need(postgres.New(postgres.Options{DSN: places.DSN, Busy: time.Minute}))(t)
	s := openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: places.KeyFolder, Service: true, AnchorFolder: places.AnchorFolder,
		Now: func() time.Time { return noon }})
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var subs []Submission
	clients := 0
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		began := verifytest.ProcessorTime()
		if len(line) > 1 {
			subs, clients = submissionsOf(t, line)
		} else {
			handInBy(t, s, subs, clients)
		}
		fmt.Println(int64(verifytest.ProcessorTime() - began))
	}
}

func submissionsOf(t *testing.T, line []byte) (subs []Submission, clients int) {
	var w wave
	must(t, json.Unmarshal(line, &w))
	for _, one := range w.Records {
		record := need(records.ReadEnforcement(new(packets.Reader), terms.Appeals, one.Document))(t)
		subs = append(subs, Submission{Record: record, Signature: one.Signature, PacketSalt: one.Salt, Statement: one.Statement, Token: one.Token})
	}
	return subs, w.Clients
}

func handInBy(t *testing.T, s *Store, subs []Submission, clients int) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(subs); i = int(next.Add(1)) - 1 {
				if _, err := s.HandIn(context.Background(), subs[i]); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
}
