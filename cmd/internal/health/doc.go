// Package health says in one small value whether a docket is well: what its contract's checks found and what state its
// store is in. A Health holds words of the contract, counts and nothing else: no id, name, path or text by which a
// person, a case, a store or a machine could be told from another, so that whoever asks may be told.
package health
