package bundle

import (
	"fmt"
	"path"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/verify"
)

// What lies beside a record: the salt of its packetDigest, its statement of reasons and the service's receipt, if there are any.
// Salt and statement are documents of their own, so that they can be erased while the record stays.

// Files are at most so large, in bytes: more than a salt, and a statement of 2,000 characters, can take.
const (
	maxSalt    = 1 << 10
	maxReasons = 64 << 10
)

func saltPath(sequence int64) string      { return path.Join(saltsFolder, recordName(sequence)) }
func statementPath(sequence int64) string { return path.Join(reasonsFolder, recordName(sequence)) }

// saltOf reads the salt of a record's packetDigest; "" for one that is gone or cannot be read.
func (b *Bundle) saltOf(reader *packets.Reader, sequence int64) (packets.Salt, error) {
	document, err := b.read(saltPath(sequence), maxSalt)
	if err != nil {
		return "", err
	}
	salt, _ := reader.ReadSalt(document) // one that cannot be read is none, which is found
	return salt, nil
}

// unreadStatement stands for a statement that cannot be read: it is none that a record vouches for.
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

// maxReceipt is in bytes: more than a receipt with its checkpoint takes.
const maxReceipt = 16 << 10

func receiptPath(sequence int64) string { return path.Join(receiptsFolder, recordName(sequence)) }

// receiptOf reads the service's receipt of a record; nil if there is none. One that cannot be read is empty, which is found.
func (b *Bundle) receiptOf(reader *packets.Reader, sequence int64) (*signed.Acceptance, error) {
	document, err := b.read(receiptPath(sequence), maxReceipt)
	if err != nil || document == nil {
		return nil, err
	}
	accepted, _ := signed.ReadAcceptance(reader, document)
	return &accepted, nil
}

// maxLost is in bytes, and mostLost how many receipts of one record a bundle holds that the service lost: one for each time that it lost it.
const (
	mostLost = 64
	maxLost  = mostLost * maxReceipt
)

func lostPath(sequence int64) string { return path.Join(lostFolder, recordName(sequence)) }

// unreadReceipt stands for receipts that cannot be read: it is none that the service gave.
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

// surveyLost finds whether the service lost receipts, and what in their folder is none.
func (f *folder) surveyLost(l *layout) error {
	return f.surveyTree(l, lostFolder, func(name string) (bool, error) {
		l.lost = true
		return besideRecord(l, name), nil
	})
}

// writeBeside writes what lies beside a record.
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
	if !e.Statement.Present() {
		return nil
	}
	return w.put(statementPath(e.Sequence), e.Statement.Document())
}

// surveyBeside finds what in a folder has no name of a record's. What a record does not vouch for, the check finds.
func surveyBeside(folderName string) func(*folder, *layout) error {
	return func(f *folder, l *layout) error {
		return f.surveyTree(l, folderName, func(name string) (bool, error) {
			return besideRecord(l, name), nil
		})
	}
}

// besideRecord tells whether a file has the name of one of the log's records, in a folder at the top.
func besideRecord(l *layout, name string) bool {
	sequence, ok := numbered(path.Base(name), recordSuffix)
	return ok && sequence < l.records && path.Dir(path.Dir(name)) == "."
}
