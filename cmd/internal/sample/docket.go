package sample

import (
	"embed"
	"fmt"
	"time"

	"docket/domain"
)

// Reviewer is who works the sample docket. Most of its cases and amendments are assigned to them; one challenges a
// decision of their own and from one they are recused.
const Reviewer = domain.ID("rev-demo")

//go:embed packets/*.json
var files embed.FS

// The template files in import order: a policy is sealed before the records that name it.
var (
	policyFiles = []string{"packets/appeal-policies.json", "packets/amendment-policies.json"}
	recordFiles = []string{"packets/appeal-cases.json", "packets/amendments.json"}
)

// Packets returns the sample docket as it stands at start, one JSON text a packet, in import order: policies first, a
// lower revision before a higher one. The same start, to the second, gives the same bytes. An error means that a
// template is broken or that start lies outside the years that a packet can write.
func Packets(start time.Time) ([][]byte, error) {
	w := newWriter(start)
	policies, err := w.packets(policyFiles)
	if err != nil {
		return nil, err
	}
	records, err := w.packets(recordFiles)
	if err != nil {
		return nil, err
	}
	return append(policies, records...), nil
}

// packets writes all packets of the embedded files.
func (w *writer) packets(names []string) ([][]byte, error) {
	var packets [][]byte
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		written, err := w.file(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		packets = append(packets, written...)
	}
	return packets, nil
}
