package cli

import (
	"context"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// recordsAtATime is how many records are read at a time to find the one whose id begins with a text.
const recordsAtATime = 1000

// recordOf returns the id of the record that a text names: by its id, by a unique beginning of it, or
// by the id of a case or an amendment, whose record in force it is.
func (p *program) recordOf(ctx context.Context, s *store.Store, text string) (records.RecordID, error) {
	if id := records.RecordID(text); id.Valid() {
		return id, nil
	}
	id, ok := terms.ParseID(text)
	if !ok {
		return "", refused("that is not an id; `docket records` lists the records")
	}
	tables, err := s.Find(ctx, id)
	if err != nil {
		return "", err
	}
	for _, table := range tables {
		if table != terms.AppealCases && table != terms.AmendmentRecords {
			continue
		}
		file, err := s.CaseFile(ctx, table, id, 0, p.instant(), p.identities().Reviewer().ID)
		switch {
		case err != nil:
			return "", err
		case file.InForce.Present():
			return file.InForce, nil
		}
		return "", refused("no record is in force on %s; `docket records` lists the records", id)
	}
	found, err := recordsBeginning(ctx, s, text)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", refused("no record, case or amendment has the id %s, and no record's id begins with it; `docket records` lists the records", id)
	case len(found) > 1:
		return "", refused("the ids of %d records begin with %s; write more of the id", len(found), id)
	}
	return found[0], nil
}

func recordsBeginning(ctx context.Context, s *store.Store, text string) (found []records.RecordID, err error) {
	for before := int64(0); ; {
		page, err := s.Records(ctx, before, recordsAtATime)
		if err != nil || len(page) == 0 {
			return found, err
		}
		for i := range page {
			if strings.HasPrefix(string(page[i].Receipt.RecordID), text) {
				found = append(found, page[i].Receipt.RecordID)
			}
		}
		if before = page[len(page)-1].Receipt.Sequence; before == 0 {
			return found, nil
		}
	}
}
