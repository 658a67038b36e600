package store

import (
	"bufio"
	"fmt"
	"maps"
	"os"

	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A power cut leaves of each file what was synced, and of what was written since any part. Such cuts are made from a trace of the calls of a
// process that records: its files are put together as they may be found after the cut, and opened.

// A fileCall is a call of the system that matters for what a power cut leaves.
type fileCall struct {
	name   string // write, truncate, sync, remove, create, or ack of something that was told to the outside
	path   string
	offset int64 // of a write; -1: at the end. The size of a truncate
	data   []byte
}

// cutFile is a file with what is not synced of it.
type cutFile struct {
	durable []byte
	there   bool // the name is
	pending []fileCall
}

func (c *fileCall) apply(content []byte) []byte {
	switch c.name {
	case "truncate":
		return append(content, make([]byte, max(0, c.offset-int64(len(content))))...)[:c.offset]
	case "write":
		at := c.offset
		if at < 0 {
			at = int64(len(content))
		}
		end := at + int64(len(c.data))
		content = append(content, make([]byte, max(0, end-int64(len(content))))...)
		copy(content[at:], c.data)
	}
	return content
}

// cuts say what of the calls that were not synced is found after the power was cut.
var cuts = map[string]func(pending []fileCall) []fileCall{
	"nothing": func([]fileCall) []fileCall { return nil },
	"all":     func(pending []fileCall) []fileCall { return pending },
	"every second call": func(pending []fileCall) (some []fileCall) {
		for i := 0; i < len(pending); i += 2 {
			some = append(some, pending[i])
		}
		return some
	},
	"all but half of the last call": func(pending []fileCall) []fileCall {
		some := slices.Clone(pending)
		if n := len(some) - 1; n >= 0 {
			some[n].data = some[n].data[:len(some[n].data)/2]
		}
		return some
	},
	"the last call alone": func(pending []fileCall) []fileCall { return pending[max(0, len(pending)-1):] },
}

// A tracedDisk is the files of a folder, by their paths.
type tracedDisk map[string]*cutFile

func readDisk(t *testing.T, folder string) tracedDisk {
	t.Helper()
	d := tracedDisk{}
	must(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		d[path] = &cutFile{durable: content, there: true}
		return err
	}))
	return d
}

func (d tracedDisk) do(c *fileCall) {
	f := d[c.path]
	if f == nil {
		f = &cutFile{}
		d[c.path] = f
	}
	switch c.name {
	case "create":
		if !f.there || slices.ContainsFunc(f.pending, func(p fileCall) bool { return p.name == "remove" }) {
			*f = cutFile{there: true}
		}
	case "sync":
		for i := range f.pending {
			f.durable = f.pending[i].apply(f.durable)
		}
		f.pending = nil
	default:
		f.pending = append(f.pending, *c)
	}
}

// write writes what a cut leaves into another folder.
func (d tracedDisk) write(t *testing.T, from, to string, left func([]fileCall) []fileCall) {
	t.Helper()
	for path, f := range d {
		content, removed := slices.Clone(f.durable), !f.there
		for _, call := range left(f.pending) {
			content, removed = call.apply(content), call.name == "remove"
		}
		if removed || strings.HasSuffix(path, "-shm") { // an index of the write-ahead log, made again
			continue
		}
		target := to + strings.TrimPrefix(path, from)
		must(t, os.MkdirAll(filepath.Dir(target), 0o700))
		must(t, os.WriteFile(target, content, 0o600))
	}
}

var (
	tracedCall = regexp.MustCompile(`^(\d+) +(?:<\.\.\. \w+ resumed>(.*)|(\w+)\((.*))$`)
	tracedFile = regexp.MustCompile(`^\d+<([^>]*)>`)
	tracedText = regexp.MustCompile(`"([^"]*)"`)
)

func unhex(text string) []byte {
	out := make([]byte, 0, len(text)/4)
	for _, digits := range strings.Split(text, `\x`)[1:] {
		b, err := strconv.ParseUint(digits, 16, 8)
		if err != nil {
			return nil
		}
		out = append(out, byte(b))
	}
	return out
}

// readTrace reads the calls on files in a folder, and what was told to the outside. Of calls that ran side by side a write counts from its
// beginning, and a sync from its end on.
func readTrace(t *testing.T, trace, folder string) (calls []fileCall) {
	t.Helper()
	file := need(os.Open(trace))(t)
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	begun := map[string]string{} // what a process has begun
	for lines.Scan() {
		found := tracedCall.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		name, text := found[3], found[4]
		cut, unfinished := strings.CutSuffix(text, " <unfinished ...>")
		sync := name == "fsync" || name == "fdatasync"
		switch {
		case name == "" && begun[found[1]] != "": // a sync that ends
			name, text, sync = "fsync", begun[found[1]]+found[2], true
			delete(begun, found[1])
		case name == "":
			continue
		case sync && unfinished:
			begun[found[1]] = cut
			continue
		case unfinished: // what strace says of it is not an argument
			text = cut
		}
		if c := callOf(name, text, sync); c != nil && (c.name == "ack" || strings.HasPrefix(c.path, folder+"/")) {
			calls = append(calls, *c)
		}
	}
	must(t, lines.Err())
	return calls
}

// callOf is what a traced call did; nil if it does not matter, or failed.
func callOf(name, text string, sync bool) *fileCall {
	var path string
	if on := tracedFile.FindStringSubmatch(text); on != nil {
		path = string(unhex(on[1]))
	}
	var texts []string
	for _, found := range tracedText.FindAllStringSubmatch(text, -1) {
		texts = append(texts, string(unhex(found[1])))
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ')' || r == ' ' })
	number := func(i int) int64 { // a field, from the end of the arguments
		for n, field := range fields {
			if field == "=" {
				fields = fields[:n]
				break
			}
		}
		v, _ := strconv.ParseInt(fields[max(0, len(fields)-i)], 10, 64)
		return v
	}
	switch {
	case strings.Contains(text, " = -1 "):
		return nil
	case sync:
		return &fileCall{name: "sync", path: path}
	case name == "write" && strings.HasPrefix(text, "1<") && len(texts) == 1:
		return &fileCall{name: "ack", data: []byte(texts[0])}
	case name == "write" && len(texts) == 1:
		return &fileCall{name: "write", path: path, offset: -1, data: []byte(texts[0])}
	case name == "pwrite64" && len(texts) == 1:
		return &fileCall{name: "write", path: path, offset: number(1), data: []byte(texts[0])}
	case name == "ftruncate":
		return &fileCall{name: "truncate", path: path, offset: number(1)}
	case (name == "unlink" || name == "unlinkat") && len(texts) == 1:
		return &fileCall{name: "remove", path: texts[0]}
	case (name == "open" || name == "openat") && strings.Contains(text, "O_CREAT") && len(texts) == 1:
		return &fileCall{name: "create", path: texts[0]}
	}
	return nil
}

func TestNothingAcknowledgedIsLostWhenThePowerIsCut(t *testing.T) {
	if !longTests() {
		t.Skip("every call of a program is traced and cut: .ci/long runs it")
	}
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		recordThrough(t, folder)
		return
	}
	program := straced(t)
	folder := need(filepath.EvalSymlinks(storeOfCases(t)))(t)
	before, files := readDisk(t, folder), readDisk(t, folder)
	trace := filepath.Join(t.TempDir(), "trace")
	command := traced(again(t, t.Name(), folder), program, "-y", "-xx", "-s", "1000000", "-o", trace,
		"-e", "trace=open,openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat", "-e", "signal=none")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	calls := readTrace(t, trace, folder)
	var acknowledged [][]string
	made, held, stride := 0, 0, max(1, len(calls)/sampled(400, 12, 6))
	for n := range calls {
		c := &calls[n]
		if words, is := strings.CutPrefix(string(c.data), "ack "); c.name == "ack" {
			if is {
				acknowledged = append(acknowledged, strings.Fields(words))
			}
		} else {
			files.do(c)
		}
		if c.name != "ack" && n%stride > 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(cuts)) {
			found := filepath.Join(t.TempDir(), "found")
			files.write(t, folder, found, cuts[name])
			s := openWith(t, faultOptions(found))
			wantKinds(t, fmt.Sprintf("after call %d, %s found", n, name), append(s.Findings(), proven(t, s)...))
			held += mustHold(t, s, acknowledged)
			made++
			must(t, s.Close())
		}
	}
	wantNot(t, len(acknowledged) < 5, "%d records were acknowledged", len(acknowledged))
	// The trace has all of the calls: put together in full, the files are those that are there.
	for path, f := range files {
		if now, err := os.ReadFile(path); f.there && strings.HasSuffix(path, "docket.db") {
			files.do(&fileCall{name: "sync", path: path})
			wantNot(t, err != nil || string(now) != string(f.durable) ||
				string(now) == string(before[path].durable), "%s is not the one of the trace: %v", path, err)
		}
	}
	t.Logf("%d calls, the power cut %d times: %d records acknowledged before, none lost", len(calls), made, held)
}
