// Package private finds private details that slipped into a text.
//
// Reviewers judge redacted cases. Should an e-mail address or a phone number be
// left in a text, the text is masked as a whole and the case is blocked, so the
// answer needed is which kinds of detail a text holds and not where:
//
//	kinds := private.ScanString("write to reviewer@example.org")
//	kinds.Has(private.Email) // true
//	kinds.List()             // [e-mail address]
//
// # How it decides
//
// Scan fails closed: what merely resembles a phone number is one. It still has
// to let ordinary review prose through, dates, amounts, versions, ids, hashes
// and section numbers, or every case would be blocked. Where a check digit
// exists (IBAN, payment card) it decides; elsewhere the grouping of the digits
// and the words in front of them do.
//
// A text may try to get past the scan. Text with anything but plain ASCII is
// first folded: digits of any script, full-width forms and look-alikes become
// ASCII, invisible characters are dropped (see fold.go). A text of plain ASCII is
// scanned where it is, without allocating.
//
// One piece of text may count as several kinds; a URL with user information
// reads as an e-mail address as well.
//
// # What it does not see
//
// Numbers written as words, letters standing in for digits ("O" for 0), details
// split by markup or over several texts, national phone numbers with neither a
// leading 0 nor a word such as "call" in front, and anything encoded (base64, or
// percent-encoding other than of the at sign, the comma and the space).
package private
