package doctor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/cmd/internal/output"
	"docket/domain/records"
	"docket/store"
	"docket/store/disk"
	"docket/store/verify"
)

// Store is the check of whether the store can be opened.
func Store(h *store.Health) Result {
	var problem *store.Problem
	switch {
	case !h.Exists:
		return Note("there is none at %s yet", h.Path).Do("`docket import FILE` makes it")
	case errors.As(h.OpenError, &problem):
		return Wrong("%s: %v", problem.Path, problem.Kind).Do("%s", problem.Advice)
	case h.OpenError != nil:
		return Wrong("%v", h.OpenError).Do("keep a copy of the file, then restore a backup")
	case errors.As(h.KeyError, &problem):
		return Wrong("%s: %v", problem.Path, problem.Kind).Do("%s", problem.Advice)
	}
	return OK("%s can be read", h.Path)
}

// Log is the check of what opening and reading the whole store found.
func Log(h *store.Health) Result {
	if len(h.Findings) > 0 {
		var found, advice []string
		for _, finding := range h.Findings {
			found, advice = append(found, finding.Sentence()), append(advice, finding.Code.Cure())
		}
		return Wrong("%s", strings.Join(found, " ")).Do("%s", strings.Join(advice, " "))
	}
	if !h.Exists || h.OpenError != nil {
		return Result{}
	}
	return OK(
		"%s; every row, hash and signature is as it was written, and `docket verify` evaluates each record again",
		records.Count(h.LogSize))
}

// Permissions is the check of who may read and write the store and the key of its log.
func Permissions(h *store.Health) Result {
	switch {
	case h.FileMode.Perm()&0o077 != 0:
		return Wrong("others on this machine can read or write the store").
			Do("run `chmod 600` on %s", h.Path)
	case h.KeyMode.Perm()&0o077 != 0:
		return Wrong("others on this machine can read or write the private key of the log").
			Do("run `chmod 600` on %s", h.KeyFile)
	case h.FolderMode.Perm()&0o022 != 0:
		return Wrong("others on this machine can replace the store: its folder is writable for them").
			Do("run `chmod go-w` on the folder")
	}
	return OK("the store and the key of its log are their owner's alone")
}

// littleSpace is the free space, in bytes, below which the doctor reports it.
const littleSpace = 256 << 20

// Disk is the check of the disk that the store lies on.
func Disk(h *store.Health) Result {
	v := h.Volume
	switch {
	case !v.Known:
		return Result{}
	case v.Network:
		return Wrong("the store lies on a network or user-space file system (%s), where locks may not hold",
			v.Name).Do("move it to a disk of this machine and name it with --db")
	case v.ReadOnly:
		return Wrong("the store lies on a medium that can only be read").
			Do("it can be looked at; to record anything, copy it to a disk that can be written and name it with --db")
	case !h.FolderWritable:
		return Wrong("the store's folder cannot be written by you").
			Do("it can be looked at; to record anything, make the folder writable for you")
	case v.Free < littleSpace:
		return Wrong("only %d MiB are free", v.Free>>20).Do("free some space before you record")
	}
	return OK("%s, %d GiB free", v.Name, v.Free>>30)
}

// notOfAnchor reports a finding for which `docket accept anchor` is no cure.
func notOfAnchor(f verify.Finding) bool {
	return f.Code != verify.AnchorMissing && f.Code != verify.AnchorUnreadable
}

// Anchor is the check of the checkpoint that is kept outside the store.
func Anchor(h *store.Health) Result {
	none := Wrong("no usable checkpoint of this store is kept outside it")
	switch {
	case errors.Is(h.AnchorError, disk.ErrHeld):
		return Note("%s", verify.AnchorLocked)
	case h.AnchorError != nil:
		return Wrong("the checkpoint outside the store cannot be read: %v", h.AnchorError).
			Do("make sure that %s can be read", h.Anchor)
	case h.AnchorSize < 0 && (h.OpenError != nil || slices.ContainsFunc(h.Findings, notOfAnchor)):
		return none.Do("mend the store first: compare it with a backup, an export or a receipt")
	case h.AnchorSize < 0:
		return none.Do("compare the store with a backup, an export or a receipt; `docket accept anchor` "+
			"takes its log as it is and keeps a checkpoint at %s", h.Anchor)
	}
	found := fmt.Sprintf("a checkpoint of %s is kept at %s", records.Count(h.AnchorSize), h.Anchor)
	if accepted := AcceptedBy(h, records.AnchorAccepted); accepted != "" {
		return Note("%s; the log was accepted as it is %s", found, accepted)
	}
	return OK("%s", found)
}

// AcceptedBy says who made the statements of some kinds that count, and when; "" for none.
func AcceptedBy(h *store.Health, kinds ...records.LogStatementKind) string {
	var said []string
	for i := range h.Accepted {
		if one := &h.Accepted[i]; slices.Contains(kinds, one.Kind) {
			said = append(said, fmt.Sprintf("by %s at %s", one.By, output.ToSecond(one.At)))
		}
	}
	return strings.Join(said, ", ")
}

// clockLeeway is less than records.OrderLeeway, by which a clock that is behind stops recording.
const clockLeeway = time.Minute

// Clock is the check of this machine's clock, by the newest entries.
func Clock(h *store.Health) Result {
	newest := h.NewestRecord
	if h.NewestPacket.Present() && newest.Before(h.NewestPacket) || !newest.Present() {
		newest = h.NewestPacket
	}
	accepted := h.ClockAccepted
	if accepted.Present() && newest.Sub(h.Now) > clockLeeway && accepted.Sub(h.Now) <= clockLeeway {
		return Note("%s; the newest entry is of %s, and this clock was accepted at %s",
			output.ToSecond(h.Now), output.ToSecond(newest), output.ToSecond(accepted))
	}
	behind := Wrong("this machine's clock says %s, but the newest entry is of %s",
		output.ToSecond(h.Now), output.ToSecond(newest))
	switch record := h.NewestRecord; {
	case record.Present() && record.Sub(h.Now) > records.OrderLeeway:
		return behind.Do("set the clock: deadlines are judged by it, and nothing is recorded until it " +
			"is right; if it is right, `docket accept clock` says so")
	case newest.Sub(h.Now) > clockLeeway:
		return behind.Do("set the clock: deadlines are judged by it")
	}
	return OK("%s, not before anything in the store", output.ToSecond(h.Now))
}
