package bundle_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// crowd is a log of DOCKET_BENCH_RECORDS records.
func crowd(b *testing.B) *verifytest.Log {
	size, err := strconv.Atoi(os.Getenv("DOCKET_BENCH_RECORDS"))
	if err != nil || size < 1 {
		size = 2000
	}
	return verifytest.Crowd(b, size)
}

func BenchmarkWrite(b *testing.B) {
	l := crowd(b)
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "bundle")
		need(bundle.Write(b.Context(), dir, l, bundle.Options{}))(b)
		must(b, os.RemoveAll(dir))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(l.List)), "ns/record")
	if kept := os.Getenv("DOCKET_BENCH_BUNDLE"); kept != "" { // for programs that measure something of a bundle
		need(bundle.Write(b.Context(), kept, l, bundle.Options{}))(b)
	}
}

func BenchmarkCheck(b *testing.B) {
	l := crowd(b)
	dir := written(b, l)
	for b.Loop() {
		if report := checked(b, dir, verify.Options{}); !report.OK() {
			b.Fatal(report.Findings)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(l.List)), "ns/record")
}
