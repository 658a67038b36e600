package bundle

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func TestACosignedCheckpointIsFiledUnderItsSizeInOneWay(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]*cosignedName{
		"0": {0, 0}, "3": {3, 0}, "3-1": {3, 1}, "3-10": {3, 10},
		"": nil, "-": nil, "-1": nil, "3-": nil, "3-0": nil, "3-01": nil, "03": nil, "3-1-1": nil, "x": nil, "x-1": nil, "3-x": nil, witnessesFile: nil,
	} {
		if got, ok := cosignedNamed(name); ok != (want != nil) || ok && (got != *want || got.String() != name) {
			t.Errorf("%q: %+v, %t", name, got, ok)
		}
	}
}

// signatureLine is a signature line of a note, with a key of that hash.
func signatureLine(name string, hash ...byte) string {
	return "— " + name + " " + base64.StdEncoding.EncodeToString(append(hash, "signature"...)) + "\n"
}

func TestACosignedCheckpointIsTakenApartIntoTheLinesOfItsWitnesses(t *testing.T) {
	t.Parallel()
	witnesses := readWitnesses([]byte("w.example+01020304+key\nother.example+0a0b0c0d+another+key\nno key\n"))
	own, one, other, unknown := signatureLine("log", 1, 1, 1, 1), signatureLine("w.example", 1, 2, 3, 4), signatureLine("other.example", 10, 11, 12, 13),
		signatureLine("w.example", 4, 3, 2, 1)
	const text = "origin\n3\nhash\n\n"
	list := witnesses.split(cosignedName{size: 3}, []byte(text+own+one+other+unknown+"— w.example AQID\n— w.example AQIDBA==\n"))
	keys := []string{"w.example+01020304+key", "other.example+0a0b0c0d+another+key", "", "", "w.example+01020304+key"}
	lines := []string{one, other, unknown, "— w.example AQID\n", "— w.example AQIDBA==\n"} // of four bytes, the last one is a hash
	for i, c := range list {
		if len(list) != len(keys) || string(c.Checkpoint) != text+own || string(c.Line) != lines[i] || c.Key != keys[i] {
			t.Errorf("%d of %d: %q %q %q", i, len(list), c.Checkpoint, c.Line, c.Key)
		}
	}
	if !slices.Equal(witnesses.used, keys) {
		t.Errorf("%q", witnesses.used)
	}
	for name, signed := range map[string]string{
		"the log alone signed it": text + own, "it has no end": text + own + one + "— w", "it is of another size": "origin\n4\nhash\n\n" + own + one,
		"it is no note": "origin", "it is empty": "", "it ends before its lines": "a\n\n",
	} {
		list := witnesses.split(cosignedName{size: 3}, []byte(signed))
		if len(list) != 1 || string(list[0].Checkpoint) != signed || list[0].Line != nil || list[0].Key != "" {
			t.Errorf("%s: %q", name, list)
		}
	}
}

func TestTheListOfWitnessesIsOfThoseThatCosigned(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]bool{"a\nb\n": true, "": false, "a\n": false, "b\na\n": false, "a\nb": false, "a\nb\nc\n": false} {
		w := witnessList{used: []string{"b", "a", "b"}}
		if w.exact([]byte(list)) != want {
			t.Errorf("%q: %t", list, !want)
		}
	}
	if !(&witnessList{}).exact(nil) || (&witnessList{}).exact([]byte("\n")) {
		t.Error("the list of nobody is not empty")
	}
}

func TestCosignedCheckpointsComeInTheOrderOfTheirSizes(t *testing.T) {
	t.Parallel()
	var names, want []string
	for size := range 30 {
		want = append(want, fmt.Sprint(size), fmt.Sprint(size, "-1"), fmt.Sprint(size, "-2"), fmt.Sprint(size, "-10"))
	}
	for _, name := range want {
		names = append(names, path.Join(cosignaturesFolder, name))
	}
	slices.Reverse(names)
	b := &Bundle{folder: *below(t, append(names, "cosignatures/31/", "cosignatures/README")...)}
	var got []string
	if err := b.Cosignatures(t.Context(), func(c verify.Cosigned) error {
		got = append(got, path.Base(string(c.Checkpoint))) // each file holds its name, which is no note
		return nil
	}); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// writtenCosignatures are the cosigned files that an export has of these cosignatures, by their names.
func writtenCosignatures(t *testing.T, cosigned ...verify.Cosigned) (map[string]string, error) {
	t.Helper()
	l := verifytest.New(t)
	l.Cosigned = cosigned
	w := &writer{folder: *below(t), ctx: t.Context(), log: l}
	failed := w.writeCosignatures(nil)
	files := map[string]string{}
	if err := w.each(cosignaturesFolder, func(entry fs.DirEntry) error {
		content, err := w.read(path.Join(cosignaturesFolder, entry.Name()), maxCosigned)
		files[entry.Name()] = string(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files, failed
}

func TestTheNewestLineOfEachWitnessIsWrittenUnderEachCheckpoint(t *testing.T) {
	t.Parallel()
	one, other := verifytest.NewWitness(t, "one.example"), verifytest.NewWitness(t, "other.example")
	l := verifytest.New(t)
	checkpoint, at := l.Says.Checkpoint, time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	l.NewStoreKey("another")
	l.Sign()
	again := l.Says.Checkpoint
	files, err := writtenCosignatures(t, other.Cosign(checkpoint, at), one.Cosign(checkpoint, at.Add(time.Hour)), one.Cosign(checkpoint, at), one.Cosign(again, at))
	want := map[string]string{
		"0":           string(checkpoint) + string(one.Line(checkpoint, at.Add(time.Hour))) + string(other.Line(checkpoint, at)),
		"0-1":         string(again) + string(one.Line(again, at)),
		witnessesFile: one.Key + "\n" + other.Key + "\n",
	}
	if err != nil || !maps.Equal(files, want) {
		t.Errorf("%q, %v", files, err)
	}
	if files, err := writtenCosignatures(t); err != nil || len(files) > 0 {
		t.Errorf("of no cosignature: %q, %v", files, err)
	}
	if _, err := writtenCosignatures(t, verify.Cosigned{Checkpoint: checkpoint, Line: one.Line(checkpoint, at), Key: other.Key}); err == nil {
		t.Error("what another witness signed is written")
	}
}

func TestACheckpointIsWrittenWithAsManyWitnessesAsANoteMayHave(t *testing.T) {
	t.Parallel()
	checkpoint, at := verifytest.New(t).Says.Checkpoint, time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var cosigned []verify.Cosigned
	for n := range 100 {
		cosigned = append(cosigned, verifytest.NewWitness(t, fmt.Sprintf("%d.example", n)).Cosign(checkpoint, at))
	}
	if files, err := writtenCosignatures(t, cosigned[:99]...); err != nil || strings.Count(files["0"], "\n— ") != 100 { // and the log's own
		t.Errorf("99 witnesses: %v, %q", err, files)
	}
	const want = "write the cosignatures: 100 witnesses cosigned 0 records; a note has at most 99"
	if files, err := writtenCosignatures(t, cosigned...); err == nil || err.Error() != want || len(files) > 0 {
		t.Errorf("100 witnesses: %v, %q", err, files)
	}
}
