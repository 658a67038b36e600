package contracts

import (
	"context"
	"io"

	"docket/domain/json"
	"docket/domain/packets"
)

// A Handler receives the contents of a packet file, in its order, on the goroutine that reads.
type Handler struct {
	// Packet takes a redacted packet, which may be kept, and its first line; an error stops reading.
	Packet func(line int, p packets.Packet) error
	// Masked takes each text of a packet that is masked or withheld, before the packet. It may be nil.
	Masked func(Masked)
	// Refused receives the texts that could not be read. It may not be nil: no refusal is passed over.
	Refused func(Refusal)
	// Progress is told after each read how many bytes have been read so far. It may be nil.
	Progress func(bytesRead int64)
}

// largeText is the length from which on a reader, which keeps its memory, is not used again.
const largeText = 1 << 20

// ReadPackets reads a packet file: one packet, an array of packets, or JSON Lines. file is the name
// to report. Its errors are those of r, of ctx and of h.Packet only; faults of the file's content
// go to h.Refused.
func ReadPackets(ctx context.Context, file string, r io.Reader, h Handler) error {
	reader := new(packets.Reader)
	take := func(line int, pointer string, text []byte) (*json.Fault, error) {
		if len(text) > largeText {
			defer func() { reader = new(packets.Reader) }()
		}
		unredacted, fault := reader.Read(text)
		if fault != nil {
			return fault, nil
		}
		if h.Masked != nil {
			for _, found := range unredacted.Masked() {
				at := line - 1 + json.Line(text, found.Offset)
				for _, kind := range found.Kinds.Texts() {
					h.Masked(Masked{File: file, Line: at, Pointer: pointer + found.Pointer, Kind: kind})
				}
			}
		}
		return nil, h.Packet(line, unredacted.Redact())
	}
	f := framer{window: newWindow(ctx, file, r, h.Progress), file: file, take: take,
		explain: ExplainPacket, refused: h.Refused, once: true}
	return f.read()
}
