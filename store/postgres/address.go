package postgres

import (
	"net/url"
	"strings"
)

// The address of a database is a URL in libpq's form. It may contain a password, which no message
// and no log shows.

// IsAddress reports whether a text is the address of a database, and not a path.
func IsAddress(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// HasPassword reports whether an address contains a password, or cannot be parsed and so may.
func HasPassword(address string) bool {
	_, has := withoutSecrets(address)
	return has
}

// Bare returns an address without its secret parts, for messages; "" if it cannot be parsed.
func Bare(address string) string {
	bare, _ := withoutSecrets(address)
	return bare
}

func withoutSecrets(address string) (bare string, had bool) {
	u, err := url.Parse(address)
	if err != nil || strings.Contains(u.RawQuery, ";") { // which net/url drops with what follows
		return "postgres://", true
	}
	if _, had = u.User.Password(); had {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		had = had || query.Has(name)
		query.Del(name)
	}
	u.RawQuery = query.Encode()
	return u.String(), had
}
