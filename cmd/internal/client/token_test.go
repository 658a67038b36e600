package client_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"docket/cmd/internal/client"
)

func TestATokenIsReadWithTheWhiteSpaceThatAFileHas(t *testing.T) {
	for _, text := range []string{"docket_SECRET", "docket_SECRET\n", " docket_SECRET\r\n", "docket_" + strings.Repeat("x", 121)} {
		if _, err := client.ParseToken(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "\n", "docket_", "SECRET", "docket_SECRET docket_SECRET", "docket_SECRET\ndocket_SECRET",
		"docket_SECRET\x00", "docket_SECRETé", "docket_SECRET" + strings.Repeat("x", 600), "docket_" + strings.Repeat("x", 122)} {
		_, err := client.ParseToken(text)
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestATokenIsNeverPrinted(t *testing.T) {
	token, err := client.ParseToken("docket_SECRET")
	if err != nil {
		t.Fatal(err)
	}
	whole := struct{ Token client.Token }{token}
	var printed bytes.Buffer
	fmt.Fprintf(&printed, "%v %+v %#v %s %q %x %d", token, token, token, token, token, token, token)
	fmt.Fprintf(&printed, "%v %+v %#v", whole, whole, &whole)
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	printed.Write(text)
	slog.New(slog.NewTextHandler(&printed, nil)).Info("x", "token", token, "whole", whole)
	slog.New(slog.NewJSONHandler(&printed, nil)).Info("x", "token", token, "whole", whole)
	fmt.Fprint(&printed, fmt.Errorf("x: %v", whole))
	if strings.Contains(printed.String(), "SECRET") || strings.Contains(printed.String(), "534543524554") {
		t.Error(printed.String())
	}
}
