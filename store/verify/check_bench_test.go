package verify_test

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// crowdSize is how many records the benchmarks check: DOCKET_BENCH_RECORDS, up to 1,000,000 of them.
func crowdSize(b *testing.B) int {
	size, err := strconv.Atoi(os.Getenv("DOCKET_BENCH_RECORDS"))
	if err != nil || size < 1 {
		size = 4000
	}
	return min(size, 1_000_000)
}

func perRecord(b *testing.B, records int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
}

func BenchmarkCheck(b *testing.B) {
	size := crowdSize(b)
	l := verifytest.Crowd(b, size)
	b.ReportAllocs()
	for b.Loop() {
		if report := check(b, l, verify.Options{}); !report.OK() {
			b.Fatal(report.Findings[0])
		}
	}
	perRecord(b, size)
}

// BenchmarkReadingAndHashing is what a check cannot do without.
func BenchmarkReadingAndHashing(b *testing.B) {
	size := crowdSize(b)
	l := verifytest.Crowd(b, size)
	for b.Loop() {
		must(b, l.Entries(b.Context(), 0, func(e verify.Entry) error {
			_ = tlog.RecordHash(e.Document)
			return nil
		}))
	}
	perRecord(b, size)
}

// BenchmarkSignatures measures, in one run and turn by turn, what a check does with a signature and what the library
// alone takes to verify it once it is read, both on all cores. "of-library" is the one rate as a part of the other.
func BenchmarkSignatures(b *testing.B) {
	l := verifytest.Crowd(b, 500)
	who := verifytest.Person(verifytest.Assigned, terms.NeutralReviewer)
	checkSignature := verify.CheckSignature(l.Says.Signers)
	signatures := make([]*sshsig.Signature, len(l.List))
	for i := range l.List {
		var err error
		if signatures[i], err = sshsig.Unarmor(l.List[i].Signature); err != nil {
			b.Fatal(err)
		}
	}
	var own, library time.Duration
	for b.Loop() {
		own += onAllCores(len(l.List), func(i int) {
			checkSignature(l.List[i].Document, l.List[i].Signature, who, func(code verify.Code, detail string) { b.Error(code, detail) })
		})
		library += onAllCores(len(l.List), func(i int) {
			err := sshsig.Verify(bytes.NewReader(l.List[i].Document), signatures[i], signatures[i].PublicKey,
				signatures[i].HashAlgorithm, records.SignatureNamespace)
			if err != nil {
				b.Error(err)
			}
		})
	}
	b.ReportMetric(float64(own)/float64(b.N*len(l.List)), "own-ns/signature")
	b.ReportMetric(float64(library)/float64(b.N*len(l.List)), "library-ns/signature")
	b.ReportMetric(float64(library)/float64(own), "of-library")
}

func onAllCores(count int, do func(i int)) time.Duration {
	var next atomic.Int64
	var wait sync.WaitGroup
	begin := time.Now()
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wait.Wait()
	return time.Since(begin)
}
