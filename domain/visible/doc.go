// Package visible makes hostile text safe to print by making it visible.
//
// A case text, an id, a file name or an error message may hold anything: escape
// sequences that retitle the terminal or write its clipboard, bidirectional
// overrides that reorder a sentence, characters that are there and draw
// nothing. Stripping them would hide that they were there, and strippers
// disagree about where a sequence ends. This package strips nothing: whatever is
// not a plain printable character is written out as an escape in ASCII.
//
//	visible.String("ok\x1b]0;owned\x07")  // ok\x1b]0;owned\x07, the escapes spelled out
//	visible.String("a\u202eb")            // a\u202eb, likewise
//	visible.String("Zürich 東京 🙂")         // unchanged, and not copied
//
// Newlines and tabs are escaped too, so the result is always one line: split a
// text first where its lines matter.
//
// # What stays
//
// Letters, digits, punctuation and symbols of every script, wide characters and
// plain emoji, the ASCII space, and up to four combining marks on a character.
// The literal backslash stays as it is, so the two characters \n in a text and a
// newline print alike. The output is for reading and is not meant to be decoded;
// it carries no control either way.
//
// Right-to-left letters stay too. They carry no override, but a terminal that
// reorders them by itself still will.
//
// What counts as assigned is decided by the Unicode version of the Go toolchain:
// a character newer than that is escaped.
package visible
