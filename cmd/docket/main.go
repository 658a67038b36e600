// Command docket is the terminal console in which neutral reviewers decide appeals and agreement amendments.
package main

import (
	"os"

	"docket/cmd/internal/cli"
)

//go:generate go run ../docs/house.go

func main() { os.Exit(int(cli.Main(os.Args[1:], cli.ThisProcess()))) }
