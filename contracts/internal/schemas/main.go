// Command schemas writes the JSON Schemas of the packet tables into the folder that it is given.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"docket/contracts"
	"docket/domain"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: schemas FOLDER")
	}
	for _, table := range domain.PacketTables.Words() {
		file := filepath.Join(args[0], contracts.SchemaFile(table))
		if err := os.WriteFile(file, contracts.GenerateSchema(table), 0o644); err != nil {
			return err
		}
	}
	return nil
}
