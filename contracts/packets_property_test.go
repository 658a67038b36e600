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

	"pgregory.net/rapid"

	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/terms"
)

// A sampled file is a list of pieces; some are valid packets.
type piece struct {
	text string
	id   string // of a valid packet; "" if the piece is broken
}

// drawPacket draws a valid packet, compact.
func drawPacket(t *rapid.T, n int, private bool) piece {
	s := newSampler(rapid.Uint64().Draw(t, "seed"))
	table := pick(s, terms.PacketTables.Terms())
	info, _ := packets.Info(table)
	record := s.record(&info.Shape, 40)
	id := fmt.Sprintf("id-%d", n)
	record[info.IDMember] = id
	packet := map[string]any{"table": table, "record": record}
	if private && s.IntN(2) == 0 {
		packet["private"] = map[string]any{"other": []any{map[string]any{"a": "{\n}]\""}, 1.5}}
	}
	text, err := json.Marshal(packet)
	must(t, err)
	return piece{string(text), id}
}

// drawBrokenLine draws a line that holds no packet: a packet cut at either end, or something else.
func drawBrokenLine(t *rapid.T) piece {
	text := drawPacket(t, 0, false).text
	switch cut := rapid.IntRange(1, len(text)-1).Draw(t, "cut"); rapid.IntRange(0, 3).Draw(t, "broken") {
	case 0:
		return piece{text: text[:cut]}
	case 1:
		return piece{text: text[cut:]}
	case 2:
		return piece{text: text + rapid.SampledFrom([]string{"x", "{", "}", "\"", text}).Draw(t, "behind")}
	default:
		return piece{text: rapid.SampledFrom([]string{"x", "{", "[", "]", "}", "\"", "[7]", "{}", "[{", "{\"a\":", "\\",
			"null", "{\"a\":[", "[[", ",", "]}", "{\"table\":\"x\"}", "{\"record\":{\"a\":["}).Draw(t, "line")}
	}
}

// drawBrokenElement draws an element that holds no packet, but whose brackets match.
func drawBrokenElement(t *rapid.T) piece {
	return piece{text: rapid.SampledFrom([]string{"7", "{\"a\" 1}", "{}", "[1,[2]]", "\"a, [ { \\\" ] }\"", "x", "{,}",
		"{\"table\":\"x\"}", "null null", "{\"record\":{\"a\":[{},{\"x\":\"}\"}]}}"}).Draw(t, "element")}
}

func drawPieces(t *rapid.T, broken func(*rapid.T) piece) []piece {
	n := 0
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) piece {
		n++
		if broken != nil && rapid.Bool().Draw(t, "is broken") {
			return broken(t)
		}
		return drawPacket(t, n, true)
	}), 0, 6).Draw(t, "pieces")
}

// drawIndented lays a JSON text out over many lines, with any indentation, none included.
func drawIndented(t *rapid.T, text string) string {
	var out bytes.Buffer
	indent := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent")
	if json.Indent(&out, []byte(text), "", indent) != nil {
		return text
	}
	return out.String()
}

// expectPackets reads the text and wants exactly the valid packets of the pieces, in order, and a refusal if there is a
// broken piece.
func expectPackets(t *rapid.T, tb testing.TB, text string, pieces []piece) {
	var want, got []string
	broken := false
	for _, p := range pieces {
		if p.id != "" {
			want = append(want, p.id)
		}
		broken = broken || p.id == ""
	}
	refused := false
	for _, entry := range readAll(tb, text) {
		_, what, _ := strings.Cut(entry, " ")
		if strings.HasPrefix(what, "id-") {
			got = append(got, what)
		} else {
			refused = true
		}
	}
	if !slices.Equal(got, want) || refused != broken {
		t.Fatalf("got %v (refused: %v), want %v, from\n%s\n%s", got, refused, want, text,
			strings.Join(readAll(tb, text), "\n"))
	}
}

func join(pieces []piece, between string) string {
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
	}
	return strings.Join(texts, between)
}

func drawFeed(t *rapid.T) string {
	return rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", " \n\t\r\n"}).Draw(t, "line feed")
}

// formOneText reports whether some of the lines together are one JSON text, or one element of an array, that goes over
// lines.
func formOneText(lines []piece) bool {
	for from := range lines {
		for to := from + 2; to <= len(lines); to++ {
			text := join(lines[from:to], "\n")
			if json.Valid([]byte(text)) || json.Valid([]byte(strings.TrimPrefix(text, "["))) {
				return true
			}
		}
	}
	return false
}

func TestPropertyJSONLinesGiveExactlyTheirValidPackets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pieces := drawPieces(rt, drawBrokenLine)
		if formOneText(pieces) {
			rt.Skip("several lines are one JSON text, so the file is not JSON Lines alone")
		}
		text := join(pieces, drawFeed(rt)) + rapid.SampledFrom([]string{"", "\n"}).Draw(rt, "end")
		expectPackets(rt, t, text, pieces)
	})
}

func TestPropertyAnArrayGivesExactlyItsValidPackets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pieces := drawPieces(rt, drawBrokenElement)
		for i := range pieces {
			if pieces[i].id != "" && rapid.Bool().Draw(rt, "is laid out") {
				pieces[i].text = drawIndented(rt, pieces[i].text)
			}
		}
		between := rapid.SampledFrom([]string{",", ",\n", "\n,\r\n", " , "}).Draw(rt, "between")
		around := rapid.SampledFrom([]string{"", "\n", " "}).Draw(rt, "around")
		expectPackets(rt, t, around+"["+around+join(pieces, between)+around+"]"+around, pieces)
	})
}

func TestPropertyAPacketOverManyLinesIsRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPacket(rt, 1, true)
		feed := drawFeed(rt)
		expectPackets(rt, t, feed+drawIndented(rt, p.text)+feed, []piece{p})
	})
}

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
		"[" + packet("a") + ",\n" + pretty("b") + ",{\"a\":]}\n" + packet("c") + "\n\"x\n" + pretty("d") + "\n",
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
		for how, arriving := range map[string]func(io.Reader) io.Reader{"byte by byte": iotest.OneByteReader, "in halves": iotest.HalfReader,
			"with EOF and data": iotest.DataErrReader} {
			if again := fuzzRead(t, arriving(bytes.NewReader(text)), len(text)+1); !slices.Equal(got, again) {
				t.Errorf("%s it reads\n%s\nat once\n%s", how, again, got)
			}
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
