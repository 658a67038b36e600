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
// In doubt a text is masked: what resembles a phone number is one. The scan still has to let
// ordinary review prose through, dates, amounts, order numbers, versions, packages, hashes and
// section numbers, or every case would be blocked. Where a check digit exists (IBAN, payment card)
// it decides; elsewhere the grouping of the digits, the numbering plans (see groupings) and the
// words in front of a number (see roles) do.
//
// A text may try to get past the scan. It reads what a person reads at once: text with anything but
// plain ASCII is folded, so that digits of any script, full-width forms and look-alikes become
// ASCII and invisible characters are dropped (fold.go); percent, JSON and HTML escapes are
// replaced, and "(at)", " AT " and "dot" written as the marks that they stand for (disguise.go).
// The text is scanned before and after. Ordinary text of plain ASCII is scanned where it is,
// without allocating.
//
// Two corpora in testdata, of texts that hold a private detail and of ordinary ones, keep the
// recall at 98 % or more and the ordinary texts that are masked at 1 % or less. One piece of text
// may count as several kinds; a URL with user information reads as an e-mail address as well.
//
// # What it does not see
//
// Numbers written as words, letters standing in for digits ("O" for 0), base64
// and hexadecimal, details split over several texts, postal addresses, ten or
// eleven digits in one piece behind a word such as "order", and national numbers
// grouped like an amount or a range with no word such as "call" in front.
package private
