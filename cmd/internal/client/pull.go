package client

import (
	"context"
	"errors"
	"fmt"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/domain/signed"
	"docket/store"
)

// A PullOptions is one pull.
type PullOptions struct {
	Inbox   Inbox
	Service Service
	// Afresh begins at the beginning instead of where the last pull ended: what is held is unchanged by that.
	Afresh bool
	// FirstContact is told the key at the first contact, after the console is bound to it.
	FirstContact func(signed.Key) error
	// Refused is told each packet that is not taken. Number counts the packets of this pull from 1; the key is the zero Key
	// where the packet cannot be read.
	Refused func(number int, key domain.Key, reason string) error
	// Progress is told how many packets have come.
	Progress func(done int64)
}

// PullResult is what a pull came to.
type PullResult struct{ Imported, Unchanged, Refused int }

// errRepeats says that a page is followed by itself.
var errRepeats = errors.New("the service gives the same page again and again; nothing after it was pulled")

// errChanged says that the key is not the same on every page.
var errChanged = errors.New("the key of the service changed while packets were pulled; nothing of that page was taken")

const reasonConflict = "is held already with other content; what is frozen does not change, so a correction needs a new number"

// Pull brings in what the service has for the caller. What was pulled when an error is returned stays.
func Pull(ctx context.Context, p PullOptions) (PullResult, error) {
	cursor, _, err := p.Inbox.PullCursor(ctx)
	if err != nil {
		return PullResult{}, err
	}
	if p.Afresh {
		cursor = ""
	}
	pull := pull{PullOptions: p}
	for {
		page, err := pull.page(ctx, &cursor)
		if err != nil {
			return pull.pulled, err
		}
		if err := pull.take(ctx, &page); err != nil {
			return pull.pulled, err
		}
		if page.More && page.Cursor == cursor {
			return pull.pulled, errRepeats
		}
		cursor = page.Cursor
		if err := p.Inbox.SavePull(ctx, cursor, !page.More); err != nil {
			return pull.pulled, err
		}
		if !page.More {
			return pull.pulled, nil
		}
	}
}

// pull is one pull under way.
type pull struct {
	PullOptions
	key    string // of the service; "" before the first page
	pulled PullResult
	reader domain.Reader
	seen   int
}

// page asks for the page after the cursor. A cursor that the service does not know any more is given up for the beginning.
func (p *pull) page(ctx context.Context, cursor *string) (api.Page, error) {
	page, err := p.Service.Page(ctx, *cursor)
	var problem *api.Problem
	if errors.As(err, &problem) && problem.Kind() == api.Malformed && *cursor != "" {
		*cursor = ""
		page, err = p.Service.Page(ctx, "")
	}
	if err != nil {
		return api.Page{}, err
	}
	if p.key != "" {
		if page.Key != p.key {
			return api.Page{}, errChanged
		}
		return page, nil
	}
	key, first, err := bind(ctx, p.Inbox, page.Key)
	if err != nil {
		return api.Page{}, err
	}
	p.key = page.Key
	if first {
		err = p.FirstContact(key)
	}
	return page, err
}

// take stores what can be read of a page and tells of the rest.
func (p *pull) take(ctx context.Context, page *api.Page) error {
	packets := make([]domain.Packet, 0, len(page.Packets))
	numbers := make([]int, 0, len(page.Packets))
	for _, document := range page.Packets {
		p.seen++
		packet, err := p.reader.ReadStored(document)
		switch {
		case err != nil:
			err = p.refuse(p.seen, domain.Key{}, err.Error())
		case packet.HoldsPrivate():
			err = p.refuse(p.seen, packet.Key(), "holds private details that should have been masked before it was sent")
		default:
			packets, numbers = append(packets, packet), append(numbers, p.seen)
		}
		if err != nil {
			return err
		}
	}
	if err := p.store(ctx, packets, numbers); err != nil {
		return err
	}
	p.Progress(int64(p.seen))
	return nil
}

// store stores packets and counts what became of each.
func (p *pull) store(ctx context.Context, packets []domain.Packet, numbers []int) error {
	if len(packets) == 0 {
		return nil
	}
	results, err := p.Inbox.Import(ctx, packets)
	if err != nil {
		return err
	}
	for i, result := range results {
		switch result {
		case store.Imported:
			p.pulled.Imported++
		case store.Unchanged:
			p.pulled.Unchanged++
		default:
			if err := p.refuse(numbers[i], packets[i].Key(), reasonConflict); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *pull) refuse(number int, key domain.Key, reason string) error {
	p.pulled.Refused++
	return p.Refused(number, key, reason)
}

// ErrNotAService says that what answers is no service.
var ErrNotAService = errors.New("what answers at this address is not a service")

// bind binds the console to the service with this key, or makes sure that it is bound to it. first tells that they never met
// before. The error wraps store.ErrOtherService if the console is bound to another one.
func bind(ctx context.Context, b Binding, stated string) (key signed.Key, first bool, err error) {
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
