package queue

import (
	"context"
	"slices"

	"docket/domain/queue"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/wording"
)

// The preview of the case under the cursor, whose packet is read in a command: the read of one that
// the cursor has left is cancelled and its result dropped. Until a packet is read, the preview
// shows its row.

type previews struct {
	beside  bool // the window has room for a preview beside the list
	drawn   bool // something of a packet shows, beside the list or below it
	kept    []*kept
	reading *reading
	round   int // how often the reader has asked to reload
}

type kept struct {
	of      previewed
	preview *packet.Preview
	trouble string
}

// previewed is the key of a preview, which is current while it is unchanged.
type previewed struct {
	row   queue.Row
	mark  queue.Watermark
	round int // how often the reader has asked to reload
}

type reading struct {
	of     previewed
	cancel context.CancelFunc
}

const mostKept = 8

func (q *Screen) wanted() (previewed, bool) {
	row, any := q.current().selected()
	return previewed{row, q.current().mark, q.previews.round}, any && row.Unreadable == ""
}

func (p *previews) find(of previewed) *kept {
	for _, one := range p.kept {
		if one.of == of {
			return one
		}
	}
	return nil
}

// keep stores a packet in place of an earlier one of its row; the oldest one goes.
func (p *previews) keep(one *kept) {
	p.kept = slices.DeleteFunc(p.kept, func(k *kept) bool { return k.of.row.ID == one.of.row.ID && k.of.row.Table == one.of.row.Table })
	p.kept = append(p.kept, one)
	p.kept = slices.Delete(p.kept, 0, max(len(p.kept)-mostKept, 0))
}

// Fetch reads the packet whose preview is wanted, and ends the read of one that was left.
func (q *Screen) Fetch(s *screen.Scene) screen.Cmd {
	p := &q.previews
	of, is := q.wanted()
	switch is = is && p.drawn && p.find(of) == nil; {
	case p.reading == nil && is:
		return q.readPreview(s, of)
	case p.reading != nil && (!p.drawn || is && p.reading.of != of):
		p.reading.cancel()
	}
	return nil
}

func (q *Screen) readPreview(s *screen.Scene, of previewed) screen.Cmd {
	wanted, cancel := context.WithCancel(context.Background())
	q.previews.reading = &reading{of, cancel}
	return s.Background("reading a preview", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		var file queue.CaseFile
		var err error
		if wanted.Err() == nil {
			ctx, stop := context.WithCancel(ctx)
			defer stop()
			defer context.AfterFunc(wanted, stop)()
			file, err = workbench.Open(ctx, of.row.Table, of.row.ID, of.row.Revision)
		}
		cancelled := wanted.Err() != nil
		return func(s *screen.Scene) screen.Cmd {
			cancel()
			q.previews.reading = nil
			switch one := (&kept{of: of}); {
			case cancelled:
			case err != nil:
				one.trouble = err.Error()
				q.previews.keep(one)
			default:
				one.preview = packet.NewPreview(&file, s)
				q.previews.keep(one)
			}
			return nil
		}
	})
}

// under is the packet under the cursor; while it is read again with its row unchanged, the old one.
func (q *Screen) under() *kept {
	of, is := q.wanted()
	at := slices.IndexFunc(q.previews.kept, func(k *kept) bool { return k.of.row == of.row })
	if !is || at < 0 {
		return nil
	}
	return q.previews.kept[at]
}

func markedTexts(sheet line.Sheet, marks []queue.Mark) line.Sheet {
	for _, mark := range marks {
		for i := range sheet {
			if mark.InTexts {
				sheet[i] = sheet[i].MarkedWords(mark.Text, theme.Accent)
			}
		}
	}
	return sheet
}

func (q *Screen) previewSheet(s *screen.Scene, contract int) line.Sheet {
	row, any := q.current().selected()
	if !any {
		return nil
	}
	sheet := line.Sheet(caseHead(&row, false, s.Width).Wrap(s.Width, 2))
	below := *s
	below.Height = max(s.Height-len(sheet), 0)
	one, topics := q.under(), topic.RuleFirst(topic.OfRow(&row))
	switch {
	case one == nil:
		sheet = append(sheet, packet.Awaited(&row, &below)...)
	case one.trouble != "":
		sheet = append(sheet, line.Of(theme.Bad, "✗ "+wording.NotOpened+": ").And(theme.Plain, one.trouble+".").Wrap(s.Width, 2)...)
	default:
		sheet, topics = append(sheet, markedTexts(one.preview.View(&below), q.current().Filter.Marks())...), one.preview.Topics()
	}
	if contract == 0 {
		return sheet
	}
	return line.Beside(sheet, topic.Column("The contract", topics, contract, s.Height,
		s.Key(action.Explain, action.InQueue)), s.Width, s.Height)
}
