package postgres

import (
	"net/url"
	"strings"
)

// The address of a database is a URL, as libpq has it. It may carry a password, which stands in no message and no log.

// IsAddress reports whether a text is the address of a database, and not a path.
func IsAddress(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// secret are the parameters of an address that nobody else may see.
var secret = []string{"password", "sslpassword"}

// HasPassword reports whether an address carries a password, or may: it cannot be read.
func HasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	_, has := u.User.Password()
	for _, name := range secret {
		has = has || u.Query().Has(name)
	}
	return has || strings.Contains(u.RawQuery, ";") // which net/url drops with what follows
}

// Bare returns an address without what is secret in it, as it may be shown. Of one that cannot be read nothing is shown.
func Bare(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.Contains(u.RawQuery, ";") {
		return "postgres://"
	}
	if _, has := u.User.Password(); has {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for _, name := range secret {
		query.Del(name)
	}
	u.RawQuery = query.Encode()
	return u.String()
}
