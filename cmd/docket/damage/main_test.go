// Package damage_test runs docket on stores and bundles that somebody forged, on disks that are full or can only be read, with calls of the
// system that fail, beside programs that hold the store, and kills it.
package damage_test

import (
	"testing"

	"docket/cmd/internal/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

var must = programtest.Must
