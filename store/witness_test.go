package store

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"

	"github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A consoleLog is a log of which a service knows nothing but what is lodged.
type consoleLog struct {
	t      testing.TB
	signer note.Signer
	key    string
	hashes []tlog.Hash
	size   int64
}

// newConsoleLog makes the log of a number; the same number makes the same log with the same key.
func newConsoleLog(t testing.TB, number int64) *consoleLog {
	t.Helper()
	return consoleLogOf(t, fmt.Sprintf("%s%032x", records.OriginPrefix, number), number)
}

func consoleLogOf(t testing.TB, origin string, seed int64) *consoleLog {
	t.Helper()
	private, public, err := note.GenerateKey(rand.New(rand.NewSource(seed)), origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return &consoleLog{t: t, signer: signer, key: public}
}

func (l *consoleLog) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = l.hashes[position]
	}
	return hashes, nil
}

// grow appends records that any log of the number would have.
func (l *consoleLog) grow(count int) { l.append(count, "record") }

// other appends records that no other log has.
func (l *consoleLog) other(count int) { l.append(count, "another record") }

func (l *consoleLog) append(count int, text string) {
	l.t.Helper()
	for range count {
		hashes, err := tlog.StoredHashes(l.size, fmt.Appendf(nil, "%s %d", text, l.size), l)
		if err != nil {
			l.t.Fatal(err)
		}
		l.hashes = append(l.hashes, hashes...)
		l.size++
	}
}

func (l *consoleLog) checkpoint(size int64) string {
	l.t.Helper()
	root, err := tlog.TreeHash(size, l)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.sign(string(log.Checkpoint{Origin: l.signer.Name(), Size: uint64(size), Hash: root[:]}.Marshal()))
}

func (l *consoleLog) sign(text string) string {
	l.t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, l.signer)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(signed)
}

// lodging hands the whole log in after the size that the service last saw.
func (l *consoleLog) lodging(old int64) CheckpointSubmission {
	l.t.Helper()
	lodging := CheckpointSubmission{Principal: reviewerID, Checkpoint: []byte(l.checkpoint(l.size)), Key: l.key, OldSize: old}
	if 0 < old && old <= l.size {
		proof, err := tlog.ProveTree(l.size, old, l)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, hash := range proof {
			lodging.Proof = append(lodging.Proof, merkle.FromTree(hash))
		}
	}
	return lodging
}

// lodge fails unless the checkpoint is cosigned, and the cosignature is one by the service's key.
func (d *desk) lodge(l CheckpointSubmission) Cosigned {
	d.t.Helper()
	cosigned, err := d.store.Cosign(d.t.Context(), l)
	if err != nil {
		d.t.Fatal(err)
	}
	verifier, err := cosignature.NewVerifierForCosignatureV1(cosigned.Key)
	if err != nil {
		d.t.Fatal(err)
	}
	own, err := d.store.Meta(d.t.Context())
	if err != nil || verifier.Name() != own.Origin+"/witness" {
		d.t.Fatalf("it is cosigned by %s, %v", verifier.Name(), err)
	}
	opened, err := note.Open([]byte(string(l.Checkpoint)+cosigned.Cosignature), note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 {
		d.t.Fatalf("%q is no cosignature: %v", cosigned.Cosignature, err)
	}
	return cosigned
}

// disputing fails unless the checkpoint is refused with the fault and the size, and remembered only if that is said.
func (d *desk) disputing(l CheckpointSubmission, fault WitnessFault, size int64, remembered bool) {
	d.t.Helper()
	before := d.disputed()
	cosigned, err := d.store.Cosign(d.t.Context(), l)
	var why *WitnessError
	if !errors.As(err, &why) || why.Fault != fault || why.Size != size || cosigned != (Cosigned{}) {
		d.t.Fatalf("%+v, %v; want %s at %d", cosigned, err, fault, size)
	}
	after := d.disputed()
	if remembered != (len(after) == len(before)+1) || !remembered && len(after) != len(before) {
		d.t.Fatalf("%d are remembered, %d before", len(after), len(before))
	}
	if last := len(after) - 1; remembered && (string(after[last].Checkpoint) != string(l.Checkpoint) || after[last].Fault != fault.String() ||
		after[last].HeldSize != size || after[last].Principal != l.Principal) {
		d.t.Errorf("remembered is %+v", after[last])
	}
}

func (d *desk) disputed() []Disputed {
	d.t.Helper()
	list, err := d.store.Disputed(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func (d *desk) witnessed() []Witnessed {
	d.t.Helper()
	list, err := d.store.Witnessed(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func TestALogThatOnlyGrowsIsCosignedEachTime(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	seen := int64(0)
	for _, growth := range []int{0, 0, 1, 1, 5, 0, 9, 100} {
		l.grow(growth)
		if cosigned := d.lodge(l.lodging(seen)); cosigned.Size != l.size {
			t.Fatalf("size %d, not %d", cosigned.Size, l.size)
		}
		seen = l.size
		list := d.witnessed()
		if len(list) != 1 || list[0].Size != l.size || string(list[0].Checkpoint) != l.checkpoint(l.size) || list[0].Principal != reviewerID {
			t.Fatalf("it remembers %+v", list)
		}
	}
	o := d.store.options
	d.close()
	d.store = openWith(t, o)
	d.lodge(l.lodging(0)) // the answer was lost: what was seen last is cosigned again, whatever is said to be known
	other := newConsoleLog(t, 2)
	other.grow(2)
	d.lodge(other.lodging(0))
	if list := d.witnessed(); len(list) != 2 || len(d.disputed()) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestAForkedAndAShortenedLogAreRefusedAndRemembered(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	l.grow(8)
	d.lodge(l.lodging(0))
	same := newConsoleLog(t, 1)
	same.grow(7)
	same.other(1)
	d.disputing(same.lodging(8), WitnessForked, 8, true)
	d.disputing(same.lodging(8), WitnessForked, 8, false) // it is remembered once
	longer := newConsoleLog(t, 1)
	longer.grow(7)
	longer.other(4)
	d.disputing(longer.lodging(8), WitnessForked, 8, true)
	shorter := newConsoleLog(t, 1)
	shorter.grow(5)
	d.disputing(shorter.lodging(5), WitnessShorter, 8, true)
	l.grow(3)
	wrong := l.lodging(8)
	wrong.Proof = wrong.Proof[1:]
	d.disputing(wrong, WitnessForked, 8, true)
	d.lodge(l.lodging(8)) // what is refused changes nothing
	if list := d.witnessed(); len(list) != 1 || list[0].Size != 11 {
		t.Errorf("%+v", list)
	}
}

func TestAProofThatBeginsElsewhereIsToldWhereToBegin(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	l.grow(4)
	d.disputing(l.lodging(2), WitnessShorter, 0, false)
	d.lodge(l.lodging(0))
	l.grow(4)
	d.disputing(l.lodging(0), WitnessShorter, 4, false)
	d.disputing(l.lodging(3), WitnessShorter, 4, false)
	d.disputing(l.lodging(5), WitnessShorter, 4, false)
	d.lodge(l.lodging(4))
}

func TestALogIsItsKeyWhoeverLodgesItsCheckpoints(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	l.grow(4)
	d.lodge(l.lodging(0))
	otherKey := consoleLogOf(t, l.signer.Name(), 99)
	otherKey.grow(6)
	d.lodge(otherKey.lodging(0)) // whoever names the origin of another's log has a log of their own
	l.grow(2)
	theirs := l.lodging(4)
	theirs.Principal = "rev-another"
	d.lodge(theirs)
	d.lodge(l.lodging(6))
	if list := d.witnessed(); len(list) != 2 || list[0].Size != 6 || list[1].Size != 6 || list[0].Key == list[1].Key {
		t.Errorf("%+v", list)
	}
	for _, statement := range []string{
		"(origin, size, principal, key, checkpoint, witnessedAt) SELECT origin, 6, 'another', key, checkpoint, witnessedAt",
		"(origin, size, principal, key, checkpoint, witnessedAt) SELECT origin, 4, principal, key, checkpoint, witnessedAt",
	} {
		d.mustRefuse(d.store.db.Writer(), "INSERT INTO main."+witnessedTable+" "+statement+" FROM main."+witnessedTable+" LIMIT 1")
	}
}

func TestWhatIsNoCheckpointOfAConsoleIsNotRead(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	l.grow(4)
	good := l.lodging(0)
	forged := newConsoleLog(t, 2)
	forged.grow(4)
	service := consoleLogOf(t, fmt.Sprintf("%s%032x", records.ServiceOriginPrefix, 1), 1)
	foreign := consoleLogOf(t, "example/log", 1)
	upper := consoleLogOf(t, records.OriginPrefix+strings.Repeat("A", 32), 1)
	own, err := d.store.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ownKey, err := d.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(l.checkpoint(4), "\n\n")
	lines := strings.Split(text, "\n")
	for name, change := range map[string]func(*CheckpointSubmission){
		"nothing":      func(b *CheckpointSubmission) { b.Checkpoint = nil },
		"no signature": func(b *CheckpointSubmission) { b.Checkpoint = []byte(text + "\n\n") },
		"another signature": func(b *CheckpointSubmission) {
			b.Checkpoint = []byte(strings.Replace(string(b.Checkpoint), "\n4\n", "\n5\n", 1))
		},
		"two signatures":    func(b *CheckpointSubmission) { b.Checkpoint = append(b.Checkpoint, "— other AAAAAAAA\n"...) },
		"another log's key": func(b *CheckpointSubmission) { b.Key = forged.key },
		"no key":            func(b *CheckpointSubmission) { b.Key = "" },
		"an extension":      func(b *CheckpointSubmission) { b.Checkpoint = []byte(l.sign(text + "\nmore\n")) },
		"another origin": func(b *CheckpointSubmission) {
			b.Checkpoint = []byte(l.sign("x\n" + lines[1] + "\n" + lines[2] + "\n"))
		},
		"a size that is none": func(b *CheckpointSubmission) { b.Checkpoint = []byte(l.sign(lines[0] + "\n04\n" + lines[2] + "\n")) },
		"an enormous size": func(b *CheckpointSubmission) {
			b.Checkpoint = []byte(l.sign(lines[0] + "\n18446744073709551615\n" + lines[2] + "\n"))
		},
		"a root that is none":  func(b *CheckpointSubmission) { b.Checkpoint = []byte(l.sign(lines[0] + "\n4\nAAAA\n")) },
		"empty with a root":    func(b *CheckpointSubmission) { b.Checkpoint = []byte(l.sign(lines[0] + "\n0\n" + lines[2] + "\n")) },
		"a rejection":          func(b *CheckpointSubmission) { b.Checkpoint = []byte(l.sign("docket-rejection/v1\nx\n")) },
		"a service's log":      func(b *CheckpointSubmission) { *b = service.lodging(0) },
		"this service's log":   func(b *CheckpointSubmission) { b.Checkpoint, b.Key = own, ownKey },
		"a log of no store":    func(b *CheckpointSubmission) { *b = foreign.lodging(0) },
		"an origin in capital": func(b *CheckpointSubmission) { *b = upper.lodging(0) },
		"a proof from nothing": func(b *CheckpointSubmission) { b.Proof = []terms.Hash{terms.HashOf(nil)} },
		"a negative size":      func(b *CheckpointSubmission) { b.OldSize = -1 },
		"a proof without end":  func(b *CheckpointSubmission) { b.OldSize, b.Proof = 1, make([]terms.Hash, mostProof+1) },
	} {
		bad := good
		bad.Checkpoint = append([]byte(nil), good.Checkpoint...)
		change(&bad)
		_, err := d.store.Cosign(t.Context(), bad)
		var fault *WitnessError
		if !errors.As(err, &fault) || fault.Fault != WitnessUnreadable || fault.Size != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(d.witnessed()) != 0 || len(d.disputed()) != 0 {
		t.Error("something is remembered")
	}
	d.lodge(good)
}

func TestOfOneLogNoMoreIsDisputedThanSaysSomething(t *testing.T) {
	d := serviceDesk(t)
	l := newConsoleLog(t, 1)
	l.grow(mostDisputed + 10)
	d.lodge(l.lodging(0))
	for size := range int64(mostDisputed + 5) {
		lodging := l.lodging(0)
		lodging.Checkpoint = []byte(l.checkpoint(size))
		if _, err := d.store.Cosign(t.Context(), lodging); err == nil {
			t.Fatalf("%d is cosigned", size)
		}
	}
	if count := len(d.disputed()); count != mostDisputed {
		t.Errorf("%d are kept", count)
	}
}
