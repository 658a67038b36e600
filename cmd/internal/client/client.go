package client

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/url"
	"time"
)

// Options say which service, and as whom.
type Options struct {
	Address string // https://…, or http://… on this machine
	Token   Token
	Roots   *x509.CertPool // who may vouch for the service's certificate; nil: who does on this system
	Pace    Pace           // the zero Pace: StandardPace
	// Transport makes the exchanges; nil: connections of this package.
	Transport http.RoundTripper
}

// A Client reaches one service. Its methods may be called by several goroutines at once.
type Client struct {
	base  *url.URL
	token Token
	pace  Pace
	http  *http.Client
}

// New makes a client. Nothing is sent yet. The error says what is wrong with the address.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.Address)
	if err != nil {
		return nil, err
	}
	if o.Token.secret == "" {
		return nil, ErrNoToken
	}
	if o.Transport == nil {
		o.Transport = newTransport(o.Roots, base.Scheme == "http")
	}
	return &Client{base: base, token: o.Token, pace: o.Pace.orStandard(), http: &http.Client{
		Transport: o.Transport,
		// The redirect itself is the answer, which is then refused.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close gives up connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Address is that of the service, as it was named.
func (c *Client) Address() string { return c.base.String() }

// A Pace says how long is waited, and what for.
type Pace struct {
	Attempts int           // how often an exchange is tried at most
	Attempt  time.Duration // how long one of them may take
	Total    time.Duration // after that long no other one is begun
	First    time.Duration // the wait after the first; it doubles from one to the next
	Longest  time.Duration // the longest wait, also where the service names another one

	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error // returns the context's error if that ends first
	Random func() float64                             // from 0 to 1, which it never is
}

// orStandard is the pace, or the standard one for the zero Pace.
func (p Pace) orStandard() Pace {
	if p.Attempts == 0 {
		return StandardPace()
	}
	return p
}
