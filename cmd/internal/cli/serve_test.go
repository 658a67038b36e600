package cli

import "testing"

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
