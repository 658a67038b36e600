package contracts

import (
	"context"
	"io"

	"docket/domain/json"
)

// MaxText is the most bytes of a packet or a line; longer ones are refused.
const MaxText = 16 << 20

// A TextHandler receives the contents of a file, in the file's order, on the goroutine that reads.
type TextHandler struct {
	// Text takes one JSON text, without white space around it, and the line on which it starts. The
	// bytes are good until it returns. A fault that it returns goes to Refused with its place in
	// the file; an error stops the reading. It has to read strictly, since it also gets texts that
	// are cut off or no JSON, to say why. After a fault, it may get parts of the text again.
	Text func(line int, text []byte) (*json.Fault, error)
	// Explain finds all faults, in order, of a text for which Text returned one; nil: that alone.
	Explain func(text []byte, fault *json.Fault) []json.Fault
	// Refused receives the texts that could not be read. It may not be nil: no refusal is passed over.
	Refused func(Refusal)
	// Progress is told after each read how many bytes have been read so far. It may be nil.
	Progress func(bytesRead int64)
}

// ReadTexts yields the JSON texts of a file: one text, an array of texts, or JSON Lines. file is
// the name to report. Its errors are those of r, of ctx and of h.Text only.
func ReadTexts(ctx context.Context, file string, r io.Reader, h TextHandler) error {
	f := framer{window: newWindow(ctx, file, r, h.Progress), file: file, take: h.take, explain: h.Explain, refused: h.Refused}
	return f.read()
}

// ReadLines is ReadTexts for a file in which each line that is not empty is a text of its own.
func ReadLines(ctx context.Context, file string, r io.Reader, h TextHandler) error {
	f := framer{window: newWindow(ctx, file, r, h.Progress), file: file, take: h.take,
		explain: h.Explain, refused: h.Refused, byLine: true}
	return f.read()
}

func (h TextHandler) take(line int, _ string, text []byte) (*json.Fault, error) {
	return h.Text(line, text)
}
