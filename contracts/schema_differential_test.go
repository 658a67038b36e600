package contracts_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"docket/contracts"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// raw is a piece of JSON as it is to stand in the text, valid or not.
type raw string

// appendText writes a record with its raw pieces. The order of the members is that of their names.
func appendText(dst []byte, value any) []byte {
	switch value := value.(type) {
	case raw:
		return append(dst, value...)
	case map[string]any:
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		sort.Strings(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, strings.TrimSuffix(name, twice)), ':')
			dst = appendText(dst, value[name])
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, element := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendText(dst, element)
		}
		return append(dst, ']')
	default:
		text, err := stdjson.Marshal(value)
		if err != nil {
			panic(err)
		}
		return append(dst, text...)
	}
}

// twice marks a member that is to be written a second time, under its plain name.
const twice = "\x00twice"

// oddities are values that are right or wrong for one kind of member or another.
var oddities = []any{
	nil, true, false, "", "x", "a b", "é", "-a", strings.Repeat("a", 128), strings.Repeat("a", 129),
	strings.Repeat("ä", 2000), strings.Repeat("ä", 2001), strings.Repeat("\U0001F600", 2000), strings.Repeat("x", 5000),
	raw("{}"), raw("[]"), raw("[null]"), raw("[{}]"), raw(`["x"]`), raw("[[]]"), raw(`{"masked":["URL"]}`),
	raw("0"), raw("-0"), raw("-1"), raw("1"), raw("1.0"), raw("1.5"), raw("1e2"), raw("1E+2"), raw("100e-2"), raw("0.1e1"), raw("1e-2"),
	raw("9007199254740991"), raw("9007199254740991.0"), raw("9007199254740992"), raw("9007199254740990.5"), raw("1e15"), raw("1e16"),
	raw("1e400"), raw("1e10000000"), raw("-1e10000000"), raw("1e-400"), raw("1.00000000000000000001"), raw("01"), raw("1."), raw(".5"),
	raw("+1"), raw("NaN"), raw("\"\xff\""), raw(`"\ud800"`), raw(`"\ud83d\ude00"`), raw("\"a\nb\""), raw(`"\u0000"`), raw(`"\x"`),
	raw(strings.Repeat("1", 70)), raw(strings.Repeat("[", 70) + strings.Repeat("]", 70)), raw("[1,]"), raw("{\"a\":1,\"a\":2}"), raw(""),
	"2026-01-31T09:00:00Z", "2026-01-31T09:00:00.1Z", "2026-01-31T09:00:00.123456789Z", "2026-01-31T09:00:00.1234567891Z",
	"2026-01-31T09:00:00.Z", "2026-01-31T09:00:00", "2026-01-31t09:00:00Z", "2026-01-31T09:00:00z", "2026-01-31 09:00:00Z",
	"2026-01-31T09:00:00+00:00", "2026-01-31T24:00:00Z", "2026-01-31T23:60:00Z", "2026-12-31T23:59:60Z", "2026-06-30T23:59:60Z",
	"2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
	"2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z", "0000-01-01T00:00:00Z", "0000-02-29T00:00:00Z", "9999-12-31T23:59:59Z",
	"10000-01-01T00:00:00Z", "2026-1-31T09:00:00Z", "2026-01-31T09:00:00Z\n", " 2026-01-31T09:00:00Z", "２026-01-31T09:00:00Z",
	"2026-01-31T+9:00:00Z", "2026-01-31T09:00:00,5Z",
	"sha256:" + strings.Repeat("0", 64), "sha256:" + strings.Repeat("0", 63), "sha256:" + strings.Repeat("A", 64),
	"SHA256:" + strings.Repeat("0", 64), "sha256:" + strings.Repeat("0", 64) + "\n", "id\n", "ID-1", "ſ",
	"draft", "Draft", "DRAFT", "draft ", "frozen", "applied", "filed", "claim", "uphold_decision", "delivered", "retroactivePerformance",
}

// mutate changes one thing of a record, somewhere in it.
func (s sampler) mutate(record map[string]any, described *json.Shape) {
	if s.IntN(3) > 0 { // somewhere deeper, if there is such a place
		var nested []json.MemberShape
		for _, member := range described.Members {
			if _, there := record[member.Name]; there && member.Form.Shape != nil {
				nested = append(nested, member)
			}
		}
		if len(nested) > 0 {
			member := pick(s, nested)
			switch below := record[member.Name].(type) {
			case map[string]any:
				s.mutate(below, member.Form.Shape)
				return
			case []any:
				if len(below) > 0 {
					if object, ok := pick(s, below).(map[string]any); ok {
						s.mutate(object, member.Form.Shape)
						return
					}
				}
			}
		}
	}
	s.mutateHere(record, described)
}

func (s sampler) mutateHere(record map[string]any, described *json.Shape) {
	member := pick(s, described.Members)
	name := member.Name
	other := pick(s, described.Members)
	switch s.IntN(10) {
	case 0:
		delete(record, name)
	case 1:
		record[name] = nil
	case 2: // what another member may hold
		record[name] = s.value(other, 50)
	case 3:
		record[pick(s, []string{"x", "", name + "s", strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:], name[1:],
			strings.Replace(name, "s", "ſ", 1), "masked", "private", "$ref"})] = pick(s, oddities)
	case 4:
		record[name+twice] = s.value(member, 50)
		record[name] = s.value(member, 50)
	case 5: // within a list
		if list, ok := s.value(member, 50).([]any); ok {
			record[name] = append(list, pick(s, oddities))
		}
	default:
		record[name] = pick(s, oddities)
	}
}

// A rivalry compares package domain, which reads, with the schema library, which knows nothing of it.
type rivalry struct {
	reader                     packets.Reader
	schemas                    map[terms.Table]checker
	accepted, refused, notJSON int
}

func newRivalry(t *testing.T) *rivalry {
	r := &rivalry{schemas: map[terms.Table]checker{}}
	for table := range tables() {
		r.schemas[table] = compiled(t, table.String(), contracts.Schema(table))
	}
	return r
}

func (r *rivalry) compare(t *testing.T, table terms.Table, record map[string]any) {
	t.Helper()
	text := appendText(nil, record)
	_, fault := r.reader.Read(fmt.Appendf(nil, `{"table":"%s","record":%s}`, table, text))
	if fits := r.schemas[table].fits(text); (fault == nil) != fits {
		t.Fatalf("the reader says %v, the schema %t, of a record of %s:\n%s", fault, fits, table, text)
	}
	switch {
	case fault == nil:
		r.accepted++
	case new(json.Document).Parse(text, json.Limits{}) != nil:
		r.notJSON++
	default:
		r.refused++
		packet := fmt.Appendf(nil, `{"table":"%s","record":%s}`, table, text)
		if explained := contracts.ExplainPacket(packet, fault); !slices.ContainsFunc(explained, samePlace(fault)) {
			t.Fatalf("explained are %v, in a record of %s:\n%s", explained, table, text)
		}
	}
}

// samePlace reports whether a fault lies where another does.
func samePlace(other *json.Fault) func(json.Fault) bool {
	return func(f json.Fault) bool { return f.Pointer == other.Pointer }
}

func (r *rivalry) log(t *testing.T, least int) {
	t.Helper()
	t.Logf("%d accepted, %d refused, %d no strict JSON", r.accepted, r.refused, r.notJSON)
	if r.accepted < least || r.refused < least || r.notJSON < least {
		t.Errorf("want at least %d of each", least)
	}
}

func TestTheReaderAndTheSchemasAgreeOnRecordsThatAreMutated(t *testing.T) {
	t.Parallel()
	r, shapes, order := newRivalry(t), tables(), terms.PacketTables.Terms()
	s := newSampler(20260131)
	tried := 8000
	if os.Getenv("DOCKET_LONG") == "1" {
		tried = 24_000
	}
	for i := range tried {
		table := order[i%len(order)]
		record := s.record(shapes[table], pick(s, []int{0, 30, 70, 100}))
		for range s.IntN(4) {
			s.mutate(record, shapes[table])
		}
		r.compare(t, table, record)
	}
	r.log(t, tried/6)
}

func TestAppealCaseRecordContract(t *testing.T) {
	t.Parallel()
	agreeOnEveryOddity(t, terms.Appeals)
}

func TestAgreementAmendmentSchemaContract(t *testing.T) {
	t.Parallel()
	agreeOnEveryOddity(t, terms.Amendments)
}

// agreeOnEveryOddity holds the reader and the schema of an area's packets to refusing and taking the same,
// with every odd value in the place of every member.
func agreeOnEveryOddity(t *testing.T, area terms.Area) {
	t.Helper()
	r, s := newRivalry(t), newSampler(1)
	for _, table := range []terms.Table{terms.PolicyTable(area), terms.RecordTable(area)} {
		described := tables()[table]
		record := s.record(described, 0)
		// put gives the record with a value in the place of one member.
		var try func(described *json.Shape, put func(member string, value any) map[string]any)
		try = func(described *json.Shape, put func(string, any) map[string]any) {
			for _, member := range described.Members {
				for _, odd := range slices.Concat(oddities, anyOf(member.Form.Words)) {
					r.compare(t, table, put(member.Name, odd))
					r.compare(t, table, put(member.Name, []any{odd}))
				}
				if member.Form.Shape != nil {
					try(member.Form.Shape, func(name string, value any) map[string]any {
						var inner any = map[string]any{name: value}
						if member.Form.Kind == json.FormList {
							inner = []any{map[string]any{}, inner}
						}
						return put(member.Name, inner)
					})
				}
			}
		}
		try(described, func(name string, value any) map[string]any {
			changed := maps.Clone(record)
			changed[name] = value
			return changed
		})
	}
	r.log(t, 500)
}

func anyOf(words []string) []any {
	list := make([]any, len(words))
	for i, word := range words {
		list[i] = word
	}
	return list
}

func TestTheSchemasAndTheReaderTakeTheSameContractVersionsAndTexts(t *testing.T) {
	schema := compiled(t, "appeal cases", contracts.Schema(terms.AppealCases))
	for _, try := range []struct {
		version, text string
		taken         bool
	}{
		{"v", "x", true}, {strings.Repeat("~", 200), "a\nb", true}, {"a b", "\u0001", true},
		{"", "x", false}, {strings.Repeat("v", 201), "x", false}, {"é", "x", false}, {"a\x00", "x", false}, {"a\n", "x", false},
		{"v", "\x00", false}, {"v", "a\x00b", false}, {"v", "", false},
	} {
		record := appendText(nil, map[string]any{"caseId": "a", "revision": 1, "contractVersion": try.version, "status": "draft", "remedyGap": try.text})
		var reader packets.Reader
		_, fault := reader.Read(slices.Concat([]byte(`{"table": "trade_appeal_cases", "record": `), record, []byte(`}`)))
		if fits := schema.fits(record); fits != try.taken || (fault == nil) != try.taken {
			t.Errorf("%.9q, %q: the schema says %v, the reader %v", try.version, try.text, fits, fault)
		}
	}
}
