// Package ui is docket's console: a small router and the packages around it.
//
// A newcomer starts at console.go: one root model takes every message, gives keys to the screen on
// top, and draws. From there:
//
//	console.go    the router: what it holds, where a message goes
//	display.go    how frames reach the terminal: only the lines that changed
//	host.go       how an action finds its screen
//	run.go        the program around the model: options, the terminal, signals, the end
//	work.go       the jobs that the program waits for, and the trace
//
// The packages, from the bottom up. None imports one further down; of the screens, decide and queue
// import packet:
//
//	theme, line   colours, and lines of clean text: the only door to the terminal
//	wording, decision
//	              texts, the flow of a decision, shared with the plain console
//	action        the one table of actions: keys, footers, help and palette are read from it
//	screen        what a screen is, and the stage on which it has things done
//	widget        lists, dialogs, the editor, the menus, layouts
//	topic         the contract's text for a blocker, a trigger or a transition
//	screen/...    a room a screen: queue, packet, decide, records, board, contracts, stats, findings
//	task          work beside the screens: recording, log check, export, clipboard, notes, clock
//	frame         the lines of the window around a screen
//	plain         the console without screens, for screen readers and pipes
//
// Update never waits: calls of the workbench run in jobs (work.go), and each returns what is to be
// done in Update. A panic anywhere ends the program with the terminal restored and an error.
// Screens draw only what the window shows, and package line makes every text that they draw clean.
package ui
