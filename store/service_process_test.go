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

	"github.com/jackc/pgx/v5"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/postgres/postgrestest"
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

func (p *serviceProcess) load(t testing.TB, w *wave) {
	t.Helper()
	must(t, json.NewEncoder(p.in).Encode(w))
	p.wait(t)
}

func (p *serviceProcess) begin(t testing.TB) {
	t.Helper()
	need(io.WriteString(p.in, "\n"))(t)
}

func (p *serviceProcess) wait(t testing.TB) time.Duration {
	t.Helper()
	line, err := p.out.ReadString('\n')
	var took int64
	if err == nil {
		_, err = fmt.Sscan(line, &took)
	}
	mustNot(t, err != nil, "the service answered %q: %v", line, err)
	return time.Duration(took)
}

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
	wantKinds(t, "a check", proven(t, d.store))
}

// serviceProcesses starts so many services on a database, and a store for importing cases to it.
func serviceProcesses(t testing.TB, database *postgrestest.Database, count int) (d *fixture, list []*serviceProcess) {
	t.Helper()
	folder := t.TempDir()
	anchors := func(of string) string { return filepath.Join(folder, "anchors-"+of) }
	d = fixtureAt(t, onDatabase(t, database.DSN(postgrestest.Superuser), folder, anchors("import")))
	d.take(d.mill.appealPolicy(1))
	d.register()
	for n := range count {
		own := anchors(strconv.Itoa(n))
		must(t, os.CopyFS(own, os.DirFS(anchors("import"))))
		list = append(list, startService(t, servicePlaces{DSN: database.DSN(postgrestest.Superuser), KeyFolder: folder, AnchorFolder: own}))
	}
	return d, list
}

func (w *wave) add(d *fixture, id terms.ID) Submission {
	d.t.Helper()
	sub := d.judged(id, decision{outcome: terms.UpholdDecision})
	sub.Token = d.grant(d.reviewer)
	w.Records = append(w.Records, handedOver{sub.Record.Document(), sub.Signature, sub.PacketSalt, sub.Statement, sub.Token})
	return sub
}

// serve answers what the process is sent, until nothing more comes.
func serve(t *testing.T, places *servicePlaces) {
	s := onDatabase(t, places.DSN, places.KeyFolder, places.AnchorFolder)
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

// single is one client that inserts a record's bytes in a table without anything else, a commit each.
type single struct {
	conn  *pgx.Conn
	count int
	taken time.Duration
}

func (s *single) insert(b *testing.B, sub *Submission) {
	b.Helper()
	begin := time.Now()
	need(s.conn.Exec(context.Background(), "INSERT INTO plain (document, signature) VALUES ($1, $2)", sub.Record.Document(), sub.Signature))(b)
	s.taken += time.Since(begin)
	s.count++
}

// BenchmarkHandInToPostgres measures records that are handed in to services on one PostgreSQL, each a process of its own with an anchor of its own: "of-single"
// is how many of them are taken in the time of one insertion of the same bytes by one client, turn by turn, and each record takes processor time of
// the services ("cpu-ms") and of the server. Commits are on the disk; the server adds a delay to each of them, for a disk that takes that much longer.
func BenchmarkHandInToPostgres(b *testing.B) {
	for _, delay := range []string{"0", "1000", "2000"} {
		b.Run("delay="+delay+"us", func(b *testing.B) {
			server := postgrestest.Start(b, "fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "commit_siblings=0", "commit_delay="+delay)
			for _, of := range []struct{ clients, services int }{{1, 1}, {64, 1}, {64, 4}} {
				b.Run(fmt.Sprintf("clients=%d/services=%d", of.clients, of.services), func(b *testing.B) {
					benchmarkHandIn(b, server.New(b), of.clients, of.services)
				})
			}
		})
	}
}

func benchmarkHandIn(b *testing.B, database *postgrestest.Database, clients, services int) {
	d, list := serviceProcesses(b, database, services)
	conn := need(pgx.Connect(b.Context(), database.DSN(postgrestest.Superuser)))(b)
	defer func() { _ = conn.Close(context.Background()) }()
	need(conn.Exec(b.Context(), "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document bytea, signature bytea)"))(b)
	plain := single{conn: conn}
	var whole, own, theirs time.Duration
	count := 0
	for b.Loop() {
		waves := make([]wave, services)
		var subs []Submission
		for i, packet := range moreCases(d, count) {
			subs = append(subs, waves[i%services].add(d, packet.Key().ID))
		}
		for i := range waves {
			waves[i].Clients = max(1, clients/services)
		}
		count += len(subs)
		for part := range subs[:len(subs)/4] {
			plain.insert(b, &subs[part])
		}
		for i, service := range list {
			service.load(b, &waves[i])
		}
		theirsBefore := database.Server.ProcessorTime(b)
		begin := time.Now()
		for _, service := range list {
			service.begin(b)
		}
		for _, service := range list {
			own += service.wait(b)
		}
		whole += time.Since(begin)
		theirs += database.Server.ProcessorTime(b) - theirsBefore
	}
	records, inserts := float64(count)/whole.Seconds(), float64(plain.count)/plain.taken.Seconds()
	b.ReportMetric(records, "records/s")
	b.ReportMetric(inserts, "single-inserts/s")
	b.ReportMetric(records/inserts, "of-single")
	b.ReportMetric(float64(own.Microseconds())/1000/float64(count), "cpu-ms/record")
	b.ReportMetric(float64(theirs.Microseconds())/1000/float64(count), "server-cpu-ms/record")
}

const portion = 500

// BenchmarkAppend measures all that happens between a reviewer's choice and the receipt: the packet is looked up and
// evaluated, the record made and signed, appended with its checkpoint, and the checkpoint kept outside the store. The
// same bytes are also appended to a plain file with one fsync each, turn by turn; "of-raw" is how fast the whole path
// is compared with that.
func BenchmarkAppend(b *testing.B) {
	folder := b.TempDir()
	d := fixtureAt(b, openWith(b, Options{Path: filepath.Join(folder, "store", "docket.db"), Now: func() time.Time { return noon },
		AnchorFolder: filepath.Join(folder, "anchors")}))
	d.take(d.mill.appealPolicy(1))
	raw := need(os.OpenFile(filepath.Join(folder, "raw"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, disk.FileMode))(b)
	defer func() { _ = raw.Close() }()
	var whole, plain time.Duration
	var cases []packets.Packet
	record := 0
	for b.Loop() {
		if record == len(cases) {
			cases = append(cases, moreCases(d, len(cases))...)
		}
		caseFile := d.caseFile(terms.AppealCases, cases[record].Key().ID)
		begin := time.Now()
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
		_, err := d.store.Append(context.Background(), sub)
		whole += time.Since(begin)
		must(b, err)
		record++
		begin = time.Now()
		need(raw.Write(append(sub.Record.Document(), sub.Signature...)))(b)
		must(b, raw.Sync())
		plain += time.Since(begin)
	}
	b.ReportMetric(float64(b.N)/whole.Seconds(), "records/s")
	b.ReportMetric(plain.Seconds()/whole.Seconds(), "of-raw")
}

func moreCases(d *fixture, first int) []packets.Packet {
	d.t.Helper()
	cases := make([]packets.Packet, portion)
	for i := range cases {
		cases[i] = d.mill.appealCase(passing(fmt.Sprintf("case-%d", first+i), 1))
	}
	d.take(cases...)
	return cases
}
