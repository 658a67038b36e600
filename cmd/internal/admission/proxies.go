package admission

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

// UnixPeers is the word of ParseProxies for the peers on a unix socket.
const UnixPeers = "unix"

// ParseProxies reads networks such as 10.0.0.0/8, addresses, and UnixPeers. The error names the text and its fault.
func ParseProxies(texts []string) (Proxies, error) {
	var p Proxies
	for _, text := range texts {
		if text == UnixPeers {
			p.unix = true
			continue
		}
		network, err := netip.ParsePrefix(text)
		if address, failed := netip.ParseAddr(text); failed == nil && address.Zone() == "" {
			network, err = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), nil
		}
		switch {
		case err != nil || network.Addr().Is4In6():
			return Proxies{}, fmt.Errorf("%q is no address, no network such as 10.0.0.0/8, and not %s", text, UnixPeers)
		case network.Masked() != network:
			return Proxies{}, fmt.Errorf("%q is an address within a network; the network is %s", text, network.Masked())
		}
		p.networks = append(p.networks, network)
	}
	return p, nil
}

// PeerOf returns the address of a peer, without its port; the zero Addr if it has none, as on a unix socket.
func PeerOf(remote string) netip.Addr {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap().WithZone("")
}

// Trust reports whether a peer may name the caller of a request.
func (p Proxies) Trust(peer netip.Addr) bool {
	if !peer.IsValid() {
		return p.unix
	}
	return slices.ContainsFunc(p.networks, func(network netip.Prefix) bool { return network.Contains(peer) })
}

// CallerOf returns the address that a request comes from. It is the peer's, unless the peer is trusted: then it is the
// last address of X-Forwarded-For, or of Forwarded (RFC 7239), that is not trusted itself, because a trusted peer wrote
// that one. If no such address can be read, or the two headers differ, it is the peer's.
func (p Proxies) CallerOf(remote string, header http.Header) netip.Addr {
	peer := PeerOf(remote)
	if !p.Trust(peer) {
		return peer
	}
	var found []netip.Addr
	for name, hops := range map[string]func(string) ([]string, bool){"X-Forwarded-For": splitList, "Forwarded": splitForwarded} {
		lines := header.Values(name)
		if len(lines) == 0 {
			continue
		}
		caller, ok := p.lastOf(lines, hops)
		if !ok {
			return peer
		}
		found = append(found, caller)
	}
	if len(found) == 0 || found[0] != found[len(found)-1] {
		return peer
	}
	return found[0]
}

// lastOf returns the last address that is not trusted.
func (p Proxies) lastOf(lines []string, hops func(string) ([]string, bool)) (netip.Addr, bool) {
	for _, line := range slices.Backward(lines) {
		list, ok := hops(line)
		if !ok {
			return netip.Addr{}, false
		}
		for _, hop := range slices.Backward(list) {
			address, ok := parseHop(hop)
			if !ok {
				return netip.Addr{}, false
			}
			if !p.Trust(address) {
				return address, true
			}
		}
	}
	return netip.Addr{}, false
}

// parseHop reads an address with or without a port.
func parseHop(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if bracketed, ok := strings.CutPrefix(text, "["); ok && err != nil && strings.HasSuffix(bracketed, "]") {
		address, err = netip.ParseAddr(strings.TrimSuffix(bracketed, "]"))
		if err == nil && !address.Is6() {
			return netip.Addr{}, false
		}
	}
	if err != nil {
		pair, failed := netip.ParseAddrPort(text)
		address, err = pair.Addr(), failed
	}
	if err != nil || address.Zone() != "" || address.IsUnspecified() {
		return netip.Addr{}, false
	}
	return address.Unmap(), true
}

// splitList splits a line of X-Forwarded-For.
func splitList(line string) ([]string, bool) {
	hops := strings.Split(line, ",")
	for i := range hops {
		hops[i] = strings.Trim(hops[i], " \t")
	}
	return hops, true
}

// splitForwarded returns the for parameters of a line of Forwarded, one for each of its elements. ok is false if the
// line does not follow RFC 7239, or an element has no for parameter or two.
func splitForwarded(line string) (hops []string, ok bool) {
	hop, named := "", false
	for {
		var name, value string
		if name, line, ok = cutToken(strings.TrimLeft(line, " \t")); !ok || !strings.HasPrefix(line, "=") {
			return nil, false
		}
		if value, line, ok = cutValue(line[1:]); !ok {
			return nil, false
		}
		if strings.EqualFold(name, "for") {
			if named {
				return nil, false
			}
			hop, named = value, true
		}
		line = strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(line, ";"):
		case !named:
			return nil, false
		case line == "":
			return append(hops, hop), true
		case strings.HasPrefix(line, ","):
			hops, hop, named = append(hops, hop), "", false
		default:
			return nil, false
		}
		line = line[1:]
	}
}

// cutToken cuts a token (RFC 9110, section 5.6.2) off the beginning of a text.
func cutToken(text string) (token, rest string, ok bool) {
	end := strings.IndexFunc(text, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], end > 0
}

// cutValue cuts a token or a quoted string off the beginning of a text.
func cutValue(text string) (value, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return cutToken(text)
	}
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return out.String(), text[i+1:], true
		case '\\':
			if i++; i == len(text) {
				return "", "", false
			}
			out.WriteByte(text[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", "", false
}

// AddressKey returns the key of an address among callers. IPv6 addresses count by their network of 64 bits; peers without an address,
// as on a unix socket, count together.
func AddressKey(address netip.Addr) string {
	if !address.IsValid() {
		return UnixPeers
	}
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.String()
		}
	}
	return address.String()
}
