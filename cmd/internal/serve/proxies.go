package serve

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the peers that may name the caller of a request. The zero value trusts no peer.
type Proxies struct {
	networks []netip.Prefix
	unix     bool // peers on a unix socket
}

// unixPeers is the word of ParseProxies for the peers on a unix socket.
const unixPeers = "unix"

// ParseProxies reads networks (10.0.0.0/8), addresses, and "unix" for peers on a unix socket.
func ParseProxies(texts []string) (Proxies, error) {
	var p Proxies
	for _, text := range texts {
		if text == unixPeers {
			p.unix = true
			continue
		}
		network, err := netip.ParsePrefix(text)
		if address, failed := netip.ParseAddr(text); failed == nil && address.Zone() == "" {
			network, err = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), nil
		}
		if err != nil || network.Addr().Is4In6() || network.Masked() != network {
			return Proxies{}, fmt.Errorf("%q is no address, no network such as 10.0.0.0/8, and not %s", text, unixPeers)
		}
		p.networks = append(p.networks, network)
	}
	return p, nil
}

// peerOf returns the address of a peer, without its port; the zero Addr on a unix socket.
func peerOf(remote string) netip.Addr {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap().WithZone("")
}

func (p Proxies) trust(peer netip.Addr) bool {
	if !peer.IsValid() {
		return p.unix
	}
	return slices.ContainsFunc(p.networks, func(network netip.Prefix) bool { return network.Contains(peer) })
}

// callerOf returns the peer's address or, of a trusted peer, the last address of X-Forwarded-For
// that is not trusted itself, because a trusted peer wrote it; the peer's if it cannot be read.
func (p Proxies) callerOf(remote string, header http.Header) netip.Addr {
	peer := peerOf(remote)
	if !p.trust(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || address.Zone() != "" || address.IsUnspecified() {
			return peer
		}
		if address = address.Unmap(); !p.trust(address) {
			return address
		}
	}
	return peer
}

// addressKey is the key of a caller: IPv6 by networks of 64 bits, one for all without an address.
func addressKey(address netip.Addr) string {
	if !address.IsValid() {
		return unixPeers
	}
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.String()
		}
	}
	return address.String()
}
