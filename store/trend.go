package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"docket/domain"
)

// Trend counts the decisions of the area by week, up to the week that now is in. It reads the log backwards, as far as
// the trend goes; a record that cannot be read counts nowhere.
func (s *Store) Trend(ctx context.Context, area domain.Area, now domain.Instant) (domain.Trend, error) {
	trend := domain.NewTrend(area, now)
	err := s.reading(ctx, "read the trend", func(ctx context.Context, tx *sql.Tx) error { return readTrend(ctx, tx, &trend) })
	if err != nil {
		return domain.Trend{}, err
	}
	return trend, nil
}

func readTrend(ctx context.Context, tx *sql.Tx, trend *domain.Trend) (err error) {
	// A document that is no JSON any more would end the query, were its columns asked for.
	query := fmt.Sprintf("SELECT CASE WHEN json_valid(document) THEN recordedAt END, "+
		"CASE WHEN json_valid(document) THEN computedBlockers END FROM main.%s ORDER BY sequence DESC", domain.EnforcementTable(trend.Area))
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	since := trend.Since()
	for rows.Next() {
		var recordedAt, computed sql.NullString
		if err := rows.Scan(&recordedAt, &computed); err != nil {
			return err
		}
		at, _ := domain.ParseInstant(recordedAt.String)
		if at.Present() && at.Before(since) {
			return nil
		}
		var codes []domain.Blocker
		if json.Unmarshal([]byte(computed.String), &codes) == nil {
			trend.Add(at, codes)
		}
	}
	return rows.Err()
}
