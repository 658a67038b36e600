// Package disk keeps files of a store on this machine: it finds and makes them readable for their owner only, opens regular files
// and nothing else, locks open files against other processes, and brings content and names to the disk. What is wrong with a file
// or its surroundings is a Problem, with the path and what to do.
//
// What differs from system to system stands in the files with a system's name. Start at CreateFile in file.go and Lock in lock.go.
package disk
