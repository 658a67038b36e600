package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Limits of a connection. An attempt as a whole has a limit of its own.
const (
	dialTime     = 10 * time.Second
	headerBytes  = 64 << 10
	idleTime     = 30 * time.Second
	keptAlive    = 15 * time.Second
	mostIdle     = 2
	continueTime = time.Second
)

// errElsewhere says that an address on this machine leads to another one.
var errElsewhere = errors.New("the address that is said to be this machine's leads elsewhere; reach the service by https")

// newTransport makes the connections. roots are those who vouch for the service; nil: those of this system. plain says that
// the service is on this machine and is reached without TLS.
func newTransport(roots *x509.CertPool, plain bool) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, KeepAlive: keptAlive}
	if plain {
		dialer.ControlContext = onlyLoopback
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment, // never for this machine; otherwise a tunnel, which sees no token
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTime,
		ExpectContinueTimeout:  continueTime,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    mostIdle,
		MaxResponseHeaderBytes: headerBytes,
		DisableCompression:     true, // what is small on its way could be large here
		ForceAttemptHTTP2:      true,
	}
}

// onlyLoopback refuses to connect to anything but this machine, whatever its name was resolved to.
func onlyLoopback(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return errElsewhere
	}
	return nil
}
