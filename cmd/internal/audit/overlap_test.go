package audit_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"docket/cmd/internal/audit"
	"docket/domain"
	"docket/domain/overlap"
)

// receipts is a chain in memory that a test may forge.
type receipts struct {
	t      testing.TB
	chain  audit.Chain
	list   []audit.Receipt
	signer note.Signer
	err    error // of reading
}

func (r *receipts) Chain(context.Context) (audit.Chain, error) { return r.chain, nil }

func (r *receipts) Receipts(_ context.Context, yield func(audit.Receipt) error) error {
	for _, receipt := range r.list {
		if err := yield(receipt); err != nil {
			return err
		}
	}
	return r.err
}

const receiptOrigin = "docket/test"

const blindedRequest = `{"tokens":[{"blinded_tag":"%064d","tag_namespace":"exact_capability_tag","token_version":1,
	"expires_at":"2027-01-01T00:00:00Z"}]}`

// chainOf is a sound chain of that many receipts, the last of which is kept outside.
func chainOf(t testing.TB, count int) *receipts {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, receiptOrigin)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	r := &receipts{t: t, signer: signer, chain: audit.Chain{Origin: receiptOrigin, VerifierKeys: []string{public}}}
	r.grow(0, overlap.Beginning(receiptOrigin), count)
	return r
}

// grow appends receipts after the head, which is that of the first from receipts.
func (r *receipts) grow(from int, head overlap.Head, count int) {
	r.t.Helper()
	r.list = slices.Clone(r.list[:from])
	for i := range count {
		request, refusal := overlap.ReadRequest(fmt.Appendf(nil, blindedRequest, i))
		if refusal != nil {
			r.t.Fatal(refusal)
		}
		at := domain.InstantOf(time.Date(2026, 6, 1, 0, from, i, 0, time.UTC))
		id := domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%06x%06x", len(r.list), count))
		_, entry := overlap.Respond(overlap.Actions.All()[i%3], request, overlap.Call{ReceiptID: id, At: at})
		receipt, err := entry.After(head)
		if err != nil {
			r.t.Fatal(err)
		}
		head = receipt.Head()
		r.list = append(r.list, audit.Receipt{Sequence: receipt.Sequence, Document: receipt.Document(), Head: r.sign(overlap.ChainOrigin(receiptOrigin), head)})
	}
	r.chain.Kept = r.list[len(r.list)-1].Head
}

func (r *receipts) sign(origin string, head overlap.Head) []byte {
	r.t.Helper()
	root, err := hex.DecodeString(strings.TrimPrefix(head.Hash.String(), "sha256:"))
	if err != nil || len(root) != tlog.HashSize {
		r.t.Fatalf("no hash: %v", err)
	}
	text := checkpoint.Checkpoint{Origin: origin, Size: uint64(head.Size), Hash: root}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, r.signer)
	if err != nil {
		r.t.Fatal(err)
	}
	return signed
}

// edited is a document with one text in place of another.
func edited(document []byte, old, replaced string) []byte {
	return bytes.Replace(bytes.Clone(document), []byte(old), []byte(replaced), 1)
}

// headAt is the head of the chain of the first size receipts as they are.
func (r *receipts) headAt(size int) overlap.Head {
	return overlap.Head{Size: int64(size), Hash: domain.HashOf(r.list[size-1].Document)}
}

type receiptForgery struct {
	name  string
	forge func(*receipts)
	want  []audit.Kind
}

var receiptForgeries = []receiptForgery{
	{"a receipt is edited", func(r *receipts) {
		r.list[1].Document = edited(r.list[1].Document, "2026-06-01", "2026-05-01")
	}, []audit.Kind{audit.ReceiptUnsigned, audit.ReceiptUnlinked}},
	{"a receipt is edited and signed anew with the store's key", func(r *receipts) {
		r.list[1].Document = edited(r.list[1].Document, "2026-06-01", "2026-05-01")
		r.list[1].Head = r.sign(overlap.ChainOrigin(receiptOrigin), r.headAt(2))
	}, []audit.Kind{audit.ReceiptUnlinked}},
	{"a receipt holds something more", func(r *receipts) {
		r.list[1].Document = edited(r.list[1].Document, "{", `{"aa_raw_tag":"x",`)
	}, []audit.Kind{audit.ReceiptUnreadable, audit.ReceiptUnsigned, audit.ReceiptUnlinked}},
	{"the last receipt is edited", func(r *receipts) {
		r.list[4].Document = edited(r.list[4].Document, "2026-06-01", "2026-05-01")
	}, []audit.Kind{audit.ReceiptUnsigned, audit.ReceiptsForked}},
	{"two receipts change places", func(r *receipts) {
		r.list[1].Document, r.list[2].Document = r.list[2].Document, r.list[1].Document
		r.list[1].Head, r.list[2].Head = r.list[2].Head, r.list[1].Head
	}, []audit.Kind{audit.ReceiptMisplaced, audit.ReceiptUnlinked, audit.ReceiptUnsigned}},
	{"a receipt in the middle is gone", func(r *receipts) { r.list = slices.Delete(r.list, 2, 3) },
		[]audit.Kind{audit.ReceiptMissing, audit.ReceiptUnlinked}},
	{"a receipt in the middle is gone and the others move up", func(r *receipts) {
		r.list = slices.Delete(r.list, 2, 3)
		for i := range r.list {
			r.list[i].Sequence = int64(i)
		}
	}, []audit.Kind{audit.ReceiptMisplaced, audit.ReceiptUnlinked, audit.ReceiptUnsigned, audit.ReceiptsShorter}},
	{"the first receipt is gone", func(r *receipts) { r.list = r.list[1:] },
		[]audit.Kind{audit.ReceiptMissing, audit.ReceiptUnlinked}},
	{"the last receipt is gone", func(r *receipts) { r.list = r.list[:4] }, []audit.Kind{audit.ReceiptsShorter}},
	{"all receipts are gone", func(r *receipts) { r.list = nil }, []audit.Kind{audit.ReceiptsShorter}},
	{"the chain is another store's", func(r *receipts) { r.chain.Origin = "docket/other" },
		[]audit.Kind{audit.ReceiptUnlinked, audit.ReceiptUnsigned, audit.ReceiptsKeptUnreadable}},
	{"the end of the chain is written anew with the store's key", func(r *receipts) {
		kept := r.chain.Kept
		r.grow(3, r.headAt(3), 4)
		r.chain.Kept = kept
	}, []audit.Kind{audit.ReceiptsForked}},
	{"a head is signed with another key", func(r *receipts) { r.list[2].Head = chainOf(r.t, 3).list[2].Head },
		[]audit.Kind{audit.ReceiptUnsigned}},
	{"a checkpoint of the log stands for a head", func(r *receipts) { r.list[2].Head = r.sign(receiptOrigin, r.headAt(3)) },
		[]audit.Kind{audit.ReceiptUnsigned}},
	{"the same receipt stands twice", func(r *receipts) {
		r.list = append(r.list, audit.Receipt{Sequence: 5, Document: r.list[4].Document, Head: r.list[4].Head})
	}, []audit.Kind{audit.ReceiptMisplaced, audit.ReceiptUnlinked, audit.ReceiptDuplicate, audit.ReceiptUnsigned}},
	{"what is kept is nothing that was signed", func(r *receipts) { r.chain.Kept = []byte("nothing") },
		[]audit.Kind{audit.ReceiptsKeptUnreadable}},
	{"what is kept cannot be read", func(r *receipts) { r.chain.KeptFault = errors.New("damaged") },
		[]audit.Kind{audit.ReceiptsKeptUnreadable}},
}

func TestEveryForgeryOfReceiptsIsFoundAndNamed(t *testing.T) {
	for _, f := range receiptForgeries {
		t.Run(f.name, func(t *testing.T) {
			r := chainOf(t, 5)
			f.forge(r)
			var report audit.Report
			if _, err := audit.CheckReceipts(t.Context(), r, &report, audit.Options{}); err != nil {
				t.Fatal(err)
			}
			var kinds []audit.Kind
			for _, finding := range report.Findings {
				t.Log(finding)
				kinds = append(kinds, finding.Kind)
			}
			slices.Sort(kinds)
			want := slices.Sorted(slices.Values(f.want))
			if kinds = slices.Compact(kinds); !slices.Equal(kinds, want) {
				t.Errorf("found %v, want %v", kinds, want)
			}
		})
	}
}

func TestNothingIsFoundInSoundReceipts(t *testing.T) {
	for _, count := range []int{1, 2, 7} {
		r := chainOf(t, count)
		for _, kept := range [][]byte{r.chain.Kept, nil, r.list[0].Head} {
			r.chain.Kept = kept
			var report audit.Report
			read, err := audit.CheckReceipts(t.Context(), r, &report, audit.Options{})
			if err != nil || read != int64(count) || !report.OK() {
				t.Errorf("%d receipts: %d read, %v, %v", count, read, report.Findings, err)
			}
		}
	}
}

func TestFindingsNameTheReceipt(t *testing.T) {
	r := chainOf(t, 3)
	r.list[1].Head = r.list[0].Head
	var report audit.Report
	if _, err := audit.CheckReceipts(t.Context(), r, &report, audit.Options{}); err != nil || report.Total != 1 {
		t.Fatal(report.Findings, err)
	}
	f := report.Findings[0]
	if f.Sequence != 1 || !bytes.Contains(r.list[1].Document, []byte(f.RecordID)) || !strings.HasPrefix(f.String(), "receipt 1 (") {
		t.Errorf("%+v: %s", f, f)
	}
}

func TestEveryChangedByteOfReceiptsIsFound(t *testing.T) {
	sound := chainOf(t, 3)
	rapid.Check(t, func(t *rapid.T) {
		r := *sound
		r.list = slices.Clone(sound.list)
		changed := &r.list[rapid.IntRange(0, 2).Draw(t, "receipt")]
		field := rapid.SampledFrom([]*[]byte{&changed.Document, &changed.Head}).Draw(t, "field")
		*field = bytes.Clone(*field)
		at := rapid.IntRange(0, len(*field)-1).Draw(t, "at")
		(*field)[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		var report audit.Report
		if _, err := audit.CheckReceipts(context.Background(), &r, &report, audit.Options{}); err != nil || report.OK() {
			t.Fatalf("nothing is found in\n%s\n%s", changed.Document, changed.Head)
		}
	})
}

func BenchmarkCheckReceipts(b *testing.B) {
	r := chainOf(b, 1000)
	for b.Loop() {
		var report audit.Report
		if _, err := audit.CheckReceipts(b.Context(), r, &report, audit.Options{}); err != nil || !report.OK() {
			b.Fatal(err, report.Findings)
		}
	}
}

func TestReceiptsThatCannotBeReadToTheEndAreAnError(t *testing.T) {
	r := chainOf(t, 3)
	r.err = errors.New("unplugged")
	if _, err := audit.CheckReceipts(t.Context(), r, &audit.Report{}, audit.Options{}); !errors.Is(err, r.err) {
		t.Error(err)
	}
}
