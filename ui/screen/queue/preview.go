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

// The preview of the case under the cursor. Packets are read in commands, one at a time: the one under the cursor first, then its
// neighbours. The read of a packet that the cursor has left is cancelled and its result dropped. Until a packet is read, the preview shows its row.

type previews struct {
	beside  bool // the window has room for a preview beside the list
	drawn   bool // something of a packet shows, beside the list or below it
	kept    []*kept
	reading *reading
	round   int // how often the reader has asked to reload
	from    int // where the cursor was when the neighbours were last chosen
	step    int // the direction in which it went there
}

type kept struct {
	of      previewed
	preview *packet.Preview
	trouble string
	weight  int // of the packet, in bytes
}

// previewed is the key of a preview. While it is unchanged, the preview is current.
type previewed struct {
	row   queue.Row
	mark  queue.Watermark
	round int // how often the reader has asked to reload
}

type reading struct {
	of     previewed
	cancel context.CancelFunc
}

// How many packets are kept, and how many bytes of packets: the one under the cursor stays in any case.
const (
	mostKept      = 8
	mostKeptBytes = 4 << 20
)

func (p *previews) of(d *areaQueue, at int) (previewed, bool) {
	if at < 0 || at >= len(d.shown) {
		return previewed{}, false
	}
	row := d.row(at)
	return previewed{row, d.mark, p.round}, row.Unreadable == ""
}

func (p *previews) wanted(d *areaQueue) (list []previewed) {
	if at := d.list.Cursor; at != p.from || p.step == 0 {
		p.step = 1
		if at < p.from {
			p.step = -1
		}
		p.from = at
	}
	for _, by := range []int{0, p.step, 2 * p.step, -p.step} {
		if of, is := p.of(d, d.list.Cursor+by); is {
			list = append(list, of)
		}
	}
	return list
}

func (p *previews) find(of previewed) *kept {
	for _, one := range p.kept {
		if one.of == of {
			return one
		}
	}
	return nil
}

// keep stores a packet in place of an earlier one of its row. The least recently used packets are dropped first.
func (p *previews) keep(one *kept) {
	p.kept = slices.DeleteFunc(p.kept, func(k *kept) bool { return k.of.row.ID == one.of.row.ID && k.of.row.Table == one.of.row.Table })
	p.kept = append(p.kept, one)
	weight := 0
	for i := len(p.kept) - 1; i >= 0; i-- {
		weight += p.kept[i].weight
		if i < len(p.kept)-1 && (weight > mostKeptBytes || len(p.kept)-i > mostKept) {
			p.kept = slices.Delete(p.kept, 0, i+1)
			return
		}
	}
}

// Fetch reads the packets whose previews are wanted and not there, and ends a round that was left.
func (q *Screen) Fetch(s *screen.Scene) screen.Cmd {
	p := &q.previews
	if !p.drawn {
		if p.reading != nil {
			p.reading.cancel()
		}
		return nil
	}
	for i, of := range p.wanted(q.current()) {
		if p.find(of) != nil {
			continue
		}
		if p.reading == nil {
			return q.readPreview(s, of)
		}
		if i == 0 && p.reading.of != of {
			p.reading.cancel() // the cursor has moved on
		}
		return nil
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
				one.preview, one.weight = packet.NewPreview(&file, s), len(file.View.Record().Document())
				q.previews.keep(one)
			}
			return nil
		}
	})
}

// under is the packet of the line under the cursor. While it is being read again after a change of the store, under is the earlier one, if the row is
// unchanged. It is nil if there is none yet.
func (q *Screen) under() *kept {
	d, p := q.current(), &q.previews
	of, is := p.of(d, d.list.Cursor)
	if !is {
		return nil
	}
	at := slices.IndexFunc(p.kept, func(k *kept) bool { return k.of.row == of.row })
	if at < 0 {
		return nil
	}
	one := p.kept[at]
	p.touch(one)
	return one
}

func (p *previews) touch(one *kept) {
	at := slices.Index(p.kept, one)
	p.kept = append(slices.Delete(p.kept, at, at+1), one)
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
		sheet, topics = append(sheet, markedTexts(one.preview.View(&below), q.current().showsFilter.Marks())...), one.preview.Topics()
	}
	if contract == 0 {
		return sheet
	}
	return line.Beside(sheet, topic.Column("The contract", topics, contract, s.Height, s.Key(action.Explain, action.InQueue)), s.Width, s.Height)
}
