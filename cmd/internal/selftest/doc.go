// Package selftest answers the contract test hooks that the reports name (seed 2.5.4). The source gives the names and
// leaves open what they do; here each runs the real check of what its name says, against this program, with the sample
// packets that it ships, and gives a line of evidence: codes and counts, never a packet's text.
//
//	results, err := selftest.Run(ctx, selftest.Options{Now: time.Now})
//
// Everything happens in a temporary folder that Run makes and removes: stores of its own, a key that is written
// nowhere. The user's store and identity are not touched, nothing is asked of a network or a terminal.
//
// hook.go has the one table of hooks. Each looks at docket through a program (program.go): the parts as the commands use
// them, one function each. A test puts a broken part in the place of one and sees the hook fail.
package selftest
