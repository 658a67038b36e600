package packet

import (
	"fmt"
	"slices"
	"sort"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// View draws the part of the packet that the window shows and notes its sections as shown.
func (p *Screen) View(s *screen.Scene) line.Sheet {
	if p.CaseFile == nil {
		return p.waiting(s)
	}
	before, height := p.drawn.width, p.scroll.Height
	l := p.laid(s)
	top := p.scroll.Window(len(l.sheet), s.Height)
	if before != 0 && (before != p.drawn.width || height != s.Height) {
		p.reveal(&l.stops[l.find(p.cursor)]) // the window has changed; the reader's place stays
		top = p.scroll.Top
	}
	p.note(l, top, s)
	here := &l.stops[l.find(p.cursor)]
	left := make(line.Sheet, 0, s.Height)
	width := p.drawn.width + gutter(s)
	for i := top; i < min(top+s.Height, len(l.sheet)); i++ {
		left = append(left, marked(l.sheet[i].Marked(p.search.text, theme.Accent), i >= here.first &&
			i <= here.last, here.key != "" && !s.Faded, width, s))
	}
	if p.Typing() && s.Height > 0 {
		count := line.Of(theme.Dim, wording.Plural(len(p.search.finds), "match", "matches"))
		typed := line.Spread(p.search.editor.View(max(width-count.Width()-2, 8)), count, width)
		left = append(left.To(s.Height)[:s.Height-1:s.Height-1], typed)
	}
	if !p.drawn.beside {
		return left
	}
	return line.Beside(left, p.pane(here, s), width, s.Height)
}

func gutter(s *screen.Scene) int {
	if s.Compact {
		return 1
	}
	return 2
}

func marked(l line.Line, here, selected bool, width int, s *screen.Scene) line.Line {
	blank := widget.Spaces(gutter(s) - 1)
	if !here {
		return line.Of(theme.Plain, " "+blank).Plus(l).Fit(width)
	}
	out := line.Of(theme.Accent, "▌"+blank).Plus(l)
	if selected {
		return out.Selected(width)
	}
	return out.Fit(width)
}

func (p *Screen) waiting(s *screen.Scene) line.Sheet {
	text := line.Of(theme.Dim, "Opening the packet …")
	if p.trouble != "" {
		text = line.Of(theme.Bad, "✗ "+wording.NotOpened+": ").And(theme.Plain, p.trouble+".").
			And(theme.Dim, fmt.Sprintf(" %s goes back, %s tries again.",
				s.Key(action.GoBack, action.InPacket), s.Key(action.Reread, action.InPacket)))
	}
	return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.Width, 2)...)
}

// note adds the sections that have been in the window as a whole to those seen.
func (p *Screen) note(l *packetText, top int, s *screen.Scene) {
	if s.Covered {
		return
	}
	end := min(top+s.Height, len(l.sheet))
	for i := top; i < end; i++ {
		p.drawn.lit[i] = true
	}
	fresh := false
	at := sort.Search(len(l.rows), func(i int) bool { return l.rows[i].last >= top })
	for ; at < len(l.rows) && l.rows[at].first < end; at++ {
		row := &l.rows[at]
		if !p.lit[row.spot] && !slices.Contains(p.drawn.lit[row.first:row.last+1], false) {
			p.lit[row.spot], fresh = true, true
		}
	}
	if !fresh {
		return
	}
	dark, texts, unlit := map[views.SectionName]bool{}, false, false
	for i := range l.rows {
		lit, text := p.lit[l.rows[i].spot], l.rows[i].key == views.PartSaid.String()
		if !lit {
			dark[l.rows[i].name] = true
		}
		texts, unlit = texts || text, unlit || text && !lit
	}
	p.Said = p.Said || texts && !unlit
	for i := range l.rows {
		if name := l.rows[i].name; !dark[name] && !l.unlit[name] && !slices.Contains(p.Seen, name) {
			p.Seen = append(p.Seen, name)
		}
	}
}

func (p *Screen) Title(s *screen.Scene) line.Line {
	noun := "case "
	if terms.AreaOf(p.Request.Table) == terms.Amendments {
		noun = "amendment "
	}
	left := line.Of(theme.Dim, noun).And(theme.Strong, string(p.Key().ID))
	if p.CaseFile == nil {
		return left
	}
	left = widget.GateMark(records.GateWith(&p.CaseFile.View, 0)).And(theme.Plain, " ").Plus(left).
		And(theme.Dim, fmt.Sprintf(" revision %s", wording.Thousands(int(p.Key().Number))))
	if newest := p.CaseFile.Revisions; len(newest) > 0 && newest[len(newest)-1] > p.Key().Number {
		left = left.And(theme.Warn, fmt.Sprintf(" of %s", wording.Thousands(int(newest[len(newest)-1]))))
	}
	if p.CaseFile.Rejected() != nil {
		left = left.And(theme.Plain, "  ").Plus(widget.RejectedWord())
	}
	if s.Compact {
		return left
	}
	if c := p.CaseFile.View.Record().AppealCase(); c.Held() {
		record := c.Record()
		right := p.due(s)
		if left.Width()+1+right.Width() > s.Width {
			return left // the id is not cut
		}
		what := wording.OrDash(record.Subject.Label()) + " · " + wording.OrDash(record.Trigger.Label())
		return line.Spread(left.And(theme.Dim, " · "+what), right, s.Width)
	}
	record := p.CaseFile.View.Record().Amendment().Record()
	return line.Spread(left.And(theme.Dim, " · "+wording.OrDash(record.Transition.Label())),
		line.Of(theme.Dim, record.State.Label()), s.Width)
}

func (p *Screen) due(s *screen.Scene) line.Line {
	row := p.CaseFile.Row()
	switch {
	case row.Reassigned:
		return line.Of(theme.Warn, widget.GivenMark+" "+queue.GivenAway)
	case row.Closed():
		return line.Of(theme.Dim, fmt.Sprintf("%s closed", widget.ClosedMark(row.Decided)))
	case row.Waiting():
		return line.Of(theme.Dim, "■ "+wording.Waits(&row, s.Now))
	case row.AwaitsRecord():
		return line.Of(theme.Warn, widget.AwaitsMark+" "+queue.RelianceWaits)
	}
	return widget.TimeLeft(row.Due(), s.Now)
}

func (p *Screen) Topics(s *screen.Scene) []topic.Topic {
	if p.CaseFile == nil {
		return nil
	}
	return topic.Held(append(append([]topic.Topic(nil), p.here(s).topics...), topic.OfView(&p.CaseFile.View)...), p.Blind)
}

func (p *Screen) pane(here *stop, s *screen.Scene) line.Sheet {
	width, v := min(s.Width-p.drawn.width-gutter(s)-line.BesideGap, widget.ProseWidth), &p.CaseFile.View
	var sheet line.Sheet
	section := func(title string, text line.Sheet) {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(append(sheet, widget.Heading(title, width)), text...)
	}
	own := false
	for i := range here.topics {
		t := here.topics[i]
		t.Blind = p.Blind
		own = own || t.Trigger.Present() || t.Transition.Present()
		if i > 0 {
			sheet = append(append(sheet, nil), t.Text(width)...)
			continue
		}
		section("What this line is about", t.Text(width))
	}
	if trigger, known := topic.TriggerOf(v); known && !own {
		section(fmt.Sprintf("The rule for %s", wording.OrDash(trigger.Label())), widget.RowLines(topic.RuleRows(v, p.Blind), width, s.ASCII))
	}
	if topics := topic.OfTransition(v); len(topics) > 0 && !own {
		section("The transition", topics[0].Text(width))
	}
	if len(here.topics) == 0 && v.Evaluation().BlockerSet().Empty() {
		section("The gate", line.Of(theme.Dim, "No blockers. Go to a line about a trigger, a transition or a blocker to read "+
			"the contract's text on it here.").Wrap(width, 0))
	}
	return topic.Shortened(sheet, s.Height, s.Key(action.Explain, action.InPacket)+" shows")
}

func (p *Screen) Copies(*screen.Scene) []screen.CopyItem {
	if p.CaseFile == nil {
		return []screen.CopyItem{{What: "id", Text: string(p.Request.ID)}}
	}
	if p.items != nil {
		return p.items // the digest of a large packet takes its time
	}
	p.items = Copies(&p.CaseFile.View)
	for i := range p.CaseFile.Records {
		p.items = append(p.items, screen.Copy("record", string(p.CaseFile.Records[i].Receipt.RecordID)))
	}
	for i := range p.CaseFile.Elsewhere {
		p.items = append(p.items, screen.Copy("record on another revision", string(p.CaseFile.Elsewhere[i].Receipt.RecordID)))
	}
	return p.items
}

// Copies are the ids and hashes of a packet in view.
func Copies(v *views.View) []screen.CopyItem {
	items := []screen.CopyItem{{What: "id", Text: string(v.Key().ID)}}
	if c := v.Record().AppealCase(); c.Held() {
		record := c.Record()
		items = append(items, screen.Copy("subject id", string(record.SubjectID)), screen.Copy("case hash", record.CaseHash.String()),
			screen.Copy("scope hash", record.ScopeHash.String()), screen.Copy("policy id", string(record.PolicyID)),
			screen.Copy("policy hash", record.PolicyHash.String()))
	}
	if a := v.Record().Amendment(); a.Held() {
		record := a.Record()
		items = append(items, screen.Copy("agreement id", string(record.AgreementID)), screen.Copy("owner id", string(record.OwnerID)),
			screen.Copy("amendment hash", record.AmendmentHash.String()), screen.Copy("terms before", record.BeforeTermsHash.String()),
			screen.Copy("terms after", record.AfterTermsHash.String()), screen.Copy("policy id", string(record.PolicyID)),
			screen.Copy("policy hash", record.PolicyHash.String()))
	}
	return append(items, screen.Copy("recomputed hash", v.Record().Digests().Content.String()))
}
