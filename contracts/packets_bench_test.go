package contracts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// benchPackets makes up packets of about 3 KB each.
func benchPackets(b *testing.B, n int, indent string) [][]byte {
	s := newSampler(1)
	info, _ := packets.Info(terms.AppealCases)
	var packets [][]byte
	for len(packets) < n {
		record := s.record(&info.Shape, 100)
		record["remedyGap"] = s.text("what was promised and what is there ", 1800)
		text, err := json.Marshal(map[string]any{"table": terms.AppealCases, "record": record})
		if err != nil {
			b.Fatal(err)
		}
		if indent != "" {
			var out bytes.Buffer
			if err := json.Indent(&out, text, "", indent); err != nil {
				b.Fatal(err)
			}
			text = out.Bytes()
		}
		packets = append(packets, text)
	}
	return packets
}

func BenchmarkReading(b *testing.B) {
	lines := bytes.Join(benchPackets(b, 1000, ""), []byte("\n"))
	array := append(append([]byte("["), bytes.Join(benchPackets(b, 1000, "  "), []byte(",\n"))...), ']')
	none := contracts.TextHandler{Text: func(int, []byte) (*shape.Fault, error) { return nil, nil }}
	packets := contracts.Handler{Packet: func(int, packets.Packet) error { return nil }, Refused: func(r contracts.Refusal) {
		b.Error(r)
	}}
	for name, file := range map[string][]byte{"lines": lines, "array": array} {
		b.Run("framing/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if err := contracts.ReadTexts(context.Background(), "f", bytes.NewReader(file), none); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("packets/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if err := contracts.ReadPackets(context.Background(), "f", bytes.NewReader(file), packets); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
