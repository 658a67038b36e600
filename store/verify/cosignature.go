package verify

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Cosigned is a checkpoint of the log with the cosignature of one witness, as a source holds it.
type Cosigned struct {
	Checkpoint []byte // C2SP tlog-checkpoint, signed by the log alone
	Line       []byte // one signature line of C2SP tlog-cosignature, with its line end
	Key        string // the witness's verifier key
}

// A Cosignature is a cosignature that verified.
type Cosignature struct {
	Witness string // the name of its key, safe to print
	Key     string // as torchwood writes it
	At      terms.Instant
}

var errCosignature = errors.New("it is not a cosignature of the checkpoint by its key")

// lastSecond is the last one that an Instant can hold.
var lastSecond = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()

// OpenCosignature verifies the cosignature of a checkpoint, not the signature of the log.
func OpenCosignature(c Cosigned) (Cosignature, error) {
	verifier, err := torchwood.NewCosignatureVerifier(c.Key)
	if err != nil || verifier.String() != c.Key {
		return Cosignature{}, errors.New("the key of the witness cannot be read")
	}
	signed := slices.Concat(c.Checkpoint, c.Line)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 1 || !isCanonical(signed, opened) ||
		string(c.Line) != "— "+opened.Sigs[0].Name+" "+opened.Sigs[0].Base64+"\n" {
		return Cosignature{}, errCosignature
	}
	seconds, err := torchwood.CosignatureTimestamp(opened.Sigs[0])
	if err != nil || seconds > lastSecond {
		return Cosignature{}, errCosignature
	}
	return Cosignature{Witness: visible.String(verifier.Name()), Key: c.Key, At: terms.InstantOf(time.Unix(seconds, 0))}, nil
}

// A cosignedCheckpoint has the time of each witness's last cosignature, by the witness's key.
type cosignedCheckpoint struct {
	Checkpoint
	by map[string]terms.Instant
}

// A Witnessing collects the cosignatures of one log.
type Witnessing struct {
	Lineage Lineage  // the log, and those before it
	Keys    []string // of the checkpoints of the newest
	// Now is the time of the policy check; cosignatures from too far ahead of it do not count.
	Now  terms.Instant
	list []cosignedCheckpoint
	last []byte // the checkpoint that was opened last, which is the last of list
}

// Add verifies a checkpoint with a cosignature. The caller checks that the log extends it.
func (w *Witnessing) Add(c Cosigned) (Checkpoint, Cosignature, error) {
	cosignature, err := OpenCosignature(c)
	if err != nil {
		return Checkpoint{}, Cosignature{}, err
	}
	if len(w.list) == 0 || string(w.last) != string(c.Checkpoint) {
		checkpoint, _, err := w.Lineage.open(c.Checkpoint, w.Keys)
		if err != nil {
			return Checkpoint{}, Cosignature{}, err
		}
		w.list, w.last = append(w.list, cosignedCheckpoint{checkpoint, map[string]terms.Instant{}}), c.Checkpoint
	}
	newest := &w.list[len(w.list)-1]
	at, there := newest.by[c.Key]
	latest := terms.InstantOf(w.Now.Time().Add(witnessLeeway))
	if w.Now.Present() && cosignature.At.NotAfter(latest) && (!there || at.Before(cosignature.At)) {
		newest.by[c.Key] = cosignature.At
	}
	return newest.Checkpoint, cosignature, nil
}

// witnessLeeway is how far the clock of a witness may be ahead.
const witnessLeeway = 5 * time.Minute

// Coverage says how far the log of a size fulfils a policy. Only checkpoints that the log passed
// through count. The time is the latest for which the quorum vouches: enough cosignatures are not
// older.
func (w *Witnessing) Coverage(p *Policy, size int64, passed func(Checkpoint) bool) (best Coverage, of Checkpoint) {
	best.Uncovered = size
	merged := map[Checkpoint]map[string]terms.Instant{}
	for _, c := range w.list {
		if !p.Covers(c.VerifierKey) || c.Size > size {
			continue
		}
		if merged[c.Checkpoint] == nil {
			merged[c.Checkpoint] = map[string]terms.Instant{}
		}
		for key, at := range c.by {
			if held, there := merged[c.Checkpoint][key]; !there || held.Before(at) {
				merged[c.Checkpoint][key] = at
			}
		}
	}
	for c, by := range merged {
		at, met := p.since(by)
		newer := !best.Met || c.Size > best.Size || c.Size == best.Size && best.At.Before(at)
		if met && newer && passed(c) {
			best, of = Coverage{Met: true, Size: c.Size, At: at, Uncovered: size - c.Size}, c
		}
	}
	return best, of
}

func (p *Policy) since(by map[string]terms.Instant) (at terms.Instant, met bool) {
	keys := slices.Collect(maps.Keys(by))
	json.Sort(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b].Time().Unix(), by[a].Time().Unix()), cmp.Compare(a, b))
	})
	signed := map[string]bool{}
	for _, key := range keys {
		signed[key] = true
		if p.metBy(signed) {
			return by[key], true
		}
	}
	return terms.Instant{}, false
}

// A check of the head reads some of the newest cosignatures, and more until they fulfil the policy.
const (
	cosignedAtHead  = 64
	cosignedAtMost  = 1024
	cosignedAnother = 16 // after so many more the policy is looked at again
)

// openCosignatures verifies the cosignatures, and has the tree compared with each checkpoint.
func (c *check) openCosignatures(keys []string) error {
	c.witnessing = Witnessing{Lineage: c.lineage, Keys: keys, Now: c.options.Now}
	newest := map[string]Cosigner{}
	count := 0
	err := c.log.Cosignatures(c.ctx, func(cosigned Cosigned) error {
		checkpoint, by, err := c.witnessing.Add(cosigned)
		if err != nil {
			c.logFound(EvidenceAltered, fmt.Sprintf("cosignature %d from the newest: %v", count, err))
		} else {
			c.wantCosigned(checkpoint, fmt.Sprintf("a checkpoint that %s cosigned", by.Witness))
			if seen, there := newest[by.Key]; !there || seen.Size < checkpoint.Size || seen.Size == checkpoint.Size && seen.At.Before(by.At) {
				newest[by.Key] = Cosigner{by.Witness, visible.String(by.Key), checkpoint.Size, by.At}
			}
		}
		if count++; c.options.Depth == HeadOnly && c.enoughCosigned(count) {
			return errEnough
		}
		return nil
	})
	for _, key := range slices.Sorted(maps.Keys(newest)) {
		c.report.Cosigners = append(c.report.Cosigners, newest[key])
	}
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("read the cosignatures: %w", err)
	}
	return nil
}

// wantCosigned takes a checkpoint, whose log may have had more records than were restored.
func (c *check) wantCosigned(checkpoint Checkpoint, name string) {
	if place := c.lineage.Find(checkpoint.Origin); place >= 0 && checkpoint.Size > c.lineage.Holds(place) {
		c.restored(name, place, checkpoint.Size)
		return
	}
	c.wantCheckpoints.add(checkpoint, name, Forked)
}

func (c *check) enoughCosigned(count int) bool {
	if count < cosignedAtHead || c.options.Policy == nil {
		return count >= cosignedAtHead
	}
	signed := func(Checkpoint) bool { return true }
	if count%cosignedAnother != 0 {
		return count >= cosignedAtMost
	}
	coverage, _ := c.witnessing.Coverage(c.options.Policy, c.head.Size, signed)
	return coverage.Met
}

func (c *check) checkPolicy(size int64) {
	o := &c.options
	if o.Policy == nil {
		return
	}
	coverage, of := c.witnessing.Coverage(o.Policy, size, c.wantCheckpoints.passed)
	c.report.Coverage = &coverage
	if place := c.lineage.Find(of.Origin); coverage.Met && place < len(c.lineage)-1 {
		c.restored("what the witnesses cosigned", place, 0)
	}
	switch {
	case !coverage.Met && !o.Policy.Covers(c.report.VerifierKey):
		c.logFound(PolicyUnmet, "the policy is for other logs")
	case !coverage.Met:
		c.logFound(PolicyUnmet, fmt.Sprintf("of %s", records.Count(size)))
	case coverage.IsOlder(o.MaxAge, o.Now):
		c.logFound(PolicyUnmet, fmt.Sprintf("it cosigned %s at %s", records.Count(coverage.Size), coverage.At))
	}
}

// IsOlder reports whether the quorum cosigned longer than an age ago; 0 is any age.
func (c *Coverage) IsOlder(age time.Duration, now terms.Instant) bool {
	return age > 0 && (!c.Met || !now.Present() || now.Sub(c.At) > age)
}
