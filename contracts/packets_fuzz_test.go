package contracts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"docket/contracts"
	"docket/domain/packets"
)

// canary stands in the place of every K of a fuzzed file, as something private would. No refusal may repeat it.
const canary = "Kanarienvogel"

// widest notes how much memory is offered to a reader at once: the window of the reading is not smaller.
type widest struct {
	io.Reader
	most int
}

func (w *widest) Read(p []byte) (int, error) {
	w.most = max(w.most, len(p))
	return w.Reader.Read(p)
}

func FuzzReadPackets(f *testing.F) {
	indented := strings.ReplaceAll(pretty("K"), "\n", "\n  ")
	for _, seed := range []string{
		"", "K", packet("K"), packet("a") + "\n" + packet("K") + "\n", "[\n  " + indented + ",\n  " + indented + "\n]\n",
		pretty("K"), packet("a")[:70] + "\n" + packet("b"), "[" + packet("K") + "," + packet("K")[:50] + "]",
		`{"table":"K"}`, `{"K":"table"}`, `{"table":"trade_appeal_cases","record":{"K":1},"private":{"K":"K"}}`,
		`{"record":{"K":[` + "\n" + packet("K") + "\n" + packet("K"), "[{\"K\":\"\n" + packet("K"), "\xEF\xBB\xBF{}",
		strings.Repeat("[", 100) + "K", strings.Repeat("{\"K\":\n", 70), `{"record":{"policyVersion":1e10000000}}`,
		"{\"K\":\"\\uD800K\"}\r\n\xffK\r\n{\"K\":1,\"K\":2}", "[1,K,\n{}\n{}\n]K\n[]", "]}]}\"\\\"K",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.ReplaceAll(text, []byte("K"), []byte(canary))
		input := &widest{Reader: bytes.NewReader(text)}
		got := fuzzRead(t, input, len(text)+1)
		if limit := 64<<10 + 4*len(text); input.most > limit {
			t.Errorf("%d bytes took a window of %d", len(text), input.most)
		}
		if again := fuzzRead(t, iotest.OneByteReader(bytes.NewReader(text)), len(text)+1); !slices.Equal(got, again) {
			t.Errorf("byte by byte it reads\n%s\nat once\n%s", again, got)
		}
	})
}

// fuzzRead reads a file and checks what must hold of every refusal.
func fuzzRead(t *testing.T, r io.Reader, lines int) []string {
	var got []string
	err := contracts.ReadPackets(context.Background(), "f", r, contracts.Handler{
		Packet: func(line int, p packets.Packet) error {
			got = append(got, fmt.Sprint(line, p.Digests().Record))
			return nil
		},
		Refused: func(refusal contracts.Refusal) {
			written, err := json.Marshal(refusal)
			if err != nil || strings.Contains(string(written), canary) || strings.Contains(refusal.Error(), canary) {
				t.Errorf("%s repeats the input (%v)", written, err)
			}
			if refusal.Line < 1 || refusal.Line > lines || refusal.Reason == "" {
				t.Errorf("%s says nothing of use", written)
			}
			got = append(got, string(written))
		},
	})
	if err != nil {
		t.Errorf("reading from memory: %v", err)
	}
	return got
}
