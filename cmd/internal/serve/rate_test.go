package serve_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A contender is one of several ways to do the same thing. They take turns, so that what else the machine does falls on
// all of them alike, and only how they compare is of interest.
type contender struct {
	name  string
	alone bool // one after the other, and not as many at once as there are clients
	do    func(i int) error
	took  time.Duration
}

// turn is how many things a contender does before it is the next one's turn.
const turn = 50

// contend has each contender do b.N things, so many at once, and reports the rates.
func contend(b *testing.B, contenders ...*contender) {
	b.Helper()
	b.ResetTimer()
	for from := 0; from < b.N; from += turn {
		for _, c := range contenders {
			begun := time.Now()
			many := clients
			if c.alone {
				many = 1
			}
			if err := atOnce(many, from, min(from+turn, b.N), c.do); err != nil {
				b.Fatal(c.name, err)
			}
			c.took += time.Since(begun)
		}
	}
	b.StopTimer()
	for _, c := range contenders {
		b.ReportMetric(float64(b.N)/c.took.Seconds(), c.name+"/s")
		if c != contenders[0] {
			b.ReportMetric(c.took.Seconds()/contenders[0].took.Seconds(), contenders[0].name+"-per-"+c.name)
		}
	}
}

// atOnce does what there is from one number to another, as so many clients.
func atOnce(clients, from, to int, do func(i int) error) error {
	var wait sync.WaitGroup
	failed := make([]error, clients)
	for client := range clients {
		wait.Go(func() {
			for i := from + client; i < to && failed[client] == nil; i += clients {
				failed[client] = do(i)
			}
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

// crowd makes n cases, and a record on each.
func (s *harness) crowd(b *testing.B, n int) (list []packets.Packet, records []records.Enforcement) {
	b.Helper()
	var reader packets.Reader
	for i := range n {
		ref := s.Log.Hold(terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("crowd-%d", i), 1))
		packet, err := reader.ReadStored(s.Log.Held[ref])
		if err != nil {
			b.Fatal(err)
		}
		list, records = append(list, packet), append(records, s.Decide(ref, Reviewer, nil))
	}
	for _, table := range []terms.Table{terms.AppealPolicies, terms.AmendmentPolicies} {
		for ref, document := range s.Log.Held {
			if ref.Table == table {
				list = append(list, held(b, ref, document))
			}
		}
	}
	return list, records
}

func held(b *testing.B, ref verify.Ref, document []byte) packets.Packet {
	b.Helper()
	var reader packets.Reader
	packet, err := reader.ReadStored(document)
	if err != nil || packet.Key() != ref.Key {
		b.Fatal(err)
	}
	return packet
}

// BenchmarkEnforceAgainstTheStore compares records handed in over loopback by eight clients with the store's HandIn, which the route
// calls: one after the other, each with a commit of its own, and by eight callers, who share commits. All of them are durable.
func BenchmarkEnforceAgainstTheStore(b *testing.B) {
	backend := newServiceStore(b)
	s := newHarness(b, backend)
	s.book = nil
	packets, logged := s.crowd(b, b.N)
	single, shared := openedStore(b, packets), openedStore(b, packets)
	if _, err := backend.store.Import(b.Context(), packets); err != nil {
		b.Fatal(err)
	}
	bodies, submissions := make([][]byte, b.N), make([]store.Submission, b.N)
	for i, record := range logged {
		bodies[i] = s.Body(b, record)
		signature := s.Log.Armored(record.Document(), verifytest.Key(string(Reviewer.ID)), records.SignatureNamespace)
		submissions[i] = store.Submission{Record: record, Signature: signature, PacketSalt: verifytest.Salt,
			Statement: verifytest.ReasonsOf(record.Document()), Token: bareToken}
	}
	address, client := loopback(b, s.service)
	token := TokenOf(Reviewer)
	contend(b,
		&contender{name: "http", do: func(i int) error {
			return exchangeOver(client, http.MethodPost, address+api.AppealEnforcePath, token, bodies[i], http.StatusCreated)
		}},
		&contender{name: "single", alone: true, do: func(i int) error {
			_, err := single.HandIn(b.Context(), submissions[i])
			return err
		}},
		&contender{name: "shared", do: func(i int) error {
			_, err := shared.HandIn(b.Context(), submissions[i])
			return err
		}})
}

// bareToken is the token of the reviewer in the store that is not served.
const bareToken = "bare"

func openedStore(b *testing.B, packets []packets.Packet) *store.Store {
	b.Helper()
	folder := b.TempDir()
	opened, err := store.Open(b.Context(), store.Options{Path: filepath.Join(folder, "docket.db"), Service: true,
		Now: Clock, AnchorFolder: filepath.Join(folder, "anchors")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := opened.Close(); err != nil {
			b.Error(err)
		}
	})
	_, err = opened.Import(b.Context(), packets)
	if err == nil {
		err = opened.AddToken(b.Context(), store.Token{ID: bareToken, Digest: serve.TokenDigest(bareToken), Principal: Reviewer.ID, Role: Reviewer.Role,
			Expires: terms.InstantOf(Noon.Add(time.Hour))})
	}
	if err != nil {
		b.Fatal(err)
	}
	key := ssh.MarshalAuthorizedKey(verifytest.Key(string(Reviewer.ID)).PublicKey())
	if _, err := opened.AddKey(b.Context(), Reviewer.ID, string(key)); err != nil {
		b.Fatal(err)
	}
	return opened
}
