package backfake

import (
	"fmt"
	"slices"
	"testing"
)

// Dump is all that the backing holds: the rows of each table, in the order in which they came.
func (b *Backing) Dump(_ testing.TB) map[string][]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := map[string][]string{}
	add := func(table, format string, args ...any) {
		rows[table] = append(rows[table], fmt.Sprintf(format, args...))
	}
	for _, packet := range b.shelf {
		add(packet.Table().String(), "%s", packet.Document())
	}
	for _, entry := range b.log {
		add(entry.record.Table().String(), "%s %s", entry.record.Document(), entry.signature)
		add("log", "%v", entry.answer)
	}
	for _, entry := range b.receipts {
		add("receipts", "%v", entry)
	}
	for digest, who := range b.tokens {
		add("tokens", "%x %v", digest, who)
	}
	for who, keys := range b.keys {
		add("keys", "%s %v", who, keys)
	}
	for _, row := range b.seen {
		add("witnessed", "%s", row)
	}
	for _, table := range []string{"tokens", "keys"} {
		slices.Sort(rows[table])
	}
	return rows
}
