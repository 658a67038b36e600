// Package bundle writes a log into a folder that needs no docket to check, and reads such a folder
// back.
//
// The table of parts says what is in a bundle. One maker produces all of it: Write lets it write
// the files, Check lets it make them again from what the bundle holds, and compares them with the
// files and with the signed MANIFEST. Therefore every byte of a bundle is checked.
//
// A bundle contains nothing private: packets are redacted before they are stored, and private notes
// are not part of a Source. The codes of what Check finds are in the table of package verify.
package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strconv"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// A Part is one kind of files of a bundle.
type Part struct {
	Path    string // ID is that of a record, POSITION that of an entry, N a number from 0
	Content string // a clause
}

var parts = [...]Part{
	{checkpointFile, "origin, size and root of the log, signed with the log's key (C2SP tlog-checkpoint)"},
	{sinceFile, "of an export since a checkpoint: that checkpoint"},
	{assignedFile, "of an export of a reviewer's packets: the reviewer"},
	{keyFile, "the verifier keys of the log, the newest last"},
	{entriesFile, "each entry of the log: position, kind, subject, time, leaf hash, and the file that holds it"},
	{recordsFolder + "/ID.json", "a record: the bytes that are hashed and signed"},
	{recordsFolder + "/ID.json.sig", fmt.Sprintf("its signature, in the namespace `%s`", records.SignatureNamespace)},
	{packetsFolder + "/TABLE/ID/NUMBER.json", "the policies, cases and amendments of the log, redacted"},
	{textsFolder + "/ID.json", "the statement of reasons of a record that has one, with its salt"},
	{textsFolder + "/ID.salt.json", "the salt of the packet digest of a record"},
	{textsFolder + "/TABLE/ID.NUMBER.json", "the texts of a case that were not erased, masked or withheld, with their salt"},
	{statementsFolder + "/POSITION.txt", "a statement about the log, a reviewer's key or an erasure"},
	{statementsFolder + "/POSITION.txt.sig",
		fmt.Sprintf("its signature by a person, in the namespace `%s`", records.LogStatementNamespace)},
	{statementsFolder + "/POSITION.txt.log", "its signature by the log's key, as a note has it"},
	{evidenceFolder + "/…",
		"what others signed: the service's keys, receipts, rejections, statements and records, and the checkpoints that witnesses cosigned"},
	{tilesFolder + "/…", "the tree and, in `tile/entries/`, its leaves (C2SP tlog-tiles)"},
	{signersFile, "the reviewers' keys in OpenSSH's format"},
	{appealsFile, "the records on appeals for a spreadsheet"},
	{amendmentsFile, "the records on amendments for a spreadsheet"},
	{relianceFile, "what may be relied on in each decided case and amendment, and when that was judged"},
	{provenanceFile, "the records, what they were made from and by whom, as W3C PROV-JSON"},
	{indexFile, "each decision to read and to print: one page that needs nothing from elsewhere"},
	{summaryFile, "what is in here, and the commands that check it with stock tools"},
	{attributesFile, "tells git to change no line ends"},
	{manifestFile, "the SHA-256 digest of each other file but records, signatures and texts, signed with the log's key"},
}

// Parts returns the parts of a bundle.
func Parts() []Part { return parts[:] }

const (
	checkpointFile = "checkpoint"
	sinceFile      = "since"
	assignedFile   = "assigned"
	keyFile        = "log.vkey"
	entriesFile    = "entries.csv"
	signersFile    = "allowed_signers"
	appealsFile    = "appeals.csv"
	amendmentsFile = "amendments.csv"
	relianceFile   = "reliance.csv"
	provenanceFile = "provenance.json"
	indexFile      = "index.html"
	summaryFile    = "SUMMARY.md"
	attributesFile = ".gitattributes"
	manifestFile   = "MANIFEST"

	recordsFolder    = "records"
	packetsFolder    = "packets"
	textsFolder      = "texts"
	statementsFolder = "statements"
	evidenceFolder   = "evidence"
	tilesFolder      = "tile"

	// The files of evidence.
	serviceKeyFile     = evidenceFolder + "/service.vkey"
	receiptsFolder     = evidenceFolder + "/receipts"
	rejectionsFolder   = evidenceFolder + "/rejections"
	elsewhereFolder    = evidenceFolder + "/elsewhere"
	cosignaturesFolder = evidenceFolder + "/cosignatures"

	jsonSuffix = ".json"
	saltSuffix = ".salt.json"

	// The suffixes of the files of a statement.
	textSuffix = ".txt"
	sshSuffix  = ".txt.sig"
	logSuffix  = ".txt.log"
)

var folders = []string{recordsFolder, packetsFolder, textsFolder, statementsFolder, tilesFolder, evidenceFolder}

func recordPath(id records.RecordID) string    { return recordsFolder + "/" + string(id) + jsonSuffix }
func signaturePath(id records.RecordID) string { return recordPath(id) + ".sig" }
func reasonsPath(id records.RecordID) string   { return textsFolder + "/" + string(id) + jsonSuffix }
func saltPath(id records.RecordID) string      { return textsFolder + "/" + string(id) + saltSuffix }

// of returns the path of a record's document in a folder of evidence.
func of(folder string, id records.RecordID) string { return folder + "/" + string(id) + jsonSuffix }

func statementPath(position int64, suffix string) string {
	return nth(statementsFolder, int(position), suffix)
}

func nth(folder string, n int, suffix string) string {
	return path.Join(folder, strconv.Itoa(n)+suffix)
}

func packetPath(ref verify.Ref) string {
	return path.Join(packetsFolder, ref.Table.String(), portable(ref.Key.ID), strconv.FormatInt(ref.Key.Number, 10)+jsonSuffix)
}

// packetTextsPath is the path of the texts of a packet.
func packetTextsPath(ref verify.Ref) string {
	return path.Join(textsFolder, ref.Table.String(), fmt.Sprintf("%s.%d%s", portable(ref.Key.ID), ref.Key.Number, jsonSuffix))
}

const (
	// maxName is in bytes; with it no path is too long for common file systems.
	maxName = 120
	// digestMark begins the name of an id that would be longer. No other name begins with it.
	digestMark = "="
)

// portable returns an id as a file name that is allowed, and distinct from those of other ids, on
// every file system: characters except lower-case letters, digits, "-", "_" and "." are
// percent-encoded, as in a URL, and an id for which that is too long becomes "=" and its hex
// SHA-256 digest.
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
