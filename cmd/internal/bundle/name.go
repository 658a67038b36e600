package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"docket/domain/terms"
	"docket/store/verify"
)

// The names at the top of a bundle.
const (
	checkpointFile = "checkpoint"
	signersFile    = "allowed_signers"
	appealsFile    = "appeals.csv"
	amendmentsFile = "amendments.csv"
	summaryFile    = "SUMMARY.md"
	recordsFolder  = "records"
	packetsFolder  = "packets"
	tilesFolder    = "tile"
	// One document a record in each, under the name that the record has.
	saltsFolder   = "salts"
	reasonsFolder = "statements"

	// Only where records are handed in to a service.
	serviceFile      = "service"
	rejectionsFolder = "rejections"
	statementsFolder = "log-statements"

	recordSuffix    = ".json"
	signatureSuffix = ".json.sig"
)

// topFiles are all files that may stand at the top of a bundle.
var topFiles = [...]string{checkpointFile, signersFile, appealsFile, amendmentsFile, summaryFile, serviceFile}

func recordName(sequence int64) string    { return strconv.FormatInt(sequence, 10) + recordSuffix }
func signatureName(sequence int64) string { return strconv.FormatInt(sequence, 10) + signatureSuffix }

// numbered reads a name that is a number, written in its one way, with the suffix.
func numbered(name, suffix string) (int64, bool) {
	digits, found := strings.CutSuffix(name, suffix)
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, found && err == nil && number >= 0 && strconv.FormatInt(number, 10) == digits
}

// packetPath is where a packet lies within the packets folder.
func packetPath(ref verify.Ref) string {
	return ref.Table.String() + "/" + portable(ref.Key.ID) + "/" + recordName(ref.Key.Number)
}

const (
	// maxName is in bytes; with it no path gets too long for the file systems in use.
	maxName = 120
	// digestMark starts the name of an id that would be longer. No other name starts with it.
	digestMark = "="
)

// portable writes an id as a name that every file system keeps apart from other ids, also those that fold case and
// those with reserved names: percent-encoded, as in a URL, all but lower-case letters, digits, "-", "_" and ".". An id
// for which that is too long stands as "=" and the hex SHA-256 digest of it.
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

// isDevice tells whether Windows takes the name for a device, whatever follows a dot.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9'
}

// idOf reads a portable name back; false for one that only a digest stands for, and for one that is no such name.
func idOf(name string) (terms.ID, bool) {
	text, err := url.PathUnescape(name)
	if err != nil {
		return "", false
	}
	id, ok := terms.ParseID(text)
	return id, ok && portable(id) == name
}
