//go:build !unix

package bundle

// nonblocking is 0: there are no FIFOs among files here.
const nonblocking = 0
