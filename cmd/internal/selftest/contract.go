package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/contracts/report"
)

// bodyPointer is the pointer to the contract within a report.
const bodyPointer = "/publicContract"

// contractValidator checks the contract that this program publishes like any other publisher's. Then it checks that
// each copy without one code, text or definition fails, except where the source leaves their number open.
func contractValidator(kind report.Kind) check {
	return func(_ context.Context, b *bench) (string, error) {
		published, text, err := b.published(kind)
		if err != nil {
			return "", err
		}
		if published["ok"] != true {
			return "", errors.New("the report says of itself that it is not ok")
		}
		examine, err := b.examiner()
		if err != nil {
			return "", err
		}
		now := b.instant()
		found, err := examine(text, now)
		if err != nil {
			return "", err
		}
		if err := passes(kind, &found); err != nil {
			return "", err
		}
		removals := 0
		var unseen []string
		walk(at(published, bodyPointer), bodyPointer, func(pointer string, value any) {
			list, _ := value.([]any)
			if slices.Contains(report.OpenLists(), pointer) {
				return
			}
			for i := range list {
				copied := edited(published, pointer, slices.Delete(slices.Clone(list), i, i+1))
				removals++
				if found, err := examine(encoded(copied), now); err == nil && found.OK() {
					unseen = append(unseen, pointer)
				}
			}
		})
		if len(unseen) > 0 {
			return "", fmt.Errorf("no check sees that an entry of %s is gone", unseen[0])
		}
		if removals == 0 {
			return "", errors.New("the report has no list from which a code could be taken")
		}
		return fmt.Sprintf("%d contract checks and %d checks of the envelope with its schema pass; each of %d copies without one "+
			"entry is objected to", len(found.Checks), len(found.EnvelopeChecks), removals), nil
	}
}

// published returns the report of a kind, decoded and as published. It has to be the same each time.
func (b *bench) published(kind report.Kind) (object, []byte, error) {
	now := b.instant()
	first, err := b.publish(kind, now)
	if err != nil {
		return nil, nil, err
	}
	second, err := b.publish(kind, now)
	if err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(first, second) {
		return nil, nil, errors.New("the report published twice for one time is not the same")
	}
	whole, err := decoded(first)
	return whole, first, err
}

// passes checks that an examination passes every check of the contract, in their order.
func passes(kind report.Kind, found *report.Examination) error {
	var ids, want []string
	for _, check := range found.Checks {
		ids = append(ids, check.ID)
	}
	for _, title := range kind.CheckTitles() {
		want = append(want, title.ID)
	}
	switch {
	case found.Kind != kind || !found.VersionKnown:
		return errors.New("the report is not known as one of its own contract")
	case !slices.Equal(ids, want) || len(ids) == 0:
		return errors.New("the checks are not those that the contract publishes")
	case len(found.EnvelopeChecks) != len(report.EnvelopeTitles()):
		return errors.New("not every check of the envelope was run")
	case !found.OK():
		return fmt.Errorf("these checks fall short: %s", strings.Join(found.Blockers(), ", "))
	}
	return nil
}
