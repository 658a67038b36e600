package bundle

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/store/verify"
)

// entriesHead heads entries.csv; an entry that is left out has only position, kind and leaf hash.
const entriesHead = "position,kind,subject,at,leaf hash,file\n"

func entryLine(e *verify.Entry, id records.RecordID) string {
	leaf := verify.LeafOf(e)
	if e.LeftOut {
		return fmt.Sprintf("%d,record,,,%x,\n", e.Sequence, leaf[:])
	}
	return fmt.Sprintf("%d,record,%s,%s,%x,%s\n", e.Sequence, id, e.At, leaf[:], recordPath(id))
}

// entries are the names of a log's records in its order, and the leaf hashes of those left out.
type entries struct {
	names   []verify.RecordName
	at      []string // when each was appended; "" for those left out
	leftOut map[int64]tlog.Hash
}

// readEntries reads entries.csv or, if it has a malformed line, takes the records of which there
// are files in the order of their names, which is that of their times.
func (f *folder) readEntries() (e entries, err error) {
	if e, ok, err := f.readEntryLines(); err != nil || ok {
		return e, err
	}
	err = f.walk(recordsFolder, func(string) bool { return false }, func(name string, _ fs.DirEntry) {
		if id, is := strings.CutSuffix(path.Base(name), jsonSuffix); is && records.RecordID(id).Valid() {
			e.names = append(e.names, verify.NameOf(records.RecordID(id)))
		}
	}, func(string) {})
	sortNames(e.names)
	return e, err
}

func sortNames(names []verify.RecordName) {
	sort.Slice(names, func(i, j int) bool { return compareNames(names[i], names[j]) < 0 })
}

func compareNames(a, b verify.RecordName) int { return slices.Compare(a[:], b[:]) }

func (f *folder) readEntryLines() (e entries, ok bool, err error) {
	file, err := f.open(entriesFile)
	if err != nil || file == nil {
		return entries{}, false, err
	}
	defer func() { _ = file.Close() }() // only read
	e.leftOut = map[int64]tlog.Hash{}
	lines := bufio.NewScanner(file)
	ok = lines.Scan() && lines.Text()+"\n" == entriesHead
	for ok && lines.Scan() {
		cells := strings.Split(lines.Text(), ",")
		if ok = len(cells) == 6 && cells[0] == fmt.Sprint(len(e.names)); !ok {
			break
		}
		id := records.RecordID(cells[2])
		leaf, notHex := hex.DecodeString(cells[4])
		switch {
		case id.Valid() && cells[5] == recordPath(id):
			e.names = append(e.names, verify.NameOf(id))
		case id == "" && cells[3] == "" && cells[5] == "" && notHex == nil && len(leaf) == tlog.HashSize:
			e.leftOut[int64(len(e.names))] = tlog.Hash(leaf)
			e.names = append(e.names, verify.RecordName{})
		default:
			ok = false
		}
		e.at = append(e.at, strings.Clone(cells[3]))
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return entries{}, false, nil
	}
	return e, ok, lines.Err()
}

// belongsToRecord reports whether a path is a file of one of the records, whose names are sorted.
func belongsToRecord(sorted []verify.RecordName, name string) bool {
	suffixes := []string{saltSuffix, jsonSuffix}
	if top(name) == recordsFolder {
		suffixes = []string{jsonSuffix + ".sig", jsonSuffix}
	}
	for _, suffix := range suffixes {
		if id, is := strings.CutSuffix(path.Base(name), suffix); is && strings.Count(name, "/") == 1 && records.RecordID(id).Valid() {
			_, found := slices.BinarySearchFunc(sorted, verify.NameOf(records.RecordID(id)), compareNames)
			return found
		}
	}
	return false
}
