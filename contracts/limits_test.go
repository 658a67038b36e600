package contracts_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"docket/contracts"
	"docket/domain/packets"
)

// repeated yields a piece of text over and over, without ever holding more than one of it.
type repeated struct {
	piece string
	times int
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && r.times > 0 {
		copied := copy(p[n:], r.piece[r.at:])
		n, r.at = n+copied, r.at+copied
		if r.at == len(r.piece) {
			r.at, r.times = 0, r.times-1
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// count counts the results of a reading.
type count struct {
	packets, refusals int
	first             contracts.Refusal
	read              int64
}

func (c *count) handler() contracts.Handler {
	return contracts.Handler{
		Packet: func(int, packets.Packet) error { c.packets++; return nil },
		Refused: func(r contracts.Refusal) {
			if c.refusals == 0 {
				c.first = r
			}
			c.refusals++
		},
		Progress: func(n int64) { c.read = n },
	}
}

func readCounting(t testing.TB, parts ...io.Reader) count {
	t.Helper()
	var c count
	must(t, contracts.ReadPackets(context.Background(), "f", io.MultiReader(parts...), c.handler()))
	return c
}

func TestATextOverTheLimitIsRefusedAndTheRestGoesIn(t *testing.T) {
	const many = 18 << 20
	text := func(s string) io.Reader { return strings.NewReader(s) }
	fill := func(s string) io.Reader {
		return &repeated{piece: strings.Repeat(s, 1024), times: many / 1024 / len(s)}
	}
	a, b := packet("a"), "\n"+packet("b")+"\n"
	const size, values = "is over 16 MiB", "has more than 1,048,576 values"
	for name, c := range map[string]struct {
		parts   []io.Reader
		packets int
		want    contracts.Refusal
	}{
		"a line":         {[]io.Reader{text(a + "\n"), fill("x"), text(b)}, 2, contracts.Refusal{Line: 2, Reason: size}},
		"the first line": {[]io.Reader{text(`{"private":"`), fill("x"), text("\"}" + b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"a cut string":   {[]io.Reader{text(`{"private":"`), fill("x"), text(b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"a cut list":     {[]io.Reader{text(`{"private":[1`), fill(",1"), text(b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"mismatched":     {[]io.Reader{text(`{"private":[`), fill(" "), text("}x" + b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"deep":           {[]io.Reader{fill("["), text(b)}, 1, contracts.Refusal{Line: 1, Pointer: "/0", Reason: size}},
		"many lines":     {[]io.Reader{text("{\n\"private\":[1"), fill("\n,1"), text("]}" + b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"lines behind one that never ends": {[]io.Reader{text("{\"private\":[\n" + a + "\n"), fill(",1"), text(b)}, 2,
			contracts.Refusal{Line: 1, Pointer: "/private", Reason: "the JSON stops early; it may be cut off"}},
		"white space after": {[]io.Reader{text(a), fill(" "), text(b)}, 1, contracts.Refusal{Line: 1, Reason: size}},
		"white space between": {[]io.Reader{text(a + "\n"), fill(" "), fill("\n"), text(b)}, 2,
			contracts.Refusal{}},
		"an element":          {[]io.Reader{text("[" + a + ",\""), fill("x"), text("\"," + a + "]")}, 2, contracts.Refusal{Line: 1, Pointer: "/1", Reason: size}},
		"an element of lines": {[]io.Reader{text("[\n{\"a\":["), fill("{},\n"), text("{}]},\n" + a + "]")}, 1, contracts.Refusal{Line: 2, Pointer: "/0", Reason: size}},
		"values":              {[]io.Reader{text(`{"private":[1`), &repeated{piece: strings.Repeat(",1", 1024), times: 1 << 10}, text("]}" + b)}, 1, contracts.Refusal{Line: 1, Reason: values}},
		"commas in a string": {[]io.Reader{text(a[:len(a)-1] + `,"private":{"other":"`), &repeated{piece: strings.Repeat(`,\"`, 1024), times: 2 << 10}, text("\"}}" + b)}, 2,
			contracts.Refusal{}},
		"an element of many times the limit": {[]io.Reader{text("[\""), fill("x"), fill("x"), fill("x"), text("\"," + a + "]")}, 1,
			contracts.Refusal{Line: 1, Pointer: "/0", Reason: size}},
		"a first line that never ends": {[]io.Reader{text(`{"private":[` + "\n"), &repeated{piece: a + "\n", times: 1000}}, 1000,
			contracts.Refusal{Line: 1, Pointer: "/private", Reason: "the JSON stops early; it may be cut off"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := readCounting(t, c.parts...)
			if strings.HasPrefix(name, "an element of many") || strings.HasPrefix(name, "a first line that") {
				if got.refusals != 1 {
					t.Errorf("%d refusals", got.refusals)
				}
			}
			if c.want.Line > 0 {
				c.want.File = "f"
			}
			if got.packets != c.packets || !reflect.DeepEqual(got.first, c.want) {
				t.Errorf("got %d packets and %v, want %d and %v", got.packets, got.first, c.packets, c.want)
			}
		})
	}
}

// Of an element that is longer by little, the end is read together with the byte that is too many.
func TestAnElementOfABitOverTheLimitIsRefusedOnce(t *testing.T) {
	for over := range 3 {
		element := "\"" + strings.Repeat("x", contracts.MaxText-2+over) + "\""
		got := readCounting(t, strings.NewReader("["+element+","+packet("a")+"]"))
		if got.packets != 1 || got.refusals != 1 || (got.first.Reason == "is over 16 MiB") != (over > 0) {
			t.Errorf("%d over: got %+v, want 1 packet and 1 refusal", over, got)
		}
	}
}

func TestTheLinesOfATextOverTheLimitAreCounted(t *testing.T) {
	var at []int
	large := &repeated{piece: strings.Repeat("\n,1", 1024), times: contracts.MaxText/3/1024 + 1}
	err := contracts.ReadPackets(context.Background(), "f", io.MultiReader(strings.NewReader("{\"private\":[1"), large, strings.NewReader("]}\n{}\n")),
		contracts.Handler{Refused: func(r contracts.Refusal) { at = append(at, r.Line) }})
	if want := []int{1, 1024*(contracts.MaxText/3/1024+1) + 2}; err != nil || len(at) < 2 || !slices.Equal(at[:2], want) {
		t.Errorf("refused on lines %d, want %d first: %v", at, want, err)
	}
}

// heapOf tells how far the heap grew at most while do ran; do calls sample now and then.
func heapOf(do func(sample func())) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	do(func() {
		runtime.GC()
		runtime.ReadMemStats(&now)
		most = max(most, now.HeapAlloc)
	})
	return most - before.HeapAlloc
}

func TestManyMebibytesOfJSONLinesAreReadInBoundedMemory(t *testing.T) {
	line := packet("a") + "\n"
	times := (16 << 20) / len(line)
	c := count{}
	grown := heapOf(func(sample func()) {
		h := c.handler()
		h.Packet = func(int, packets.Packet) error {
			if c.packets++; c.packets%20_000 == 0 {
				sample()
			}
			return nil
		}
		must(t, contracts.ReadPackets(context.Background(), "f", &repeated{piece: line, times: times}, h))
	})
	if c.packets != times || c.read != int64(times*len(line)) {
		t.Errorf("got %d packets from %d bytes, want %d from %d", c.packets, c.read, times, times*len(line))
	}
	if grown > 1<<20 {
		t.Errorf("the heap grew by %d bytes, want at most 1 MiB", grown)
	}
}

func TestALineOfManyTimesTheLimitIsNotHeld(t *testing.T) {
	for _, start := range []string{"", "{\"private\":\"", "[\"", "[]x", "{]"} {
		var c count
		grown := heapOf(func(sample func()) {
			h := c.handler()
			h.Progress = func(n int64) {
				if n>>23 != c.read>>23 {
					sample()
				}
				c.read = n
			}
			file := io.MultiReader(strings.NewReader(start), &repeated{piece: strings.Repeat("xyz ", 1024), times: 20 << 10})
			must(t, contracts.ReadPackets(context.Background(), "f", file, h))
		})
		if c.refusals == 0 || c.packets > 0 {
			t.Errorf("%q: got %+v, want a refusal", start, c)
		}
		if grown > 40<<20 {
			t.Errorf("%q: the heap grew by %d bytes, want at most 40 MiB", start, grown)
		}
	}
}

func TestTheErrorsOfReadingAreTheReadersTheContextsAndTheHandlers(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	stop := errors.New("stop")
	folder, err := os.Open(t.TempDir())
	must(t, err)
	defer folder.Close()
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		want error
	}{
		"a reader that fails":     {context.Background(), io.MultiReader(strings.NewReader(packet("a")+"\n"), iotest.ErrReader(stop)), stop},
		"a context that ended":    {canceled, strings.NewReader(packet("a")), context.Canceled},
		"a reader without end":    {context.Background(), idle{}, io.ErrNoProgress},
		"a file that is a folder": {context.Background(), folder, fs.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			var counted count
			err := contracts.ReadPackets(c.ctx, "f", c.r, counted.handler())
			var path *fs.PathError
			if !errors.Is(err, c.want) && !(c.want == fs.ErrInvalid && errors.As(err, &path)) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			// An error of the system names its file; to another one the reader adds the name of the stream, once.
			if named := strings.HasPrefix(err.Error(), "read f: "); named == errors.As(err, &path) && c.want != context.Canceled {
				t.Errorf("the error is %q", err)
			}
		})
	}
	t.Run("a handler that fails", func(t *testing.T) {
		seen := 0
		err := contracts.ReadPackets(context.Background(), "f", &repeated{piece: packet("a") + "\n", times: 3},
			contracts.Handler{Packet: func(int, packets.Packet) error { seen++; return stop }})
		if !errors.Is(err, stop) || seen != 1 {
			t.Errorf("got %v after %d packets, want %v after 1", err, seen, stop)
		}
	})
}

// failingOnce fails at one read and goes on afterwards.
type failingOnce struct {
	io.Reader
	left int
	with error
}

func (f *failingOnce) Read(into []byte) (int, error) {
	if f.left--; f.left == 0 {
		return 0, f.with
	}
	return f.Reader.Read(into)
}

func TestAReadThatFailsOnceEndsTheReading(t *testing.T) {
	t.Parallel()
	small := "[" + packet("a") + ",\n" + pretty("b") + ",{\"a\":]}\n" + packet("c") + "\n\"x\n" + pretty("d") + "\n"
	large := strings.Repeat("\"xyz\",\n", contracts.MaxText/6)
	stop := errors.New("stop")
	for name, c := range map[string]func() io.Reader{
		"byte by byte":       func() io.Reader { return iotest.OneByteReader(strings.NewReader(small)) },
		"after an array":     func() io.Reader { return iotest.OneByteReader(strings.NewReader("[ " + packet("a") + "] \n x\n")) },
		"an object too long": func() io.Reader { return strings.NewReader("{" + large + packet("a") + "\n") },
		"a list too long":    func() io.Reader { return strings.NewReader("[\"" + large + packet("a") + "\n") },
		"a line too long": func() io.Reader {
			return strings.NewReader(packet("a") + "\n" + strings.ReplaceAll(large, "\n", " ") + "\n" + packet("b") + "\n")
		},
	} {
		at := 1
		for ; ; at += 1 + at/30 {
			var counted count
			r := &failingOnce{c(), at, stop}
			err := contracts.ReadPackets(context.Background(), "f", r, counted.handler())
			if r.left > 0 {
				break
			}
			if !errors.Is(err, stop) {
				t.Fatalf("%s: read %d fails: %v, after %+v", name, at, err, counted)
			}
		}
		if at < 5 {
			t.Errorf("%s is read in fewer than %d reads", name, at)
		}
	}
}

// idle never gives anything.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
