package daemon_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/serve/daemon"
	"docket/cmd/internal/settings"
)

func TestSettingsThatDoNotBelongTogetherAreRefusedWithTheLine(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		line   int
		reason string
	}{
		"an address without a port":   {"\nlisten = \"127.0.0.1\"", 2, "listen: it takes an address and a port"},
		"a socket beside something":   {"listen = \"unix:run/docket.sock\"", 1, "listen: it takes an address and a port"},
		"an address for everybody":    {"\n\nlisten = \"0.0.0.0:8417\"", 3, "listen: the address can be reached from other machines"},
		"a certificate without a key": {"tls_cert = \"a.pem\"", 1, "tls_cert: it must be given together with tls_key"},
		"a key without a certificate": {"\ntls_key = \"a.pem\"", 2, "tls_key: it must be given together with tls_cert"},
		"TLS behind a proxy":          {"tls_cert = \"a.pem\"\ntls_key = \"a.pem\"\nbehind_proxy = true", 3, "behind_proxy: it is for a service without TLS"},
		"TLS on a socket":             {"listen = \"unix:/run/docket.sock\"\ntls_cert = \"a.pem\"\ntls_key = \"a.pem\"", 2, "tls_cert: a unix socket is served without TLS"},
	} {
		path := filepath.Join(t.TempDir(), "service.toml")
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := daemon.Load(settings.Source{Path: path})
		var problem *settings.Problem
		if !errors.As(err, &problem) || problem.Line != c.line || !strings.Contains(problem.Reason, c.reason) || !strings.HasSuffix(problem.Place, "service.toml") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
