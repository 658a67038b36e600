package client

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/signed"
	"docket/store"
)

// ErrNotAService says that what answers is no service.
var ErrNotAService = errors.New("what answers at this address is not a service")

// bind binds the console to the service with this key, or makes sure that it is bound to it. first tells that they never met
// before. The error wraps store.ErrOtherService if the console is bound to another one.
func bind(ctx context.Context, b Bound, stated string) (key signed.Key, first bool, err error) {
	if key, err = signed.ParseKey(stated); err != nil {
		return signed.Key{}, false, fmt.Errorf("%w: what it says is its log's key is none", ErrNotAService)
	}
	held, err := b.Service(ctx)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return key, true, b.BindService(ctx, stated)
	case err != nil:
		return signed.Key{}, false, err
	case held != stated:
		return signed.Key{}, false, fmt.Errorf("%w: it belongs to the one with the key %s, and the key of the one that answers now is %s; "+
			"nothing was exchanged with that", store.ErrOtherService, held, stated)
	}
	return key, false, nil
}
