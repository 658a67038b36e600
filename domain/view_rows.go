package domain

import (
	"cmp"
	"strings"
)

// The rows that appeals and amendments share.

// rows lays out the neutral review; both rule books have the code that reads it.
func (n *NeutralReview) rows(r *rows, originalDecider ID, ownCause bool) {
	same := n.ReviewerID == originalDecider
	recusal := n.Recuses(n.ReviewerID)
	r.read(!n.Assigned.IsTrue(), "assigned", yesNo(n.Assigned), NeutralReviewMissing)
	r.read(!n.ReviewerID.Present() || same || recusal || ownCause, "reviewer", string(n.ReviewerID), NeutralReviewMissing)
	r.read(!n.ConflictChecked.IsTrue(), "conflict checked", yesNo(n.ConflictChecked), NeutralReviewMissing)
	r.read(!n.ConflictFound.IsFalse(), "conflict found", yesNo(n.ConflictFound), NeutralReviewMissing)
	r.read(!originalDecider.Present() || same, "original decider", string(originalDecider), NeutralReviewMissing)
	r.read(recusal, "recused", cmp.Or(joinIDs(n.RecusedReviewerIDs), "nobody"), NeutralReviewMissing)
}

// rows lays out the notice. A notice that is delivered, but not yet, is amiss in its time.
func (n *Notice) rows(r *rows, now Instant) {
	r.read(n.State != NoticeDelivered, "notice", n.State.Label(), NoticeMissing)
	r.read(!n.DeliveredAt.NotAfter(now), "notice delivered", n.DeliveredAt.String(), NoticeMissing)
}

// readText appends a text or its mask. A masked text is amiss in itself.
func (r *rows) readText(amiss bool, label string, text Text, codes ...Blocker) {
	if text.Masked() {
		amiss, codes = true, append(codes, PrivateDetailsUnredacted)
	}
	if len(codes) == 0 {
		r.add(label, text.String())
		return
	}
	r.read(amiss, label, text.String(), codes...)
}

func policyName(id ID, version int64) string {
	if !id.Present() || version == 0 {
		return string(id)
	}
	return string(id) + " version " + number(version)
}

func joinIDs(ids []ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}

// declaredLabel writes a declared list: "" where it is absent, "none" where it is declared empty.
func declaredLabel[K Kind](d Declared[K]) string {
	if !d.Present() {
		return ""
	}
	return cmp.Or(labels(d.Words), "none")
}

// revisionLabel writes a revision, and the latest one if that is another or not known.
func revisionLabel(held, latest int64) string {
	switch latest {
	case held:
		return number(held)
	case 0:
		return number(held) + " (the latest is not known)"
	}
	return number(held) + " (the latest is " + number(latest) + ")"
}

// recomputedLabel stands at the hash that this program finds, below the one that the packet states.
const recomputedLabel = "recomputed"

// policyHashRows sets the hash that the record names, the hash that the policy states and the recomputed one beside
// one another.
func policyHashRows(r *rows, named, stated, recomputed Hash, held bool) {
	if !held {
		r.add("policy hash named", named.String())
		return
	}
	r.read(!named.Matches(stated), "policy hash named", named.String(), InvalidPolicyHash)
	r.read(!stated.Matches(recomputed), "policy hash held", stated.String(), InvalidPolicyHash)
	r.add(recomputedLabel, recomputed.String())
}
