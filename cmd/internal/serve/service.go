package serve

import (
	"log/slog"
	"time"
)

// A Backing is all that lies behind the service.
type Backing struct {
	Registry Registry
	Ledger   Ledger
	Library  Library
	Witness  Witness
	Receipts Receipts
}

// A Service is the routes over a backing. New makes one.
type Service struct {
	backing Backing
	now     func() time.Time
	log     *slog.Logger
	readers readers
}
