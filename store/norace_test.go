//go:build !race

package store

// underRace tells that this program runs many times slower than the usual one.
const underRace = false
