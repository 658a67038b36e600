package postgres

import (
	"net/url"
	"strings"
)

// The address of a database is a URL in libpq's form. It may contain a password, which no message and no log shows.

// IsAddress reports whether a text is the address of a database, and not a path.
func IsAddress(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// secret lists the parameters of an address that must not be shown.
var secret = []string{"password", "sslpassword"}

// HasPassword reports whether an address contains a password, or may contain one because it cannot be parsed.
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

// Bare returns an address without its secret parts, for messages. Of an address that cannot be parsed it returns
// nothing.
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
