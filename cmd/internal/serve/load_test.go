package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// The load generator: a service, clients that enforce, and one that attacks are processes of their own, so that each can be given its
// priority. They are this test program, started again with what it is to be in the environment.
const (
	loadRole    = "DOCKET_LOAD_ROLE"    // serve, enforce or the name of an attack
	loadFile    = "DOCKET_LOAD_FILE"    // the store, or the file of bodies
	loadAddress = "DOCKET_LOAD_ADDRESS" // of the service
)

// loadSize returns a number of the environment.
func loadSize(name string, standard int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return standard
}

// loadReviewers is how many reviewers the store has. The first are the clients, and the last is the attacker.
func loadReviewers() int { return loadSize("DOCKET_LOAD_REVIEWERS", 1000) }

// proxyAddress is the address of the proxy that the service trusts; attackAddress is where the attacks come from, as the clients do.
const (
	proxyAddress  = "127.0.0.9"
	attackAddress = "127.0.0.1"
)

// playRole is the program in a role of the load.
func playRole(role string) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { // the one who started it closes its standard input in the end
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	var err error
	switch role {
	case "serve":
		err = serveLoad(ctx, os.Getenv(loadFile))
	case "enforce":
		err = enforceLoad(os.Getenv(loadAddress), os.Getenv(loadFile))
	default:
		err = attackLoad(ctx, role, os.Getenv(loadAddress))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		return 1
	}
	return 0
}

// serveLoad serves a store with the default limits, and prints its address.
func serveLoad(ctx context.Context, path string) error {
	begun := time.Now()
	now := func() time.Time { return Noon.Add(time.Since(begun)) }
	opened, err := store.Open(ctx, store.Options{Path: path, Service: true, Now: now, AnchorFolder: filepath.Join(filepath.Dir(path), "anchors"),
		BusyTimeout: 10 * time.Second})
	if err != nil {
		return err
	}
	defer opened.Close()
	proxies, err := admission.ParseProxies([]string{proxyAddress})
	if err != nil {
		return err
	}
	service, err := serve.New(serve.Config{Store: opened, Now: now, Log: slog.New(slog.DiscardHandler), Proxies: proxies,
		Health: func(context.Context) (health.Health, error) { return health.Health{}, nil }})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return service.Run(ctx, listener, nil)
}

// A loadBody is a record that one of the clients hands in.
type loadBody struct {
	Client int
	Body   json.RawMessage
}

// A loadResult is what the clients measured.
type loadResult struct {
	Seconds float64   // of all together
	Took    []float64 // milliseconds of each record
	Failed  int       // requests that were not answered with 201; each was made again
}

// enforceLoad hands in the records of a file, those of each client one after the other, and prints a loadResult.
func enforceLoad(address, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	byClient := map[int][][]byte{}
	for line := range bytes.Lines(text) {
		var b loadBody
		if err := json.Unmarshal(line, &b); err != nil {
			return err
		}
		byClient[b.Client] = append(byClient[b.Client], b.Body)
	}
	var mu sync.Mutex
	var result loadResult
	var wait sync.WaitGroup
	begun := time.Now()
	for client, list := range byClient {
		http := loadClient(attackAddress)
		wait.Go(func() {
			for _, body := range list {
				at, failed := time.Now(), 0
				for failed < 100 {
					err := exchangeOver(http, "POST", "http://"+address+api.AppealEnforcePath, TokenOf(loadPerson(client)), body, 201)
					if err == nil {
						break
					}
					failed++
					fmt.Fprintln(os.Stderr, err)
					if refused := (*unexpected)(nil); errors.As(err, &refused) && refused.status == 409 {
						os.Exit(1) // the load is wrong, and not the service
					}
				}
				mu.Lock()
				result.Took = append(result.Took, float64(time.Since(at).Microseconds())/1000)
				result.Failed += failed
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	result.Seconds = time.Since(begun).Seconds()
	return json.NewEncoder(os.Stdout).Encode(result)
}

// loadClient is a client with connections of its own, from an address of this machine.
func loadClient(from string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true, DialContext: dialer.DialContext}, Timeout: time.Minute}
}

// loadPerson is a reviewer of the load.
func loadPerson(i int) person {
	id := terms.ID(fmt.Sprintf("rev-%04d", i))
	return person{ID: id, Role: terms.NeutralReviewer, Owners: []terms.ID{Owner}, Token: string(id)}
}

// The attacks that are not those on a route, which have its method and path as their name.
const (
	attackIdle   = "520 idle anonymous connections"
	attackBodies = "64 slow bodies of one token"
	attackProxy  = "600 anonymous requests a second through one proxy"
)

// attackLoad attacks until ctx ends, and prints the number of requests that were answered.
func attackLoad(ctx context.Context, attack, address string) error {
	var answered, others atomic.Int64
	var wait sync.WaitGroup
	forEver := func(n int, do func(i int)) {
		for i := range n {
			wait.Go(func() {
				for ctx.Err() == nil {
					do(i)
				}
			})
		}
	}
	method, path, isRoute := strings.Cut(attack, " ")
	client := loadClient(attackAddress)
	attacker := TokenOf(loadPerson(loadReviewers() - 1)) // none of the clients
	switch {
	case attack == attackIdle:
		forEver(520, func(int) { holdOpen(ctx, address, "", &answered) })
	case attack == attackBodies:
		head := "POST " + api.AppealEnforcePath + " HTTP/1.1\r\nHost: docket\r\nAuthorization: Bearer " + attacker +
			"\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n"
		forEver(64, func(int) { holdOpen(ctx, address, head, &answered) })
	case attack == attackProxy:
		proxy := loadClient(proxyAddress)
		ask := func(from string) int {
			r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+api.AppealContractPath, nil)
			r.Header.Set("X-Forwarded-For", from)
			got, err := proxy.Do(r)
			if err != nil {
				return 0
			}
			defer got.Body.Close()
			_, _ = io.Copy(io.Discard, got.Body)
			answered.Add(1)
			return got.StatusCode
		}
		ticks := time.NewTicker(time.Second / 600)
		defer ticks.Stop()
		forEver(16, func(int) { <-ticks.C; ask("198.51.100.1") })
		forEver(1, func(int) {
			time.Sleep(200 * time.Millisecond)
			if status := ask("198.51.100.2"); status != http.StatusOK && ctx.Err() == nil {
				others.Add(1)
				fmt.Fprintln(os.Stderr, "another caller through the proxy is answered", status)
			}
		})
	case isRoute:
		body := []byte(os.Getenv(loadFile))
		if len(body) == 0 {
			body = nil
		}
		forEver(16, func(int) {
			r, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, bytes.NewReader(body))
			if err != nil {
				return
			}
			r.Header.Set("Authorization", "Bearer "+attacker)
			r.Header.Set("Content-Type", api.JSON)
			if got, err := client.Do(r); err == nil {
				_, _ = io.Copy(io.Discard, got.Body)
				got.Body.Close()
				answered.Add(1)
			}
		})
	}
	wait.Wait()
	fmt.Println(answered.Load(), others.Load())
	return nil
}

// holdOpen opens a connection and holds it until the service closes it: silent, or after a head with a byte of the body a second.
func holdOpen(ctx context.Context, address, head string, closed *atomic.Int64) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := io.WriteString(conn, head); err != nil {
		return
	}
	go func() {
		for head != "" && ctx.Err() == nil {
			if _, err := io.WriteString(conn, "1"); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}()
	_, _ = io.Copy(io.Discard, conn)
	closed.Add(1)
	if head == "" && ctx.Err() == nil {
		time.Sleep(time.Second) // idle, and not busy with connecting
	}
}

// A load is a service over a store of many cases, and clients that enforce.
type load struct {
	b       *testing.B
	address string
	logs    []*loadLog
}

// A loadLog makes the records of one client, each of which supersedes the one before on its case.
type loadLog struct {
	*verifytest.Log
	who     person
	cases   []verify.Ref
	inForce map[verify.Ref]records.RecordID
	next    int
}

// newLoad makes the store and starts the service.
func newLoad(b *testing.B, cases, reviewers int) *load {
	b.Helper()
	folder := b.TempDir()
	path := filepath.Join(folder, "service.db")
	backend := &serviceStore{path: path}
	var err error
	backend.store, err = store.Open(b.Context(), store.Options{Path: path, Service: true, Now: Clock, AnchorFolder: filepath.Join(folder, "anchors")})
	if err != nil {
		b.Fatal(err)
	}
	fix := &fixture{serviceStore: backend, Log: verifytest.New(b)}
	fix.Bring(b, terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 1))
	fix.Bring(b, terms.AmendmentPolicies, verifytest.AmendmentPolicy("amendment-policy", 1))
	l := &load{b: b}
	for i := range clients {
		who := loadPerson(i)
		log := verifytest.New(b)
		log.Hold(terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 1))
		first := log.Hold(terms.AppealCases, verifytest.AppealCase("first", 1))
		for range i { // so that no two clients make a record of the same time and number, and with it id
			log.Look(first)
		}
		l.logs = append(l.logs, &loadLog{Log: log, who: who, inForce: map[verify.Ref]records.RecordID{}})
	}
	var list []packets.Packet
	var reader packets.Reader
	for i := range cases {
		who := i % reviewers
		record := verifytest.AppealCase(fmt.Sprintf("case-%06d", i), 1).With(verifytest.Record{"neutralReview": verifytest.Review(string(loadPerson(who).ID))})
		log := fix.Log
		if who < len(l.logs) {
			log = l.logs[who].Log
		}
		ref := log.Hold(terms.AppealCases, record)
		packet, err := reader.ReadStored(log.Held[ref])
		if err != nil {
			b.Fatal(err)
		}
		if who < len(l.logs) {
			l.logs[who].cases = append(l.logs[who].cases, ref)
		} else {
			delete(log.Held, ref)
		}
		if list = append(list, packet); len(list) == 5000 || i == cases-1 {
			if _, err := backend.store.Import(b.Context(), list); err != nil {
				b.Fatal(err)
			}
			list = nil
		}
	}
	for i := range reviewers {
		who := loadPerson(i)
		err := backend.store.AddToken(b.Context(), store.Token{ID: who.Token, Digest: serve.TokenDigest(TokenOf(who)), Principal: who.ID, Role: who.Role,
			Owners: who.Owners, Expires: terms.InstantOf(Noon.Add(48 * time.Hour))})
		if err != nil {
			b.Fatal(err)
		}
		backend.Key(b, who.ID, verifytest.Key(string(who.ID)).PublicKey())
	}
	if err := backend.store.Close(); err != nil {
		b.Fatal(err)
	}
	l.address = l.start(b, "serve", path, false).line(b)
	return l
}

// A player is a process of the load.
type player struct {
	command *exec.Cmd
	in      io.Closer
	out     *bufio.Reader
	errors  bytes.Buffer
}

// start starts a process of the load, with the lowest priority if it is not the service's.
func (l *load) start(b *testing.B, role, file string, nice bool) *player {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	p := &player{command: exec.Command(self)}
	if nice {
		p.command = exec.Command("nice", "-n", "10", self)
	}
	p.command.Env = append(os.Environ(), loadRole+"="+role, loadFile+"="+file, loadAddress+"="+l.address)
	p.command.Stderr = &p.errors
	in, err := p.command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := p.command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.end(b) })
	return p
}

// line is the next line that the process prints.
func (p *player) line(b *testing.B) string {
	b.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		b.Fatalf("%v: %s", err, p.errors.String())
	}
	return strings.TrimSuffix(line, "\n")
}

// end ends the process.
func (p *player) end(b *testing.B) {
	if p.in != nil {
		_ = p.in.Close()
		_, _ = io.Copy(io.Discard, p.out)
		if err := p.command.Wait(); err != nil {
			b.Errorf("%v: %s", err, p.errors.String())
		}
		p.in = nil
	}
}

// body is the next enforce request of a client.
func (g *loadLog) body(b *testing.B) []byte {
	on := g.cases[g.next%len(g.cases)]
	g.next++
	record := g.Decide(on, verifytest.Person(g.who.ID, g.who.Role), func(c *records.Choice) { c.Supersedes = g.inForce[on] })
	g.inForce[on] = record.Members().RecordID
	return (&fixture{Log: g.Log}).Body(b, record)
}

// enforce has the clients hand in so many records each.
func (l *load) enforce(each int) loadResult {
	file := filepath.Join(l.b.TempDir(), "bodies")
	out, err := os.Create(file)
	if err != nil {
		l.b.Fatal(err)
	}
	encoder := json.NewEncoder(out)
	for client, log := range l.logs {
		for range each {
			if err := encoder.Encode(loadBody{client, log.body(l.b)}); err != nil {
				l.b.Fatal(err)
			}
		}
	}
	if err := out.Close(); err != nil {
		l.b.Fatal(err)
	}
	p := l.start(l.b, "enforce", file, true)
	var result loadResult
	if err := json.Unmarshal([]byte(p.line(l.b)), &result); err != nil {
		l.b.Fatal(err)
	}
	p.end(l.b)
	if result.Failed > 0 {
		first, _, _ := strings.Cut(p.errors.String(), "\n")
		l.b.Logf("%d requests failed, the first: %s", result.Failed, first)
	}
	return result
}

func (r *loadResult) rate() float64 { return float64(len(r.Took)) / r.Seconds }

// at is the time within which such a part of the records was answered.
func (r *loadResult) at(part float64) float64 {
	sorted := slices.Sorted(slices.Values(r.Took))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// attacks are all attacks of the benchmark: each route with 16 connections of one token, and those without a token.
func (l *load) attacks() (names []string, body map[string]string) {
	body = map[string]string{}
	log := l.logs[len(l.logs)-1]
	for _, route := range serve.Routes() {
		name := route.Method + " " + pathOf(&route, log.cases[0].Key.ID)
		names = append(names, name)
		switch route.Path {
		case api.AppealEnforcePath, api.AmendmentEnforcePath:
			record := log.Decide(log.cases[0], verifytest.Person(log.who.ID, log.who.Role), nil) // not the attacker's
			body[name] = string((&fixture{Log: log.Log}).Body(l.b, record))
		case api.AppealEvaluatePath, api.AmendmentEvaluatePath:
			for _, question := range oracle(l.b) {
				if evaluatePath(l.b, question.text) == route.Path {
					body[name] = string(question.text)
				}
			}
		}
	}
	return append(names, attackIdle, attackBodies, attackProxy), body
}

// The bounds of an attack: what is kept of the rate alone, and by what the median and the 99th percentile of the latency grow.
const (
	leastRate = 0.5
	mostMid   = 2.0
	mostLate  = 3.0
)

// An assault is an attack with what the clients measured in each round.
type assault struct {
	name, body         string
	rates, mids, lates []float64 // attacked, as a share of alone
	failed             int
	answered           string // requests of the attacker, and others that were refused
}

// holds reports whether the medians are within the bounds and no request of the clients failed.
func (a *assault) holds() bool {
	return a.failed == 0 && median(a.rates) >= leastRate && median(a.mids) <= mostMid && median(a.lates) < mostLate
}

// round measures the clients alone, then beside the attack.
func (l *load) round(a *assault, each int) {
	alone := l.enforce(each)
	attack := l.start(l.b, a.name, a.body, true)
	time.Sleep(time.Second / 2) // it has begun
	attacked := l.enforce(each)
	_ = attack.in.Close()
	a.answered = attack.line(l.b)
	attack.end(l.b)
	a.rates = append(a.rates, attacked.rate()/alone.rate())
	a.mids = append(a.mids, attacked.at(0.5)/alone.at(0.5))
	a.lates = append(a.lates, attacked.at(0.99)/alone.at(0.99))
	a.failed += attacked.Failed
	fmt.Printf("%-70s alone %5.0f/s p50 %6.1f p99 %6.1f ms; attacked %5.0f/s p50 %6.1f p99 %6.1f ms\n", a.name, alone.rate(), alone.at(0.5), alone.at(0.99),
		attacked.rate(), attacked.at(0.5), attacked.at(0.99))
}

// checkAttacker fails the benchmark unless the attacker has a valid token: one that is refused attacks nobody.
func (l *load) checkAttacker() {
	l.b.Helper()
	attacker := TokenOf(loadPerson(loadReviewers() - 1))
	if err := exchangeOver(loadClient(attackAddress), http.MethodGet, "http://"+l.address+api.QueuePath, attacker, nil, http.StatusOK); err != nil {
		l.b.Fatal("the attacker: ", err)
	}
}

// BenchmarkFairness compares the rate and the latency of eight clients that enforce while one caller attacks with their rate and latency
// just before. Each of b.N rounds goes through all attacks, so that what else the machine does falls on all of them; the table at the end has
// the medians of the rounds, and whether they are within the bounds. The store has 100,000 cases of 1,000 reviewers, unless
// DOCKET_LOAD_CASES and DOCKET_LOAD_REVIEWERS say otherwise; each client hands in DOCKET_LOAD_RECORDS records, 40 unless it says
// otherwise. DOCKET_LOAD_ATTACK chooses the attacks that contain its text.
func BenchmarkFairness(b *testing.B) {
	begun := time.Now()
	if loadReviewers() <= clients {
		b.Fatalf("DOCKET_LOAD_REVIEWERS has to be more than the %d clients", clients)
	}
	l := newLoad(b, loadSize("DOCKET_LOAD_CASES", 100_000), loadReviewers())
	each := loadSize("DOCKET_LOAD_RECORDS", 40)
	var assaults []*assault
	names, body := l.attacks()
	l.checkAttacker()
	for _, name := range names {
		if strings.Contains(name, os.Getenv("DOCKET_LOAD_ATTACK")) {
			assaults = append(assaults, &assault{name: name, body: body[name]})
		}
	}
	l.enforce(each) // warms the caches
	fmt.Printf("%d attacks; the store was made in %.0f s\n", len(assaults), time.Since(begun).Seconds())
	rounds := 0
	for b.Loop() { // Loop runs the benchmark, and makes the store, once
		rounds++
		fmt.Printf("round %d\n", rounds)
		for _, a := range assaults {
			l.round(a, each)
		}
	}
	fmt.Printf("\nmedians of %d rounds in %.0f s; rate kept at least %.1f, p50 at most %.0f times, p99 less than %.0f times\n", rounds, time.Since(begun).Seconds(), leastRate,
		mostMid, mostLate)
	worstRate, worstLate := math.Inf(1), 0.0
	for _, a := range assaults {
		verdict := "pass"
		if !a.holds() {
			verdict = "FAIL"
			b.Errorf("%s: rate kept %.2f, p50 %.2f, p99 %.2f times, %d requests of others failed", a.name, median(a.rates), median(a.mids), median(a.lates), a.failed)
		}
		fmt.Printf("%s  %-70s rate kept %.2f, p50 %.2f, p99 %.2f times; %d failed; the attacker and others that were refused: %s\n", verdict, a.name,
			median(a.rates), median(a.mids), median(a.lates), a.failed, a.answered)
		worstRate, worstLate = min(worstRate, median(a.rates)), max(worstLate, median(a.lates))
	}
	b.ReportMetric(worstRate, "least-rate")
	b.ReportMetric(worstLate, "most-p99")
}
