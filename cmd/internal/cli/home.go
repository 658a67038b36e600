package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"

	"docket/store/disk"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
)

// withoutHome are the commands that keep nothing on this machine.
var withoutHome = []string{"help", "version", "licenses", "man", "schema", "completion", "evaluate", "seal", "contract", "profile", "report"}

// findHome takes the home folder of the account where the environment names none. Without one it is an error, because what docket
// keeps would go into the root of the file system.
func findHome(command *cobra.Command) error {
	keeps := !slices.ContainsFunc(withoutHome, func(name string) bool { return strings.HasPrefix(command.CommandPath()+" ", "docket "+name+" ") })
	if home, err := os.UserHomeDir(); err == nil && home != "/" || !keeps {
		return nil
	}
	if account, err := user.Current(); err == nil && account.HomeDir != "" && account.HomeDir != "/" {
		err := os.Setenv("HOME", account.HomeDir)
		xdg.Reload()
		return err
	}
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		if os.Getenv(name) == "" {
			return errors.New("there is no home folder: HOME is not set, and this account has none; set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME")
		}
	}
	return nil
}

// atHome expands the paths among arguments that begin with "~/", which a shell leaves as they are in quotes and after "=".
func atHome(args []string) ([]string, error) {
	expanded := slices.Clone(args)
	for i, arg := range args {
		name, value, is := strings.Cut(arg, "=")
		if is = is && strings.HasPrefix(name, "--"); !is {
			value = arg
		}
		path, err := disk.AtHome(value)
		if err != nil {
			return nil, wrongUsage("%w", err)
		}
		expanded[i] = strings.TrimSuffix(arg, value) + path
	}
	return expanded, nil
}

// A keptWriter keeps the first error of writing, which some commands cannot return.
type keptWriter struct {
	io.Writer
	err error
}

func (w *keptWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("the output could not be written: %w", disk.Reason(err))
	}
	return n, cmp.Or(w.err, err)
}
