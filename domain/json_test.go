package domain_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/gowebpki/jcs"
)

// hashOf is the H of the specification.
func hashOf(t tb, value any) string {
	t.Helper()
	sum := sha256.Sum256(canonicalForm(t, value))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// canonicalForm is RFC 8785's, made with another implementation than the one under test.
func canonicalForm(t tb, value any) []byte {
	t.Helper()
	form, err := jcs.Transform(encoded(value))
	if err != nil {
		t.Fatalf("no canonical form: %v", err)
	}
	return form
}

func without(document map[string]any, name string) map[string]any {
	rest := map[string]any{}
	for key, value := range document {
		if key != name {
			rest[key] = value
		}
	}
	return rest
}

func only(document map[string]any, names ...string) map[string]any {
	part := map[string]any{}
	for _, name := range names {
		if value, there := document[name]; there {
			part[name] = value
		}
	}
	return part
}

// parsed reads JSON with its numbers as they are written.
func parsed(text string) map[string]any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	document := map[string]any{}
	if err := decoder.Decode(&document); err != nil {
		panic(err)
	}
	return document
}

// normal turns a Go value into what parsing its JSON gives.
func normal(value any) any {
	return parsed(`{"value":` + string(encoded(value)) + `}`)["value"]
}

func encoded(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}
