// Package task holds the work of the console beside its screens. Each task has its own state; the
// router starts it and does not know its inside.
//
//	recording.go  records a decision; its reader can leave until it is appended
//	erasure.go    erases text that a person wrote
//	log_check.go  checks the whole log once the queues have been read
//	export.go     writes the log as a bundle into a folder
//	clipboard.go  copies ids and hashes
//	note.go       shows events outside the console, such as the answer of a witness
//	clock.go      tells the time, and asks for what has changed
package task
