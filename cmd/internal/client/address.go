package client

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// CheckAddress returns nil for the address of a service, otherwise what to write instead.
func CheckAddress(text string) error {
	_, err := parseBase(text)
	return err
}

var errOddAddress = errors.New("the address may have only visible ASCII characters, and a plain path")

// parseBase reads the address of a service, whose path is the prefix of the routes. No error repeats
// it, because it may hold a password.
func parseBase(text string) (*url.URL, error) {
	for _, c := range text {
		if c <= ' ' || c > '~' {
			return nil, errOddAddress
		}
	}
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Hostname() == "" || base.Opaque != "":
		return nil, errors.New("give the address of the service, such as https://docket.example.org")
	case base.User != nil:
		return nil, errors.New("leave the user name and the password out of the address; the token comes from a file or the environment")
	case strings.ContainsAny(text, "?#"):
		return nil, errors.New("leave the query and the fragment out of the address: the part after ? or #")
	case base.Scheme != "https" && (base.Scheme != "http" || !isLoopback(base.Hostname())):
		return nil, errors.New("use https; http is allowed only for localhost or a loopback address")
	case !isPort(base.Port()):
		return nil, errors.New("give a port from 1 to 65535 in the address, or none")
	case base.RawPath != "" || strings.Contains(base.Path, "//") || strings.Contains(base.Path+"/", "/../"):
		return nil, errOddAddress
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	return base, nil
}

// isPort reports whether the text is a port that can be connected to, or empty.
func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && port > 0
}

// isLoopback reports whether a host names this machine; the dialer checks what it resolves to.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
