//go:build !unix

package bundle

// nonblocking is nothing: there are no FIFOs among files here.
const nonblocking = 0
