package json_test

import (
	"fmt"
	"reflect"
	"testing"

	"docket/domain/json"
)

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
			return json.StringMember[none](name, json.FieldAt[string](at)), true
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
