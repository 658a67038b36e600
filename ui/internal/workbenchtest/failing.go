package workbenchtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/views"
)

func or[T any](d *Workbench, found T, err error) (T, error) {
	if d.Failing != nil {
		return *new(T), d.Failing
	}
	return found, err
}

// Top lists the first rows, after those that cannot be read.
func (d *Workbench) Top(ctx context.Context, area terms.Area, most int) ([]queue.Row, error) {
	rows, err := d.Workbench.Top(ctx, area, most)
	return or(d, append(slices.Clone(d.broken[area]), rows...), err)
}

func (d *Workbench) Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (
	*queue.Queue, queue.Watermark, error) {
	read, mark, err := d.Workbench.Queue(ctx, area, progress)
	if err != nil || d.Failing != nil {
		return nil, queue.Watermark{}, errors.Join(err, d.Failing)
	}
	rows := slices.Clone(d.broken[area])
	for _, row := range read.All() {
		rows = append(rows, row)
	}
	return queue.New(area, rows), mark, nil
}

func (d *Workbench) Changes(ctx context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error) {
	changes, err := d.Workbench.Changes(ctx, area, since)
	return or(d, changes, err)
}

func (d *Workbench) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	if d.Panics {
		panic("the disk is on fire")
	}
	file, err := d.Workbench.Open(ctx, table, id, revision)
	return or(d, file, err)
}

func (d *Workbench) Record(ctx context.Context, view *views.View, choice records.Choice, note string) (records.Receipt, error) {
	if d.Refusing != nil {
		if d.Signing != nil {
			_ = d.Signing(ctx)
		}
		return records.Receipt{}, d.Refusing
	}
	receipt, err := d.Workbench.Record(ctx, view, choice, note)
	if err != nil {
		return receipt, err
	}
	d.mutex.Lock()
	d.notes, d.choices = append(d.notes, note), append(d.choices, choice)
	d.mutex.Unlock()
	if d.Appended != nil {
		d.Appended(ctx)
	}
	return receipt, nil
}

func (d *Workbench) Skip(ctx context.Context, table terms.Table, key packets.Key, reason string) error {
	if d.Failing != nil {
		return d.Failing
	}
	return d.Workbench.Skip(ctx, table, key, reason)
}

func (d *Workbench) SaveDraft(ctx context.Context, table terms.Table, key packets.Key, draft records.Draft) error {
	if d.Failing != nil {
		return d.Failing
	}
	return d.Workbench.SaveDraft(ctx, table, key, draft)
}

func (d *Workbench) DropDraft(ctx context.Context, table terms.Table, key packets.Key) error {
	if d.Failing != nil {
		return d.Failing
	}
	return d.Workbench.DropDraft(ctx, table, key)
}

func (d *Workbench) Records(ctx context.Context, before int64, most int) (records.Page, error) {
	d.mutex.Lock()
	d.pages++
	d.mutex.Unlock()
	page, err := d.Workbench.Records(ctx, before, most)
	return or(d, page, err)
}

func (d *Workbench) HandIns(ctx context.Context) (records.HandInTally, error) {
	tally, err := d.Workbench.HandIns(ctx)
	return or(d, tally, err)
}

func (d *Workbench) Examine(ctx context.Context, from, to int64) ([]records.State, error) {
	d.mutex.Lock()
	d.examined++
	d.mutex.Unlock()
	states, err := d.Workbench.Examine(ctx, from, to)
	return or(d, states, err)
}

func (d *Workbench) Stats(ctx context.Context, period stats.Period, progress func(int64)) (stats.Figures, error) {
	figures, err := d.Workbench.Stats(ctx, period, progress)
	return or(d, figures, err)
}

func (d *Workbench) Reasons(ctx context.Context, id records.RecordID) (string, error) {
	text, err := d.Workbench.Reasons(ctx, id)
	return or(d, text, err)
}

func (d *Workbench) Statement(ctx context.Context, id records.RecordID) (laid pages.Page, sound bool, err error) {
	if laid, sound, err = d.Workbench.Statement(ctx, id); d.Failing != nil {
		return pages.Page{}, false, d.Failing
	}
	return laid, sound, err
}

func (d *Workbench) PlanErasures(ctx context.Context, list []records.Erasure) ([]records.ErasurePlan, error) {
	plans, err := d.Workbench.PlanErasures(ctx, list)
	return or(d, plans, err)
}

func (d *Workbench) Erase(ctx context.Context, e records.Erasure) error {
	if d.Refusing != nil {
		return d.Refusing
	}
	return d.Workbench.Erase(ctx, e)
}

func (d *Workbench) Contracts(ctx context.Context) ([]pages.Page, error) {
	pages, err := d.Workbench.Contracts(ctx)
	return or(d, pages, err)
}

// WriteStatement keeps what is written in Written.
func (d *Workbench) WriteStatement(_ context.Context, path, text string, replace bool) error {
	defer d.lock()()
	if d.Failing != nil {
		return d.Failing
	}
	if _, there := d.Written[path]; there && !replace {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if d.Written == nil {
		d.Written = map[string]string{}
	}
	d.Written[path] = text
	return nil
}

// Export tells of its progress, and writes nothing.
func (d *Workbench) Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (records.LogHead, error) {
	progress("writing records", 1, 2)
	if d.Exporting != nil {
		if err := d.Exporting(ctx, folder); err != nil {
			return records.LogHead{}, err
		}
	}
	progress("reading it back", 2, 2)
	head, err := d.Store.Head(ctx)
	return or(d, head, err)
}
