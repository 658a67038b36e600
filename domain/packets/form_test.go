package packets_test

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/views"
)

// rewritten writes the value as other JSON text: members in another order, space between anything, characters as
// escapes, integers with a fraction or an exponent.
func rewritten(t *rapid.T, value any) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "}).Draw(t, "space") }
	switch value := value.(type) {
	case map[string]any:
		names := []string{}
		for name := range value {
			names = append(names, name)
		}
		slices.Sort(names)
		parts := []string{}
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			parts = append(parts, space()+escaped(t, name)+space()+":"+space()+rewritten(t, value[name])+space())
		}
		return "{" + strings.Join(parts, ",") + space() + "}"
	case []any:
		parts := []string{}
		for _, element := range value {
			parts = append(parts, space()+rewritten(t, element)+space())
		}
		return "[" + strings.Join(parts, ",") + space() + "]"
	case string:
		return escaped(t, value)
	case stdjson.Number:
		form := rapid.SampledFrom([]string{"%s", "%s.0", "%se0", "%s.0E-0", "%s.000e+00"}).Draw(t, "number")
		return fmt.Sprintf(form, value)
	default:
		return string(domaintest.Encoded(value))
	}
}

// escaped writes a string with some of its characters as \u escapes, in either case.
func escaped(t *rapid.T, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	chosen := rapid.Uint64().Draw(t, "escaped characters")
	for i, r := range []rune(text) {
		switch {
		case chosen>>(uint(i)%64)&1 == 1 && r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04X`, high, low)
		case chosen>>(uint(i)%64)&1 == 1:
			fmt.Fprintf(&out, `\u%04X`, r)
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func TestFormOfTheJSONTextDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		if record, there := s["record"].(map[string]any); there && s["table"] == "trade_appeal_cases" {
			record["remedyGap"] = "The “stream” \\ of €5 & <more> was \"not\" restored 🙂"
		}
		line := s.SealedByHand()
		other := []byte(rewritten(t, any(domaintest.Parsed(string(line)))))
		if one, two := answerTo(line), answerTo(other); one != two {
			t.Fatalf("%s\nbecomes %s\nif written\n%s", one, two, other)
		}
		for _, part := range []string{"policy", "record"} {
			document, there := domaintest.Parsed(string(line))[part]
			if !there {
				continue
			}
			packet := map[string]any{"table": s.TableOf(part), "record": document}
			one := domaintest.Redacted(t, domaintest.Encoded(packet))
			two := domaintest.Redacted(t, []byte(rewritten(t, domaintest.Normal(packet))))
			if string(one.Document()) != string(two.Document()) || one.Digests() != two.Digests() {
				t.Fatalf("the stored packets differ:\n%s\n%s", one.Document(), two.Document())
			}
		}
	})
}

// answerTo is what is printed for a line.
func answerTo(line []byte) string {
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, line)
	if fault != nil {
		return string(views.AppendRefusal(nil, 1, json.Fault{Pointer: fault.Pointer, Reason: fault.Reason}))
	}
	return string(views.AppendAnswer(nil, &question, rules.Evaluate(&question)))
}

// A reader keeps nothing of what it read before.
func TestReadersHaveNoMemory(t *testing.T) {
	var reader packets.Reader
	lines := [][]byte{domaintest.Appeal().Question(t), []byte(`{"table":`), domaintest.Correction().Question(t, domaintest.Del("/policy")),
		[]byte(`{"table":"trade_appeal_cases","at":"` + domaintest.Now + `"}`), domaintest.MaterialChange().Question(t), domaintest.Appeal().Question(t)}
	for range 3 {
		for _, line := range lines {
			question, fault := rules.ReadInput(&reader, line)
			if fault != nil {
				continue
			}
			if got := string(views.AppendAnswer(nil, &question, rules.Evaluate(&question))); got != answerTo(line) {
				t.Fatalf("got %s\nwant %s", got, answerTo(line))
			}
		}
	}
}
