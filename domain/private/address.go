package private

import (
	"net/netip"
	"strings"
)

const (
	// maxLocal bounds the search for a letter left of an at sign; a local part
	// has no more than 64 bytes.
	maxLocal = 66
	// maxHost bounds what is read behind an at sign.
	maxHost = 255
	// maxPadding bounds spaces and brackets around a word.
	maxPadding = 4
)

var (
	host = expression(`^[^\s/a-zA-Z0-9\x01\x04]{0,8}([a-zA-Z0-9\x01\x04][a-zA-Z0-9\x01\x04._:+-]*)`)
	// A release, which is no host, may follow a package's at sign: a version, tag, digest or commit.
	release = expression(
		`(?i)^(?:v?\d+(?:\.\d+){0,2}(?:\.x)?(?:-[a-z]+[a-z0-9.+-]*)?\.?|v\d+(?:\.\d+)*|\d+[a-z]{0,3}|[0-9a-f]{7,40}|sha\d+:.*|` +
			`latest|next|canary|alpha|beta|rc|stable|nightly)$`)
	fourNumbers  = expression(`^\d+(?:\.\d+){3}$`)
	scopedBefore = expression(`(?:^|[^\w.])@[\w~-][\w.~-]*/[\w.~-]+$`)

	// userInfo is a URL, with a scheme or relative to one, whose authority carries user
	// information; an at sign in the path, the query or the fragment does not count.
	userInfo = expression(`//[^\s/?#<>"\\]*[a-zA-Z0-9\x01\x04][^\s/?#<>"\\]*@`)

	handle = expression(`^(?:[a-zA-Z_\x01\x04][\w\x01\x04]|[\x01\x04]|\d{1,4}[a-zA-Z_]{3})`)
	// A mark is a word of code or of a style sheet that begins with an at sign.
	mark = expression(
		`^(?:staticmethod|classmethod|property|overload|override|Override|deprecated|Deprecated|dataclass|param|returns?|throws|media|import|` +
			`font-face|keyframes|charset|supports|Test|Autowired|Nullable|NonNull)\b`)
	scopedPackage = expression(`^[\w~-][\w.~-]*/[\w@]`)
)

// atSigns looks at each at sign of the text: with a word on both sides it makes
// an e-mail address, with one behind it only a handle.
func atSigns(text string) Kinds {
	var found Kinds
	for at := strings.IndexByte(text, '@'); at >= 0; {
		if !found.Has(Email) && email(text, at) {
			found = found.With(Email)
		}
		behind := text[at+1 : min(len(text), at+1+maxHost)]
		if !found.Has(Handle) && !isAtIndex(text, at-1, isWord) && handle().MatchString(behind) &&
			!scopedPackage().MatchString(behind) && !mark().MatchString(behind) {
			found = found.With(Handle)
		}
		next := strings.IndexByte(text[at+1:], '@')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return found
}

// email reports whether the at sign makes an e-mail address, not a package and its version; in
// doubt, as with name@1.2.3.4, it does.
func email(text string, at int) bool {
	if !localBefore(text, at) {
		return false
	}
	m := host().FindStringSubmatch(text[at+1 : min(len(text), at+1+maxHost)])
	if m == nil || text[max(0, at-1)] == '"' && mark().FindString(m[1]) == m[1] {
		return false
	}
	if fourNumbers().MatchString(m[1]) {
		return !scopedBefore().MatchString(text[max(0, at-maxLocal):at])
	}
	return !release().MatchString(m[1])
}

// localBefore reports whether a local part ends at end: a run with a letter or digit, without
// slashes (as in /@handle) or unquoted spaces; of several at signs only the first has one.
func localBefore(text string, end int) bool {
	quoted := end > 0 && text[end-1] == '"'
	for i := end - 1; i >= 0 && i >= end-maxLocal; i-- {
		switch c := text[i]; {
		case is(c, isWord):
			return true
		case c == '@' || c == '/' || is(c, isSpace) && !quoted:
			return false
		}
	}
	return false
}

var (
	// chatHosts are hosts whose links lead to a person, a group or an invitation.
	chatHosts = expression(
		`(?i)^(?:www\.)?(?:(?:t|telegram)\.me|telegram\.dog|wa\.me|(?:chat|api)\.whatsapp\.com|whatsapp\.com/channel|discord\.gg|` +
			`discord(?:app)?\.com/(?:invite|users|channels)|signal\.(?:me|group)|(?:fb\.)?m\.me|ig\.me|line\.me|join\.skype\.com|threema\.id|matrix\.to|` +
			`snapchat\.com/add|zalo\.me|kik\.me|invite\.viber\.com|u\.wechat\.com|teams\.microsoft\.com/l/chat)/+[#+@a-z0-9\x01\x04]`)
	chatSchemes = expression(
		`(?i)^(?:(?:tg|whatsapp|signal|sgnl|viber|kik|weixin|line|threema|msteams|discord)://\S|(?:skype|xmpp|facetime|matrix):[a-z0-9\x01\x04])`)
)

const (
	maxChatHost   = 32
	maxChatScheme = 12
)

func chatLink(text string) bool {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '/':
			start := i
			for start > 0 && i-start < maxChatHost && (is(text[start-1], isWord) || text[start-1] == '.' || text[start-1] == '-') {
				start--
			}
			if i-start >= len("t.me") && strings.IndexByte(text[start:i], '.') > 0 &&
				chatHosts().MatchString(text[start:min(len(text), i+maxChatHost)]) {
				return true
			}
		case ':':
			start := skipBack(text, i-1, maxChatScheme, isWord) + 1
			if i-start >= len("tg") && is(text[start], isLetter) && isAtIndex(text, i+1, isWord|isSlash) &&
				chatSchemes().MatchString(text[start:min(len(text), i+maxPadding)]) {
				return true
			}
		}
	}
	return false
}

var (
	ipv4Form = expression(`^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}(?:\.?$|\.?[^\d.])`)
	// Before four numbers that are a version.
	versionBefore = expression(
		`(?i)(?:\bv|\bver\.?\s?|\b(?:versions?|release|build|firmware|driver|patch|rule|section|clause|article)s?\b:?\s?v?|\x05\s?|` +
			`\b(?:linux|kernel|openssl|nginx|apache|chrome|firefox|android|ios|windows|macos|php|python|java|node|npm|sqlite|postgresql)\s|(?:^|[^\w.])@[\w~-][\w.~-]*/[\w.~-]+[@\s][v^~]?|==)$`)
)

const maxIPv4, maxIPv6 = 17, 45

// ipv4 reports whether four numbers from 0 to 255 start at i and the text before names no version.
func ipv4(text string, i int) bool {
	if i > 0 && (is(text[i-1], isDigit) || text[i-1] == '.' && isAtIndex(text, i-2, isDigit)) {
		return false
	}
	return ipv4Form().MatchString(text[i:min(len(text), i+maxIPv4)]) && !versionBefore().MatchString(text[max(0, i-maxLocal):i])
}

// ipv6 asks for a digit and a double colon or eight groups, since words and times have colons too;
// :: is one alone in a line, or after a word for an address.
func ipv6(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != ':' {
			continue
		}
		start, end, colons := i, i, 0
		for start > 0 && i-start < maxIPv6 && isHex(text[start-1]) {
			start--
		}
		digits := 0
		for end < len(text) && end-start <= maxIPv6 && (isHex(text[end]) || text[end] == ':' ||
			text[end] == '.' && isAtIndex(text, end+1, isDigit)) {
			colons += int(classes[text[end]]&isColon) / int(isColon)
			digits += int(classes[text[end]] & isDigit)
			end++
		}
		digits += survey(text[start:i]).digits
		if colons >= 2 && (digits > 0 || unspecified(text, start, end)) && !inWord(text, start-1) && !inWord(text, end) {
			address := text[start:end]
			if !strings.HasSuffix(address, "::") {
				address = strings.TrimSuffix(address, ":")
			}
			if _, err := netip.ParseAddr(address); err == nil {
				return true
			}
		}
		i = max(i, end-1)
	}
	return false
}

var unspecifiedBefore = expression(`(?i)(?:\[|\b(?:ip(?:v6)?|addr(?:ess)?|host|on|from|bind|listens?)[ :="']*)$`)

// unspecified reports whether text[start:end] is the address :: and not a sign between words.
func unspecified(text string, start, end int) bool {
	if text[start:end] != "::" {
		return false
	}
	before, after := text[max(0, start-maxLocal):start], text[end:]
	line, _, _ := strings.Cut(before[strings.LastIndexByte(before, '\n')+1:]+"::"+after, "\n")
	return strings.TrimSpace(line) == "::" || strings.HasPrefix(after, "/") && isAtIndex(after, 1, isDigit) ||
		!isAtIndex(after, 0, isWord) && unspecifiedBefore().MatchString(before)
}

// inWord reports whether a letter or digit stands at i that belongs to what is beside it.
func inWord(text string, i int) bool { return isAtIndex(text, i, isWord) && text[i] != unspaced }

func isHex(c byte) bool {
	return is(c, isDigit) || c|0x20 >= 'a' && c|0x20 <= 'f'
}
