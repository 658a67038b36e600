package selftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An object is a JSON object that the bench takes apart. Numbers in it are json.Number.
type object = map[string]any

// removed in place of a value takes a member out.
type removed struct{}

// decoded reads JSON that this program wrote.
func decoded(text []byte) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var o object
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("a document of the program is no JSON object: %T", err)
	}
	return o, nil
}

// encoded writes what decoded read, or a bench put together. It cannot fail: there is nothing in it but JSON.
func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("selftest: a document cannot be written")
	}
	return text
}

// edited is a copy of the object in which the value stands at the pointer (RFC 6901, without escapes). What leads there
// has to exist.
func edited(o object, pointer string, value any) object {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	changed, _ := editedValue(o, steps, value).(object)
	return changed
}

func editedValue(v any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch v := v.(type) {
	case object:
		changed := maps.Clone(v)
		if _, gone := value.(removed); gone && len(steps) == 1 {
			delete(changed, steps[0])
			return changed
		}
		changed[steps[0]] = editedValue(v[steps[0]], steps[1:], value)
		return changed
	case []any:
		index, err := strconv.Atoi(steps[0])
		if err != nil || index >= len(v) {
			return v
		}
		changed := slices.Clone(v)
		changed[index] = editedValue(v[index], steps[1:], value)
		return changed
	}
	return v
}

// walk visits every member and entry below the value, what holds others before them, in the order of the names.
func walk(v any, pointer string, visit func(pointer string, value any)) {
	switch v := v.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(pointer+"/"+name, v[name])
			walk(v[name], pointer+"/"+name, visit)
		}
	case []any:
		for i, entry := range v {
			at := pointer + "/" + strconv.Itoa(i)
			visit(at, entry)
			walk(entry, at, visit)
		}
	}
}

// at is the value at a pointer; nil if there is none.
func at(v any, pointer string) any {
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		inner, _ := v.(object)
		v = inner[step]
	}
	return v
}

// withMembers holds the names of an object's members to those it has to have.
func withMembers(what string, v any, names ...string) error {
	o, isObject := v.(object)
	if !isObject {
		return fmt.Errorf("%s is not an object", what)
	}
	found := slices.Sorted(maps.Keys(o))
	if want := slices.Sorted(slices.Values(names)); !slices.Equal(found, want) {
		return fmt.Errorf("%s has %d members where it has to have %s", what, len(found), strings.Join(names, ", "))
	}
	return nil
}

// counted writes how many there are of a thing whose plural takes an s.
func counted(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(count) + " " + noun + "s"
}
