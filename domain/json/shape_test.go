package json_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docket/domain/json"
)

type none = struct{}

type part struct {
	key  string
	flag bool
}

type whole struct {
	id     string
	count  int64
	value  json.Value
	part   part
	parts  []part
	filled []part
	texts  []string
}

// stringMember reads any string.
func stringMember[R any](name string, at func(R) *string) json.Member[none, R] {
	return json.ParsedMember[none](name, json.FormString, json.WantString, at, func(text string) (string, bool) { return text, true })
}

func keyMember() json.Member[none, *part] {
	return stringMember("key", func(p *part) *string { return &p.key })
}

func wholeShape() *json.Reader[none, *whole] {
	partShape := json.NewReader(
		json.Required(keyMember()),
		json.FlagMember[none]("flag", func(p *part) *bool { return &p.flag }),
	)
	return json.NewReader(
		json.Required(json.ParsedMember[none]("id", json.FormID, json.WantID, func(w *whole) *string { return &w.id },
			func(text string) (string, bool) { return text, text != "" })),
		json.Nullable(json.CountMember[none]("count", func(w *whole) *int64 { return &w.count })),
		json.ValueMember[none]("value", func(w *whole) *json.Value { return &w.value }),
		json.ObjectMember("part", partShape, func(w *whole) *part { return &w.part }),
		json.ListMember("parts", false, partShape, func(w *whole) *[]part { return &w.parts }),
		json.ListMember("filled", true, partShape, func(w *whole) *[]part { return &w.filled }),
		json.ElementsMember("texts", json.Form{Kind: json.FormSentences, NotEmpty: true}, func(w *whole) *[]string { return &w.texts },
			func(into *string, v json.Value, _ *none) *json.Fault {
				*into = v.Text()
				return json.FaultUnless(v.Kind() == json.KindString && *into != "", v, "must be a text")
			}),
	)
}

// faults are what Check tells, as "pointer: reason".
func faults(s *json.Reader[none, *whole], v json.Value, into *whole) []string {
	var list []string
	s.Check(into, v, &none{}, "", func(f json.Finding) bool {
		list = append(list, f.Error())
		return true
	})
	return list
}

func TestFaultsNamePlaceAndExpectation(t *testing.T) {
	for text, want := range map[string][]string{
		`{"id":"a"}`:                        nil,
		`{"id":"a","count":null}`:           nil,
		`[]`:                                {"must be an object"},
		`{}`:                                {"/id: is required and absent"},
		`{"id":"a","secret":1}`:             {json.ReasonUnknown},
		`{"id":"a","Count":1}`:              {"has a member name in the wrong case; it must be count"},
		`{"id":null}`:                       {"/id: may not be null; leave it out if there is none"},
		`{"id":7,"count":-1}`:               {"/id: " + json.WantID, "/count: must be an integer of 0 or more, below 2^53"},
		`{"id":"a","value":"x"}`:            {"/value: must be an object"},
		`{"id":"a","part":{"flag":1}}`:      {"/part/key: is required and absent", "/part/flag: must be true or false"},
		`{"id":"a","part":7}`:               {"/part: must be an object"},
		`{"id":"a","parts":{}}`:             {"/parts: must be an array"},
		`{"id":"a","parts":[],"filled":[]}`: {"/filled: has no item"},
		`{"id":"a","parts":[{"key":"b"},{"x":1}]}`: {"/parts/1: " + json.ReasonUnknown, "/parts/1/key: is required and absent"},
		`{"id":"a","texts":["b","",1]}`:            {"/texts/1: must be a text", "/texts/2: must be a text"},
		`{"id":"a","texts":[]}`:                    {"/texts: has no item"},
	} {
		s, v := wholeShape(), parse(t, text)
		var into whole
		if got := faults(s, v, &into); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", text, got, want)
		}
		into = whole{}
		fault := s.Read(&into, v, &none{})
		if (fault == nil) != (want == nil) || fault != nil && !slices.Contains(want, fault.Error()) {
			t.Errorf("%s: Read says %v, Check %q", text, fault, want)
		}
	}
}

func TestValuesGoWhereTheyBelong(t *testing.T) {
	s, v := wholeShape(), parse(t, `{"texts":["x","y"],"parts":[{"key":"k","flag":true}],"part":{"key":"p"},"id":"i","filled":[{"key":"f"}],"count":3}`)
	for name, read := range map[string]func(*whole) bool{
		"Read":  func(w *whole) bool { return s.Read(w, v, &none{}) == nil },
		"Check": func(w *whole) bool { return len(faults(s, v, w)) == 0 },
	} {
		var w whole
		if !read(&w) || fmt.Sprintln(w.id, w.count, w.part, w.parts, w.filled, w.texts) != "i 3 {p false} [{k true}] [{f false}] [x y]\n" {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestAnOpenObjectPassesOverMembersThatAreNotDescribed(t *testing.T) {
	s := wholeShape().Open()
	for _, text := range []string{`{"id":"a","x":1}`, `{"a":1,"id":"a","zz":null}`} {
		var w whole
		if fault := s.Read(&w, parse(t, text), &none{}); fault != nil || w.id != "a" {
			t.Errorf("%s: %v", text, fault)
		}
		if got := faults(s, parse(t, text), &w); got != nil {
			t.Errorf("%s: %q", text, got)
		}
	}
	if fault := s.Read(&whole{}, parse(t, `{"x":1}`), &none{}); fault == nil || fault.Pointer != "/id" {
		t.Errorf("a member that is missing is not noticed: %v", fault)
	}
}

func TestCheckStopsWhereItIsTold(t *testing.T) {
	for _, c := range []struct {
		text string
		stop int
	}{
		{`{"x":1,"y":2,"count":-1}`, 2},
		{`{"id":"a","parts":[{"key":1},{"key":2},3],"texts":7}`, 1},
		{`{"id":"a","parts":[{"key":1},{"key":2},3],"texts":7}`, 3},
		{`{"id":"a","filled":[],"texts":7}`, 1},
		{`{"id":"a","texts":["",7,""],"part":3}`, 2},
	} {
		told := 0
		more := wholeShape().Check(&whole{}, parse(t, c.text), &none{}, "/at", func(f json.Finding) bool {
			told++
			return told < c.stop
		})
		if more || told != c.stop {
			t.Errorf("%s: told %d times of %d, and goes on: %v", c.text, told, c.stop, more)
		}
	}
}

// No fault names what is not described, and Read finds one exactly when Check does.
func TestReadAndCheckAgreeAndEchoNothing(t *testing.T) {
	names := []string{"id", "count", "value", "part", "parts", "filled", "texts", "key", "flag", "Id", "PARTS", "secret"}
	values := []string{`null`, `true`, `7`, `-7`, `1.5`, `"secret"`, `""`, `[]`, `{}`, `["secret"]`, `[{"key":"secret"}]`, `[{"secret":1}]`,
		`{"key":"secret"}`, `{"key":"k","flag":"secret"}`, `[null]`}
	r := rand.New(rand.NewPCG(1, 1))
	s := wholeShape()
	for range 20_000 {
		members := map[string]string{}
		for range r.IntN(6) {
			members[names[r.IntN(len(names))]] = values[r.IntN(len(values))]
		}
		var parts []string
		for name, value := range members {
			parts = append(parts, fmt.Sprintf("%q:%s", name, value))
		}
		v := parse(t, "{"+strings.Join(parts, ",")+"}")
		fault, all := s.Read(&whole{}, v, &none{}), faults(s, v, &whole{})
		if (fault == nil) != (len(all) == 0) || fault != nil && !slices.Contains(all, fault.Error()) {
			t.Fatalf("{%s}: Read says %v, Check %q", strings.Join(parts, ","), fault, all)
		}
		if strings.Contains(strings.Join(all, " "), "secret") {
			t.Fatalf("{%s} is echoed: %q", strings.Join(parts, ","), all)
		}
	}
}

func TestAFaultShowsOnlyTheDescribedStepsOfItsPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"parts":[{"key":"k"},{"key":01}]}`: "/parts/1/key",
		`{"parts":[{"secret":{"key":01}}]}`:  "/parts/0",
		`{"value":{"key":01}}`:               "/value",
		`{"secret":01}`:                      "",
	} {
		var doc json.Document
		fault := doc.Parse([]byte(text), json.Limits{})
		if fault == nil {
			t.Fatalf("%s is read", text)
		}
		if got := doc.Where(wholeShape().Shape().Shown()); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAFaultShowsTheNamesThatAreKnownAndIndices(t *testing.T) {
	known := json.NamesOrIndices(func(name string) bool { return name == "parts" || name == "key" })
	for text, want := range map[string]string{
		`{"parts":[0,{"key":01}]}`:            "/parts/1/key",
		`{"parts":[{"secret":[{"key":01}]}]}`: "/parts/0",
		`{"secret":[01]}`:                     "",
	} {
		var doc json.Document
		fault := doc.Parse([]byte(text), json.Limits{})
		if fault == nil {
			t.Fatalf("%s is read", text)
		}
		if got := doc.Where(known); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestEveryFormHasAReasonForOtherValues(t *testing.T) {
	for kind := json.FormID; kind <= json.FormPositive; kind++ {
		form := json.Form{Kind: kind}
		if want := form.Want(); !strings.HasPrefix(want, "must be ") {
			t.Errorf("form %d: %q", kind, want)
		}
	}
}

func TestOfMembersThatAreAllRequiredEachIsMissed(t *testing.T) {
	all := json.NewReader(json.All(
		keyMember(),
		json.FlagMember[none]("flag", func(p *part) *bool { return &p.flag }),
	)...)
	for text, missed := range map[string]bool{`{"key":"a","flag":true}`: false, `{"key":"a"}`: true, `{"flag":true}`: true, `{}`: true} {
		if got := all.Read(&part{}, parse(t, text), &none{}) != nil; got != missed {
			t.Errorf("%s: refused %v", text, got)
		}
	}
}

// everyMember is read by each of the constructors of members.
type everyMember struct {
	count, version, nullable int64
	flag                     bool
	value                    json.Value
}

func everyShape() *json.Reader[bool, *everyMember] {
	return json.NewReader(
		json.VersionMember[bool]("version", func(e *everyMember) *int64 { return &e.version }),
		json.CountMember[bool]("count", func(e *everyMember) *int64 { return &e.count }),
		json.FlagMember[bool]("flag", func(e *everyMember) *bool { return &e.flag }),
		json.ValueMember[bool]("value", func(e *everyMember) *json.Value { return &e.value }),
		json.NullableWhen(func(in *bool) bool { return *in }, json.CountMember[bool]("nullable", func(e *everyMember) *int64 { return &e.nullable })),
	)
}

func TestTheValuesOfMembersHaveBounds(t *testing.T) {
	for text, want := range map[string]string{
		`{"count":0,"version":1,"flag":false,"value":{}}`:  "0 1 0 false",
		`{"count":1,"version":2,"flag":true,"nullable":7}`: "1 2 7 true",
		`{"count":9007199254740991}`:                       "9007199254740991 0 0 false",
		`{"count":-1}`:                                     "/count: " + json.WantCount,
		`{"count":1.5}`:                                    "/count: " + json.WantCount,
		`{"version":0}`:                                    "/version: " + json.WantVersion,
		`{"version":"1"}`:                                  "/version: " + json.WantVersion,
		`{"flag":0}`:                                       "/flag: " + json.WantFlag,
		`{"value":[]}`:                                     "/value: " + json.WantObject,
		`{"nullable":null}`:                                "0 0 0 false",
		`{"count":null}`:                                   "/count: " + json.ReasonNull,
		`{"count":1,"nullable":null,"version":3,"zzz":null}`: json.ReasonUnknown,
	} {
		var e everyMember
		allowed := true
		fault := everyShape().Read(&e, parse(t, text), &allowed)
		got := fmt.Sprint(e.count, e.version, e.nullable, e.flag)
		if fault != nil {
			got = fault.Error()
		}
		if got != want || e.value.Exists() != (strings.Contains(text, `"value"`)) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	refused := false
	if fault := everyShape().Read(&everyMember{}, parse(t, `{"nullable":null}`), &refused); fault == nil || fault.Error() != "/nullable: "+json.ReasonNull {
		t.Errorf("where null is not allowed: %v", fault)
	}
}

func TestAShapeDescribesItsMembers(t *testing.T) {
	s, names := wholeShape().Shape(), map[string]bool{}
	s.Names(names)
	want := map[string]bool{"id": true, "count": true, "value": true, "part": true, "parts": true, "filled": true, "texts": true, "key": true, "flag": true}
	if !maps.Equal(names, want) {
		t.Errorf("%v", names)
	}
	var listed []string
	for i := range s.Members {
		m := &s.Members[i]
		listed = append(listed, fmt.Sprint(m.Name, m.Required, m.Nullable, m.Form.Kind, m.Form.NotEmpty, m.Form.Shape != nil))
		if s.Member(m.Name) != m {
			t.Errorf("%s is not found", m.Name)
		}
	}
	if got := strings.Join(listed, ", "); got != "idtrue false 1 false false, countfalse true 13 false false, valuefalse false 11 false false, partfalse false 11 false true, "+
		"partsfalse false 12 false true, filledfalse false 12 true true, textsfalse false 15 true false" {
		t.Error(got)
	}
	if s.Member("key") != nil || (*json.Shape)(nil).Member("id") != nil {
		t.Errorf("%+v", s)
	}
}

// Read tells the first fault in the order of the names; Check tells each with where it is, its cause and what should be there.
func TestFindingsHaveAPlaceACauseAndAForm(t *testing.T) {
	for text, want := range map[string][]string{ // of Read first
		`7`: {": must be an object @0", "/at: must be an object @0 cause 2 value 0 count 0 form 0"},
		`{"texts":7}`: {"/id: is required and absent @0", "/at/id: is required and absent @0 cause 4 value 0 count 0 form 1",
			"/at/texts: must be an array @9 cause 2 value 9 count 0 form 15"},
		`{"id":"","a":1,"z":2}`: {": " + json.ReasonUnknown + " @13", "/at: " + json.ReasonUnknown + " @13 cause 5 value 0 count 2 form 0",
			"/at/id: " + json.WantID + " @6 cause 1 value 6 count 0 form 1"},
		`{"id":"a","part":{"x":1,"KEY":2}}`: {"/part: " + json.ReasonCase + "key @30", "/at/part: " + json.ReasonCase + "key @30 cause 5 value 17 count 2 form 11",
			"/at/part/key: is required and absent @17 cause 4 value 17 count 0 form 5"},
		`{"id":"a","filled":[],"parts":[{"key":7},{}]}`: {"/filled: has no item @19", "/at/parts/0/key: must be a string @38 cause 1 value 38 count 0 form 5",
			"/at/parts/1/key: is required and absent @41 cause 4 value 41 count 0 form 5", "/at/filled: has no item @19 cause 3 value 19 count 0 form 12"},
		`{"id":null,"texts":["a",""]}`: {"/id: " + json.ReasonNull + " @6", "/at/id: " + json.ReasonNull + " @6 cause 2 value 6 count 0 form 1",
			"/at/texts/1: must be a text @24 cause 1 value 24 count 0 form 0"},
		`{"id":"a","parts":[{"key":"k"},{"key":"k","flag":7}]}`:  {"/parts/1/flag: " + json.WantFlag + " @49", "/at/parts/1/flag: " + json.WantFlag + " @49 cause 1 value 49 count 0 form 7"},
		`{"id":"a","count":1,"filled":[{"key":"k"}],"value":{}}`: {"none"},
	} {
		s, v := wholeShape(), parse(t, text)
		got := []string{"none"}
		if fault := s.Read(&whole{}, v, &none{}); fault != nil {
			got[0] = fmt.Sprintf("%s: %s @%d", fault.Pointer, fault.Reason, fault.Offset)
		}
		all := s.Check(&whole{}, v, &none{}, "/at", func(f json.Finding) bool {
			form := json.Form{}
			if f.Form != nil {
				form = *f.Form
			}
			got = append(got, fmt.Sprintf("%s: %s @%d cause %d value %d count %d form %d", f.Pointer, f.Reason, f.Offset, f.Cause, f.Value.Offset(), f.Count, form.Kind))
			return true
		})
		if !all || !slices.Equal(got, want) {
			t.Errorf("%s: %t\n got %q\nwant %q", text, all, got, want)
		}
	}
}

type parcel struct {
	ParcelID string `json:"parcelId"`
	Weight   int64  `json:",omitempty"`
	Sender   struct{ Name string }
	Note     string `json:"note,omitempty" null:"absent"`
	Parts    []struct {
		Label string `json:"label,omitempty"`
	} `json:"parts,omitempty" least:"1"`
	Stops []struct{ Place string } `json:"stops,omitempty"`
}

// The members of a struct are its fields; the tags name them and say which may be absent, null or empty.
func TestAReaderOfStructsFollowsTheirFields(t *testing.T) {
	parcels := json.StructReader(reflect.TypeFor[parcel](), func(name string, field reflect.StructField, at json.At) (m json.Member[none, reflect.Value], known bool) {
		switch field.Type.Kind() {
		case reflect.String:
			return stringMember(name, json.FieldAt[string](at)), true
		case reflect.Int64:
			return json.CountMember[none](name, json.FieldAt[int64](at)), true
		}
		return m, false
	})
	for text, want := range map[string]string{
		`{"parcelId":"a","sender":{"name":"b"}}`:                                       `{a 0 {b}  [] []}`,
		`{"stops":[],"sender":{"name":"b"},"parcelId":"a","note":null,"weight":3}`:     `{a 3 {b}  [] []}`,
		`{"parcelId":"a","sender":{"name":"b"},"parts":[{"label":"c"},{}],"note":"n"}`: `{a 0 {b} n [{c} {}] []}`,
		`{"parcelId":"a","sender":{"name":"b"},"stops":[{"place":"x"},{"place":"y"}]}`: `{a 0 {b}  [] [{x} {y}]}`,
		`{"sender":{"name":"b"}}`:                                                    "/parcelId: " + json.ReasonAbsent,
		`{"parcelId":"a","sender":{}}`:                                               "/sender/name: " + json.ReasonAbsent,
		`{"parcelId":"a","sender":{"name":"b"},"weight":null}`:                       "/weight: " + json.ReasonNull,
		`{"parcelId":"a","sender":{"name":"b"},"parts":[]}`:                          "/parts: " + json.ReasonNoItem,
		`{"parcelId":"a","sender":{"name":"b"},"stops":[{"place":"x"},{"place":1}]}`: "/stops/1/place: " + json.WantString,
		`{"parcelId":"a","sender":{"name":"b"},"stops":{}}`:                          "/stops: " + json.WantList,
		`{"parcelId":"a","sender":{"name":"b"},"other":1}`:                           json.ReasonUnknown,
		`{"parcelID":"a","sender":{"name":"b"}}`:                                     json.ReasonCase + "parcelId",
	} {
		for name, read := range map[string]func(into reflect.Value, v json.Value) []string{
			"Read": func(into reflect.Value, v json.Value) (list []string) {
				if fault := parcels.Read(into, v, &none{}); fault != nil {
					list = append(list, fault.Error())
				}
				return list
			},
			"Check": func(into reflect.Value, v json.Value) (list []string) {
				parcels.Check(into, v, &none{}, "", func(f json.Finding) bool {
					list = append(list, f.Error())
					return false
				})
				return list
			},
		} {
			var p parcel
			got := read(reflect.ValueOf(&p).Elem(), parse(t, text))
			if len(got) == 0 {
				got = []string{fmt.Sprint(p)}
			}
			if got[0] != want {
				t.Errorf("%s of %s: %s, want %s", name, text, got[0], want)
			}
		}
	}
}
