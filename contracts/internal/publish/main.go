// Command publish writes the files that derive from the shapes and tables of the program into the given folder contracts: the
// JSON Schemas of packets, reports and profiles, and the pages about the three contracts.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/terms"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: publish CONTRACTS")
	}
	files, err := published()
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(args[0], filepath.FromSlash(name)), text, 0o644))
	}
	return err
}

// published are the files by their names under contracts: the same bytes every time.
func published() (map[string][]byte, error) {
	files := map[string][]byte{"incident/schemas/" + incident.SchemaFile: incident.GenerateSchema()}
	for _, table := range terms.PacketTables.Terms() {
		files["schemas/"+contracts.SchemaFile(table)] = contracts.GenerateSchema(table)
	}
	files["report/schemas/"+report.EnvelopeFile] = report.GenerateEnvelopeSchema()
	var err error
	for _, kind := range report.Kinds() {
		files["report/schemas/"+report.SchemaFile(kind)] = report.GenerateSchema(kind)
		page, fault := report.GeneratePage(kind)
		files["docs/"+report.PageFile(kind)], err = page, errors.Join(err, fault)
	}
	return files, err
}
