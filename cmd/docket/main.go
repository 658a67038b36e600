// Command docket is the terminal console in which neutral reviewers decide appeals and agreement
// amendments.
package main

import (
	"os"

	"docket/cmd/internal/cli"
)

func main() { os.Exit(int(cli.Main(os.Args[1:], cli.ThisProcess()))) }
