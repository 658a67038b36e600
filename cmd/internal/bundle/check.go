package bundle

import (
	"context"
	"errors"

	"docket/store/verify"
)

// Check checks the bundle in a folder: its log through verify.Check, then every other file of it. With
// Options.VerifierKeys empty, the checkpoint is checked with the key that the bundle itself names, which the Report
// repeats for a person to compare. An error means that it could not be read; it wraps ErrNoBundle where none is.
func Check(ctx context.Context, dir string, o verify.Options) (report verify.Report, err error) {
	b, err := Open(dir)
	if err != nil {
		return verify.Report{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	compared := &comparison{folder: &b.folder}
	files, err := newDerived(compared)
	if err != nil {
		return verify.Report{}, err
	}
	var tree *verify.Tree
	each := o.Each
	o.Each = func(c verify.Checked) error {
		tree = c.Tree
		documents, err := documentsOf(&c, func(refs []verify.Ref) ([][]byte, error) { return b.Packets(ctx, refs) })
		if err != nil {
			return err
		}
		if err := files.add(&c, documents); err != nil {
			return err
		}
		if each != nil {
			return each(c)
		}
		return nil
	}
	var packets *layout
	end := o.End
	o.End = func(judged func(verify.Ref) bool) (err error) {
		packets, err = b.strayPackets(func(ref verify.Ref) bool { return files.belongs(ref, judged) })
		if err == nil && end != nil {
			err = end(judged)
		}
		return err
	}
	if report, err = verify.Check(ctx, b, o); err != nil {
		return verify.Report{}, err
	}
	if tree == nil {
		tree = &verify.Tree{}
	}
	if err := files.finish(&b.head, &report, tree); err != nil {
		return verify.Report{}, err
	}
	for _, finding := range compared.findings {
		report.Add(finding, &o)
	}
	// What is in the folder and no part of the bundle.
	for _, l := range [...]*layout{b.layout, packets} {
		for _, name := range l.strays {
			report.Add(verify.Finding{Sequence: verify.NoSequence, Code: verify.FileUnexpected, Detail: shown(name)}, &o)
		}
	}
	return report, nil
}
