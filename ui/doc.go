// Package ui is docket's console: a small router, and around it the rooms that it is made of.
//
// A newcomer starts at console.go: one root model takes every message, gives keys to the screen on top, and draws. From there:
//
//	host.go       what screens ask of the console, and how an action finds its screen
//	frame.go      the lines around a screen, and what is left out where the window is small
//	recording.go  a decision on its way into the log, which a reader may leave until it is appended
//	autosave.go   when the draft of a decision is saved
//	export.go, findings.go, session.go, clipboard.go, theme_menu.go
//	              the export in the background, the check of the log, the session in a few words, copies, themes
//	run.go, work.go
//	              the program around the model, and the jobs that it waits for
//
// The rooms, from the bottom up. None imports one further down; of the screens only decide imports another one, packet:
//
//	theme, line   colours, and lines of clean text: the only door to the terminal
//	wording, decision
//	              texts and the flow of a decision, shared with the plain console
//	action        the one table of actions: keys, footers, help and palette are read from it
//	screen        what a screen is, its host, and the effects that it wants carried out
//	widget        lists, dialogs, the editor, the menu, layouts
//	topic         the contract's text for a blocker, a trigger or a transition
//	screen/...    a room a screen: queue, packet, decide, records, board, contracts
//	plain         the console without screens, for screen readers and pipes
//
// Nothing in Update waits: what asks the workbench runs in a command (work.go), whose result comes back as a message that carries
// itself out. A panic anywhere ends the program with the terminal restored and an error. Screens draw what the window shows and
// no more, and every text that they draw becomes clean in package line.
package ui
