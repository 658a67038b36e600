package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A victim is a small bundle of which one file at a time is changed.
type victim struct {
	dir   string
	names []string
	whole map[string][]byte
}

func newVictim(t testing.TB) *victim {
	t.Helper()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("Case-1", 1)), assigned, nil))
	turnedAway := l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1)), assigned, nil)
	l.Append(turnedAway)
	l.Reject(verifytest.NewService(""), turnedAway, "")
	v := &victim{dir: filepath.Join(t.TempDir(), "bundle"), whole: map[string][]byte{}}
	need(bundle.Write(context.Background(), v.dir, l, bundle.Options{}))(t)
	v.names = files(t, v.dir)
	for _, name := range v.names {
		content := need(os.ReadFile(at(v.dir, name)))(t)
		v.whole[name] = content
	}
	return v
}

// mostMemory is how much the check of a bundle of two records may allocate in all, for any content.
const mostMemory = 96 << 20

// found checks the bundle, and reports whether something was found or it could not be read at all.
func (v *victim) found(t *testing.T) bool {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := bundle.Check(t.Context(), v.dir, verify.Options{Workers: 1})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > mostMemory {
		t.Errorf("%d MiB were allocated", used>>20)
	}
	return err != nil || !report.OK()
}

// change puts other bytes in the place of some of a file's, checks the bundle, and puts it right again.
func (v *victim) change(t *testing.T, file, from, length uint16, other []byte) {
	t.Helper()
	name := v.names[int(file)%len(v.names)]
	content := v.whole[name]
	start := min(int(from), len(content))
	end := min(start+int(length), len(content))
	changed := bytes.Join([][]byte{content[:start], other, content[end:]}, nil)
	overwrite(t, at(v.dir, name), changed)
	defer overwrite(t, at(v.dir, name), content)
	if v.found(t) == bytes.Equal(changed, content) {
		t.Errorf("%s: bytes %d to %d changed to %q: found is %v", name, start, end, other, bytes.Equal(changed, content))
	}
}

// add puts a file with any name into the bundle. A name that is taken, or that no file can have, is passed over.
func (v *victim) add(t *testing.T, name string, content []byte) {
	t.Helper()
	if !filepath.IsLocal(name) || strings.ContainsAny(name, "\x00\\") || len(name) > 200 || filepath.Clean(name) == "." {
		return
	}
	path := filepath.Join(v.dir, name)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	top, made := filepath.Dir(path), []string{path}
	for ; top != v.dir; top = filepath.Dir(top) {
		if _, err := os.Lstat(top); errors.Is(err, fs.ErrNotExist) {
			made = append(made, top)
		}
	}
	if os.MkdirAll(filepath.Dir(path), 0o755) == nil && os.WriteFile(path, content, 0o644) == nil && !v.found(t) {
		t.Errorf("the file %q is not found", name)
	}
	for _, each := range made {
		_ = os.Remove(each) // where it could not be made, there is nothing to remove
	}
}

// FuzzAChangedFile holds any change to any file of a bundle to being found, without a panic and in little memory.
func FuzzAChangedFile(f *testing.F) {
	v := newVictim(f)
	for i := range v.names {
		for _, other := range []string{"", "\x00", "\n", "{", "9999999999999999999", "- \n\n— x AAAA\n", "\xff\xff\xff\xff", "../../../etc/passwd",
			strings.Repeat("[", 10_000), "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n"} {
			f.Add(uint16(i), uint16(0), uint16(1), []byte(other))
			f.Add(uint16(i), uint16(60), uint16(20), []byte(other))
			f.Add(uint16(i), uint16(0), uint16(65535), []byte(other))
		}
	}
	f.Fuzz(v.change)
}

// FuzzAFileMore holds any file that is put into a bundle to being found.
func FuzzAFileMore(f *testing.F) {
	v := newVictim(f)
	for _, name := range []string{"x", "records/2.json", "records/9223372036854775807.json", "records/-1.json", "records/01.json", "records/2.json.sig",
		"tile/0/000.p/3", "tile/9/x001/000", "tile/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p", "packets/trade_appeal_cases/%43ase-1/2.json",
		"packets/trade_appeal_cases/=00/1.json", "packets/x", "\x1b[2J", "CHECKPOINT", "records/\u202e1.json"} {
		f.Add(name, []byte(nil))
		f.Add(name, []byte(`{"caseId":"Case-1"}`))
	}
	f.Fuzz(v.add)
}

// mutations is how many random changes the test makes; with DOCKET_LONG=1 a hundred times as many.
func mutations() int {
	if os.Getenv("DOCKET_LONG") == "1" {
		return 30_000
	}
	return 300
}

func TestARandomChangeOfABundleIsFound(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range mutations() {
		other := make([]byte, random.IntN(8))
		for i := range other {
			other[i] = byte(random.Uint32())
		}
		v.change(t, uint16(random.Uint32()), uint16(random.IntN(1500)), uint16(random.IntN(8)), other)
		if t.Failed() {
			return
		}
	}
}

// FuzzSince holds the reader of checkpoints to accepting, of all texts, only the one that the log's key signed: what
// --since names may be any file.
func FuzzSince(f *testing.F) {
	l := sampleLog(f)
	genuine, size := string(l.Says.Checkpoint), fmt.Sprintf("\n%d\n", len(l.List))
	for _, other := range []string{genuine, "", "\n", "\n\n", genuine + genuine, genuine + "\n", strings.TrimSuffix(genuine, "\n"),
		strings.Replace(genuine, size, "\n0"+size[1:], 1), strings.Replace(genuine, size, "\n99999999999999999999\n", 1), strings.Replace(genuine, "—", "-", 1), genuine[:len(genuine)/2],
		strings.Replace(genuine, "\n\n", "\nan extension\n\n", 1), strings.ReplaceAll(genuine, "\n", "\r\n"),
		strings.Repeat("— a AAAAAAAA\n", 200)} {
		f.Add([]byte(other))
	}
	f.Fuzz(func(t *testing.T, signed []byte) { checkSince(t, l, signed) })
}

func checkSince(t *testing.T, l *verifytest.Log, signed []byte) {
	t.Helper()
	opened, err := verify.OpenCheckpoint(signed, l.Says.Origin, l.Says.VerifierKeys)
	if (err == nil) != (string(signed) == string(l.Says.Checkpoint)) || err != nil && opened.VerifierKey != "" {
		t.Errorf("%q: %+v, %v", signed, opened, err)
	}
}

func TestARandomChangeOfACheckpointIsRefused(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	genuine, random := string(l.Says.Checkpoint), rand.New(rand.NewPCG(3, 4))
	for range mutations() {
		changed := []byte(genuine)
		at := random.IntN(len(changed))
		switch end := min(at+random.IntN(4), len(changed)); random.IntN(3) {
		case 0:
			changed[at] ^= byte(1 + random.IntN(255))
		case 1:
			changed = append(changed[:at], changed[end:]...)
		default:
			changed = append(changed[:at:at], genuine[random.IntN(len(genuine)):]...)
		}
		checkSince(t, l, changed)
	}
}
