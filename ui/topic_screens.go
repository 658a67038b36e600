package ui

import (
	"docket/domain"
	"docket/ui/decision"
)

// The topics of the screens that are not about one packet alone.

// topics of the queue are those of the row under the cursor.
func (q *queueScreen) topics(*scene) []topic {
	if row, any := q.docket().selected(); any {
		return queueTopics(&row)
	}
	return nil
}

// topics of a decision are the blocker under the cursor, where there is one, then those of the packet.
func (d *decideScreen) topics(*scene) []topic {
	var topics []topic
	if d.Step() == decision.Blockers {
		if rule, any := d.blockerAtCursor(); any {
			topics = codeTopics(d.View().Area(), []domain.Blocker{rule.Code}, d.View())
		}
	}
	return append(topics, viewTopics(d.View())...)
}

// topics of the board are the blocker under the cursor, or the trigger or transition that cases are counted by.
func (b *boardScreen) topics(*scene) []topic {
	counted, _ := b.count()
	if len(counted.list) == 0 {
		return nil
	}
	here := &counted.list[clamp(b.list.cursor, len(counted.list))]
	if here.rule != nil {
		return codeTopics(b.area, []domain.Blocker{here.rule.Code}, nil)
	}
	return queueTopics(&domain.QueueRow{Trigger: domain.AnyWord(here.value)})
}

func (r *recordsScreen) topics(*scene) []topic {
	if r.total == 0 || r.at(r.list.cursor).Unreadable != "" {
		return nil
	}
	return recordTopics(r.at(r.list.cursor).Record.Members())
}

func (r *recordScreen) topics(*scene) []topic { return recordTopics(r.logged.Record.Members()) }
