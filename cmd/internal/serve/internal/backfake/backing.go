package backfake

import (
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
)

// Origin is that of the service's log.
const Origin = "docket/service/0123456789abcdef0123456789abcdef"

// A Backing is all that lies behind a service. Its methods may be called at the same time.
type Backing struct {
	// Fail, if there is one, is what every method returns instead of doing anything. It is set while nobody calls.
	Fail error
	// Now is the clock by which records are judged and tokens expire.
	Now func() time.Time

	mu       sync.Mutex
	tokens   map[[32]byte]serve.Principal
	keys     map[domain.ID][]string // fingerprints
	shelf    []domain.Packet        // in the order of their arrival
	log      []logged
	hashes   []tlog.Hash
	lodged   map[string]lodged // by the log's origin
	seen     []string          // what lodged held, in the order in which it came
	receipts []overlap.Entry

	signer   note.Signer
	verifier string
	cosigner *cosigner
}

// logged is a record in the log.
type logged struct {
	record    domain.Enforcement
	signature []byte
	answer    exchange.Enforced
}

// New makes a backing that holds nothing, with the keys of its log.
func New(t testing.TB, now func() time.Time) *Backing {
	t.Helper()
	b := &Backing{Now: now, tokens: map[[32]byte]serve.Principal{}, keys: map[domain.ID][]string{}, lodged: map[string]lodged{}}
	private, public, err := note.GenerateKey(seeded("log"), Origin)
	if err != nil {
		t.Fatal(err)
	}
	b.verifier = public
	if b.signer, err = note.NewSigner(private); err != nil {
		t.Fatal(err)
	}
	if b.cosigner, err = newCosigner(); err != nil {
		t.Fatal(err)
	}
	return b
}

// Backing is the backing as a service takes it.
func (b *Backing) Backing() serve.Backing {
	return serve.Backing{Registry: b, Ledger: b, Library: b, Witness: b, Receipts: b}
}

// lock begins a method: it returns Fail, if there is one, and otherwise how to end.
func (b *Backing) lock() (unlock func(), err error) {
	if b.Fail != nil {
		return nil, b.Fail
	}
	b.mu.Lock()
	return b.mu.Unlock, nil
}
