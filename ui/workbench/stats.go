package workbench

import (
	"context"

	"docket/domain/records"
	"docket/domain/stats"
)

// statsPage is how many records are read at once for the figures of a period.
const statsPage = 500

// Stats counts the decisions of a period. It reads the records page by page and keeps none; progress, if it is not nil,
// is called now and then with their number.
func (d *Workbench) Stats(ctx context.Context, period stats.Period, progress func(read int64)) (stats.Figures, error) {
	tally, read := stats.New(period), int64(0)
	for after := records.RecordID(""); ; {
		page, err := d.Store.StatsPage(ctx, period, after, statsPage)
		if err != nil {
			return stats.Figures{}, err
		}
		for i := range page {
			tally.Add(&page[i])
		}
		if len(page) < statsPage {
			return tally.Figures(), nil
		}
		read, after = read+int64(len(page)), page[len(page)-1].ID
		if progress != nil {
			progress(read)
		}
	}
}
