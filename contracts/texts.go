package contracts

import (
	"context"
	"io"

	"docket/domain/json"
)

// MaxText is the length in bytes of the longest packet or line that is read; longer ones are refused.
const MaxText = 16 << 20

// A TextHandler receives the contents of a file, in the file's order, on the goroutine that reads.
type TextHandler struct {
	// Text takes one JSON text, without white space around it, and the line on which it starts. The bytes are good until it
	// returns. A fault that it returns goes to Refused with its place in the file; an error stops the reading. It has to read
	// strictly, because it also receives texts that are cut off or are not JSON, to say why. After a fault, parts of the text may
	// be passed to it again.
	Text func(line int, text []byte) (*json.Fault, error)
	// Explain finds every fault of a text for which Text returned one, in the text's order. Nil stands for that one alone.
	Explain func(text []byte, fault *json.Fault) []json.Fault
	// Refused receives the texts that could not be read. It may not be nil: no refusal is passed over.
	Refused func(Refusal)
	// Progress is told after each read how many bytes have been read so far. It may be nil.
	Progress func(bytesRead int64)
}

// ReadTexts yields the JSON texts of a file of any of the three forms: one text, an array of texts, or JSON Lines.
// file is the name to report. Its errors are those of r, of ctx and of h.Text only.
func ReadTexts(ctx context.Context, file string, r io.Reader, h TextHandler) error {
	f := framer{window: newWindow(ctx, file, r, h.Progress), file: file, take: h.take, explain: h.Explain, refused: h.Refused}
	return f.read()
}

// ReadLines yields the lines of a file that are not empty, each as a text of its own; otherwise it is as ReadTexts.
func ReadLines(ctx context.Context, file string, r io.Reader, h TextHandler) error {
	f := framer{window: newWindow(ctx, file, r, h.Progress), file: file, take: h.take, explain: h.Explain, refused: h.Refused, byLine: true}
	return f.read()
}

func (h TextHandler) take(line int, _ string, text []byte) (*json.Fault, error) {
	return h.Text(line, text)
}
