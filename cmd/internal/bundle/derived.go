package bundle

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"docket/domain/terms"
	"docket/store/verify"
)

// An output takes the files that follow from the records: one that writes them, or one that compares them.
type output interface {
	put(path string, content []byte) error
	create(path string) (io.WriteCloser, error)
}

// derived makes every file of a bundle that follows from its records, packets, signers and checkpoint.
type derived struct {
	out      output
	tiles    tiles
	sheets   [2]*sheet // appeals, amendments
	packets  hash.Hash // over the packets of each record, in the order of the log
	rejected turnedAway
	versions map[verify.Ref]bool
}

func newDerived(out output) (*derived, error) {
	d := &derived{out: out, tiles: tiles{out: out}, packets: sha256.New(), rejected: newTurnedAway(), versions: map[verify.Ref]bool{}}
	var err error
	if d.sheets[0], err = newSheet(out, appealsFile, terms.Appeals); err != nil {
		return nil, err
	}
	d.sheets[1], err = newSheet(out, amendmentsFile, terms.Amendments)
	return d, err
}

// add takes the next entry of the log. documents are those of its packets, in the order of its Refs.
func (d *derived) add(c *verify.Checked, documents [][]byte) error {
	if err := d.tiles.add(c.Entry.Document, c.Tree); err != nil {
		return err
	}
	for i, ref := range c.Refs {
		if i > 0 {
			d.versions[ref] = true
		}
		sum := sha256.Sum256(documents[i])
		_, _ = fmt.Fprintf(d.packets, "%s\n", packetPath(ref)) // a hash never fails
		d.packets.Write(sum[:])
	}
	d.rejected.add(c)
	if c.Record.Document() == nil {
		return nil
	}
	sheet := d.sheets[0]
	if c.Record.Table() == terms.AmendmentEnforcements {
		sheet = d.sheets[1]
	}
	return sheet.add(c.Entry.Sequence, c.Entry.Document)
}

// finish makes the files that only the whole log gives.
func (d *derived) finish(head *verify.Head, report *verify.Report, tree *verify.Tree) error {
	if err := d.tiles.finish(tree); err != nil {
		return err
	}
	for _, sheet := range d.sheets {
		if err := sheet.close(); err != nil {
			return err
		}
	}
	if err := d.out.put(signersFile, allowedSigners(head.Signers, report.Reviewers)); err != nil {
		return err
	}
	return d.out.put(summaryFile, summary(report, digests{head.Origin, d.packets.Sum(nil), d.rejected.sum.Sum(nil)}))
}

// belongs tells whether a packet belongs to the records: it was judged, or judged by, or newer than what was judged.
func (d *derived) belongs(ref verify.Ref, judged func(verify.Ref) bool) bool {
	return d.versions[ref] || judged(ref)
}

// documentsOf are the documents of an entry's packets, of which the log is asked for those that were not read yet. One
// that is missing is nil.
func documentsOf(c *verify.Checked, fetch func([]verify.Ref) ([][]byte, error)) ([][]byte, error) {
	documents := make([][]byte, 0, len(c.Refs))
	for i := range c.Packets {
		documents = append(documents, c.Packets[i].Document())
	}
	if rest := c.Refs[len(documents):]; len(rest) > 0 {
		fetched, err := fetch(rest)
		if err != nil {
			return nil, err
		}
		documents = append(documents, fetched...)
	}
	return documents, nil
}
