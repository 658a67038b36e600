package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"docket/cmd/internal/sample"
	"docket/store"
)

// BenchmarkImport is `docket import` of a file of synthetic packets, reading and durable storing included.
func BenchmarkImport(b *testing.B) {
	const packets = 20000
	file := filepath.Join(b.TempDir(), "packets.jsonl")
	if err := writePackets(file, packets); err != nil {
		b.Fatal(err)
	}
	taken := 0
	for b.Loop() {
		p := &program{System: System{Out: io.Discard, Err: io.Discard, Now: time.Now, Getenv: os.Getenv},
			db: filepath.Join(b.TempDir(), "docket.db")}
		err := p.withStore(context.Background(), func(s *store.Store) error {
			return p.importFiles(context.Background(), s, []string{file})
		})
		if err != nil {
			b.Fatal(err)
		}
		taken += packets
	}
	b.ReportMetric(float64(taken)/b.Elapsed().Seconds(), "packets/s")
}

func writePackets(path string, count int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for packet := range sample.Generate(count, 1, time.Now()) {
		out.Write(packet)
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}
