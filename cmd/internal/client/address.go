package client

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// What may be wrong with the address of a service. No error repeats it: it may hold a password.
var (
	errNoAddress  = errors.New("a service is named by its address, as in https://docket.example.org")
	errNotSecure  = errors.New("a service is reached by https; http is for a service on this machine only, at localhost or a loopback address")
	errUserInfo   = errors.New("the address of a service has no user name or password; the token comes from a file or the environment")
	errQuery      = errors.New("the address of a service has no query and no fragment: leave out what follows ? or #")
	errOddAddress = errors.New("the address of a service is of characters that can be seen, and its path is plain")
)

// IsAddress tells whether a text is meant as an address, and not as the name of a folder.
func IsAddress(text string) bool { return strings.Contains(text, "://") }

// CheckAddress tells whether a text is the address of a service. The error says what to write instead.
func CheckAddress(text string) error {
	_, err := parseBase(text)
	return err
}

// parseBase reads the address of a service; a path is where its routes begin.
func parseBase(text string) (*url.URL, error) {
	for _, c := range text {
		if c <= ' ' || c > '~' {
			return nil, errOddAddress
		}
	}
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Hostname() == "" || base.Opaque != "":
		return nil, errNoAddress
	case base.User != nil:
		return nil, errUserInfo
	case strings.ContainsAny(text, "?#"):
		return nil, errQuery
	case base.Scheme != "https" && (base.Scheme != "http" || !isLoopback(base.Hostname())):
		return nil, errNotSecure
	case base.RawPath != "" || strings.Contains(base.Path, "//") || strings.Contains(base.Path+"/", "/../"):
		return nil, errOddAddress
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	return base, nil
}

// isLoopback tells whether a host is this machine by its name alone. That the name leads here is seen when it is dialed.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
