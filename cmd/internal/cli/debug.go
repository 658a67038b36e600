package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"

	"github.com/spf13/cobra"
)

// consoleFlags adds what a command that opens the console takes, and chooses the settings before it runs.
func (p *program) consoleFlags(cmd *cobra.Command) {
	settingFlags(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return p.choose(cmd) }
	cmd.Flags().StringVar(&p.debug, "debug", "",
		"write what the console does and how long it takes to a new file (default: DOCKET_DEBUG, else nothing is written)")
}

// openDebug makes the debug log if one is asked for: --debug, else DOCKET_DEBUG. It is always a new file that only its
// owner can read: what is there already is never written to, links included. Without one the logger is nil.
func (p *program) openDebug() (*slog.Logger, io.Closer, error) {
	path := p.debug
	if path == "" {
		path = p.Getenv("DOCKET_DEBUG")
	}
	if path == "" {
		return nil, io.NopCloser(nil), nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the debug log must be a file that is not there yet, in a folder that is: %w", err)
	}
	log := slog.New(slog.NewTextHandler(file, nil))
	log.Info("start", "version", p.build.String(), "system", runtime.GOOS+"/"+runtime.GOARCH, "cores", runtime.NumCPU())
	return log, file, nil
}
