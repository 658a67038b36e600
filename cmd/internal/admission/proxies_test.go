package admission_test

import (
	"net/http"
	"strings"
	"testing"

	"docket/cmd/internal/admission"
)

func proxies(t testing.TB, texts ...string) admission.Proxies {
	t.Helper()
	p, err := admission.ParseProxies(texts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOnlyATrustedProxySaysWhereARequestComesFrom(t *testing.T) {
	p := proxies(t, "10.0.0.0/8", "2001:db8:1::/48", "192.0.2.1")
	const proxy, caller = "10.1.1.1:4000", "198.51.100.7"
	for _, c := range []struct {
		name, remote, xff, forwarded, want string
	}{
		{"no header", proxy, "", "", "10.1.1.1"},
		{"nobody is trusted here", "203.0.113.5:1", caller, "", "203.0.113.5"},
		{"one hop", proxy, caller, "", caller},
		{"with a port", proxy, caller + ":555", "", caller},
		{"IPv6", proxy, "2001:db8:9::1", "", "2001:db8:9::1"},
		{"IPv6 in brackets", proxy, "[2001:db8:9::1]", "", "2001:db8:9::1"},
		{"IPv6 with a port", proxy, "[2001:db8:9::1]:443", "", "2001:db8:9::1"},
		{"IPv4 written as IPv6", proxy, "::ffff:198.51.100.7", "", caller},
		{"what the caller itself wrote comes first", proxy, "1.1.1.1, 2.2.2.2, " + caller, "", caller},
		{"in lines of their own", proxy, "1.1.1.1\n" + caller, "", caller},
		{"trusted hops are passed over", proxy, "1.1.1.1, " + caller + ", 10.9.9.9 ,192.0.2.1", "", caller},
		{"trusted hops in lines of their own", proxy, "1.1.1.1, " + caller + "\n10.9.9.9", "", caller},
		{"all hops are trusted", proxy, "10.9.9.9, 10.8.8.8", "", "10.1.1.1"},
		{"garbage before it does not matter", proxy, "garbage, " + caller, "", caller},
		{"garbage", proxy, caller + ", garbage", "", "10.1.1.1"},
		{"an empty hop", proxy, caller + ", ", "", "10.1.1.1"},
		{"an empty header", proxy, " ", "", "10.1.1.1"},
		{"a zone", proxy, "fe80::1%eth0", "", "10.1.1.1"},
		{"no address in particular", proxy, "0.0.0.0", "", "10.1.1.1"},
		{"IPv4 in brackets", proxy, "[198.51.100.7]", "", "10.1.1.1"},
		{"a port that is none", proxy, caller + ":99999", "", "10.1.1.1"},
		{"Forwarded", proxy, "", "for=" + caller, caller},
		{"with all of its parameters", proxy, "", `For="198.51.100.7:80" ; proto=https;by=203.0.113.43;host="a,b;c=\"d"`, caller},
		{"several elements", proxy, "", "for=1.1.1.1, for=" + caller + ";by=10.9.9.9, for=10.9.9.9", caller},
		{"several lines", proxy, "", "for=1.1.1.1\nfor=" + caller, caller},
		{"IPv6 quoted", proxy, "", `for="[2001:db8:9::1]:4711"`, "2001:db8:9::1"},
		{"hidden", proxy, "", "for=1.1.1.1, for=_hidden", "10.1.1.1"},
		{"unknown", proxy, "", "for=unknown", "10.1.1.1"},
		{"nobody is named", proxy, "", "for=1.1.1.1, by=10.9.9.9", "10.1.1.1"},
		{"named twice", proxy, "", "for=1.1.1.1;for=" + caller, "10.1.1.1"},
		{"a quote without an end", proxy, "", `for="1.1.1.1, for=` + caller, "10.1.1.1"},
		{"a quote without an end in the caller's line", proxy, "", "for=\"1.1.1.1\nfor=" + caller, caller},
		{"an escape without an end", proxy, "", `for="1.1.1.1\`, "10.1.1.1"},
		{"no value", proxy, "", "for=", "10.1.1.1"},
		{"no name", proxy, "", "=1.1.1.1", "10.1.1.1"},
		{"text after a value", proxy, "", `for="1.1.1.1"x`, "10.1.1.1"},
		{"a semicolon at the end", proxy, "", "for=1.1.1.1;", "10.1.1.1"},
		{"both say the same", proxy, caller, "for=" + caller, caller},
		{"the proxy writes one, the caller the other", proxy, caller, "for=1.1.1.1", "10.1.1.1"},
		{"the other is garbage", proxy, caller, "garbage", "10.1.1.1"},
		{"a proxy of an IPv6 network", "[2001:db8:1::5]:1", caller, "", caller},
		{"a proxy that comes as IPv6", "[::ffff:10.1.1.1]:1", caller, "", caller},
		{"a unix socket that is not trusted", "@", caller, "", "invalid IP"},
	} {
		header := http.Header{}
		for name, text := range map[string]string{"X-Forwarded-For": c.xff, "Forwarded": c.forwarded} {
			if text != "" {
				header[name] = strings.Split(text, "\n")
			}
		}
		if got := p.CallerOf(c.remote, header).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	header := http.Header{"X-Forwarded-For": {caller}}
	if got := proxies(t, "unix").CallerOf("@", header).String(); got != caller {
		t.Errorf("through a unix socket: %s", got)
	}
	if got := (admission.Proxies{}).CallerOf(proxy, header).String(); got != "10.1.1.1" {
		t.Errorf("where nobody is trusted: %s", got)
	}
}

func TestAProxyIsANetworkOrAnAddress(t *testing.T) {
	for _, text := range []string{"", "10.0.0.0", "10.0.0.0/33", "10.0.0", "proxy.example.org", "10.0.0.0/8,10.0.0.0/9", "UNIX", " unix",
		"10.1.0.0/8", "fe80::1%eth0", "::ffff:10.0.0.0/104", "10.0.0.1:80"} {
		_, err := admission.ParseProxies([]string{"127.0.0.1", text})
		if ok := text == "10.0.0.0"; (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := admission.ParseProxies([]string{"10.1.0.0/8"}); err == nil || !strings.Contains(err.Error(), "10.0.0.0/8") {
		t.Errorf("the network is not named: %v", err)
	}
}

func FuzzCallerOf(f *testing.F) {
	f.Add("1.1.1.1, 10.0.0.1", `for="[::1]:80";by=a, for=10.0.0.1`)
	f.Add("", "")
	p := proxies(f, "10.0.0.0/8")
	f.Fuzz(func(t *testing.T, xff, forwarded string) {
		header := http.Header{"X-Forwarded-For": {xff}, "Forwarded": {forwarded}}
		// A proxy appends the caller's address, however the rest looks.
		for _, h := range []http.Header{header, {"X-Forwarded-For": {xff + ", 198.51.100.7"}}, {"Forwarded": {forwarded, "for=198.51.100.7"}}} {
			got := p.CallerOf("10.1.1.1:1", h)
			if !got.IsValid() || got.Zone() != "" {
				t.Fatalf("%v: %s", h, got)
			}
			if len(h) == 1 && got.String() != "198.51.100.7" {
				t.Fatalf("%v: %s", h, got)
			}
		}
	})
}
