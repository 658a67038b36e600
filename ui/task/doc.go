// Package task is what the console does beside its screens. Each task has its own state, asks the screen.Host for the rest, and
// takes its answers as effects that carry themselves out; the router starts it and knows nothing of its inside.
//
//	recording.go  takes a decision into the log, and lets its reader leave until it is appended
//	autosave.go   saves the draft of the decision that is being made
//	log_check.go  checks the whole log once the queues have been read
//	export.go     writes the log as a bundle into a folder
//	clipboard.go  copies ids and hashes
//	notification.go
//	              has the terminal notify the reader
//	note.go       tells what happens beside the console, such as what a witness answered
//	clock.go      tells the time, and asks for what has changed
package task
