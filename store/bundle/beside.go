package bundle

import (
	"fmt"
	"path"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/verify"
)

// The files of a record besides the record itself: the salt of its packetDigest, its statement of reasons and the
// service's receipt, if there are any. Salt and statement are separate documents, so that they can be erased while the
// record stays.

// The largest sizes of files, in bytes: more than a salt, and a statement of 2,000 characters, can take.
const (
	maxSalt    = 1 << 10
	maxReasons = 64 << 10
)

func saltPath(sequence int64) string      { return path.Join(saltsFolder, recordName(sequence)) }
func statementPath(sequence int64) string { return path.Join(reasonsFolder, recordName(sequence)) }

// saltOf reads the salt of a record's packetDigest; "" for one that is missing or cannot be read.
func (b *Bundle) saltOf(reader *packets.Reader, sequence int64) (packets.Salt, error) {
	document, err := b.read(saltPath(sequence), maxSalt)
	if err != nil {
		return "", err
	}
	salt, _ := reader.ReadSalt(document) // one that cannot be read is none, which is found
	return salt, nil
}

// unreadStatement stands for a statement that cannot be read; it has no record's digest.
var unreadStatement = records.Statement{Salt: "unreadable"}

func (b *Bundle) statementOf(reader *packets.Reader, sequence int64) (records.Statement, error) {
	document, err := b.read(statementPath(sequence), maxReasons)
	if err != nil || document == nil {
		return records.Statement{}, err
	}
	statement, err := records.ReadStatement(reader, document)
	if err != nil {
		return unreadStatement, nil
	}
	return statement, nil
}

// maxReceipt is the largest size of a receipt with its checkpoint, in bytes; a real one is smaller.
const maxReceipt = 16 << 10

func receiptPath(sequence int64) string { return path.Join(receiptsFolder, recordName(sequence)) }

// receiptOf reads the service's receipt of a record; nil if there is none. An unreadable one is empty, which is a
// finding.
func (b *Bundle) receiptOf(reader *packets.Reader, sequence int64) (*signed.Acceptance, error) {
	document, err := b.read(receiptPath(sequence), maxReceipt)
	if err != nil || document == nil {
		return nil, err
	}
	accepted, _ := signed.ReadAcceptance(reader, document)
	return &accepted, nil
}

// maxLost is the largest size of a file of lost receipts, in bytes, and mostLost the largest number of lost receipts of
// one record: one for each loss.
const (
	mostLost = 64
	maxLost  = mostLost * maxReceipt
)

func lostPath(sequence int64) string { return path.Join(lostFolder, recordName(sequence)) }

// unreadReceipt stands for receipts that cannot be read; the service did not sign it.
var unreadReceipt = []signed.Acceptance{{Receipt: "unreadable"}}

// lostOf reads the receipts of a record that the service lost; nil if there are none.
func (b *Bundle) lostOf(reader *packets.Reader, sequence int64) ([]signed.Acceptance, error) {
	if !b.layout.lost {
		return nil, nil
	}
	document, err := b.read(lostPath(sequence), maxLost)
	if err != nil || document == nil {
		return nil, err
	}
	list, err := signed.ReadAcceptances(reader, document)
	if err != nil {
		return unreadReceipt, nil
	}
	return list, nil
}

// surveyLost finds whether there are lost receipts, and the strays in their folder.
func (f *folder) surveyLost(l *layout) error {
	return f.surveyTree(l, lostFolder, func(name string) (bool, error) {
		l.lost = true
		return besideRecord(l, name), nil
	})
}

// writeBeside writes the other files of a record.
func (w *writer) writeBeside(e *verify.Entry) error {
	if e.PacketSalt != "" { // else it was erased with the texts
		if err := w.put(saltPath(e.Sequence), e.PacketSalt.Document()); err != nil {
			return fmt.Errorf("write the salt of record %d: %w", e.Sequence, err)
		}
	}
	if e.Acceptance != nil {
		if err := w.put(receiptPath(e.Sequence), e.Acceptance.Document()); err != nil {
			return fmt.Errorf("write the receipt of record %d: %w", e.Sequence, err)
		}
	}
	if len(e.Lost) > 0 {
		if err := w.put(lostPath(e.Sequence), signed.AcceptancesDocument(e.Lost)); err != nil {
			return fmt.Errorf("write the lost receipts of record %d: %w", e.Sequence, err)
		}
	}
	if e.Statement.Present() {
		if err := w.put(statementPath(e.Sequence), e.Statement.Document()); err != nil {
			return fmt.Errorf("write the statement of reasons of record %d: %w", e.Sequence, err)
		}
	}
	return nil
}

// surveyBeside finds the files in a folder that are not named after a record. The check finds content that no record
// vouches for.
func surveyBeside(folderName string) func(*folder, *layout) error {
	return func(f *folder, l *layout) error {
		return f.surveyTree(l, folderName, func(name string) (bool, error) {
			return besideRecord(l, name), nil
		})
	}
}

// besideRecord reports whether a file in a folder at the top is named after one of the log's records.
func besideRecord(l *layout, name string) bool {
	sequence, ok := numbered(path.Base(name), recordSuffix)
	return ok && sequence < l.records && path.Dir(path.Dir(name)) == "."
}
