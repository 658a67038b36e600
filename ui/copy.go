package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A copyItem is an id or a hash that can be copied.
type copyItem struct{ what, text string }

// A copier is a screen that shows ids or hashes.
type copier interface{ copies(s *scene) []copyItem }

// copiesOf lists what can be copied from a screen: each text once, and none that has not the form of an id or a hash.
func copiesOf(on screen, s *scene) []copyItem {
	from, is := on.(copier)
	if !is {
		return nil
	}
	var list []copyItem
	seen := map[string]bool{}
	for _, item := range from.copies(s) {
		if copyable(item.text) && !seen[item.text] {
			seen[item.text] = true
			list = append(list, item)
		}
	}
	return list
}

// copyChooser raises the list of what can be copied.
func copyChooser(on screen, s *scene) effect { return raise{&copyMenu{items: copiesOf(on, s)}} }

// copyMenu lists what can be copied.
type copyMenu struct {
	items []copyItem
	list  list
}

func (m *copyMenu) press(p press, _ *console) effect {
	verbs := map[string]verb{"j": goDown, "down": goDown, "k": goUp, "up": goUp, "g": goTop, "home": goTop, "G": goBottom,
		"end": goBottom, "pgdown": pageDown, "pgup": pageUp, "tab": goDown, "shift+tab": goUp}
	if v, moves := verbs[p.name]; moves {
		m.list.move(v, len(m.items))
		return nil
	}
	at := m.list.cursor
	switch {
	case p.name == "esc", p.name == "q":
		return lower{}
	case len(p.name) == 1 && p.name[0] >= '1' && p.name[0] <= '9' && int(p.name[0]-'1') < len(m.items):
		at = int(p.name[0] - '1')
	case p.name != "enter" && p.name != "y":
		return nil
	}
	return several{lower{}, copying{m.items[at].what, m.items[at].text}}
}

func (m *copyMenu) keys() []overlayKey {
	return []overlayKey{{"enter", "copy"}, {"esc", "cancel"}, {"down", "down"}, {"up", "up"}, {"1", "copy first"}}
}

func (m *copyMenu) box(_ *console, width, height int) (line.Sheet, int) {
	size := min(width, 100)
	room := min(max(height-4, 1), len(m.items))
	top, end := m.list.window(len(m.items), room)
	labels := 0
	for _, item := range m.items {
		labels = max(labels, line.Width(item.what))
	}
	labels = min(labels, max(size/3, 8))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		number := "  "
		if i < 9 {
			number = wording.Thousands(i+1) + " "
		}
		row := line.Of(theme.Accent, number).Plus(line.Of(theme.Plain, m.items[i].what).Pad(labels)).
			And(theme.Dim, "  "+m.items[i].text)
		sheet = append(sheet, cursorLine(row, i == m.list.cursor, size-4))
	}
	if height > len(sheet)+3 {
		keys := line.Of(theme.Accent, "↵").And(theme.Dim, " copy   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
		sheet = append(sheet, nil, keys)
	}
	return line.Box("copy to the clipboard", sheet.Window(0, height-2), size), size
}

// copies of the queue are the id under the cursor.
func (q *queueScreen) copies(*scene) []copyItem {
	if row, any := q.docket().selected(); any {
		return []copyItem{{"id", string(row.ID)}, {"assigned to", string(row.AssignedTo)}}
	}
	return nil
}

func (p *packetScreen) copies(*scene) []copyItem {
	if p.dossier == nil {
		return []copyItem{{"id", string(p.request.id)}}
	}
	if p.items != nil {
		return p.items // the digest of a large packet takes its time
	}
	p.items = viewCopies(&p.dossier.View)
	for i := range p.dossier.Records {
		p.items = append(p.items, copyItem{"record", string(p.dossier.Records[i].Receipt.RecordID)})
	}
	for i := range p.dossier.Elsewhere {
		p.items = append(p.items, copyItem{"record on another revision", string(p.dossier.Elsewhere[i].Receipt.RecordID)})
	}
	return p.items
}

// viewCopies are the ids and hashes of a packet in view.
func viewCopies(v *domain.View) []copyItem {
	items := []copyItem{{"id", string(v.Key().ID)}}
	if c := v.Record().AppealCase(); c.Held() {
		record := c.Record()
		items = append(items, copyItem{"subject id", string(record.SubjectID)}, copyItem{"case hash", record.CaseHash.String()},
			copyItem{"scope hash", record.ScopeHash.String()}, copyItem{"policy id", string(record.PolicyID)},
			copyItem{"policy hash", record.PolicyHash.String()})
	}
	if a := v.Record().Amendment(); a.Held() {
		record := a.Record()
		items = append(items, copyItem{"agreement id", string(record.AgreementID)}, copyItem{"owner id", string(record.OwnerID)},
			copyItem{"amendment hash", record.AmendmentHash.String()}, copyItem{"terms before", record.BeforeTermsHash.String()},
			copyItem{"terms after", record.AfterTermsHash.String()}, copyItem{"policy id", string(record.PolicyID)},
			copyItem{"policy hash", record.PolicyHash.String()})
	}
	return append(items, copyItem{"recomputed hash", v.Record().Digests().Content.String()})
}

func (r *recordsScreen) copies(*scene) []copyItem {
	if r.total == 0 {
		return nil
	}
	return recordCopies(r.at(r.list.cursor))
}

func (r *recordScreen) copies(*scene) []copyItem { return recordCopies(r.logged) }

// recordCopies are the ids and hashes of a record.
func recordCopies(logged *domain.LoggedRecord) []copyItem {
	items := receiptCopies(&logged.Receipt)
	if logged.Unreadable != "" {
		return items
	}
	m := logged.Record.Members()
	return append(items, copyItem{"packet", string(m.Key.ID)}, copyItem{"content hash", m.ContentHash.String()},
		copyItem{"policy id", string(m.Policy.ID)}, copyItem{"policy hash", m.PolicyHash.String()},
		copyItem{"packet digest", m.PacketDigest.String()}, copyItem{"supersedes", string(m.Supersedes)},
		copyItem{"superseded by", string(logged.SupersededBy)}, copyItem{"reviewer's key", m.Reviewer.KeyFingerprint},
		copyItem{"record in force at the service", string(logged.HandIn.Rejection.InForce)},
		copyItem{"root of the service's log", logged.HandIn.Receipt.Root.String()})
}

func (r *receiptScreen) copies(*scene) []copyItem {
	return append(receiptCopies(&r.receipt), copyItem{"packet", string(r.key.ID)})
}

// receiptCopies are the ids and hashes of a receipt.
func receiptCopies(r *domain.Receipt) []copyItem {
	return []copyItem{{"record", string(r.RecordID)}, {"leaf hash", r.LeafHash.String()}, {"root", r.Root.String()}}
}
