package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"

	"docket/domain/records"
	"docket/store/verify"
)

// maxRejection is in bytes: far more than a rejection has.
const maxRejection = 16 << 10

// serviceKey reads the verifier key from the file that holds it; "" where there is none. What is not the key in one line is
// returned as it is, to be found.
func serviceKey(content []byte) string {
	if line, isOne := bytes.CutSuffix(content, []byte("\n")); isOne && len(line) > 0 && !bytes.Contains(line, []byte("\n")) {
		return string(line)
	}
	if content == nil {
		return ""
	}
	return "\n" + string(content)
}

// Rejections implements verify.Source. They come in the order of their names.
func (b *Bundle) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	var names []string
	err := b.each(rejectionsFolder, func(entry fs.DirEntry) error {
		if entry.Type().IsRegular() && records.RecordID(entry.Name()).Valid() {
			names = append(names, entry.Name())
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		signed, err := b.read(path.Join(rejectionsFolder, name), maxRejection)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		if err := yield(verify.Rejection{RecordID: records.RecordID(name), Signed: signed}); err != nil {
			return err
		}
	}
	return nil
}

// writeServiceKey writes the key of the service, where the log has a service.
func (w *writer) writeServiceKey(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	return w.put(serviceFile, []byte(head.ServiceKey+"\n"))
}

// writeRejections writes the rejections, where the log has a service.
func (w *writer) writeRejections(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	return w.log.Rejections(w.ctx, func(r verify.Rejection) error {
		return w.put(path.Join(rejectionsFolder, string(r.RecordID)), r.Signed)
	})
}

// answers are digests over what the service answered, in the order of the records.
type answers struct{ rejections, receipts hash.Hash }

func newAnswers() answers { return answers{sha256.New(), sha256.New()} }

func (a *answers) add(c *verify.Checked) {
	if c.Rejection != nil {
		_, _ = fmt.Fprintf(a.rejections, "%s\n", c.Record.Members().RecordID) // a hash never fails
		a.rejections.Write(c.Rejection[:])
	}
	if c.Entry.Acceptance != nil {
		_, _ = fmt.Fprintf(a.receipts, "%d\n", c.Entry.Sequence)
		sum := sha256.Sum256(c.Entry.Acceptance.Document())
		a.receipts.Write(sum[:])
	}
}
