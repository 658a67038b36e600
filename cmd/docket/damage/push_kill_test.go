//go:build unix

package damage_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
	"docket/ui/workbench"
)

const (
	pushers         = 4  // consoles that push at the same time
	recordsOfPusher = 16 // of each of them
	killEvery       = 6  // acknowledged records
)

// A mortalService is `docket serve` as a process of its own.
type mortalService struct {
	t       *testing.T
	program string // docket, which is this test's own binary
	db      string
	address string // where it listened first, and does so ever after
	command *exec.Cmd
}

// start starts it and waits until it listens.
func (s *mortalService) start() {
	s.t.Helper()
	s.command = exec.Command(s.program, "--db", s.db, "serve", "--listen", s.address)
	s.command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(filepath.Dir(s.db), "state"))
	out, err := s.command.StdoutPipe()
	must(s.t, err)
	must(s.t, s.command.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.t.Fatalf("the service does not start: %v", err)
	}
	s.address = strings.TrimPrefix(strings.TrimSpace(line), "http://")
}

// kill ends it as it is.
func (s *mortalService) kill() {
	_ = s.command.Process.Kill() // a service that is gone already would fail the test elsewhere
	_ = s.command.Wait()
}

// A pusher is a console of its own reviewer, with records to hand in.
type pusher struct {
	store  *store.Store
	secret string
	ids    []records.RecordID
	acks   map[records.RecordID]records.Receipt // what was acknowledged
}

// newPusher makes a console whose reviewer decided a case for each record, and tells the service of both.
func newPusher(t *testing.T, service *store.Store, number int) *pusher {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	reviewer := terms.ID(fmt.Sprintf("pusher-%d", number))
	list := verifytest.New(t)
	for i := range recordsOfPusher {
		list.Hold(terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-%d-%d", number, i), 1).With(verifytest.Record{
			"deadline": "2099-01-01T00:00:00Z", "neutralReview": verifytest.Review(string(reviewer))}))
	}
	p := &pusher{secret: fmt.Sprintf("docket_secret-%d", number), acks: map[records.RecordID]records.Receipt{}}
	var err error
	p.store, err = store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "docket.db")})
	must(err)
	t.Cleanup(func() { must(p.store.Close()) })
	var reader packets.Reader
	for _, document := range list.Held {
		packet, err := reader.ReadStored(document)
		must(err)
		for _, s := range []*store.Store{service, p.store} {
			_, err = s.Import(t.Context(), []packets.Packet{packet})
			must(err)
		}
	}
	key := verifytest.Key(string(reviewer))
	_, err = service.AddKey(t.Context(), reviewer, string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	must(err)
	must(service.AddToken(t.Context(), store.Token{ID: "token-" + string(reviewer), Digest: serve.TokenDigest(p.secret), Principal: reviewer,
		Role: terms.NeutralReviewer, Expires: terms.InstantOf(time.Now().Add(time.Hour))}))
	who, err := identity.New(reviewer, terms.NeutralReviewer, key)
	must(err)
	d := &workbench.Workbench{Store: p.store, Who: who.Reviewer(), Sign: who.Sign, State: who.State, Clock: time.Now}
	for i := range recordsOfPusher {
		opened := d.Now()
		dossier, err := d.Open(t.Context(), terms.AppealCases, terms.ID(fmt.Sprintf("case-%d-%d", number, i)), 0)
		must(err)
		receipt, err := d.Record(t.Context(), &dossier.View, records.Choice{Outcome: terms.RouteHumanReview, OpenedAt: opened,
			Factors: terms.SetOf(terms.HumanReviewRequired), SectionsViewed: []views.SectionName{views.SectionGate},
			Statement: records.Statement{Text: "The notice does not say who was told."}}, "")
		must(err)
		p.ids = append(p.ids, receipt.RecordID)
	}
	return p
}

// push pushes until all is handed in, however often the service is gone. Each record that is acknowledged is told.
func (p *pusher) push(ctx context.Context, address string, acknowledged chan<- struct{}) error {
	token, err := client.ParseToken(p.secret)
	if err != nil {
		return err
	}
	pace := client.DefaultRetry()
	pace.Attempts, pace.First = 3, 20*time.Millisecond
	service, err := client.New(client.Options{Address: address, Token: token, Retry: pace})
	if err != nil {
		return err
	}
	defer service.Close()
	for {
		tally, err := client.Push(ctx, client.PushOptions{Outbox: p.store, Service: service, Progress: func(int64, int64) {},
			FirstContact: func(signed.Key) error { return nil },
			Each: func(r client.Result) error {
				if r.Disposition == client.Rejected || r.Reason != "" && r.Reason != api.Unavailable.Word() {
					return fmt.Errorf("record %d: %s %s %s", r.Sequence, r.Disposition, r.Reason, r.Why)
				}
				if r.Receipt != nil {
					p.acks[r.RecordID] = *r.Receipt
					acknowledged <- struct{}{}
				}
				return nil
			}})
		switch {
		case err != nil && !errors.Is(err, client.ErrUnreachable):
			return err
		case err == nil && tally.Whole():
			return nil
		}
	}
}

func TestAServiceThatIsKilledWhileConsolesPushLosesNothingItAcknowledgedAndTakesNothingTwice(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	folder := t.TempDir()
	s := &mortalService{t: t, program: filepath.Join(folder, "docket"), db: filepath.Join(folder, "service.db"), address: "127.0.0.1:0"}
	must(t, os.Symlink(self, s.program))
	open := func() *store.Store {
		opened, err := store.Open(t.Context(), store.Options{Path: s.db, Service: true,
			AnchorFolder: filepath.Join(folder, "state", "docket", "anchors")})
		must(t, err)
		return opened
	}
	backing := open()
	var consoles []*pusher
	for number := range pushers {
		consoles = append(consoles, newPusher(t, backing, number))
	}
	follower := newFollower(t, backing)
	must(t, backing.Close())
	kills := pushAndKill(t, s, consoles, follower)
	backing = open()
	defer func() {
		if err := backing.Close(); err != nil {
			t.Error(err)
		}
	}()
	checkPushed(t, backing, consoles)
	if len(follower.seen) != pushers*recordsOfPusher {
		t.Errorf("the feed had %d records", len(follower.seen))
	}
	t.Logf("killed %d times", kills)
	if kills < pushers*recordsOfPusher/killEvery/2 {
		t.Errorf("it was killed %d times only", kills)
	}
}

// A follower follows the service's feed of records, with one cursor however often the service is gone.
type follower struct {
	secret, after string
	seen          map[records.RecordID]bool
	last          int64 // sequence
}

func newFollower(t *testing.T, service *store.Store) *follower {
	t.Helper()
	f := &follower{secret: "docket_follower", seen: map[records.RecordID]bool{}, last: -1}
	if err := service.AddToken(t.Context(), store.Token{ID: "token-follower", Digest: serve.TokenDigest(f.secret), Principal: "follower",
		Role: terms.SafetyAdmin, Expires: terms.InstantOf(time.Now().Add(time.Hour))}); err != nil {
		t.Fatal(err)
	}
	return f
}

// follow reads on to the end of the feed.
func (f *follower) follow(ctx context.Context, address string) error {
	for more := true; more; {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+api.RecordsPath+"?"+url.Values{api.AfterParameter: {f.after}}.Encode(), nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+f.secret)
		r.Close = true // the next one may be to another process
		answered, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		var page struct {
			Records []struct {
				Receipt struct {
					RecordID records.RecordID
					Sequence int64
				}
			}
			After string
			More  bool
		}
		err = json.NewDecoder(answered.Body).Decode(&page)
		_ = answered.Body.Close()
		if err != nil || answered.StatusCode != http.StatusOK {
			return fmt.Errorf("the feed answers %d: %w", answered.StatusCode, err)
		}
		for _, r := range page.Records {
			if f.seen[r.Receipt.RecordID] || r.Receipt.Sequence != f.last+1 {
				return fmt.Errorf("record %s comes at %d, after %d", r.Receipt.RecordID, r.Receipt.Sequence, f.last)
			}
			f.seen[r.Receipt.RecordID], f.last = true, r.Receipt.Sequence
		}
		f.after, more = page.After, page.More
	}
	return nil
}

// pushAndKill lets all consoles push, and kills the service every so many records. What was acknowledged is in the feed from then on.
func pushAndKill(t *testing.T, s *mortalService, consoles []*pusher, f *follower) (kills int) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	s.start()
	defer func() { s.kill() }()
	address, acknowledged := "http://"+s.address, make(chan struct{})
	var all sync.WaitGroup
	for number, p := range consoles {
		all.Go(func() {
			if err := p.push(ctx, address, acknowledged); err != nil {
				t.Errorf("console %d: %v", number, err)
			}
		})
	}
	go func() { all.Wait(); close(acknowledged) }()
	count := 0
	for range acknowledged {
		count++
		if err := f.follow(ctx, address); err != nil || len(f.seen) < count {
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

// checkPushed holds the service's log to have every record once, at the place that was acknowledged.
func checkPushed(t *testing.T, service *store.Store, consoles []*pusher) {
	t.Helper()
	logged, err := service.Records(t.Context(), 0, store.AllRecords)
	if err != nil || len(logged) != pushers*recordsOfPusher {
		t.Fatalf("%d records: %v", len(logged), err)
	}
	places := map[records.RecordID]records.Receipt{}
	for i := range logged {
		places[logged[i].Receipt.RecordID] = logged[i].Receipt
	}
	if report, err := service.Verify(t.Context(), verify.Options{}); err != nil || !report.OK() {
		t.Errorf("%v %v", report.Findings, err)
	}
	for number, p := range consoles {
		var order []int64
		for _, id := range p.ids {
			place, there := places[id]
			kept, err := p.store.Record(t.Context(), id)
			if err != nil || !there || kept.HandIn.State != records.Accepted || kept.HandIn.Receipt != p.acks[id] ||
				p.acks[id].Sequence != place.Sequence || p.acks[id].LeafHash != place.LeafHash {
				t.Errorf("console %d: %s is at %+v, acknowledged at %+v, kept as %+v: %v", number, id, place, p.acks[id], kept.HandIn, err)
			}
			order = append(order, place.Sequence)
		}
		if !slices.IsSorted(order) {
			t.Errorf("console %d: not in the order of its log: %v", number, order)
		}
		if report, err := p.store.Verify(t.Context(), verify.Options{}); err != nil || !report.OK() {
			t.Errorf("console %d: %v %v", number, report.Findings, err)
		}
	}
}
