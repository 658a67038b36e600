package postgres

import (
	"strings"
	"testing"
)

func TestAnAddressIsShownWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for address, bare := range map[string]string{
		"postgres://docket@db.example/docket":                                       "postgres://docket@db.example/docket",
		"postgres://docket:s3cret@db.example/docket":                                "postgres://docket@db.example/docket",
		"postgresql://docket:s3cret@[::1]:5433,other/docket?sslmode=verify-full":    "postgres://",
		"postgresql://docket:s3cret@one:5433,other:5432/docket":                     "postgresql://docket@one:5433,other:5432/docket",
		"postgres://db/docket?password=s3cret&user=docket":                          "postgres://db/docket?user=docket",
		"postgres:///docket?host=%2Frun%2Fpostgresql&sslpassword=s3cret":            "postgres:///docket?host=%2Frun%2Fpostgresql",
		"postgres://docket:s3%zzcret@db/docket":                                     "postgres://",
		"postgres://db/docket?user=docket;password=s3cret":                          "postgres://",
		"POSTGRES://docket:s3cret@db/docket":                                        "postgres://docket@db/docket",
		"postgres://docket:s3cret@db:notaport/docket":                               "postgres://",
		"postgres://docket:s3cret%40more@db/docket?options=-c%20search_path%3Dnone": "postgres://docket@db/docket?options=-c+search_path%3Dnone",
	} {
		if !IsAddress(address) {
			t.Errorf("%s is no address", address)
		}
		if got := Bare(address); got != bare || strings.Contains(got, "cret") {
			t.Errorf("%s is shown as %s, want %s", address, got, bare)
		}
		if HasPassword(address) != strings.Contains(address, "cret") {
			t.Errorf("%s: has a password: %v", address, HasPassword(address))
		}
	}
	for _, path := range []string{"service.db", "/var/lib/docket/service.db", "postgres", "postgres:/x", "./postgres://x", "sqlite://x", ""} {
		if IsAddress(path) {
			t.Errorf("%s is an address", path)
		}
	}
}
