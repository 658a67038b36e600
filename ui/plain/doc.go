// Package plain is docket's console line by line, for screen readers and for terminals that can only print: the same work
// as package ui, on the same desk, without a cursor that moves.
//
// A newcomer starts at session.go, which asks for a command, obeys it and asks again, and at command.go, the one table of
// commands from which help is written. From there:
//
//	obey.go               what a line does in which place
//	run.go                what starts and ends a session: signals, the proof of the log, a panic
//	keyboard.go, tty*.go  where lines come from, and how the final question is kept from being answered by accident
//	page.go               where lines go
//	queue*.go, packet*.go, board.go, record*.go, decide*.go  what there is to read and to do
//
// # What is written
//
// Words only: a state is said ("blocked", "pass"), never drawn. There are no colours, boxes, bells, carriage returns or
// cursor movements; the only control character is the newline. Every text is made visible on the way out, so hostile
// characters are read as escapes.
//
// On a terminal a line is broken between words at the terminal's width, and goes on indented by two blanks: readers that
// go over the screen row by row, in speech or in Braille, would otherwise meet words that are cut in two, since a terminal
// breaks wherever its edge happens to be. Where the output is no terminal nothing is broken, so that each statement is
// one line to search for.
//
// # Deciding
//
// What is chosen is kept as a draft after each answer (decide_draft.go). In blind-first mode what the rules advise is held
// back until the reader has given an outcome of their own (decide_first.go).
//
// # Recording
//
// A decision is recorded by a person at a terminal: both ends have to be one, and the last question takes the keys of its
// word one by one, after a moment in which nothing counts (see keyboard and takeWord).
package plain
