package workbench_test

import (
	"bufio"
	"bytes"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"docket/cmd/internal/sample"
	"docket/cmd/internal/workbench"
	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
)

// BenchmarkSearchAmong100000 is a filter that looks through the texts of a sample docket: the first answer, the reading of all texts
// of the appeals, and the answers after it.
func BenchmarkSearchAmong100000(b *testing.B) {
	s, err := store.Open(b.Context(), store.Options{Path: filepath.Join(b.TempDir(), "docket.db"), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var all bytes.Buffer
	out := bufio.NewWriter(&all)
	for packet := range sample.Generate(100_000, 1, time.Now()) {
		out.Write(packet)
		out.WriteByte('\n')
	}
	out.Flush()
	var list []packets.Packet
	put := func(p packets.Packet) {
		if list = append(list, p); len(list) == 500 {
			if _, err := s.Import(b.Context(), list); err != nil {
				b.Fatal(err)
			}
			list = nil
		}
	}
	err = contracts.ReadPackets(b.Context(), "sample", &all, contracts.Handler{
		Packet: func(_ int, p packets.Packet) error { put(p); return nil }, Refused: func(contracts.Refusal) {},
	})
	if err != nil {
		b.Fatal(err)
	}
	all = bytes.Buffer{}
	look := func(d *workbench.Workbench, filter string) int {
		f, err := queue.ParseFilter(filter)
		if err != nil {
			b.Fatal(err)
		}
		found, err := d.Search(b.Context(), terms.Appeals, f.Sought())
		if err != nil {
			b.Fatal(err)
		}
		return len(found.IDs[f.Sought()[0]])
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			look(&workbench.Workbench{Store: s, Clock: time.Now}, "text:t")
		}
	})
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			before := heap()
			d := &workbench.Workbench{Store: s, Clock: time.Now}
			if err := d.PrepareSearch(b.Context(), terms.Appeals); err != nil {
				b.Fatal(err)
			}
			rows := look(d, "id:case-")
			b.ReportMetric(float64(heap()-before)/float64(rows), "bytes/row")
			b.ReportMetric(float64(rows), "rows")
			runtime.KeepAlive(d)
		}
	})
	d := &workbench.Workbench{Store: s, Clock: time.Now}
	if err := d.PrepareSearch(b.Context(), terms.Appeals); err != nil {
		b.Fatal(err)
	}
	for name, filter := range map[string]string{"word": "text:mosq", "letter": "text:t", "phrase": `text:"no money moves"`, "id": "id:0041"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				look(d, filter)
			}
		})
	}
}
