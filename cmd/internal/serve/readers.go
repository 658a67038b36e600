package serve

import (
	"sync"

	"docket/domain"
	"docket/domain/canonical"
)

// A reader is what the reading of a body needs: memory that is used again, by one request at a time.
type reader struct {
	document  canonical.Document // the body of an enforce or checkpoints request
	domain    domain.Reader      // a record or an evaluation input
	canonical []byte             // a record in canonical form
	written   []byte             // an answer while it is written
}

// readers are the readers that no request is using. The zero value is ready to use.
type readers struct{ idle sync.Pool }

// largestKept is the size in bytes of the largest body after which a reader is used again: the memory of a reader grows
// with what it reads, so that one large body would be paid for by all that follow.
const largestKept = 64 << 10

// take returns a reader for one request.
func (r *readers) take() *reader {
	if reader, ok := r.idle.Get().(*reader); ok {
		return reader
	}
	return &reader{}
}

// give takes the reader back after it has read a body of that size.
func (r *readers) give(used *reader, size int) {
	if size <= largestKept {
		r.idle.Put(used)
	}
}
