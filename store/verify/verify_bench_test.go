package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func openStock(t testing.TB, path string) *store.Store {
	t.Helper()
	s := need(store.Open(context.Background(), store.Options{Path: path, ReadOnly: true}))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// BenchmarkVerify measures, in one run, what checking a store takes, and what it is made of: reading the records and
// signatures through SQLite on one core and hashing the records once; the library's verification of the signatures, on
// all cores; and judging again, on all cores, which reads the packets, strictly, and evaluates them. The last two are
// measured with a sample and nothing around them.
//
// "of-reading" is the check without the library's time for the signatures, as a multiple of the reading, and
// "structure-of-reading" leaves out the judging, too. The same is given of processor time divided by the cores, which
// other programs on the machine disturb less.
func BenchmarkVerify(b *testing.B) {
	records := recordsOr(10_000)
	s := openStock(b, stock(b, records))
	log := need(s.Snapshot(context.Background()))(b)
	var whole, reading, verifying, judging span
	for b.Loop() {
		var sample []verify.Entry
		reading.add(1, func() { sample = readAll(b, s) })
		times := float64(records) / float64(len(sample))
		verifyAll(b, sample, func(do func()) { verifying.add(times, do) })
		judgeAll(b, log, sample, func(do func()) { judging.add(times, do) })
		sample = nil
		whole.add(1, func() { // what `docket verify` runs on a store
			if report := check(b, recordsOnly{log}, verify.Options{}); !report.OK() || report.Size != int64(records) {
				b.Fatal(report.Size, report.Findings)
			}
		})
	}
	cores := float64(runtime.GOMAXPROCS(0))
	reading.processor *= cores // it has one core to itself
	for _, kind := range []struct {
		name string
		of   func(span) float64
	}{{"", func(s span) float64 { return s.wall }}, {"cpu-", func(s span) float64 { return s.processor / cores }}} {
		whole, reading, verifying, judging := kind.of(whole), kind.of(reading), kind.of(verifying), kind.of(judging)
		each := 1e6 / (float64(b.N) * float64(records))
		b.ReportMetric(whole*each, kind.name+"check-us/record")
		b.ReportMetric(reading*each, kind.name+"reading-us/record")
		b.ReportMetric(verifying*each, kind.name+"library-us/record")
		b.ReportMetric(judging*each, kind.name+"judging-us/record")
		b.ReportMetric((whole-verifying)/reading, kind.name+"of-reading")
		b.ReportMetric((whole-verifying-judging)/reading, kind.name+"structure-of-reading")
	}
}

// recordsOnly is a store of which only the records are checked, and not what lies beside them.
type recordsOnly struct{ verify.Source }

// A span is seconds that passed, and seconds of processor time on all cores.
type span struct{ wall, processor float64 }

// add measures do, as standing for so many times as much.
func (s *span) add(times float64, do func()) {
	begin, used := time.Now(), verifytest.ProcessorTime()
	do()
	s.wall += times * time.Since(begin).Seconds()
	s.processor += times * (verifytest.ProcessorTime() - used).Seconds()
}

// sampleSize is how many records are kept to measure the library with.
const sampleSize = 10_000

// readAll reads every entry and hashes its record; it returns the first ones.
func readAll(b *testing.B, s *store.Store) (sample []verify.Entry) {
	b.Helper()
	log := need(s.Snapshot(context.Background()))(b)
	must(b, log.Entries(context.Background(), 0, func(e verify.Entry) error {
		if hash := verify.LeafOf(&e); !bytes.Equal(hash[:], e.LeafHash) {
			b.Error("another hash")
		}
		if len(sample) < sampleSize {
			sample = append(sample, e)
		}
		return nil
	}))
	return sample
}

func signaturesOf(b *testing.B, entries []verify.Entry) (signatures []*sshsig.Signature) {
	b.Helper()
	for i := range entries {
		signatures = append(signatures, need(sshsig.Unarmor(entries[i].Signature))(b))
	}
	return signatures
}

// verifyAll verifies signatures that are read already on all cores, with nothing around it.
func verifyAll(b *testing.B, sample []verify.Entry, measured func(do func())) {
	b.Helper()
	signatures := signaturesOf(b, sample)
	measured(func() {
		everyOne(len(sample), func(i int) error {
			return sshsig.Verify(bytes.NewReader(sample[i].Document), signatures[i], signatures[i].PublicKey,
				signatures[i].HashAlgorithm, records.SignatureNamespace)
		}, b)
	})
}

// judgeAll judges records that are read already again on all cores, as many together as a check does.
func judgeAll(b *testing.B, log verify.Source, sample []verify.Entry, measured func(do func())) {
	b.Helper()
	const together = 64
	var reader packets.Reader
	logged := make([]records.Enforcement, len(sample))
	for i := range sample {
		logged[i] = need(records.ReadEnforcement(&reader, terms.AreaOf(sample[i].Table), sample[i].Document))(b)
	}
	measured(func() {
		everyOne((len(logged)+together-1)/together, func(i int) error {
			return judgeBatch(log, logged[i*together:min((i+1)*together, len(logged))])
		}, b)
	})
}

func judgeBatch(log verify.Source, records []records.Enforcement) error {
	var reader packets.Reader
	refs := make([]verify.Ref, len(records))
	policies := map[verify.Ref]packets.Packet{}
	for i := range records {
		refs[i], _, _ = verify.RefsOf(records[i].Members())
	}
	documents, err := log.Packets(context.Background(), refs)
	if err != nil {
		return err
	}
	for i := range records {
		_, ref, _ := verify.RefsOf(records[i].Members())
		if _, there := policies[ref]; !there {
			held, err := log.Packets(context.Background(), []verify.Ref{ref})
			if err != nil {
				return err
			}
			if policies[ref], err = reader.ReadStored(held[0]); err != nil {
				return err
			}
		}
		packet, err := reader.ReadStored(documents[i])
		if err != nil {
			return err
		}
		if replayed := records[i].Replay(policies[ref], packet, verifytest.Salt); len(replayed.Findings) > 0 {
			return fmt.Errorf("%v", replayed.Findings)
		}
	}
	return nil
}

// everyOne does something for each number below count on all cores.
func everyOne(count int, do func(i int) error, t testing.TB) {
	t.Helper()
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
				if err := do(int(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// BenchmarkSignatures measures, in one run and turn by turn, what a check does with a signature and what the library
// alone takes to verify it once it is read, both on all cores. "of-library" is the one rate as a part of the other.
func BenchmarkSignatures(b *testing.B) {
	l := verifytest.Crowd(b, 500)
	who := verifytest.Person(verifytest.Assigned, terms.NeutralReviewer)
	checkSignature := verify.CheckSignature(l.Says.Signers)
	sample := recordEntries(l)
	signatures := signaturesOf(b, sample)
	var own, library time.Duration
	onAllCores := func(do func(i int) error) time.Duration {
		begin := time.Now()
		everyOne(len(sample), do, b)
		return time.Since(begin)
	}
	for b.Loop() {
		own += onAllCores(func(i int) error {
			checkSignature(sample[i].Document, sample[i].Signature, who, func(code verify.Code, detail string) { b.Error(code, detail) })
			return nil
		})
		library += onAllCores(func(i int) error {
			return sshsig.Verify(bytes.NewReader(sample[i].Document), signatures[i], signatures[i].PublicKey,
				signatures[i].HashAlgorithm, records.SignatureNamespace)
		})
	}
	b.ReportMetric(float64(own)/float64(b.N*len(l.List)), "own-ns/signature")
	b.ReportMetric(float64(library)/float64(b.N*len(l.List)), "library-ns/signature")
	b.ReportMetric(float64(library)/float64(own), "of-library")
}
