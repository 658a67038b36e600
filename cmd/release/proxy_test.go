//go:build linux

package release

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// A front is a proxy with docket's site, in a folder of its own, with a certificate for this machine.
type front struct {
	url, certificate string
	client           *http.Client
}

// certified writes a certificate for 127.0.0.1 and its key into a folder.
func certified(t *testing.T, folder string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "docket"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(t, err)
	certificate, key = filepath.Join(folder, "fullchain.pem"), filepath.Join(folder, "privkey.pem")
	write(t, certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return certificate, key
}

// A proxy is a program that a site of the release is for.
type proxy struct {
	program string
	// prepare writes the site for an upstream's socket into the folder, and returns the command that runs it on the listener, which is its
	// descriptor 3 and has the address.
	prepare func(t *testing.T, folder, address, upstream, certificate, key string) *exec.Cmd
}

var proxies = []proxy{{"nginx", nginx}, {"caddy", caddy}}

func nginx(t *testing.T, folder, address, upstream, certificate, key string) *exec.Cmd {
	t.Helper()
	site := replaced(t, read(t, "nginx.conf"), "listen 443 ssl http2;", "listen "+address+" ssl http2;", "\tlisten [::]:443 ssl http2;\n", "",
		"/run/docket/docket.sock", upstream, "/etc/ssl/docket/fullchain.pem", certificate, "/etc/ssl/docket/privkey.pem", key)
	write(t, filepath.Join(folder, "site.conf"), site)
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n" // the folder of a test is its user's
	}
	write(t, filepath.Join(folder, "main.conf"), user+"daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log error.log;\nevents {}\nhttp {\n"+
		"client_body_temp_path body;\nproxy_temp_path proxy;\nfastcgi_temp_path fastcgi;\nuwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\ninclude site.conf;\n}\n")
	args := []string{"-p", folder, "-e", "error.log", "-c", "main.conf"}
	if out, err := exec.Command("nginx", append(args, "-t")...).CombinedOutput(); err != nil || strings.Contains(string(out), "[warn]") {
		t.Fatalf("nginx -t: %v\n%s", err, out)
	}
	cmd := exec.Command("nginx", args...)
	cmd.Env = append(os.Environ(), "NGINX=3;") // how nginx is given a listener
	return cmd
}

func caddy(t *testing.T, folder, address, upstream, certificate, key string) *exec.Cmd {
	t.Helper()
	site := "{\n\tadmin off\n\tpersist_config off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n\n" + replaced(t, read(t, "Caddyfile"),
		"docket.example.org {\n", "https://"+address+" {\n\tbind fd/3\n\ttls "+certificate+" "+key+"\n", "/run/docket/docket.sock", upstream)
	write(t, filepath.Join(folder, "Caddyfile"), site)
	args := []string{"--config", filepath.Join(folder, "Caddyfile"), "--adapter", "caddyfile"}
	environment := append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	check := exec.Command("caddy", append([]string{"validate"}, args...)...)
	check.Env = environment
	if out, err := check.CombinedOutput(); err != nil || strings.Contains(string(out), "Unnecessary") {
		t.Fatalf("caddy validate: %v\n%s", err, out)
	}
	cmd := exec.Command("caddy", append([]string{"run"}, args...)...)
	cmd.Env = environment
	return cmd
}

// before starts a proxy in front of the upstream.
func (p *proxy) before(t *testing.T, upstream string) *front {
	t.Helper()
	programtest.Needs(t, p.program)
	folder := t.TempDir()
	f := &front{}
	var key string
	f.certificate, key = certified(t, folder)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	f.url = "https://" + listener.Addr().String()
	cmd := p.prepare(t, folder, listener.Addr().String(), upstream, f.certificate, key)
	handed, err := listener.(*net.TCPListener).File()
	must(t, err)
	cmd.ExtraFiles = []*os.File{handed}
	started(t, cmd, false)
	_, _ = handed.Close(), listener.Close() // the proxy has it; what is called before it runs waits in its queue
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(read(t, f.certificate)))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	f.client = &http.Client{Transport: transport}
	return f
}

// ask sends a request through the proxy, and returns the answer with its body.
func (f *front) ask(t *testing.T, method, path string, header http.Header, body io.Reader) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, f.url+path, body)
	must(t, err)
	for name, values := range header {
		request.Header[name] = values
	}
	answer, err := f.client.Do(request)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer, string(text)
}

func TestAProxyStatesTheAddressThatItSeesAndNothingThatTheCallerSays(t *testing.T) {
	t.Parallel()
	for _, p := range proxies {
		t.Run(p.program, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Pointer[http.Header]
			upstream := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				header := r.Header.Clone()
				seen.Store(&header)
			}))
			socket := filepath.Join(short(t), "s")
			listener, err := net.Listen("unix", socket)
			must(t, err)
			_ = upstream.Listener.Close()
			upstream.Listener = listener
			upstream.Start()
			defer upstream.Close()
			f := p.before(t, socket)
			answer, _ := f.ask(t, http.MethodGet, "/healthz", http.Header{"X-Forwarded-For": {"203.0.113.9", "127.0.0.1"}, "Forwarded": {"for=203.0.113.9"},
				"X-Real-Ip": {"203.0.113.9"}, "Authorization": {"Bearer docket_A"}}, nil)
			if answer.ProtoMajor != 2 {
				t.Errorf("%s", answer.Proto)
			}
			header := *seen.Load()
			if got := header.Values("X-Forwarded-For"); len(got) != 1 || got[0] != "127.0.0.1" || len(header.Values("Forwarded")) != 0 ||
				len(header.Values("X-Real-Ip")) != 0 || header.Get("Authorization") != "Bearer docket_A" {
				t.Errorf("docket gets %v", header)
			}
			seen.Store(nil)
			if answer, _ := f.ask(t, http.MethodGet, "/metrics", nil, nil); answer.StatusCode != http.StatusNotFound || seen.Load() != nil {
				t.Errorf("the metrics are passed on: %s", answer.Status)
			}
		})
	}
}

func TestConsolesReachTheServiceThroughAProxy(t *testing.T) {
	t.Parallel()
	for _, p := range proxies {
		t.Run(p.program, func(t *testing.T) {
			t.Parallel()
			programtest.Needs(t, p.program)
			m, token := stocked(t)
			service, socket := serving(m)
			f := p.before(t, socket)
			bearer := http.Header{"Authorization": {"Bearer " + token}}
			for path, want := range map[string]int{"/healthz": http.StatusOK, "/api/trade/queue": http.StatusOK, "/none": http.StatusNotFound} {
				if answer, body := f.ask(t, http.MethodGet, path, bearer, nil); answer.StatusCode != want {
					t.Errorf("%s: %s %s", path, answer.Status, body)
				}
			}
			if answer, body := f.ask(t, http.MethodGet, "/api/trade/queue", nil, nil); answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s %s", answer.Status, body)
			}
			// docket itself says that a body is too large, not the proxy.
			bearer.Set("Content-Type", "application/json")
			answer, body := f.ask(t, http.MethodPost, "/api/trade/challenge-appeal/enforce", bearer, strings.NewReader(strings.Repeat(" ", 3<<19)))
			if answer.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "urn:docket:problem:") {
				t.Errorf("%s %s", answer.Status, body)
			}
			console := programtest.EmptySite(t) // it pulls, with the certificate that it is told
			write(t, filepath.Join(console.Folder, "token"), token)
			console.Done("docket", programtest.InitAs("--no-passphrase")...)
			console.Done("docket", "pull", "--token-file", filepath.Join(console.Folder, "token"), "--ca", f.certificate, f.url)
			if rows := console.Done("docket", "queue", "--json").Stdout; !strings.Contains(rows, "case-2026-00117") {
				t.Errorf("%s", rows)
			}
			if err := service.stop(); err != nil {
				t.Errorf("%v\n%s", err, service.log.String())
			}
		})
	}
}
