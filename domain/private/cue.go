package private

// cues are words that announce a phone number. Plural and compound forms are
// recognised by their start.
var cues = [...]string{
	"phone", "tel", "call", "called", "mobile", "mob", "cell", "whatsapp", "fax", "ring", "dial", "sms",
	"telegram", "hotline", "landline", "handy", "natel", "movil", "cel",
}

// minCueStem is how long a cue has to be to count as a part of a longer word; the
// shorter ones are also the start of others ("cellar", "ringed").
const minCueStem = 5

// fillers are words that may stand between a cue and its number.
var fillers = [...]string{
	"number", "numbers", "no", "nr", "num", "is", "at", "on", "me", "us", "him", "her", "them", "the", "my",
	"our", "your", "his", "their", "line", "or", "under", "via", "by", "app",
}

const (
	maxCueWords = 5 // the cue and four fillers
	maxCueWord  = 16
)

// cueBefore reports whether a cue comes right before i, with only fillers and
// punctuation in between.
func cueBefore(text string, i int) bool {
	for range maxCueWords {
		end := i
		for end > 0 && i-end <= maxPadding && !is(text[end-1], isLetter) {
			if is(text[end-1], isDigit) {
				return false
			}
			end--
		}
		start := skipBack(text, end-1, maxCueWord, isLetter) + 1
		word := text[start:end]
		if isCue(word) {
			return true
		}
		if !isOneOf(word, fillers[:]) {
			return false
		}
		i = start
	}
	return false
}

// isCue reports whether word is a cue, starts with a long one ("telephone",
// "phoned", "calls") or ends with one ("smartphone").
func isCue(word string) bool {
	for _, cue := range cues {
		switch rest := len(word) - len(cue); {
		case rest < 0:
		case rest == 0 || len(cue) >= minCueStem:
			if hasFold(word, 0, cue) || hasFold(word, rest, cue) {
				return true
			}
		case hasFold(word, 0, cue) && (rest == 1 || cue == "tel"):
			return true
		}
	}
	return false
}
