// Package ui is docket's console: the queue, the packet, the decision and what is left of it.
//
// A newcomer starts at console.go: one root model takes every message, hands keys to the screen on top and carries out
// what the screen wants done. From there:
//
//	desk.go      what the console works on; the only way to anything outside this package
//	action.go    the one table of actions: keys, footers, help and palette are read from it
//	effect.go    what a screen can want; each says how it is carried out
//	screen.go    what a screen is; one file or a few for each: queue_*.go, packet_*.go, decide_*.go, records.go, …
//	overlay.go   what lies over a screen: help, palette, questions, errors
//	packet_*.go  the packet: parts are laid out (layout) into stops for the cursor (cursor), which fold (fold)
//	topic*.go    what the contract has a text for, wherever it is met: a blocker, a trigger, a transition
//	difference*  what changed between two views of a packet
//	copy.go      ids and hashes for the clipboard
//	sift.go      sorting and filtering the queue in commands, while what shows stays
//	mouse.go     the wheel and clicks, where the reader wants them
//	frame.go     the lines around a screen, and what is left out where the window is small
//	autosave.go  when the draft of a decision is saved
//	recording.go a decision on its way into the log, which a reader may leave until it is appended
//	examination.go, export.go, summary.go
//	             what is found out about records, the export beside other work, the session in a few words
//	line, theme  drawing: clean text in roles, widths, wrapping, colours
//
// Nothing in Update waits: whatever asks the desk runs in a command (work.go), whose answer comes back as a message.
// A panic anywhere ends the program with the terminal restored and an error. Screens draw what the window shows and no
// more, and every text they draw becomes clean in package line.
package ui
