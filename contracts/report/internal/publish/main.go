// Command publish writes what is derived from the contracts: the JSON Schemas of the reports into the first folder that
// it is given, and the pages about the three areas into the second.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docket/contracts/report"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: publish SCHEMAS PAGES")
	}
	envelope, err := report.GenerateEnvelopeSchema()
	if err := errors.Join(err, write(args[0], report.EnvelopeFile, envelope)); err != nil {
		return err
	}
	for _, kind := range report.Kinds() {
		schema, err := report.GenerateSchema(kind)
		if err := errors.Join(err, write(args[0], report.SchemaFile(kind), schema)); err != nil {
			return err
		}
		page, err := report.GeneratePage(kind)
		if err := errors.Join(err, write(args[1], report.PageFile(kind), page)); err != nil {
			return err
		}
	}
	return nil
}

func write(folder, name string, text []byte) error {
	return os.WriteFile(filepath.Join(folder, name), text, 0o644)
}
