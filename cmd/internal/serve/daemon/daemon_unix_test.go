//go:build unix

package daemon

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/settings"
	"docket/store"
)

// patience is how long a test waits for what has to happen.
const patience = 2 * time.Minute

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A lockedLog is a log that several goroutines write and read.
type lockedLog struct {
	mu      sync.Mutex
	text    strings.Builder
	written chan struct{} // has something after each write
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.written <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A process is a daemon that runs within the test. Signals to the test reach it.
type process struct {
	file string // its config file
	log  *lockedLog
	url  string
	stop context.CancelFunc
	err  chan error // of Run
}

// start runs a daemon with the config file.
func start(t *testing.T, config string) *process {
	t.Helper()
	folder := t.TempDir()
	p := &process{file: filepath.Join(folder, "service.toml"), log: &lockedLog{written: make(chan struct{}, 1)}, err: make(chan error, 1)}
	p.configure(t, config)
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(folder, "service.db"), AnchorFolder: filepath.Join(folder, "anchors"), Service: true})
	must(t, err)
	chosen, err := Load(settings.Source{Path: p.file})
	must(t, err)
	ready := make(chan string, 1)
	d := Daemon{Log: p.log, Ready: func(url string) error { ready <- url; return nil },
		Service: func(v *settings.Values, log *slog.Logger) (*serve.Service, error) {
			return serve.New(serve.Config{Store: s, Now: time.Now, Log: log, Limits: v.Limits})
		}}
	ctx, stop := context.WithCancel(t.Context())
	p.stop = stop
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.err <- d.Run(ctx, chosen)
	}()
	t.Cleanup(func() {
		stop()
		<-done
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	select {
	case p.url = <-ready:
	case err := <-p.err:
		t.Fatal(err)
	}
	return p
}

// configure writes the config file.
func (p *process) configure(t *testing.T, text string) {
	t.Helper()
	must(t, os.WriteFile(p.file, []byte(text), 0o600))
}

// reload sends SIGHUP and waits for a line of the log.
func (p *process) reload(t *testing.T, line string) {
	t.Helper()
	before := strings.Count(p.log.String(), line)
	must(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	for end := time.After(patience); strings.Count(p.log.String(), line) == before; {
		select {
		case <-p.log.written:
		case <-end:
			t.Fatalf("%q is not logged:\n%s", line, p.log.String())
		}
	}
}

// certify writes a certificate of the serial number, and its key, into the folder.
func certify(t *testing.T, folder string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "docket"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: certificate}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		must(t, os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600))
	}
}

// serial is the number of the certificate that the service shows.
func (p *process) dial(t *testing.T) (conn *tls.Conn, serial int64) {
	t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(p.url, "https://"), &tls.Config{InsecureSkipVerify: true})
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	return conn, conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// ask asks for what is not there.
func ask(t *testing.T, conn net.Conn) {
	t.Helper()
	if _, err := io.WriteString(conn, "GET /nowhere HTTP/1.1\r\nHost: docket\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answered, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(t, err)
	_, _ = io.Copy(io.Discard, answered.Body)
	_ = answered.Body.Close()
	if answered.StatusCode != http.StatusNotFound {
		t.Errorf("answered %d", answered.StatusCode)
	}
}

func TestSIGHUPReplacesTheCertificateAndConnectionsGoOn(t *testing.T) {
	folder := t.TempDir()
	certify(t, folder, 1)
	config := fmt.Sprintf("listen = \"127.0.0.1:0\"\ntls_cert = %q\ntls_key = %q\n", filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"))
	p := start(t, config)
	before, serial := p.dial(t)
	if ask(t, before); serial != 1 {
		t.Fatalf("certificate %d", serial)
	}
	if _, err := io.WriteString(before, "GET /healthz HTTP/1.1\r\nHost: "); err != nil { // a request in progress
		t.Fatal(err)
	}
	certify(t, folder, 2)
	p.reload(t, "msg=reloaded")
	after, serial := p.dial(t)
	if ask(t, after); serial != 2 {
		t.Errorf("the new connection has certificate %d; logged %s", serial, p.log.String())
	}
	if _, err := io.WriteString(before, "docket\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if answered, err := http.ReadResponse(bufio.NewReader(before), nil); err != nil || answered.StatusCode != http.StatusOK {
		t.Errorf("the request in progress: %v, %v", answered, err)
	}

	for what, spoil := range map[string]func(){
		"the certificate cannot be used: no such file": func() { _ = os.Remove(filepath.Join(folder, "cert.pem")) },
		"are not a certificate and its key in PEM: private": func() {
			_ = os.Rename(filepath.Join(folder, "other.pem"), filepath.Join(folder, "key.pem"))
		},
	} {
		certify(t, folder, 3)
		must(t, os.Rename(filepath.Join(folder, "key.pem"), filepath.Join(folder, "other.pem")))
		certify(t, folder, 4)
		spoil()
		p.reload(t, "reload refused")
		if lines := strings.Split(strings.TrimSpace(p.log.String()), "\n"); !strings.Contains(lines[len(lines)-1], what) {
			t.Errorf("want %q, logged %s", what, lines[len(lines)-1])
		}
		if conn, serial := p.dial(t); serial != 2 {
			t.Errorf("%s: certificate %d is in force", what, serial)
		} else {
			ask(t, conn)
		}
	}
	certify(t, folder, 5)
	p.reload(t, "msg=reloaded")
	if conn, serial := p.dial(t); serial != 5 {
		t.Errorf("certificate %d is in force", serial)
	} else {
		ask(t, conn)
	}
}

func TestSIGHUPOpensTheLogFileAgain(t *testing.T) {
	folder := t.TempDir()
	file, moved := filepath.Join(folder, "log"), filepath.Join(folder, "log.1")
	p := start(t, fmt.Sprintf("listen = \"127.0.0.1:0\"\nlog_file = %q\n", file))
	hangup := func() {
		t.Helper()
		must(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		for begun := time.Now(); ; runtime.Gosched() {
			if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "msg=reloaded") {
				return
			}
			if time.Since(begun) > patience {
				t.Fatal("nothing is logged after SIGHUP")
			}
		}
	}
	hangup()
	must(t, os.Rename(file, moved))
	hangup()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if p.log.String() != "" {
		t.Errorf("logged beside the file: %s", p.log.String())
	}
	p.stop()
	if err := <-p.err; err != nil {
		t.Error(err)
	}
}

func TestSystemdIsToldWhenTheServiceIsReadyReloadsAndStops(t *testing.T) {
	folder, err := os.MkdirTemp("", "docket") // the path of a socket is short
	must(t, err)
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "notify")
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	defer told.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	next := func() string {
		t.Helper()
		must(t, told.SetReadDeadline(time.Now().Add(patience)))
		text := make([]byte, 1024)
		n, err := told.Read(text)
		must(t, err)
		return string(text[:n])
	}
	p := start(t, "listen = \"127.0.0.1:0\"\n")
	if state := next(); state != "READY=1" {
		t.Errorf("told %q", state)
	}
	p.reload(t, "msg=reloaded")
	if state := next(); !strings.HasPrefix(state, "RELOADING=1\nMONOTONIC_USEC=") {
		t.Errorf("told %q", state)
	}
	if state := next(); state != "READY=1" {
		t.Errorf("told %q", state)
	}
	p.stop()
	if state := next(); state != "STOPPING=1" {
		t.Errorf("told %q", state)
	}
}

func TestASocketThatIsInUseOrNoSocketIsLeftAlone(t *testing.T) {
	folder, err := os.MkdirTemp("", "docket")
	must(t, err)
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "s")
	listener, err := listenUnix(path, "0600")
	must(t, err)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := listenUnix(path, "0600"); !errors.Is(err, errInUse) {
		t.Errorf("a second one: %v", err)
	}
	if conn, err := net.Dial("unix", path); err != nil {
		t.Error(err)
	} else {
		_ = conn.Close()
	}
	must(t, os.Remove(path))
	other, err := listenUnix(path, "0660") // in its place
	must(t, err)
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the first one took the socket of the other away: %v, %v", info, err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	for name, make := range map[string]func(string) error{
		"a file":          func(path string) error { return os.WriteFile(path, []byte("kept"), 0o600) },
		"a folder":        func(path string) error { return os.Mkdir(path, 0o700) },
		"a FIFO":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a dangling link": func(path string) error { return os.Symlink("nowhere", path) },
	} {
		path := filepath.Join(folder, strings.ReplaceAll(name, " ", "-"))
		must(t, make(path))
		before, _ := os.Lstat(path)
		if _, err := listenUnix(path, "0600"); err == nil {
			t.Errorf("%s is replaced", name)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s is not left alone: %v", name, err)
		}
	}
	if _, err := listenUnix(filepath.Join(folder, "no", "folder"), "0600"); err == nil {
		t.Error("a folder is made")
	}
}

func TestASocketOfSystemdIsHeldToWhatAnAddressIsHeldTo(t *testing.T) {
	everybody, err := net.Listen("tcp", "0.0.0.0:0")
	must(t, err)
	v := settings.Defaults()
	if err := checkPassed(everybody, &v); err == nil {
		t.Error("a socket for everybody is served without TLS")
	}
	v.BehindProxy = true
	if err := checkPassed(everybody, &v); err != nil {
		t.Error(err)
	}
	if err := checkPassed(nil, &v); err == nil {
		t.Error("a socket that is no stream is served")
	}
	loopback, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer loopback.Close()
	v.BehindProxy = false
	if err := checkPassed(loopback, &v); err != nil {
		t.Error(err)
	}
}

// passedVariable says to a test that it runs again, with a socket that was passed on.
const passedVariable = "DOCKET_TEST_PASSED_SOCKET"

func TestASocketThatSystemdPassesOnIsTheOneThatIsServed(t *testing.T) {
	if os.Getenv(passedVariable) != "" {
		v := settings.Defaults()
		v.Listen = unixPrefix + "/nowhere/at/all" // it is not looked at
		listener, err := listen(&v)
		must(t, err)
		conn, err := listener.Accept()
		must(t, err)
		_, err = io.WriteString(conn, urlOf(&v, listener.Addr()))
		if err = errors.Join(err, conn.Close(), listener.Close()); err != nil {
			t.Fatal(err)
		}
		return
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must(t, err)
	defer listener.Close()
	file, err := listener.File()
	must(t, err)
	defer file.Close()
	child := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ exec "$0" -test.run='^'"$1"'$'`, os.Args[0], t.Name())
	child.Env = append(os.Environ(), passedVariable+"=1", "LISTEN_FDS=1")
	child.ExtraFiles = []*os.File{file}
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	must(t, child.Start())
	conn, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	url, err := io.ReadAll(conn)
	if ended := child.Wait(); err != nil || ended != nil || string(url) != "http://"+listener.Addr().String() {
		t.Errorf("served %q, %v, %v\n%s", url, err, ended, out.String())
	}
}
