package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// A layout holds the names that a walk through a bundle found.
type layout struct {
	records    int64              // how many sequences from 0 the record files are for
	statements numberedStatements // about the log
	service    numberedStatements // of its service
	lost       bool               // there are receipts that the service lost
	setbacks   int64              // how many numbers from 0 the files of setbacks are for
	atService  int64              // the same of the records of the service's log
	strays     []string           // what is no part of a bundle, up to maxStrays
	stray      int64              // how many there are
	irregular  bool               // some are neither file nor folder, or the one in place of the other
}

// maxStrays is the largest number of names of strays that are kept.
const maxStrays = 100

func (l *layout) add(name string) {
	l.stray++
	if len(l.strays) < maxStrays {
		l.strays = append(l.strays, name)
	}
}

// each calls visit for every entry of a folder, in no order. A missing folder has no entries.
func (f *folder) each(name string, visit func(fs.DirEntry) error) error {
	dir, err := f.open(name, fs.FileMode.IsDir)
	if err != nil || dir == nil {
		return err
	}
	defer func() { _ = dir.Close() }() // only read
	for {
		entries, err := dir.ReadDir(1024)
		for _, entry := range entries {
			if err := visit(entry); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the folder %s: %w", name, err)
		}
	}
}

// file takes an entry that has to be a file and a part of the bundle.
func (l *layout) file(name string, entry fs.DirEntry, belongs bool) {
	if !entry.Type().IsRegular() {
		l.irregular = true
		belongs = false
	}
	if !belongs {
		l.add(name)
	}
}

// gapLimit is how many missing records in a row are reported one by one. Beyond it, file names are not taken for
// sequences.
const gapLimit = 10_000

// surveyRecords finds the number of records. Missing sequences in between count.
func (f *folder) surveyRecords(l *layout) error {
	var count, last, lastSignature int64 = 0, -1, -1
	err := f.each(recordsFolder, func(entry fs.DirEntry) error {
		if !entry.Type().IsRegular() {
			l.file(path.Join(recordsFolder, entry.Name()), entry, false)
			return nil
		}
		if sequence, ok := numbered(entry.Name(), recordSuffix); ok {
			count, last = count+1, max(last, sequence)
		} else if sequence, ok := numbered(entry.Name(), signatureSuffix); ok {
			lastSignature = max(lastSignature, sequence)
		} else {
			l.add(path.Join(recordsFolder, entry.Name()))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if l.records = count; last < count+gapLimit {
		l.records = last + 1
	}
	if max(last, lastSignature) < l.records {
		return nil
	}
	return f.each(recordsFolder, func(entry fs.DirEntry) error {
		record, isRecord := numbered(entry.Name(), recordSuffix)
		signature, isSignature := numbered(entry.Name(), signatureSuffix)
		if isRecord && record >= l.records || isSignature && signature >= l.records {
			l.add(path.Join(recordsFolder, entry.Name()))
		}
		return nil
	})
}

// surveyRejections finds the strays in the folder of the rejections. Reading the rejections shows their records.
func (f *folder) surveyRejections(l *layout) error {
	return f.each(rejectionsFolder, func(entry fs.DirEntry) error {
		l.file(path.Join(rejectionsFolder, entry.Name()), entry, records.RecordID(entry.Name()).Valid())
		return nil
	})
}

// surveyTiles finds the files in the folder of the tiles that are not tiles of a log of this size.
func (f *folder) surveyTiles(l *layout) error {
	return f.surveyTree(l, tilesFolder, func(name string) (bool, error) { return isTile(name, l.records), nil })
}

// surveyTree walks a folder and everything below it. It ignores empty folders.
func (f *folder) surveyTree(l *layout, name string, belongs func(string) (bool, error)) error {
	return f.each(name, func(entry fs.DirEntry) error {
		below := path.Join(name, entry.Name())
		if !entry.IsDir() {
			part, err := belongs(below)
			l.file(below, entry, part)
			return err
		}
		if strings.Count(below, "/") > maxDepth {
			l.add(below)
			return nil
		}
		return f.surveyTree(l, below, belongs)
	})
}

// maxDepth is the depth of the tiles of the longest log.
const maxDepth = 12

// packetAt returns the table and the number of a path within the packets folder, and the id if the name has it; false
// if it is not such a path.
func packetAt(name string) (table terms.Table, id terms.ID, number int64, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 3 {
		return table, id, number, false
	}
	table, err := terms.Tables.Parse(parts[0])
	number, isNumber := numbered(parts[2], recordSuffix)
	id, plain := idOf(parts[1])
	ok = err == nil && terms.PacketTables.Has(table) && isNumber && (plain || strings.HasPrefix(parts[1], digestMark))
	return table, id, number, ok
}

// The names at the top of a bundle.
const (
	checkpointFile = "checkpoint"
	signersFile    = "allowed_signers"
	appealsFile    = "appeals.csv"
	amendmentsFile = "amendments.csv"
	summaryFile    = "SUMMARY.md"
	indexFile      = "index.html"
	provenanceFile = "provenance.json"
	manifestFile   = "MANIFEST"
	recordsFolder  = "records"
	packetsFolder  = "packets"
	tilesFolder    = "tile"
	// Folders with one document for each record, under the name of the record.
	saltsFolder    = "salts"
	reasonsFolder  = "statements"
	receiptsFolder = "receipts"
	lostFolder     = "lost-receipts"

	serviceStatementsFolder = "service-statements"

	logStatementsFolder = "log-statements"
	keysFolder          = "keys"
	erasuresFolder      = "erasures"
	cosignaturesFolder  = "cosignatures"
	// Only if records are handed in to a service.
	serviceFile      = "service"
	rejectionsFolder = "rejections"
	setbacksFolder   = "setbacks"
	atServiceFolder  = "service-records"

	recordSuffix    = ".json"
	signatureSuffix = ".json.sig"
)

func recordName(sequence int64) string    { return strconv.FormatInt(sequence, 10) + recordSuffix }
func signatureName(sequence int64) string { return strconv.FormatInt(sequence, 10) + signatureSuffix }

// numbered reads a name that is a number in canonical form with the suffix.
func numbered(name, suffix string) (int64, bool) {
	digits, found := strings.CutSuffix(name, suffix)
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, found && err == nil && number >= 0 && strconv.FormatInt(number, 10) == digits
}

// packetPath returns the path of a packet within the packets folder.
func packetPath(ref verify.Ref) string {
	return ref.Table.String() + "/" + portable(ref.Key.ID) + "/" + recordName(ref.Key.Number)
}

const (
	// maxName is in bytes; with it no path is too long for common file systems.
	maxName = 120
	// digestMark begins the name of an id that would be longer. No other name begins with it.
	digestMark = "="
)

// portable returns an id as a name that every file system distinguishes from those of other ids, including file systems
// that fold case or reserve names: all characters except lower-case letters, digits, "-", "_" and "." are
// percent-encoded, as in a URL. An id for which that is too long becomes "=" and its hex SHA-256 digest.
func portable(id terms.ID) string {
	var name strings.Builder
	for i := range len(id) {
		c := id[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i < len(id)-1
		if plain && !(i == 0 && isDevice(string(id))) {
			name.WriteByte(c)
		} else {
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	if name.Len() > maxName {
		sum := sha256.Sum256([]byte(id))
		return digestMark + hex.EncodeToString(sum[:])
	}
	return name.String()
}

// isDevice reports whether Windows treats the name as a device, with any suffix after a dot.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9'
}

// idOf returns the id of a portable name; false for the digest of an id, and for any other name.
func idOf(name string) (terms.ID, bool) {
	text, err := url.PathUnescape(name)
	if err != nil {
		return "", false
	}
	id, ok := terms.ParseID(text)
	return id, ok && portable(id) == name
}
