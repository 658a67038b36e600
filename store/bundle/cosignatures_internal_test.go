package bundle

import (
	"encoding/base64"
	"slices"
	"testing"
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
	list := witnesses.split(cosignedName{size: 3}, []byte(text+own+one+other+unknown+"— w.example AQID\n"))
	keys := []string{"w.example+01020304+key", "other.example+0a0b0c0d+another+key", "", ""}
	lines := []string{one, other, unknown, "— w.example AQID\n"}
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
