package cli

import (
	"errors"
	"testing"
)

func TestOnlyLoopbackIsListenedAtWithoutTLS(t *testing.T) {
	for address, loopback := range map[string]bool{"127.0.0.1:0": true, "127.9.9.9:8417": true, "[::1]:0": true, "0.0.0.0:0": false, ":0": false,
		"[::]:0": false, "192.0.2.1:8417": false, "[2001:db8::1]:1": false, "[::ffff:192.0.2.1]:1": false, "[::ffff:127.0.0.1]:1": true} {
		resolved, config, err := binding{listen: address}.check()
		var refusal *failure
		if loopback != (err == nil) || config != nil || err != nil && (!errors.As(err, &refusal) || refusal.status != Usage) {
			t.Errorf("%s: %v, %v", address, resolved, err)
		}
		if _, _, err := (binding{listen: address, behindProxy: true}).check(); err != nil {
			t.Errorf("%s behind a proxy: %v", address, err)
		}
	}
}

func TestAPublicKeyIsTakenFromEitherKindOfLine(t *testing.T) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
	for text, want := range map[string]string{
		key + "\n":                  key,
		key + " somebody@somewhere": key + " somebody@somewhere",
		`rev-1 namespaces="docket-enforcement-record" ` + key: key,
	} {
		if got, err := publicKeyLine("rev-1", text); err != nil || got != want {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	for _, text := range []string{`rev-2 namespaces="docket-enforcement-record" ` + key, "-----BEGIN OPENSSH PRIVATE KEY-----\n"} {
		if got, err := publicKeyLine("rev-1", text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}
