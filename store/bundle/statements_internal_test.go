package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"testing"

	"docket/domain/signed"
	"docket/store/verify"
)

func TestStatementsComeBackInTheirOrderWithTheSignaturesThatTheyHave(t *testing.T) {
	t.Parallel()
	want := []signed.Statement{
		{Text: "the first\n", Signature: []byte("of a person"), LogSignature: []byte("of the log")},
		{Text: "the second\n", Signature: []byte("of a person")},
		{Text: "the third\n", LogSignature: []byte("of the log")},
	}
	f := below(t)
	if err := writeStatements(logStatementsFolder)(&writer{folder: *f}, &verify.Head{Statements: want}); err != nil {
		t.Fatal(err)
	}
	if err := writeStatements(keysFolder)(&writer{folder: *f}, &verify.Head{Statements: want}); err != nil {
		t.Fatal(err)
	}
	l := &layout{}
	for _, name := range []string{logStatementsFolder, keysFolder} {
		if err := surveyStatements(name, ofLog)(f, l); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.readStatements(l)
	if err != nil || !reflect.DeepEqual(got, want) || l.stray != 0 || l.statements.numbers != 3 || l.statements.files != 3 {
		t.Errorf("%q, %v, %+v", got, err, l)
	}
	if err := writeStatements(logStatementsFolder)(&writer{folder: *f}, &verify.Head{Statements: want}); err == nil {
		t.Error("they were written a second time")
	}
}

func TestFilesThatMakeNoStatementAreStrayOrMakeNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names  []string
		read   []string // texts
		strays []string
	}{
		"none":                     {nil, nil, nil},
		"a signature alone":        {[]string{"log-statements/0.txt.sig", "log-statements/1.txt.log"}, nil, []string{"log-statements/0.txt.sig", "log-statements/1.txt.log"}},
		"other names":              {[]string{"log-statements/00.txt", "log-statements/a", "log-statements/1048576.txt"}, nil, []string{"log-statements/00.txt", "log-statements/1048576.txt", "log-statements/a"}},
		"a gap":                    {[]string{"log-statements/1.txt"}, []string{"", "log-statements/1.txt"}, nil},
		"one in both folders":      {[]string{"log-statements/0.txt", "keys/0.txt"}, []string{"misplaced"}, nil},
		"one in the wrong folder":  {[]string{"keys/0.txt"}, []string{"misplaced"}, nil},
		"a signature in the other": {[]string{"log-statements/0.txt", "keys/0.txt.sig"}, []string{"log-statements/0.txt"}, []string{"keys/0.txt.sig"}},
	} {
		f, l := below(t, c.names...), &layout{}
		for _, folder := range []string{logStatementsFolder, keysFolder} {
			if err := surveyStatements(folder, ofLog)(f, l); err != nil {
				t.Fatal(err)
			}
		}
		list, err := f.readStatements(l)
		var read []string
		for _, s := range list {
			read = append(read, s.Text)
		}
		slices.Sort(l.strays)
		if err != nil || !slices.Equal(read, c.read) || !slices.Equal(l.strays, c.strays) {
			t.Errorf("%s: %q, strays %q, %v", name, read, l.strays, err)
		}
	}
	for _, suffix := range []string{".sig", ".log"} {
		f := below(t, "log-statements/0.txt")
		if err := f.put("log-statements/0.txt"+suffix, nil); err != nil {
			t.Fatal(err)
		}
		l := &layout{}
		if err := surveyStatements(logStatementsFolder, ofLog)(f, l); err != nil {
			t.Fatal(err)
		}
		if list, err := f.readStatements(l); err != nil || len(list) != 1 || list[0].Text != "empty" {
			t.Errorf("an empty signature: %q, %v", list, err)
		}
	}
}

func TestASignatureInTheOtherFolderIsNoneOfAStatements(t *testing.T) {
	t.Parallel()
	f, l := below(t, "log-statements/0.txt"), &layout{}
	if err := f.put("keys/0.txt.sig", nil); err != nil {
		t.Fatal(err)
	}
	if err := surveyStatements(logStatementsFolder, ofLog)(f, l); err != nil {
		t.Fatal(err)
	}
	if list, err := f.readStatements(l); err != nil || len(list) != 1 || list[0].Text != "log-statements/0.txt" {
		t.Errorf("%q, %v", list, err)
	}
}

func TestRejectionsComeInTheOrderOfTheirNames(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("rejections/01910000-0000-7000-8000-%012d", (i*17)%40))
	}
	b := &Bundle{folder: *below(t, append(names, "rejections/no record", "rejections/01910000-0000-7000-8000-000000000099/")...)}
	var got []string
	err := b.Rejections(t.Context(), func(r verify.Rejection) error {
		if string(r.Signed) != "rejections/"+string(r.RecordID) {
			t.Errorf("%s: %q", r.RecordID, r.Signed)
		}
		got = append(got, "rejections/"+string(r.RecordID))
		return nil
	})
	slices.Sort(names)
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("%v, %v", got, err)
	}
	if err := b.Rejections(t.Context(), func(verify.Rejection) error { return errFull }); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Rejections(ctx, func(verify.Rejection) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAStatementThatIsFarFromTheOthersIsNotBelieved(t *testing.T) {
	t.Parallel()
	l := &layout{}
	f := below(t, "log-statements/0.txt", "log-statements/1048575.txt")
	if err := surveyStatements(logStatementsFolder, ofLog)(f, l); err != nil {
		t.Fatal(err)
	}
	if list, err := f.readStatements(l); err != nil || len(list) != 10_002 || l.statements.numbers != 1<<20 {
		t.Errorf("%d of %d statements, %v", len(list), l.statements, err)
	}
}

func TestOfSetbacksABundleHoldsSoManyAndNoMore(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{setbackPath(mostSetbacks - 1): mostSetbacks, setbackPath(mostSetbacks): 0} {
		l := &layout{}
		if err := below(t, name).surveySetbacks(l); err != nil || l.setbacks != want {
			t.Errorf("with %s there are %d, want %d: %v", name, l.setbacks, want, err)
		}
	}
	if mostSetbacks != 65_536 {
		t.Errorf("a bundle may hold %d", mostSetbacks)
	}
}

func TestAProvenanceThatCouldNotBeKeptIsNotFinished(t *testing.T) {
	t.Parallel()
	p := newProvenance(&hashed{output: failingOutput{&fault{}}})
	p.sections[0].put([]byte(`"a":{}`))
	p.sections[0].err = errFull
	if err := p.finish(); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	broken := section{err: errFull}
	if err := broken.writeTo(io.Discard); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// Whichever of its files cannot be written, the statement is not.
func TestAStatementOfWhichAFileIsThereAlreadyIsAnError(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{statementSuffix, statementSignatureSuffix, statementLogSuffix} {
		f := below(t)
		if err := f.put(statementName(logStatementsFolder, 0, suffix), []byte("another")); err != nil {
			t.Fatal(err)
		}
		w := &writer{folder: *f}
		err := w.writeStatement(logStatementsFolder, 0, signed.Statement{Text: "a text", Signature: []byte("of a person"), LogSignature: []byte("of the log")})
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", suffix, err)
		}
	}
}

func TestASignerWithoutAKeyHasNoLine(t *testing.T) {
	t.Parallel()
	if text := allowedSigners([]verify.Signer{{ID: "rev-1"}}, []verify.Reviewer{{ID: "rev-1"}}); len(text) > 0 {
		t.Errorf("%s", text)
	}
}
