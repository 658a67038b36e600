package domain

import (
	"strings"

	"docket/domain/private"
)

// The rows that appeals and amendments share.

// rows lays out the neutral review; both rule books have the code that reads it.
func (n *NeutralReview) rows(r *rows, originalDecider ID) {
	r.add("assigned", yesNo(n.Assigned), NeutralReviewMissing)
	r.add("reviewer", string(n.ReviewerID), NeutralReviewMissing)
	r.add("conflict checked", yesNo(n.ConflictChecked), NeutralReviewMissing)
	r.add("conflict found", yesNo(n.ConflictFound), NeutralReviewMissing)
	r.add("original decider", string(originalDecider), NeutralReviewMissing)
	recused := joinIDs(n.RecusedReviewerIDs)
	if recused == "" {
		recused = "nobody"
	}
	r.add("recused", recused)
}

func (n *Notice) rows(r *rows) {
	r.add("notice", n.State.Label(), NoticeMissing)
	r.add("notice delivered", n.DeliveredAt.String(), NoticeMissing)
}

// addText appends a text or its mask. A masked text always is a blocker of its own.
func (r *rows) addText(label string, text Text, readBy ...Blocker) {
	if text.Masked() {
		readBy = append(readBy, PrivateDetailsUnredacted)
	}
	r.add(label, text.String(), readBy...)
}

// masked returns a string that is no scanned text, unless it holds private details too.
func masked(s string) string {
	if kinds := private.Scan([]byte(s)); !kinds.Empty() {
		return Text{kinds: kinds, present: true}.String()
	}
	return s
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
func declaredLabel[K kind](d Declared[K]) string {
	if !d.Present() {
		return ""
	}
	return labelOr(labels(d.Words), "none")
}
