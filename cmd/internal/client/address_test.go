package client_test

import (
	"net/http"
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
		"":                                       "give the address of the service",
		"docket.example.org":                     "give the address of the service",
		"https://":                               "give the address of the service",
		"https:docket.example.org":               "give the address of the service",
		"/path/SECRET":                           "give the address of the service",
		"https://[SECRET":                        "give the address of the service",
		"http://docket.example.org":              "use https",
		"http://10.0.0.1":                        "use https",
		"http://127.0.0.1.example.org":           "use https",
		"http://localhost.example.org":           "use https",
		"ftp://localhost":                        "use https",
		"file:///SECRET":                         "give the address of the service",
		"https://user@docket.example.org":        "leave the user name",
		"https://user:SECRET@docket.example.org": "leave the user name",
		"https://docket.example.org?SECRET":      "leave the query",
		"https://docket.example.org/?":           "leave the query",
		"https://docket.example.org#SECRET":      "leave the query",
		"https://docket.example.org:0":           "give a port",
		"https://docket.example.org:65536":       "give a port",
		"https://docket.example.org/a/../b":      "a plain path",
		"https://docket.example.org/a//b":        "a plain path",
		"https://docket.example.org/a%2fb":       "a plain path",
		"https://docket.example.org/SECRET ":     "visible ASCII characters",
		"https://docket.example.org/\x1bSECRET":  "visible ASCII characters",
		"https://dоcket.example.org":             "visible ASCII characters",
	} {
		err := client.CheckAddress(address)
		if err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q: %v", address, err)
		}
		if base, caller, refused := client.NewHTTP(address, nil, nil); base != nil || caller != nil || refused == nil {
			t.Errorf("%q: there is a client, %v", address, refused)
		}
	}
}

func TestAPlainConnectionLeadsToThisMachineWhateverItsNameWasResolvedTo(t *testing.T) {
	_, caller, err := client.NewHTTP("http://localhost", nil, nil)
	must(t, err)
	for address, allowed := range map[string]bool{"127.0.0.1:1": true, "10.0.0.1:80": false, "192.0.2.1:80": false, "[2001:db8::1]:80": false} {
		_, err := caller.Transport.(*http.Transport).DialContext(t.Context(), "tcp", address)
		refused := err != nil && strings.Contains(err.Error(), "resolves to another machine")
		if err == nil || refused == allowed && address[0] != '[' { // a machine may be without IPv6
			t.Errorf("%s: %v", address, err)
		}
	}
}
