package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
)

// mark tells how far the store has grown, and how many rows the queue of the area has at most.
func (s *Store) mark(ctx context.Context, area domain.Area) (mark domain.QueueMark, total int64, err error) {
	err = s.reading(ctx, "read the queue", func(ctx context.Context, tx *sql.Tx) error {
		mark, err = markOf(ctx, tx, area)
		return err
	})
	return mark, mark.Packets, err
}

func markOf(ctx context.Context, tx *sql.Tx, area domain.Area) (mark domain.QueueMark, err error) {
	for _, count := range []struct {
		into  *int64
		query string
	}{
		{&mark.Packets, "SELECT coalesce(max(rowid), 0) FROM main." + domain.RecordTable(area).String()},
		{&mark.Policies, "SELECT coalesce(max(rowid), 0) FROM main." + domain.PolicyTable(area).String()},
		{&mark.Records, "SELECT coalesce(max(sequence) + 1, 0) FROM main." + logTable},
		{&mark.Rejections, "SELECT coalesce(max(position) + 1, 0) FROM main." + rejectionsTable},
	} {
		if err := tx.QueryRowContext(ctx, count.query).Scan(count.into); err != nil {
			return domain.QueueMark{}, err
		}
	}
	return mark, nil
}

// QueueNews tells what has changed in the queue of an area since a mark: packets that came, records that were
// appended and records that the service turned away, on whatever console that was. Skips are the reviewer's own and not in it.
func (s *Store) QueueNews(ctx context.Context, area domain.Area, since domain.QueueMark) (news domain.QueueNews, err error) {
	err = s.reading(ctx, "read the queue", func(ctx context.Context, tx *sql.Tx) error {
		if news.Mark, err = markOf(ctx, tx, area); err != nil {
			return err
		}
		if news.Mark.Policies != since.Policies || news.Mark.Packets-since.Packets > mostNews ||
			news.Mark.Records-since.Records > mostNews || news.Mark.Rejections-since.Rejections > mostNews {
			news.Everything = true
			return nil
		}
		packets, records := domain.RecordTable(area), domain.EnforcementTable(area)
		if err := newsOf(ctx, tx, packets, "rowid > ?", since.Packets, &news); err != nil {
			return err
		}
		if err := newsOf(ctx, tx, records, "sequence >= ?", since.Records, &news); err != nil {
			return err
		}
		const rejected = "sequence IN (SELECT sequence FROM main." + rejectionsTable + " WHERE position >= ?)"
		return newsOf(ctx, tx, records, rejected, since.Rejections, &news)
	})
	if err != nil {
		return domain.QueueNews{}, err
	}
	return news, nil
}

// mostNews is how many changes are told one by one.
const mostNews = 2000

// newsOf adds the ids of rows of a table.
func newsOf(ctx context.Context, tx *sql.Tx, table domain.Table, where string, since int64, news *domain.QueueNews) error {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT %s, %s FROM main.%s WHERE %s", quote(id), quote(number), table, where)
	return keyed(ctx, tx, query, []any{since}, nil, func(key domain.Key) error {
		news.IDs = append(news.IDs, key.ID)
		return nil
	})
}

// keyed goes over rows that start with an id and a number.
func keyed(ctx context.Context, tx *sql.Tx, query string, args, more []any, each func(domain.Key) error) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key domain.Key
		if err := rows.Scan(append([]any{&key.ID, &key.Number}, more...)...); err != nil {
			return err
		}
		if err := each(key); err != nil {
			return err
		}
	}
	return rows.Err()
}
