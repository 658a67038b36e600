package audit_test

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/domain"
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
	l := audittest.Crowd(b, size)
	b.ReportAllocs()
	for b.Loop() {
		if report := check(b, l, audit.Options{}); !report.OK() {
			b.Fatal(report.Findings[0])
		}
	}
	perRecord(b, size)
}

// BenchmarkReadingAndHashing is what a check cannot do without.
func BenchmarkReadingAndHashing(b *testing.B) {
	size := crowdSize(b)
	l := audittest.Crowd(b, size)
	for b.Loop() {
		err := l.Entries(b.Context(), 0, func(e audit.Entry) error {
			_ = tlog.RecordHash(e.Document)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	perRecord(b, size)
}

// BenchmarkSignatures is the library's own rate on all cores, with no check around it.
func BenchmarkSignatures(b *testing.B) {
	l := audittest.Crowd(b, 100)
	key := audittest.Key(audittest.Assigned).PublicKey()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i = (i + 1) % len(l.List) {
			signature, err := sshsig.Unarmor(l.List[i].Signature)
			if err == nil {
				err = sshsig.Verify(bytes.NewReader(l.List[i].Document), signature, key, signature.HashAlgorithm, domain.SignatureNamespace)
			}
			if err != nil {
				b.Error(err)
			}
		}
	})
	perRecord(b, 1)
}
