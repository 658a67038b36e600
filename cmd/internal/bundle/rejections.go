package bundle

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/store/verify"
)

// maxRejection is in bytes: far more than a rejection has.
const maxRejection = 16 << 10

// serviceKeys reads the verifier keys from the file that holds them, one a line, the newest last; none where there is no file. What is
// not lines is returned as it is, to be found.
func serviceKeys(content []byte) []string {
	if content == nil {
		return nil
	}
	if text, ended := strings.CutSuffix(string(content), "\n"); ended && text != "" && !strings.Contains("\n"+text+"\n", "\n\n") {
		return strings.Split(text, "\n")
	}
	return []string{"\n" + string(content)}
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

// writeServiceKey writes the key of the service, after those that it had, where the log has a service.
func (w *writer) writeServiceKey(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	return w.put(serviceFile, []byte(strings.Join(append(slices.Clone(head.EarlierServiceKeys), head.ServiceKey), "\n")+"\n"))
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
