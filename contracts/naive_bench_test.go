package contracts_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"testing"

	"github.com/gowebpki/jcs"

	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/terms"
)

// BenchmarkStrictReading sets the reader beside what one would put together from libraries: the schema library, then
// the canonical form for the hash, then decoding. Both take the same packets of about 3 KB from bytes to a checked,
// hashed value.
func BenchmarkStrictReading(b *testing.B) {
	list := benchPackets(b, 100)
	rate := func(b *testing.B) { b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s") }
	b.Run("docket", func(b *testing.B) {
		var reader packets.Reader
		for i := 0; b.Loop(); i++ {
			unredacted, fault := reader.Read(list[i%len(list)])
			if fault != nil {
				b.Fatal(fault)
			}
			unredacted.Redact()
		}
		rate(b)
	})
	b.Run("libraries", func(b *testing.B) {
		schema := compiled(b, "appeal cases", contracts.Schema(terms.AppealCases))
		for i := 0; b.Loop(); i++ {
			must(b, readNaively(schema, list[i%len(list)]))
		}
		rate(b)
	})
}

func readNaively(schema checker, packet []byte) error {
	var parts struct {
		Table  string
		Record json.RawMessage
	}
	if err := json.Unmarshal(packet, &parts); err != nil {
		return err
	}
	if !schema.fits(parts.Record) {
		return errors.New("the schema refuses it")
	}
	canonicalForm, err := jcs.Transform(parts.Record)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(canonicalForm)
	var record map[string]any
	decoder := json.NewDecoder(bytes.NewReader(canonicalForm))
	if err := decoder.Decode(&record); err != nil {
		return err
	}
	record["sum"] = sum
	return nil
}

// benchPackets makes up packets of about 3 KB each.
func benchPackets(b *testing.B, n int) [][]byte {
	s := newSampler(1)
	info, _ := packets.Info(terms.AppealCases)
	var packets [][]byte
	for len(packets) < n {
		record := s.record(&info.Shape, 100)
		record["remedyGap"] = s.text("what was promised and what is there ", 1800)
		text, err := json.Marshal(map[string]any{"table": terms.AppealCases, "record": record})
		must(b, err)
		packets = append(packets, text)
	}
	return packets
}
