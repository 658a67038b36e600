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

// A file in each form is read to its end: packets by their lines, and refusals with their places and reasons.
func TestARefusalNamesPlaceAndReasonAndTheRestGoesIn(t *testing.T) {
	indent := func(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
	const (
		end      = "the JSON stops early; it may be cut off"
		trailing = "bytes after the value"
		odd      = "unexpected character"
		noEnd    = "its strings or brackets do not match, so its end cannot be told; nothing after it is read, " +
			"save from a line on that starts with {"
	)
	badStatus := strings.Replace(packet("x"), "draft", "Draft", 1)
	prettyBad := strings.Replace(pretty("x"), "draft", "Draft", 1)
	cut := packet("x")[:60]
	a, b, c := packet("a"), packet("b"), packet("c")
	id := "must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"
	word := "is not in the vocabulary: draft, frozen, superseded, retired"
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                       {"", nil},
		"white space only":              {" \r\n\t\n", nil},
		"one packet on one line":        {a, []string{"1 a"}},
		"one packet over many lines":    {"\n" + pretty("a") + "\n\n", []string{"2 a"}},
		"JSON Lines":                    {a + "\n" + b + "\n", []string{"1 a", "2 b"}},
		"JSON Lines, last without feed": {a + "\n" + b, []string{"1 a", "2 b"}},
		"JSON Lines with CRLF":          {a + "\r\n" + b + "\r\n", []string{"1 a", "2 b"}},
		"JSON Lines with empty lines":   {"\n\n" + a + "\n \n" + b + "\n\n", []string{"3 a", "5 b"}},
		"indented JSON Lines":           {"  " + a + "\n  " + b, []string{"1 a", "2 b"}},
		"pretty packets one by one":     {pretty("a") + "\n" + pretty("b"), []string{"1 a", "10 b"}},
		"an array on one line":          {"[" + a + "," + b + "]", []string{"1 a", "1 b"}},
		"an array, a packet a line":     {"[\n" + a + ",\n" + b + "\n]\n", []string{"2 a", "3 b"}},
		"an array over many lines":      {"[\n" + indent(pretty("a")) + ",\n" + indent(pretty("b")) + "\n]\n", []string{"2 a", "11 b"}},
		"an array with CRLF":            {"[\r\n" + a + "\r\n,\r\n" + b + "\r\n]\r\n", []string{"2 a", "4 b"}},
		"an empty array":                {" [ ] \n", nil},
		"white space behind packets":    {a + " \t\r\n" + b + "  ", []string{"1 a", "2 b"}},

		"several faults in JSON Lines": {a + "\n" + `{"table": "trade_appeal_policies", "record": {"policyId": "x y", "policyVersion": 1, "contractVersion": "v", "status": "off"}}`,
			[]string{"1 a", "2 /record/policyId: " + id, "2 /record/status: " + word}},
		"several faults in an array": {"[\n{\n\"record\": {\n\"policyId\": \"x y\",\n\"status\": \"off\"\n},\n\"table\": \"trade_appeal_policies\"},\n" + b + "]",
			[]string{"3 /0/record/contractVersion: " + absentMember, "3 /0/record/policyVersion: " + absentMember,
				"4 /0/record/policyId: " + id, "5 /0/record/status: " + word, "8 b"}},
		"a wrong value in JSON Lines": {a + "\n" + badStatus + "\n" + b,
			[]string{"1 a", "2 /record/status: " + word, "3 b"}},
		"a wrong value in an array": {"[" + a + ",\n" + badStatus + "," + b + "]",
			[]string{"1 a", "2 /1/record/status: " + word, "2 b"}},
		"a wrong value deep in a packet of many lines": {"\n" + prettyBad + "\n" + pretty("b"),
			[]string{"8 /record/status: " + word, "11 b"}},
		"a line cut within a string":     {a + "\n" + cut + "\n" + b, []string{"1 a", "2 /record: " + end, "3 b"}},
		"the first line cut in a string": {`{"table":"trade` + "\n" + b, []string{"1 /table: raw control character in a string", "2 b"}},
		"the first line cut after a colon": {`{"table":` + "\n" + b + "\n" + c,
			[]string{"1 : " + end, "2 b", "3 c"}},
		"the first line cut after a bracket": {`{"record":{"outcomeRules":[` + "\n" + b + "\n" + c,
			[]string{"1 /record/outcomeRules: " + end, "2 b", "3 c"}},
		"the first line cut, the second the last": {`{"record":[` + "\n" + b, []string{"1 /record: " + end, "2 b"}},
		"the first lines cut": {`{"record":[` + "\n" + `{"record":[` + "\n" + b + "\n" + c,
			[]string{"2 /record/0/record: " + end, "3 b", "4 c"}},
		"the first line cut and closed by a later one": {`{"record":[` + "\n" + b + "\n]}\n" + c,
			[]string{"1 /record: " + end, "2 b", "3 : " + odd, "4 c"}},
		"a line that is not JSON":           {a + "\nhello\n" + b, []string{"1 a", "2 : " + odd, "3 b"}},
		"the first line is not JSON":        {"hello\n" + b, []string{"1 : " + odd, "2 b"}},
		"a line that is a number":           {"1\n" + b, []string{"1 : must be an object", "2 b"}},
		"a line that is a list":             {a + "\n[1]\n" + b, []string{"1 a", "2 : must be an object", "3 b"}},
		"brackets that do not match":        {"{\"a\":]}\n" + b, []string{"1 : " + odd, "2 b"}},
		"a closing bracket too many":        {a + "}\n" + b, []string{"1 : " + trailing, "2 b"}},
		"two packets on a line":             {a + b + "\n" + c, []string{"1 : " + trailing, "2 c"}},
		"two packets on a later line":       {a + "\n" + b + b + "\n" + c, []string{"1 a", "2 : " + trailing, "3 c"}},
		"bytes behind a packet":             {pretty("x") + " x\n" + b, []string{"9 : " + trailing, "10 b"}},
		"a member twice":                    {`{"table":1,"table":2}` + "\n" + b, []string{"1 : duplicate member name", "2 b"}},
		"broken UTF-8":                      {"{\"table\":\"\xff\"}\n" + b, []string{"1 /table: invalid UTF-8", "2 b"}},
		"a giant exponent":                  {`{"record":{"policyVersion":1e10000000}}` + "\n" + b, []string{"1 /record/policyVersion: a number of 2^53 or more", "2 b"}},
		"a line feed in a text":             {"{\n\"table\": \"a\nb\"\n}\n" + b, []string{"2 /table: raw control character in a string", "5 b"}},
		"a packet cut over many lines":      {pretty("x")[:60] + "\n\n" + b, []string{"4 /record: raw control character in a string", "6 b"}},
		"a packet cut at the end of a file": {pretty("x")[:60], []string{"4 /record: " + end}},
		"a byte order mark":                 {"\xEF\xBB\xBF" + a, []string{"1 : the file starts with a byte order mark; save it as UTF-8 without one"}},
		"UTF-16":                            {"\xFF\xFE{\x00}\x00", []string{"1 : the file starts with a byte order mark; save it as UTF-8 without one"}},
		"half a byte order mark":            {"\xEF\xBB" + "\n" + a, []string{"1 : invalid UTF-8", "2 a"}},
		"nested too deep": {strings.Repeat(`{"private":`, 10_000) + "\n" + b,
			[]string{"1 /private: nested too deep", "2 b"}},
		"nested too deep and closed": {strings.Repeat("{\n\"private\":", 1000) + "1" + strings.Repeat("}", 1000) + "\n" + b,
			[]string{"65 /private: nested too deep", "1002 b"}},

		"a file without any bracket":                           {"id,status\na,draft\nb,draft\n", []string{"1 : this is no packet file: a packet is a JSON object on a line of its own, or one of an array"}},
		"a file with brackets in its text":                     {"see {1} and [2]\nand {3}\n", []string{"1 : this is no packet file: a packet is a JSON object on a line of its own, or one of an array"}},
		"one line behind a whole packet in an unfinished text": {`{"x":[` + "\n" + a + "\n1}\n" + b, []string{"1 : " + end, "2 a", "3 : " + trailing, "4 b"}},

		"an element without sense":        {"[" + a + ",{\"a\" 1},7," + b + "]", []string{"1 a", "1 /1: " + odd, "1 /2: must be an object", "1 b"}},
		"an element with bytes behind":    {"[" + a + " x," + b + "]", []string{"1 /0: " + trailing, "1 b"}},
		"an element missing":              {"[,\n" + b + ",]", []string{"1 /0: an element is missing between the commas", "2 b", "2 /2: an element is missing between the commas"}},
		"an element with wrong brackets":  {"[" + a + ",{\"a\":[}," + b + "]", []string{"1 a", "1 /1: " + noEnd}},
		"an element that is cut":          {"[" + a + "," + cut + "," + b + "]", []string{"1 a", "1 /1/record: " + noEnd}},
		"a cut element in pretty array":   {"[\n  {\"table\": \"x\",\n  " + b + "\n]\n", []string{"4 /0: " + noEnd}},
		"a cut element on its line":       {"[\n" + a + ",\n" + cut + "\n" + b + ",\n" + c + "\n]\n", []string{"2 a", "3 /1: " + noEnd, "4 b", "5 c"}},
		"a comma missing":                 {"[\n" + a + "\n" + b + ",\n" + c + "\n]\n", []string{"3 : a comma is missing between two elements of the array", "2 a", "3 b", "4 c"}},
		"an array cut behind a comma":     {"[" + a + ",\n", []string{"1 a", "2 : the array is not closed before the file ends"}},
		"an array cut behind an element":  {"[" + a, []string{"1 a", "1 : the array is not closed before the file ends"}},
		"an array cut within an element":  {"[" + a + ",\n" + cut, []string{"1 a", "2 /1/record: " + end}},
		"bytes behind an array":           {"[" + a + "] x\n" + b, []string{"1 a", "1 : bytes after the array", "2 b"}},
		"texts behind an array":           {"[" + a + "] xyz {} 1\n" + b, []string{"1 a", "1 : bytes after the array", "2 b"}},
		"a packet behind an array":        {"[" + a + "]\n" + b, []string{"1 a", "2 : bytes after the array", "2 b"}},
		"JSON Lines with [ at its start":  {`["x","y"],"z":[` + "\n" + a + "\n" + b, []string{"1 /0: must be an object", "1 /1: must be an object", "1 : bytes after the array", "2 a", "3 b"}},
		"JSON Lines with a cut [ at last": {`[{"x":[` + "\n" + a + "\n" + b, []string{"1 /0: " + noEnd, "2 a", "3 b"}},
		"JSON Lines with a cut [ string":  {`["x` + "\n" + a + "\n" + b, []string{"1 /0: " + noEnd, "2 a", "3 b"}},
		"JSON Lines with [ alone":         {"[\n" + a + "\n" + b, []string{"3 : a comma is missing between two elements of the array", "2 a", "3 b"}},
		"JSON Lines with [1, at its start": {"[1,\n" + a + "\n" + b, []string{
			"1 /0: must be an object", "3 : a comma is missing between two elements of the array", "2 a", "3 b"}},
		"a backslash at the end of a line":     {"[{\"a\":\"x\\\n\"}," + a + "\n" + b + "\n", []string{"1 /0: bad escape in a string", "2 /1: " + noEnd, "3 b"}},
		"a text behind a packet of many lines": {"{\"private\":\n" + a + "\n} rest\n" + b, []string{"1 : " + end, "2 a", "3 : " + odd, "4 b"}},
		"a text after a broken one":            {"{\"a\":]}\n" + b + "\nnonsense\n" + c + "\n", []string{"1 : " + odd, "2 b", "3 : " + odd, "4 c"}},
		"JSON Lines with [ and one packet":     {"[\n" + a, []string{"2 : the array is not closed before the file ends", "2 a"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := readAll(t, tt.text); fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

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
