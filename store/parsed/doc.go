// Package parsed reads stored packets by their table and key, and remembers those that were read
// lately. The database always decides: a packet is remembered with its exact bytes, and other bytes
// are read as if they were new.
//
// Read reads one, and a Cache keeps packets, for a console that shows one and decides on it (both
// in cache.go); Checked keeps digests, for a service that gives many out and parses none of them
// twice (checked.go).
package parsed
