package private

import "unsafe"

// The fewest digits a detail of each kind can have. Most texts have fewer.
const (
	minPhoneDigits      = 7
	minIBANDigits       = 8 // two check digits, and minBBANDigits
	minCardDigits       = 12
	minCoordinateDigits = 2 // geo:1,2
)

// Scan returns the kinds of private details found in text. It accepts any
// bytes, UTF-8 or not.
func Scan(text []byte) Kinds {
	// The string lives no longer than the call, and nothing writes to text
	// meanwhile: a copy would be the only allocation of the scan.
	return ScanString(unsafe.String(unsafe.SliceData(text), len(text)))
}

// ScanString is Scan for a string.
func ScanString(text string) Kinds {
	seen := survey(text)
	if !seen.folding {
		return scanFolded(text, seen)
	}
	var room [512]byte // enough for most texts to be folded on the stack
	folded := appendFolded(room[:0], text)
	plain := unsafe.String(unsafe.SliceData(folded), len(folded))
	return scanFolded(plain, survey(plain))
}

// sights says what a text has, to skip the searches that cannot find anything.
type sights struct {
	digits                        int
	at, slash, encoded, enclosure bool
	folding                       bool
}

// survey reads the text once.
func survey(text string) sights {
	digits, marks := 0, class(0)
	for i := 0; i < len(text); i++ {
		c := classes[text[i]]
		digits += int(c & isDigit)
		marks |= c
	}
	return sights{
		digits:    digits,
		at:        marks&isAt != 0,
		slash:     marks&isSlash != 0,
		encoded:   marks&isEncoder != 0,
		enclosure: marks&isOpener != 0,
		folding:   marks&needsFold != 0,
	}
}

// scanFolded scans a text that is plain ASCII or comes out of appendFolded.
func scanFolded(text string, seen sights) Kinds {
	var found Kinds
	if seen.at && emailAt(text) ||
		seen.encoded && encodedEmail(text) ||
		seen.enclosure && enclosedEmail(text) ||
		spelledEmail(text) {
		found.add(Email)
	}
	if seen.at && seen.slash && userInfo(text) {
		found.add(URLUserInfo)
	}
	if seen.digits >= minCoordinateDigits {
		found |= scanNumbers(text, seen.digits)
	}
	return found
}
