package daemon

import "docket/cmd/internal/settings"

// Load combines the settings of a config file and of flags, and compares them. The error is a
// *settings.Problem for an unusable setting; any other says that the file cannot be read.
func Load(from settings.Source) (settings.Effective, error) {
	from.For = settings.Service
	e, err := settings.Load(from)
	if err != nil {
		return settings.Effective{}, err
	}
	if problem := check(&e); problem != nil {
		return settings.Effective{}, problem
	}
	return e, nil
}

func check(e *settings.Effective) *settings.Problem {
	const cert, key, proxy = settings.Name("tls_cert"), settings.Name("tls_key"), settings.Name("behind_proxy")
	at, known := parseListen(e.Listen)
	switch {
	case !known:
		return e.ProblemOf("listen", "it takes an address and a port such as 127.0.0.1:8417, or unix: and the path of a socket")
	case e.Certificate != "" && e.Key == "":
		return e.ProblemOf(cert, "it must be given together with %s", key)
	case e.Certificate == "" && e.Key != "":
		return e.ProblemOf(key, "it must be given together with %s", cert)
	case e.Certificate != "" && at.socket != "":
		return e.ProblemOf(cert, "a unix socket is served without TLS; leave out %s and %s", cert, key)
	case e.Certificate != "" && e.BehindProxy:
		return e.ProblemOf(proxy, "it is for a service without TLS of its own; give either it or %s and %s", cert, key)
	case at.address != nil && !at.address.IP.IsLoopback() && e.Certificate == "" && !e.BehindProxy:
		return e.ProblemOf("listen",
			"the address can be reached from other machines: give %s and %s, or %s if a proxy terminates TLS; nothing is served",
			cert, key, proxy)
	}
	return nil
}
