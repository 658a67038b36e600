// Package ui is docket's console: a small router, and around it the rooms that it is made of.
//
// A newcomer starts at console.go: one root model takes every message, gives keys to the screen on top, and draws. From there:
//
//	console.go    the router: what it holds, where a message goes
//	host.go       what screens ask of the console, and how an action finds its screen
//	run.go        the program around the model: options, the terminal, signals, the end
//	work.go       the jobs that the program waits for, and the trace
//
// The router is small and knows no screen's inside: it calls their constructors, and keeps what they return as interfaces; a test
// holds that. What a message does stands with the message, an effect that carries itself out at the screen.Host.
//
// The rooms, from the bottom up. None imports one further down; of the screens decide and queue import another one, packet:
//
//	theme, line   colours, and lines of clean text: the only door to the terminal
//	wording, decision, mark, session
//	              texts, the flow of a decision, the marked cases and what a session counts, shared with the plain console
//	action        the one table of actions: keys, footers, help and palette are read from it
//	screen        what a screen is, its host, and the effects that it wants carried out
//	widget        lists, dialogs, the editor, the menus, layouts
//	topic         the contract's text for a blocker, a trigger or a transition
//	screen/...    a room a screen: queue, packet, decide, records, board, contracts, findings
//	task          what is done beside the screens: recording, autosave, the check of the log, export, clipboard, notes, the clock
//	frame         the lines of the window around a screen
//	plain         the console without screens, for screen readers and pipes
//
// Nothing in Update waits: what asks the workbench runs in a command (work.go), whose result comes back as a message that carries
// itself out. A panic anywhere ends the program with the terminal restored and an error. Screens draw what the window shows and
// no more, and every text that they draw becomes clean in package line.
package ui
