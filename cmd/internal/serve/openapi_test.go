package serve_test

import (
	"os"
	"testing"

	"docket/cmd/internal/serve"
)

func TestOpenAPIIsWrittenWhereItIsAskedFor(t *testing.T) {
	text, err := serve.OpenAPI(serve.Routes(), "")
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("DOCKET_OPENAPI"); path != "" {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
