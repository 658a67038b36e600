package workbenchtest

import (
	"context"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// PlanErasures looks at what there is of a list.
func (d *Workbench) PlanErasures(_ context.Context, list []records.Erasure) (plans []records.ErasurePlan, err error) {
	defer d.lock()()
	if d.Failing != nil {
		return nil, d.Failing
	}
	for _, e := range list {
		plan := records.ErasurePlan{Erasure: e, Rows: 1}
		if before, is := d.erased[e.Object()]; is {
			plan.Before = &before
		} else if !d.holds(e) {
			continue
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// holds reports whether something that can be erased is there.
func (d *Workbench) holds(e records.Erasure) bool {
	at := slices.IndexFunc(d.log, func(l records.LoggedRecord) bool { return l.Receipt.RecordID == e.Record })
	switch e.What {
	case records.ErasableNote:
		return at >= 0 && d.log[at].Unreadable == "" && d.log[at].Record.Members().NoteDigest.Present()
	case records.ErasableStatement:
		return at >= 0 && d.log[at].Unreadable == "" && d.log[at].Record.Members().StatementDigest.Present()
	case records.ErasableDraft:
		return d.draft(e.Key).Present()
	case records.ErasableSkip:
		return d.skips[e.Key] != ""
	}
	return d.packetAt(e) >= 0
}

func (d *Workbench) packetAt(e records.Erasure) int {
	return slices.IndexFunc(d.packets[terms.AreaOf(e.Table)], func(p packets.Packet) bool { return p.Table() == e.Table && p.Key() == e.Key })
}

// Erase erases; Signing and Refusing are asked as for a record.
func (d *Workbench) Erase(ctx context.Context, e records.Erasure) error {
	if d.Signing != nil {
		if err := d.Signing(ctx); err != nil {
			return err
		}
	}
	defer d.lock()()
	if d.Refusing != nil {
		return d.Refusing
	}
	switch e.What {
	case records.ErasableDraft:
		d.dropDraft(e.Key)
	case records.ErasableSkip:
		delete(d.skips, e.Key)
	case records.ErasableTexts:
		at, list := d.packetAt(e), d.packets[terms.AreaOf(e.Table)]
		document, _ := list[at].Stored("saltsaltsaltsaltsaltsalt")
		packet, err := new(packets.Reader).ReadStored(document)
		must(err)
		list[at] = packet.ErasedWith("erased on " + d.now().Time().Format("2006-01-02") + ", " + e.Reason.Label())
	}
	d.erased[e.Object()] = records.LogStatement{Kind: records.Erased, At: d.now(), By: d.Who.ID, Found: e.Words()}
	return nil
}

// Erasures are what was erased, in no order.
func (d *Workbench) Erasures() (list []records.Erasure) {
	defer d.lock()()
	for _, statement := range d.erased {
		e, _ := statement.Erasure()
		list = append(list, e)
	}
	return list
}
