//go:build unix

package damage_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/programtest"
)

const (
	pushers         = 4  // consoles that push at the same time
	recordsOfPusher = 16 // of each of them
	killEvery       = 6  // acknowledged records
)

// A mortalService is `docket serve` as a process of its own.
type mortalService struct {
	*programtest.Site
	address string // where it listened first, and does so ever after
	command *exec.Cmd
}

// start starts it and waits until it listens.
func (s *mortalService) start() {
	s.T.Helper()
	s.command = programtest.Command(s.Folder, "docket", "serve", "--listen", s.address)
	out, err := s.command.StdoutPipe()
	must(s.T, err)
	must(s.T, s.command.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(s.T, err)
	s.address = strings.TrimPrefix(strings.TrimSpace(line), "http://")
}

// kill ends it as it is.
func (s *mortalService) kill() {
	_ = s.command.Process.Kill() // a service that is gone already would fail the test elsewhere
	_ = s.command.Wait()
}

// token is that of a person at the service, in a role.
func (s *mortalService) token(person, role string) string {
	s.T.Helper()
	return strings.TrimSpace(s.Done("docket", "serve", "token", "add", "--principal", person, "--role", role, "--expires", "1d").Stdout)
}

// A place is where a record is in a log.
type place struct {
	Sequence           int64
	At, LeafHash, Root string
}

// A pusher is a console of its own reviewer, with records to hand in.
type pusher struct {
	*programtest.Site
	ids  []string
	acks map[string]place
}

// newPusher makes a console whose reviewer decided a case for each record, and tells the service of both.
func newPusher(t *testing.T, service *mortalService, number int) *pusher {
	t.Helper()
	p := &pusher{programtest.EmptySite(t), nil, map[string]place{}}
	person := fmt.Sprintf("pusher-%d", number)
	p.Done("docket", "identity", "init", "--id", person, "--role", "neutral_reviewer", "--no-passphrase")
	_, line, _ := strings.Cut(p.Done("docket", "identity").Stdout, "allowed_signers  ")
	p.Write("key", line)
	p.Write("token", service.token(person, "neutral_reviewer"))
	service.Done("docket", "serve", "key", "add", "--principal", person, p.At("key"))
	appeals, err := os.ReadFile(programtest.Testdata(t, "packets", "appeals.json"))
	must(t, err)
	var cases, packets []string
	for i := range recordsOfPusher {
		cases = append(cases, fmt.Sprintf("case-%d-%d", number, i))
		of := strings.NewReplacer(programtest.SampleCase, cases[i], "rev-0417", person)
		packets = append(packets, strings.Trim(of.Replace(string(appeals)), "[]\n"))
	}
	p.Write("packets.json", "["+strings.Join(packets, ",")+"]")
	p.Write("packets.jsonl", p.Done("docket", "seal", p.At("packets.json")).Stdout)
	for _, s := range []*programtest.Site{p.Site, service.Site} {
		s.Done("docket", "import", p.At("packets.jsonl"))
	}
	for _, id := range cases {
		p.ids = append(p.ids, strings.TrimSpace(p.Done("docket-decide", id, "route_human_review").Stdout))
	}
	return p
}

// push pushes until all is handed in, however often the service is gone. Each record that is acknowledged is told.
func (p *pusher) push(address string, acknowledged chan<- struct{}) error {
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); {
		command := programtest.Command(p.Folder, "docket", "push", "--json", "--token-file", p.At("token"), address)
		out, err := command.StdoutPipe()
		if err != nil {
			return err
		}
		if err := command.Start(); err != nil {
			return err
		}
		for lines := json.NewDecoder(out); ; {
			var r struct {
				RecordID, Outcome, Reason, Why string
				Receipt                        *place
			}
			if err := lines.Decode(&r); err == io.EOF {
				break
			} else if err != nil || r.Outcome == "rejected" || r.Reason != "" && r.Reason != api.Unavailable.Word() {
				return fmt.Errorf("%+v: %w", r, err)
			}
			if r.Receipt != nil {
				p.acks[r.RecordID] = *r.Receipt
				acknowledged <- struct{}{}
			}
		}
		if err := command.Wait(); err == nil {
			return nil
		}
	}
	return fmt.Errorf("not all is handed in after minutes")
}

func TestAServiceThatIsKilledWhileConsolesPushLosesNothingItAcknowledgedAndTakesNothingTwice(t *testing.T) {
	t.Parallel()
	s := &mortalService{Site: programtest.EmptySite(t), address: "127.0.0.1:0"}
	f := &follower{token: s.token("follower", "safety_admin"), seen: map[string]place{}}
	var consoles []*pusher
	for number := range pushers {
		consoles = append(consoles, newPusher(t, s, number))
	}
	kills := pushAndKill(t, s, consoles, f)
	logged := places(s.Site)
	if v, plain := s.Verify(); v.Status != 0 || len(logged) != pushers*recordsOfPusher || len(f.seen) != len(logged) {
		t.Errorf("%d records are logged, and the feed had %d: %s", len(logged), len(f.seen), plain)
	}
	for number, p := range consoles {
		var order []int64
		kept := p.Done("docket", "records", "--json").Stdout
		for _, id := range p.ids {
			ack, got := p.acks[id], logged[id]
			if got.LeafHash == "" || ack.Sequence != got.Sequence || ack.LeafHash != got.LeafHash || f.seen[id] != got ||
				!strings.Contains(kept, fmt.Sprintf(`"recordId":"%s","sequence":%d,"at":"%s","leafHash":"%s"`, id, ack.Sequence, ack.At, ack.LeafHash)) {
				t.Errorf("console %d: %s is at %+v, acknowledged at %+v", number, id, got, ack)
			}
			order = append(order, got.Sequence)
		}
		if !slices.IsSorted(order) || strings.Count(kept, `"state":"accepted"`) != len(order) {
			t.Errorf("console %d: not in the order of its log, or not kept: %v\n%s", number, order, kept)
		}
		if v, plain := p.Verify(); v.Status != 0 {
			t.Errorf("console %d: %s", number, plain)
		}
	}
	if t.Logf("killed %d times", kills); kills < pushers*recordsOfPusher/killEvery/2 {
		t.Errorf("it was killed %d times only", kills)
	}
}

// places are those of the records of a site's log.
func places(s *programtest.Site) map[string]place {
	s.T.Helper()
	logged := map[string]place{}
	for line := range strings.Lines(s.Done("docket", "records", "--json").Stdout) {
		var r listed
		must(s.T, json.Unmarshal([]byte(line), &r))
		logged[r.Receipt.RecordID] = r.Receipt.place
	}
	return logged
}

// A listed is a record as the feed and `docket records` list it.
type listed struct {
	Receipt struct {
		RecordID string
		place
	}
}

// A follower follows the service's feed of records, with one cursor however often the service is gone.
type follower struct {
	token, after string
	seen         map[string]place
	newest       int64 // the position of the last record seen; 0: of none
}

// follow reads on to the end of the feed.
func (f *follower) follow(address string) error {
	for more := true; more; {
		r, err := http.NewRequest(http.MethodGet, address+api.RecordsPath+"?"+api.AfterParameter+"="+f.after, nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+f.token)
		r.Close = true // the next one may be to another process
		answered, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		var page struct {
			Records []listed
			After   string
			More    bool
		}
		err = json.NewDecoder(answered.Body).Decode(&page)
		_ = answered.Body.Close()
		if err != nil || answered.StatusCode != http.StatusOK {
			return fmt.Errorf("the feed answers %d: %w", answered.StatusCode, err)
		}
		for _, r := range page.Records {
			if _, twice := f.seen[r.Receipt.RecordID]; twice || r.Receipt.Sequence <= f.newest {
				return fmt.Errorf("record %s comes at %d, after %d", r.Receipt.RecordID, r.Receipt.Sequence, f.newest)
			}
			f.seen[r.Receipt.RecordID], f.newest = r.Receipt.place, r.Receipt.Sequence
		}
		f.after, more = page.After, page.More
	}
	return nil
}

// pushAndKill lets all consoles push, and kills the service every so many records. What was acknowledged is in the feed from then on.
func pushAndKill(t *testing.T, s *mortalService, consoles []*pusher, f *follower) (kills int) {
	s.start()
	defer func() { s.kill() }()
	address, acknowledged := "http://"+s.address, make(chan struct{})
	var all sync.WaitGroup
	for number, p := range consoles {
		all.Go(func() {
			if err := p.push(address, acknowledged); err != nil {
				t.Errorf("console %d: %v", number, err)
			}
		})
	}
	go func() { all.Wait(); close(acknowledged) }()
	count := 0
	for range acknowledged {
		count++
		if err := f.follow(address); err != nil || len(f.seen) < count {
			t.Errorf("%d of %d acknowledged records are in the feed: %v", len(f.seen), count, err)
		}
		if count%killEvery == 0 {
			s.kill()
			s.start()
			kills++
		}
	}
	return kills
}
