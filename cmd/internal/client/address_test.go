package client_test

import (
	"strings"
	"testing"

	"docket/cmd/internal/client"
)

func TestAServiceIsReachedByHTTPSOrOnThisMachineOnly(t *testing.T) {
	for _, address := range []string{"https://docket.example.org", "https://docket.example.org/", "https://docket.example.org:8443/docket",
		"http://localhost:8080", "http://LOCALHOST", "http://127.0.0.1:8080", "http://127.8.9.10", "http://[::1]:8080"} {
		if err := client.CheckAddress(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, reason := range map[string]string{
		"":                                       "named by its address",
		"docket.example.org":                     "named by its address",
		"https://":                               "named by its address",
		"https:docket.example.org":               "named by its address",
		"/path/SECRET":                           "named by its address",
		"https://[SECRET":                        "named by its address",
		"http://docket.example.org":              "reached by https",
		"http://10.0.0.1":                        "reached by https",
		"http://127.0.0.1.example.org":           "reached by https",
		"http://localhost.example.org":           "reached by https",
		"ftp://localhost":                        "reached by https",
		"file:///SECRET":                         "named by its address",
		"https://user@docket.example.org":        "no user name",
		"https://user:SECRET@docket.example.org": "no user name",
		"https://docket.example.org?SECRET":      "no query",
		"https://docket.example.org/?":           "no query",
		"https://docket.example.org#SECRET":      "no query",
		"https://docket.example.org/a/../b":      "its path is plain",
		"https://docket.example.org/a//b":        "its path is plain",
		"https://docket.example.org/a%2fb":       "its path is plain",
		"https://docket.example.org/SECRET ":     "characters that can be seen",
		"https://docket.example.org/\x1bSECRET":  "characters that can be seen",
		"https://dоcket.example.org":             "characters that can be seen",
	} {
		err := client.CheckAddress(address)
		if err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestAnAddressIsToldFromAFolder(t *testing.T) {
	for text, want := range map[string]bool{"https://docket.example.org": true, "http://localhost": true, "bundle": false, "./a/b": false, "": false} {
		if client.IsAddress(text) != want {
			t.Errorf("%q", text)
		}
	}
}
