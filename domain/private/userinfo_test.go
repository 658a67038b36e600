package private

import "testing"

var userInfoHits = []string{
	"https://user@example.org",
	"https://user:secret@example.org/path",
	"see http://user:@example.org.",
	"ftp://anonymous:x@example.org",
	"ssh://git@example.org:22/repo",
	"//user@example.org/path",
	"HTTPS://USER:PW@EXAMPLE.ORG",
	"https:///user@example.org",
	"https://user@localhost",
	"https://user@[2001:db8::1]/",
	"https://us%20er:p%40ss@example.org",
	"https://пользователь@example.org",
	"postgres://app:secret@db:5432/x",
	"<https://user@example.org>",
	"https://example.org and https://user@example.org",
	"https://@@user@example.org",
	"https：／／user＠example.org",
}

var userInfoMisses = []string{
	"https://example.org", "https://example.org/@handle", "https://example.org/path?mail=x@example.org",
	"https://example.org?x@y", "https://example.org#x@y", "https://example.org user@example.org", "https://@example.org",
	"https://:@example.org", "user@example.org", "mailto:user@example.org", "// a comment, see @handle", "a // b",
	"//", "https://", `"https://example.org">x@y`, "file:///etc/x", "https:/path/@x", "user@example.org //", `https://example.org\user@x`,
}

func TestURLsWithUserInformationAreFound(t *testing.T) { expect(t, URLUserInfo, true, userInfoHits) }

func TestAtSignsBehindTheAuthorityDoNotCount(t *testing.T) {
	expect(t, URLUserInfo, false, userInfoMisses)
}
