package selftest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
)

// A bench holds the equipment of one hook: the program, the sample packets, a key and stores. It serves one goroutine.
type bench struct {
	program
	folder   string // for this hook alone
	clock    time.Time
	identity identity.Identity
	docket   []packet // the sample docket as it stands when the hook begins
	stores   []*store.Store
}

func newBench(p program, folder string, start time.Time) (*bench, error) {
	reviewer, err := identity.Ephemeral(sample.Reviewer, terms.NeutralReviewer)
	if err != nil {
		return nil, err
	}
	docket, err := sampleDocket(start)
	if err != nil {
		return nil, err
	}
	return &bench{program: p, folder: folder, clock: start.UTC().Truncate(time.Second), identity: reviewer, docket: docket}, nil
}

// now returns the time on the bench: a millisecond later at each call, so that actions are in order.
func (b *bench) now() time.Time {
	b.clock = b.clock.Add(time.Millisecond)
	return b.clock
}

func (b *bench) instant() terms.Instant { return terms.InstantOf(b.now()) }

// options returns the options of a new store.
func (b *bench) options() store.Options {
	folder := filepath.Join(b.folder, "store-"+strconv.Itoa(len(b.stores)))
	return store.Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"), Now: b.now}
}

// openWith makes a store with packets in it. The bench closes it.
func (b *bench) openWith(ctx context.Context, packets ...packets.Packet) (*store.Store, store.Options, error) {
	o := b.options()
	s, err := b.openStore(ctx, o)
	if err != nil {
		return nil, o, fmt.Errorf("open a store: %w", err)
	}
	b.stores = append(b.stores, s)
	results, err := s.Import(ctx, packets)
	if err != nil {
		return nil, o, fmt.Errorf("import the samples: %w", err)
	}
	for _, result := range results {
		if result != store.Imported {
			return nil, o, fmt.Errorf("a sample was not imported: %s", result)
		}
	}
	return s, o, nil
}

func (b *bench) close() error {
	var err error
	for _, s := range b.stores {
		err = errors.Join(err, s.Close())
	}
	return err
}

// look returns the view of the packet for a reviewer.
func (b *bench) look(ctx context.Context, s *store.Store, record packets.Packet) (views.View, error) {
	caseFile, err := s.CaseFile(ctx, record.Table(), record.Key().ID, record.Key().Number, b.instant(), b.identity.Reviewer().ID)
	if err != nil {
		return views.View{}, fmt.Errorf("look at the sample: %w", err)
	}
	return caseFile.View, nil
}

// choice returns a choice that may be recorded under either gate.
func (b *bench) choice(v *views.View) records.Choice {
	choice := records.Choice{OpenedAt: v.EvaluatedAt(),
		SectionsViewed: []views.SectionName{views.SectionGate, views.SectionReview},
		Statement:      records.Statement{Salt: packets.Salt(rand.Text()), Text: "The sample is decided on so that its record can be looked at."}}
	if v.Area() == terms.Appeals {
		choice.Outcome, choice.Factors = terms.RouteHumanReview, terms.SetOf(terms.HumanReviewRequired)
	}
	return choice
}

// submit decides on the packet in view and signs the record.
func (b *bench) submit(ctx context.Context, s *store.Store, v *views.View, c records.Choice) (store.Submission, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return store.Submission{}, err
	}
	at, salt := b.instant(), packets.Salt(rand.Text())
	record, err := b.decide(v, c, records.Stamp{RecordID: newID(at), Reviewer: b.identity.Reviewer(), LogHead: head,
		RecordedAt: at, PacketSalt: salt})
	if err != nil {
		return store.Submission{}, err
	}
	signature, err := b.identity.Sign(ctx, record.Document())
	return store.Submission{Record: record, Signature: signature, PacketSalt: salt, Statement: c.Statement}, err
}

// newID returns the id of a record of a moment.
func newID(at terms.Instant) records.RecordID {
	var random [10]byte
	rand.Read(random[:])
	return records.NewRecordID(at, random)
}

// withRecord opens a new store with the sample pair of an area and one record on it.
func (b *bench) withRecord(ctx context.Context, area terms.Area) (*store.Store, store.Options, store.Submission, error) {
	sample, err := b.pair(area)
	if err != nil {
		return nil, store.Options{}, store.Submission{}, err
	}
	s, o, record, err := b.openPair(ctx, sample)
	if err != nil {
		return nil, store.Options{}, store.Submission{}, err
	}
	view, err := b.look(ctx, s, record)
	if err != nil {
		return nil, store.Options{}, store.Submission{}, err
	}
	sub, err := b.submit(ctx, s, &view, b.choice(&view))
	if err != nil {
		return nil, store.Options{}, store.Submission{}, err
	}
	_, err = b.append(ctx, s, sub)
	return s, o, sub, err
}

// filesUnder lists the files below a folder with their sizes.
func filesUnder(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files = append(files, fmt.Sprintf("%s %d", path, info.Size()))
		return nil
	})
	return files, err
}

// withoutIn checks that no file below a folder contains one of the texts. It returns the number of files.
func withoutIn(folder string, texts ...string) (files int, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				return errors.New("what was private is in a file")
			}
		}
		return nil
	})
	return files, err
}
