package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"docket/contracts"
	"docket/domain/json"
)

// texts reads a file with either reader and lists the results in order. A text that holds "bad" has a fault.
func texts(t *testing.T, read func(context.Context, string, io.Reader, contracts.TextHandler) error, file io.Reader) string {
	t.Helper()
	var got []string
	err := read(context.Background(), "f", file, contracts.TextHandler{
		Text: func(line int, text []byte) (*json.Fault, error) {
			if at := strings.Index(string(text), "bad"); at >= 0 {
				return &json.Fault{Pointer: "/x", Reason: "is bad", Offset: at}, nil
			}
			got = append(got, fmt.Sprintf("%d %q", line, text))
			return nil, nil
		},
		Refused: func(r contracts.Refusal) { got = append(got, r.Error()) },
	})
	must(t, err)
	return strings.Join(got, "; ")
}

func TestTextsAreYieldedFromEachFormWithTheirLines(t *testing.T) {
	for name, c := range map[string]struct {
		read       func(context.Context, string, io.Reader, contracts.TextHandler) error
		file, want string
	}{
		"lines":                    {contracts.ReadLines, "{\"a\":1}\n\n  [2] \r\n3", `1 "{\"a\":1}"; 3 "[2]"; 4 "3"`},
		"a text over lines":        {contracts.ReadLines, "{\n}\n", `1 "{"; 2 "}"`},
		"a faulty line":            {contracts.ReadLines, "1\n bad\n2", `1 "1"; f, line 2: /x: is bad; 3 "2"`},
		"nothing":                  {contracts.ReadLines, "", ""},
		"a byte order mark":        {contracts.ReadLines, "\xEF\xBB\xBF1", "f, line 1: the file starts with a byte order mark; save it as UTF-8 without one"},
		"a line feed too many":     {contracts.ReadLines, "\n\n1\n\n", `3 "1"`},
		"any form, one over lines": {contracts.ReadTexts, "{\n\"a\":1\n}", `1 "{\n\"a\":1\n}"`},
		"any form, an array":       {contracts.ReadTexts, "[1,\n{\"bad\":1},\n{}]", `1 "1"; f, line 2: /1/x: is bad; 3 "{}"`},
		"any form, lines":          {contracts.ReadTexts, "{}\n{}\n", `1 "{}"; 2 "{}"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := texts(t, c.read, strings.NewReader(c.file)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	long := io.MultiReader(strings.NewReader("1\n"), &repeated{piece: strings.Repeat("x", 1024), times: contracts.MaxText/1024 + 1}, strings.NewReader("\n2"))
	if got, want := texts(t, contracts.ReadLines, long), `1 "1"; f, line 2: is over 16 MiB; 3 "2"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestATextHandlersErrorStopsTheReading(t *testing.T) {
	stop := errors.New("stop")
	for name, file := range map[string]string{"lines": "1\n2", "an array": "[1,2]", "an object": "{\n}\n{}", "cut": "{\n", "a cut array": "[1"} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			err := contracts.ReadTexts(context.Background(), "f", strings.NewReader(file), contracts.TextHandler{
				Text:    func(int, []byte) (*json.Fault, error) { calls++; return nil, stop },
				Refused: func(contracts.Refusal) {},
			})
			if !errors.Is(err, stop) || calls != 1 {
				t.Errorf("got %v after %d texts, want %v after 1", err, calls, stop)
			}
		})
	}
}
