package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
)

// authority makes certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// certify makes a certificate that the issuer signs; the zero issuer for one of itself.
func certify(t *testing.T, issuer authority, change func(*x509.Certificate)) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "docket"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true}
	change(template)
	if issuer.certificate == nil {
		issuer = authority{template, key}
	}
	made, err := x509.CreateCertificate(rand.Reader, template, issuer.certificate, key.Public(), issuer.key)
	must(t, err)
	certificate, err := x509.ParseCertificate(made)
	must(t, err)
	return authority{certificate, key}
}

// A service whose certificate is not right for its address, now, by an authority that the console trusts gets neither token nor record, and
// is not asked again.
func TestAServiceWithAWrongCertificateGetsNothing(t *testing.T) {
	ca := func(c *x509.Certificate) { c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign }
	trusted, stranger := certify(t, authority{}, ca), certify(t, authority{}, ca)
	here := func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} }
	for name, c := range map[string]struct {
		issuer authority
		change func(*x509.Certificate)
		right  bool
	}{
		"right":                  {trusted, here, true},
		"for the system alone":   {trusted, here, false},
		"of another authority":   {stranger, here, false},
		"of itself":              {authority{}, here, false},
		"of a different address": {trusted, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 2)} }, false},
		"of a different name":    {trusted, func(c *x509.Certificate) { c.DNSNames = []string{"docket.example.org"} }, false},
		"that expired":           {trusted, func(c *x509.Certificate) { here(c); c.NotAfter = time.Now().Add(-time.Minute) }, false},
		"of tomorrow":            {trusted, func(c *x509.Certificate) { here(c); c.NotBefore = time.Now().Add(30 * time.Minute) }, false},
		"for another use":        {trusted, func(c *x509.Certificate) { here(c); c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			made := certify(t, c.issuer, c.change)
			asked := make(chan struct{}, 16)
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				saying(200, api.JSON, aPage)(w, r)
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{made.certificate.Raw}, PrivateKey: made.key}}}
			server.StartTLS()
			defer server.Close()
			roots := x509.NewCertPool()
			roots.AddCert(trusted.certificate)
			if name == "for the system alone" {
				roots = nil
			}
			clock := newClock()
			_, err := to(t, server.URL, func(o *client.Options) { o.Roots, o.Retry = roots, clock.pace() }).Page(t.Context(), "")
			if c.right != (err == nil) || !c.right && (!errors.Is(err, client.ErrUnreachable) || len(asked) != 0) || len(clock.slept) != 0 {
				t.Errorf("%v after %d requests and %v", err, len(asked), clock.slept)
			}
		})
	}
}
