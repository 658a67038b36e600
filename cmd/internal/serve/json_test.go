package serve_test

import (
	"encoding/json"
	"testing"
)

// encoded is a value as JSON.
func encoded(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
