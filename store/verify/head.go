package verify

import (
	"context"
	"docket/domain/records"
	"docket/domain/signed"
	"errors"
	"fmt"
)

// An Anchor is a checkpoint that is kept apart from the log, so that a rollback is found.
type Anchor struct {
	Signed []byte // the checkpoint; nil if it cannot be used
	Older  []byte // one before it that is kept, too; nil for none
	Code   Code   // what is found of one that cannot be used
	Detail string
	Locked bool // another program keeps it locked, so it is not known what it says
}

// errNoTree says that nothing is known of the tree without reading all records.
var errNoTree = errors.New("the log keeps no tree: it can only be checked from its records")

// AnchorLocked is the note of a check that had no access to the anchor.
const AnchorLocked = "not held to an anchor: another program keeps the checkpoint outside the store locked, so nothing " +
	"tells whether newer records are missing; end that program, then check again"

const anchorName = "the checkpoint that this machine last saw"

// openAnchor verifies the anchor, and has the tree compared with it.
func (c *check) openAnchor() {
	anchor := c.head.Anchor
	switch {
	case anchor == nil:
		if len(c.options.Earlier) == 0 && c.options.Policy == nil {
			c.report.Unanchored = "not held to an anchor: only a checkpoint that is kept elsewhere (--since) or " +
				"witnesses (--policy) show whether newer records are missing"
		}
		return
	case anchor.Locked:
		c.report.Unanchored = AnchorLocked
		return
	case anchor.Signed == nil:
		c.logFound(anchor.Code, anchor.Detail)
		return
	}
	opened, err := OpenCheckpoint(anchor.Signed, c.head.Origin, c.head.VerifierKeys)
	if err != nil {
		c.logFound(AnchorUnreadable, err.Error())
		return
	}
	c.wantCheckpoints.add(opened, anchorName, Forked)
	if older, err := OpenCheckpoint(anchor.Older, c.head.Origin, c.head.VerifierKeys); err == nil {
		c.wantCheckpoints.add(older, "an earlier one of those that are kept outside the store", Forked)
	}
}

// anchored reports whether there is an anchor that the log extends.
func (c *check) anchored() bool {
	for i := range c.wantCheckpoints.list {
		if want := &c.wantCheckpoints.list[i]; want.name == anchorName {
			return want.met
		}
	}
	return false
}

// checkHeadOnly compares the checkpoints with the stored tree, and examines the newest record
// alone, in a time that does not depend on the size of the log.
func (c *check) checkHeadOnly() error {
	tree, keeps := c.log.(TreeKeeper)
	if !keeps {
		return errNoTree
	}
	c.checkSigners()
	c.uncounted(c.statements)
	c.serviceKeys()
	root, err := tree.StoredRoot(c.ctx, c.head.Size)
	if err != nil {
		return err
	}
	c.report.Size, c.report.Root = c.head.Size, root
	c.checkTail(c.head.Size)
	if err := c.compareStored(tree); err != nil {
		return err
	}
	newest, err := Entries(c.ctx, c.log, c.head.Size-1, c.head.Size, Storage)
	if err != nil {
		return err
	}
	c.report.Anchored = c.anchored()
	c.checkPolicy(c.head.Size)
	for _, finding := range newest {
		c.found(finding)
	}
	return nil
}

func (c *check) compareStored(tree TreeKeeper) error {
	for i := range c.wantCheckpoints.list {
		want := &c.wantCheckpoints.list[i]
		if want.Size > c.head.Size {
			continue
		}
		root, err := tree.StoredRoot(c.ctx, want.Size)
		if err != nil {
			return err
		}
		if root.Present() {
			c.hold(want, root == signed.FromTree(want.Root))
			continue
		}
		want.kept = true
		c.logFound(DerivedDiffers, fmt.Sprintf("the stored tree has no root of %s", records.Count(want.Size)))
	}
	c.unmet(c.head.Size)
	return nil
}

// Extends checks only whether the tree of a source of some size extends the anchor.
func Extends(ctx context.Context, log Source, tree TreeKeeper) ([]Finding, error) {
	head, err := log.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the head of the log: %w", err)
	}
	c := &check{ctx: ctx, log: log, head: head}
	c.openAnchor()
	err = c.compareStored(tree)
	return c.report.Findings, err
}
