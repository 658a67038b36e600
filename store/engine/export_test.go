package engine

import "docket/domain/terms"

// Query returns the text of a query with the words of a table and more.
func (t Tx) Query(name string, table terms.Table, words ...string) string {
	return t.on(table, words...).named(name)
}
