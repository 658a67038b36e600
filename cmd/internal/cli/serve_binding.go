package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// A binding is where the service listens, and in which way.
type binding struct {
	listen           string
	certificate, key string // PEM files; "" for no TLS
	behindProxy      bool
}

// check finds out the address, and that it may be listened at: whoever listens at anything but loopback has TLS, or a proxy
// in front that has it.
func (b binding) check() (*net.TCPAddr, *tls.Config, error) {
	switch {
	case (b.certificate == "") != (b.key == ""):
		return nil, nil, wrongUsage("--tls-cert and --tls-key go together")
	case b.certificate != "" && b.behindProxy:
		return nil, nil, wrongUsage("--behind-proxy is for a service without TLS of its own; give it or --tls-cert and --tls-key")
	}
	address, err := net.ResolveTCPAddr("tcp", b.listen)
	if err != nil {
		return nil, nil, wrongUsage("--listen takes an address and a port such as %s", defaultListen)
	}
	if !address.IP.IsLoopback() && b.certificate == "" && !b.behindProxy {
		return nil, nil, wrongUsage("%s can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy if a "+
			"proxy in front sees to TLS; nothing is served", b.listen)
	}
	if b.certificate == "" {
		return address, nil, nil
	}
	pair, err := tls.LoadX509KeyPair(b.certificate, b.key)
	if err != nil {
		return nil, nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	return address, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
}

// url is how the service is reached at the address.
func (b binding) url(address net.Addr) string {
	if b.certificate != "" {
		return "https://" + address.String()
	}
	return "http://" + address.String()
}

// bareOf is the bare reason of a network error, without the address, which the caller has named already.
func bareOf(err error) error {
	var operation *net.OpError
	if errors.As(err, &operation) {
		return operation.Err
	}
	return err
}
