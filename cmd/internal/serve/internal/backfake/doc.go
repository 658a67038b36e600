// Package backfake is a backing of the service in memory, for tests. It is honest: it judges with domain's rules, verifies
// signatures, keeps a real Merkle tree and signs real checkpoints; only nothing of it outlives the test. What it promises
// is what serve's interfaces promise, and the same tests run over it and over a backing with a store.
package backfake
