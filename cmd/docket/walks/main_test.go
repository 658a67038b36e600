// Package walks_test goes through the console as a person does, in a terminal of tmux, and line by line.
package walks_test

import (
	"flag"
	"testing"

	"docket/cmd/internal/programtest"
)

// Most of these tests wait for a terminal, so that more run at once than there are processors.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	programtest.Main(m)
}
