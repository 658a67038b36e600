package verify

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/ordered"
	"docket/domain/records"
	"docket/domain/terms"
)

// A Witnessed proves that a record was in the log of its console when witnesses cosigned the log, and was therefore
// made before.
type Witnessed struct {
	Note     string       // a checkpoint of the console's log (C2SP tlog-checkpoint), signed by the log and cosigned by witnesses
	Sequence int64        // of the record in that log
	Proof    []terms.Hash // the RFC 6962 audit path from the record to the root of the checkpoint
}

// checkpointOf reads a cosigned checkpoint without verifying it: the part that the log signed, the signature lines of
// others, and its head.
func checkpointOf(note string) (own string, others []string, says log.Checkpoint, ok bool) {
	text, signatures, found := strings.Cut(note, "\n\n")
	rest, err := says.Unmarshal([]byte(text + "\n"))
	if !found || err != nil || len(rest) > 0 || says.Size > math.MaxInt64 || string(says.Marshal()) != text+"\n" {
		return "", nil, says, false
	}
	own = text + "\n\n"
	for line := range strings.Lines(signatures) {
		if strings.HasPrefix(line, "— "+says.Origin+" ") {
			own += line
			continue
		}
		others = append(others, line)
	}
	return own, others, says, true
}

// WitnessedAt returns the time from which on a quorum of the policy vouches that a record was in the log of its
// console: when the witness that completed the quorum cosigned. It returns false unless the checkpoint is one of the
// log that the record names, contains the record at its place, behind the records that the reviewer saw, and has a
// quorum. A policy that names logs counts for checkpoints that one of them signed.
func (p *Policy) WitnessedAt(w *Witnessed, record records.Enforcement) (at terms.Instant, ok bool) {
	own, others, says, ok := checkpointOf(w.Note)
	seen := record.Members().LogHead
	if !ok || says.Origin != seen.Origin || w.Sequence < seen.Size || w.Sequence >= int64(says.Size) || len(says.Hash) != tlog.HashSize {
		return at, false
	}
	if len(p.logs) > 0 {
		if _, err := OpenCheckpoint([]byte(own), says.Origin, p.logs); err != nil {
			return at, false
		}
	}
	path := make(tlog.RecordProof, len(w.Proof))
	for i, hash := range w.Proof {
		path[i] = treeHash(hash)
	}
	if tlog.CheckRecord(path, int64(says.Size), tlog.Hash(says.Hash), w.Sequence, tlog.RecordHash(record.Document())) != nil {
		return at, false
	}
	var list []Cosignature
	for _, witness := range p.witnesses {
		name, _, _ := keyParts(witness.Key)
		for _, line := range others {
			if !strings.HasPrefix(line, "— "+name+" ") {
				continue
			}
			if cosignature, err := OpenCosignature(Cosigned{Checkpoint: []byte(own), Line: []byte(line), Key: witness.Key}); err == nil {
				list = append(list, cosignature)
			}
		}
	}
	ordered.Sort(list, func(a, b Cosignature) int { return a.At.Time().Compare(b.At.Time()) })
	by := map[string]bool{}
	for _, cosignature := range list {
		if by[cosignature.Key] = true; p.metBy(by) {
			return cosignature.At, true
		}
	}
	return at, false
}

// A Cosigning is a source of cosigned checkpoints.
type Cosigning interface {
	Cosignatures(ctx context.Context, yield func(Cosigned) error) error
}

// WitnessedRecord returns a log's proof of the time at which it had the record at a sequence. It chooses, of the
// checkpoints with the log's origin that contain the record, the one that most witnesses cosigned, and the shortest of
// these. It returns false if there is none. hashes are those of the log's tree.
func WitnessedRecord(ctx context.Context, from Cosigning, origin string, sequence int64, hashes tlog.HashReader) (w Witnessed, there bool, err error) {
	type cosigned struct {
		size  int64
		lines []string
	}
	found := map[string]*cosigned{}
	err = from.Cosignatures(ctx, func(c Cosigned) error {
		own, _, says, ok := checkpointOf(string(c.Checkpoint))
		if !ok || says.Origin != origin || int64(says.Size) <= sequence {
			return nil
		}
		if found[own] == nil {
			found[own] = &cosigned{size: int64(says.Size)}
		}
		if line := string(c.Line); !slices.Contains(found[own].lines, line) {
			found[own].lines = append(found[own].lines, line)
		}
		return nil
	})
	if err != nil {
		return w, false, err
	}
	var best *cosigned
	for own, c := range found {
		if best == nil || len(c.lines) > len(best.lines) || len(c.lines) == len(best.lines) && c.size < best.size {
			best = c
			w.Note = own + strings.Join(c.lines, "")
		}
	}
	if best == nil {
		return w, false, nil
	}
	path, err := tlog.ProveRecord(best.size, sequence, hashes)
	if err != nil {
		return Witnessed{}, false, err
	}
	w.Sequence = sequence
	for _, hash := range path {
		w.Proof = append(w.Proof, domainHash(hash))
	}
	return w, true, nil
}
