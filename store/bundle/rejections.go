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

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/verify"
)

// maxRejection is the largest size of a rejection, in bytes; a real one is far smaller.
const maxRejection = 16 << 10

// serviceKeys reads the verifier keys from their file, one on each line, the newest last; none if there is no file. Any
// other content is returned unchanged, so that it is found.
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

// writeServiceKey writes the key of the service, after its earlier keys, if the log has a service.
func (w *writer) writeServiceKey(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	return w.put(serviceFile, []byte(strings.Join(append(slices.Clone(head.EarlierServiceKeys), head.ServiceKey), "\n")+"\n"))
}

// writeRejections writes the rejections, if the log has a service.
func (w *writer) writeRejections(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	return w.log.Rejections(w.ctx, func(r verify.Rejection) error {
		return w.put(path.Join(rejectionsFolder, string(r.RecordID)), r.Signed)
	})
}

// The largest size of a setback, which has two or three checkpoints and a proof, in bytes, and the largest number of
// setbacks in a bundle.
const (
	maxSetback   = 32 << 10
	mostSetbacks = 1 << 16
)

func setbackPath(position int64) string { return path.Join(setbacksFolder, recordName(position)) }

// surveySetbacks finds the number of setbacks of the service's log, and the strays in their folder.
func (f *folder) surveySetbacks(l *layout) error {
	return f.each(setbacksFolder, func(entry fs.DirEntry) error {
		position, ok := numbered(entry.Name(), recordSuffix)
		if ok = ok && position < mostSetbacks; ok {
			l.setbacks = max(l.setbacks, position+1)
		}
		l.file(path.Join(setbacksFolder, entry.Name()), entry, ok)
		return nil
	})
}

// readSetbacks reads the setbacks; one that is missing in between or cannot be read is empty, so that it is found.
func (f *folder) readSetbacks(l *layout) (list []signed.Setback, err error) {
	var reader packets.Reader
	for position := range l.setbacks {
		document, err := f.read(setbackPath(position), maxSetback)
		if err != nil {
			return nil, err
		}
		setback, _ := signed.ReadSetback(&reader, document)
		list = append(list, setback)
	}
	return list, nil
}

func (w *writer) writeSetbacks(head *verify.Head) error {
	for position := range head.Setbacks {
		if err := w.put(setbackPath(int64(position)), head.Setbacks[position].Document()); err != nil {
			return err
		}
	}
	return nil
}

// The largest size of a record of the service's log, in bytes: a record, with every byte escaped, a checkpoint, a
// signature and a proof; and the largest number of them in a bundle.
const (
	maxServiceRecord   = 256 << 10
	mostServiceRecords = 1 << 24
)

func serviceRecordPath(position int64) string {
	return path.Join(atServiceFolder, recordName(position))
}

// surveyServiceRecords finds the number of records of the service's log, and the strays in their folder.
func (f *folder) surveyServiceRecords(l *layout) error {
	var count, last int64 = 0, -1
	err := f.each(atServiceFolder, func(entry fs.DirEntry) error {
		position, ok := numbered(entry.Name(), recordSuffix)
		if ok = ok && position < mostServiceRecords; ok {
			count, last = count+1, max(last, position)
		}
		l.file(path.Join(atServiceFolder, entry.Name()), entry, ok)
		return nil
	})
	if l.atService = count; last < count+gapLimit {
		l.atService = last + 1
	}
	return err
}

// ServiceRecords implements verify.Source. One that is missing in between or cannot be read is empty, so that it is
// found.
func (b *Bundle) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	var reader packets.Reader
	for position := range b.layout.atService {
		document, err := b.read(serviceRecordPath(position), maxServiceRecord)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		record, _ := signed.ReadServiceRecord(&reader, document)
		if err := yield(record); err != nil {
			return err
		}
	}
	return nil
}

// writeServiceRecords writes them, if the log has a service.
func (w *writer) writeServiceRecords(head *verify.Head) error {
	if head.ServiceKey == "" {
		return nil
	}
	position := int64(0)
	return w.log.ServiceRecords(w.ctx, func(r signed.ServiceRecord) error {
		position++
		return w.put(serviceRecordPath(position-1), r.Document())
	})
}

// answers holds digests over the service's answers, in the order of the records.
type answers struct{ rejections, receipts hash.Hash }

func newAnswers() answers { return answers{sha256.New(), sha256.New()} }

// addService adds the setbacks of the service's log, and the service's statements about it, to the digest of its
// receipts.
func (a *answers) addService(head *verify.Head) {
	for n, s := range head.ServiceStatements {
		_, _ = fmt.Fprintf(a.receipts, "statement %d\n", n)
		for _, of := range [][]byte{[]byte(s.Text), s.Signature, s.LogSignature} {
			sum := sha256.Sum256(of)
			a.receipts.Write(sum[:])
		}
	}
	list := head.Setbacks
	for n := range list {
		sum := sha256.Sum256(list[n].Document())
		_, _ = fmt.Fprintf(a.receipts, "setback %d\n", n)
		a.receipts.Write(sum[:])
	}
}

// addServiceRecords adds the records of the service's log to the same digest.
func (a *answers) addServiceRecords(digests [][sha256.Size]byte) {
	for n := range digests {
		_, _ = fmt.Fprintf(a.receipts, "record %d\n", n)
		a.receipts.Write(digests[n][:])
	}
}

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
	if len(c.Entry.Lost) > 0 {
		_, _ = fmt.Fprintf(a.receipts, "lost %d\n", c.Entry.Sequence)
		sum := sha256.Sum256(signed.AcceptancesDocument(c.Entry.Lost))
		a.receipts.Write(sum[:])
	}
}
