package client

import (
	"context"
	"errors"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
)

// PullOptions configure a pull.
type PullOptions struct {
	Session
	// Afresh starts from the beginning. Packets that are stored already stay as they are.
	Afresh bool
	// Refused is called for each packet that is not stored. number counts the packets of this pull
	// from 1; key is the zero Key if the packet cannot be read.
	Refused func(number int, key packets.Key, reason string) error
	// Reassigned is called for each case and amendment that is held here and that the service
	// assigned to another reviewer, with the revision that did so.
	Reassigned func(verify.Ref) error
	// Progress is called with the number of packets received.
	Progress func(done int64)
}

// A PullResult counts the packets of a pull, and the records in force there that were not known.
type PullResult struct{ Imported, Unchanged, Refused, InForce int }

var errRepeats = errors.New("the service repeats the same page; the pull stopped there")

// ErrNothingNew says that page after page brought nothing new.
var ErrNothingNew = errors.New(
	"the service sends pages without end that bring nothing new; the pull stopped there, and the next one goes on from there")

// How many pages in a row may be empty, for a service that scans many packets for few, and how many
// may hold only known packets, for six million packets that are pulled afresh.
const (
	mostEmptyPages = 1 << 10
	mostKnownPages = 1 << 16
)

var errChanged = errors.New("the key of the service changed during the pull; nothing of the last page was stored")

const reasonConflict = "is stored already with other content; packets do not change, so a correction needs a new number"

// reasonErased is for a packet without its texts, although the service states no erasure of them.
const reasonErased = "is not taken: its texts are missing, and the service does not state that it erased them"

// Pull stores the packets that the caller may see, and then the records in force on them that other
// consoles handed in. Everything stored before an error stays.
func Pull(ctx context.Context, p PullOptions) (PullResult, error) {
	stored, _, err := p.Store.PullCursor(ctx)
	if err != nil {
		return PullResult{}, err
	}
	if p.Afresh {
		stored = ""
	}
	pull := pull{PullOptions: p}
	pull.cursor, pull.after, _ = strings.Cut(stored, cursorBreak)
	if err = pull.pages(ctx, &pull.cursor, pull.packets); err == nil {
		err = pull.pages(ctx, &pull.after, pull.records)
	}
	return pull.pulled, err
}

type pull struct {
	PullOptions
	key    string // of the service; "" before the first page
	cursor string // of the packets, how far they were read
	after  string // of the records
	log    *serviceLog
	pulled PullResult
	reader packets.Reader
	seen   int
}

// cursorBreak separates the two cursors that are saved as one: each is a single line.
const cursorBreak = "\n"

func (p *pull) save(ctx context.Context, complete bool) error {
	cursor := p.cursor
	if p.after != "" {
		cursor += cursorBreak + p.after
	}
	return p.Store.SavePull(ctx, cursor, complete)
}

// A taken is what a page brought.
type taken struct {
	next        string // cursor
	more        bool
	holds, news int  // how much is on the page, and how much of that was not known
	records     bool // it is one of records, which come last, not one of packets
}

// pages takes the pages after a cursor, which it moves on.
func (p *pull) pages(
	ctx context.Context, cursor *string, take func(context.Context) (taken, error),
) error {
	for empty, known := 0, 0; empty <= mostEmptyPages && known <= mostKnownPages; {
		page, err := take(ctx)
		switch {
		case err != nil:
			return err
		case page.more && page.next == *cursor:
			return errRepeats
		}
		empty, known, *cursor = empty+1, known+1, page.next
		if page.holds > 0 {
			empty = 0
		}
		if page.news > 0 {
			known = 0
		}
		if page.more && page.holds == 0 && !page.records {
			continue // its cursor is not saved: an interrupted pull asks for the page again
		}
		if err := p.save(ctx, page.records && !page.more); err != nil || !page.more {
			return err
		}
	}
	return errors.Join(ErrNothingNew, p.save(ctx, false))
}

// asked requests the page after a cursor, or the first one if the service no longer knows it.
func asked[T any](
	ctx context.Context, cursor *string, page func(context.Context, string) (T, error),
) (T, error) {
	got, err := page(ctx, *cursor)
	if isProblem(err, api.Malformed) && *cursor != "" {
		*cursor = ""
		got, err = page(ctx, "")
	}
	return got, err
}

// records keeps the records in force of the next page of the service's log.
func (p *pull) records(ctx context.Context) (taken, error) {
	feed, err := asked(ctx, &p.after, p.Service.Records)
	if err != nil {
		return taken{}, err
	}
	kept, err := p.inForce(ctx, feed.Records)
	p.pulled.InForce += kept
	return taken{feed.After, feed.More, len(feed.Records), kept, true}, err
}

// inForce keeps those of the records that are in force, and returns how many were not known.
func (p *pull) inForce(ctx context.Context, list []api.Record) (int, error) {
	var proven []signed.ServiceRecord
	for i := range list {
		if !list[i].InForce {
			continue
		}
		record, err := p.log.include(ctx, &list[i])
		if err != nil {
			return 0, err
		}
		proven = append(proven, record)
	}
	kept, err := p.Store.KeepServiceRecords(ctx, proven)
	if errors.Is(err, signed.ErrServiceRecord) {
		return 0, ErrForged
	}
	return len(kept), err
}

func (p *pull) packets(ctx context.Context) (taken, error) {
	page, err := p.page(ctx)
	if err != nil {
		return taken{}, err
	}
	before := p.pulled.Imported
	err = p.take(ctx, &page, p.cursor == "")
	return taken{page.Cursor, page.More, len(page.Packets), p.pulled.Imported - before, false}, err
}

// page requests the next page of packets, and meets the service by the first one.
func (p *pull) page(ctx context.Context) (api.Page, error) {
	page, err := asked(ctx, &p.cursor, p.Service.Page)
	switch {
	case err != nil:
		return api.Page{}, err
	case p.key != "" && page.Key != p.key:
		return api.Page{}, errChanged
	case p.key != "":
		return page, nil
	}
	if p.log, err = p.connect(ctx, &page); err == nil {
		p.key = page.Key
	}
	return page, err
}

// take keeps erasures and reassignments, stores packets, and reports those that it cannot store.
func (p *pull) take(ctx context.Context, page *api.Page, first bool) error {
	if err := unlessForged(p.Store.KeepErasures(ctx, api.Signed(page.Erasures))); err != nil {
		return err
	}
	list := make([]packets.Packet, 0, len(page.Packets))
	numbers := make([]int, 0, len(page.Packets))
	for _, document := range page.Packets {
		p.seen++
		packet, err := p.reader.ReadStored(document)
		switch {
		case err != nil:
			err = p.refuse(p.seen, packets.Key{}, err.Error())
		case packet.HoldsPrivate():
			err = p.refuse(p.seen, packet.Key(), "holds private details that the service should have masked")
		default:
			list, numbers = append(list, packet), append(numbers, p.seen)
		}
		if err != nil {
			return err
		}
	}
	if len(list) > 0 {
		if err := p.store(ctx, list, numbers); err != nil {
			return err
		}
	}
	reassigned := make([]verify.Ref, len(page.Reassigned))
	for i, r := range page.Reassigned {
		reassigned[i] = verify.Ref{Table: r.Table, Key: packets.Key{ID: r.ID, Number: r.Revision}}
	}
	kept, err := p.Store.KeepReassigned(ctx, reassigned, first)
	for i := 0; i < len(kept) && err == nil; i++ {
		err = p.Reassigned(kept[i])
	}
	if err == nil {
		p.Progress(int64(p.seen))
	}
	return err
}

func (p *pull) store(ctx context.Context, packets []packets.Packet, numbers []int) error {
	results, err := p.Store.Import(ctx, packets)
	for i := 0; i < len(results) && err == nil; i++ {
		switch {
		case results[i] == store.Imported:
			p.pulled.Imported++
		case results[i] == store.Unchanged:
			p.pulled.Unchanged++
		case packets[i].Erased():
			err = p.refuse(numbers[i], packets[i].Key(), reasonErased)
		default:
			err = p.refuse(numbers[i], packets[i].Key(), reasonConflict)
		}
	}
	return err
}

func (p *pull) refuse(number int, key packets.Key, reason string) error {
	p.pulled.Refused++
	return p.Refused(number, key, reason)
}

// KeepStated keeps the checkpoint of a service in a folder that it wrote, and its statements.
// operator is called with each statement about its operator that was not known.
func KeepStated(ctx context.Context, to Store, dir string, operator func(records.LogStatement) error) (err error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	head, err := b.Head(ctx)
	if err != nil {
		return err
	}
	var keys, others, erasures []signed.Statement
	for _, kept := range head.Statements {
		stated, err := records.ReadLogStatement(kept.Text)
		switch {
		case err != nil: // only its digest is there
		case stated.AboutKey():
			keys = append(keys, kept)
		case stated.Kind == records.Erased:
			erasures = append(erasures, kept)
		default:
			others = append(others, kept)
		}
	}
	named, err := to.KeepOperators(ctx, others)
	for i := 0; i < len(named) && err == nil; i++ {
		err = operator(named[i])
	}
	if err == nil {
		err = to.KeepRegistrations(ctx, keys)
	}
	if err == nil {
		err = to.KeepErasures(ctx, erasures)
	}
	if err == nil {
		err = to.KeepShown(ctx, string(head.Checkpoint))
	}
	return err
}
