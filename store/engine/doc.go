// Package engine says what a store needs of its database: typed operations of a transaction, a family of them for each part of the store. It
// holds no SQL and no rule.
package engine
