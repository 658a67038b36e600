package store

import (
	"errors"
	"slices"
	"testing"
)

// must ends the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

// errOf is the error of a call.
func errOf[T any](_ T, err error) error { return err }

// mustBe fails unless the error is of the kind.
func mustBe(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("the error is %v, not %v", err, kind)
	}
}

// wantErr tells what failed otherwise than with the kind.
func wantErr(t testing.TB, what any, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%v: the error is %v, not %v", what, err, kind)
	}
}

// wantFailure tells what did not fail.
func wantFailure(t testing.TB, what any, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%v: there is no error", what)
	}
}

// wantSame tells what differs.
func wantSame[T comparable](t testing.TB, what any, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%v: got %+v, want %+v", what, got, want)
	}
}

// wantList tells what list differs.
func wantList[T comparable](t testing.TB, what any, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%v: got %v, want %v", what, got, want)
	}
}
