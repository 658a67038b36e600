package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/visible"
)

// The rows that appeals and amendments share.

func neutralReviewRows(n *packets.NeutralReview, r *rows, originalDecider terms.ID, ownCause bool) {
	same := n.ReviewerID == originalDecider
	recusal := n.Recuses(n.ReviewerID)
	r.read(!n.Assigned.IsTrue(), "assigned", yesNo(n.Assigned), terms.NeutralReviewMissing)
	r.read(!n.ReviewerID.Present() || same || recusal || ownCause, "reviewer", string(n.ReviewerID), terms.NeutralReviewMissing)
	r.read(!n.ConflictChecked.IsTrue(), "conflict checked", yesNo(n.ConflictChecked), terms.NeutralReviewMissing)
	r.read(!n.ConflictFound.IsFalse(), "conflict found", yesNo(n.ConflictFound), terms.NeutralReviewMissing)
	r.read(!originalDecider.Present() || same, "original decider", string(originalDecider), terms.NeutralReviewMissing)
	r.read(recusal, "recused", cmp.Or(joinIDs(n.RecusedReviewerIDs), "nobody"), terms.NeutralReviewMissing)
	r.listing(n.RecusedReviewerIDs)
}

// noticeRows marks the time of delivery amiss unless it has come.
func noticeRows(n *packets.Notice, r *rows, now terms.Instant) {
	r.read(n.State != terms.NoticeDelivered, "notice", n.State.Label(), terms.NoticeMissing)
	r.read(!n.DeliveredAt.NotAfter(now), "notice delivered", n.DeliveredAt.String(), terms.NoticeMissing)
}

// readText appends a text or its mask, which is amiss in itself.
func (r *rows) readText(amiss bool, label string, text packets.Text, codes ...terms.Blocker) {
	if text.Masked() {
		amiss, codes = true, append(codes, terms.PrivateDetailsUnredacted)
	}
	if len(codes) == 0 {
		r.add(label, "")
	} else {
		r.read(amiss, label, "", codes...)
	}
	r.list[len(r.list)-1].Value = visible.Text(text.String())
}

// policy reports whether the policy that the record names is held.
func (r *rows) policy(label string, named packets.Key, held hashed, missing terms.Blocker) bool {
	key, is := held.Key(), held.Held()
	r.read(!is, label, policyName(named.ID, named.Number), missing)
	r.read(!is || key != named, "held here", policyName(key.ID, key.Number), missing)
	return is
}

func policyName(id terms.ID, version int64) string {
	if !id.Present() || version == 0 {
		return string(id)
	}
	return fmt.Sprintf("%s version %s", id, number(version))
}

func joinIDs(ids []terms.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}

// declaredLabel writes a declared list: "" where it is absent, "none" where it is declared empty.
func declaredLabel[K terms.Kind](d terms.Declared[K]) string {
	if !d.Present() {
		return ""
	}
	return cmp.Or(labels(d.Set), "none")
}

// revisionLabel writes a revision, and the latest one if that differs or is not known.
func revisionLabel(held, latest int64) string {
	switch latest {
	case held:
		return number(held)
	case 0:
		return fmt.Sprintf("%s (the latest is not known)", number(held))
	}
	return fmt.Sprintf("%s (the latest is %s)", number(held), number(latest))
}

// recomputedLabel stands at the hash that this program finds, below the one that the packet states.
const recomputedLabel = "recomputed"

// policyHashRows adds the hash the record names, the one the policy states, and the recomputed one.
func policyHashRows(r *rows, named, stated terms.Hash, policy hashed) {
	if !policy.Held() {
		r.add("policy hash named", named.String())
		return
	}
	r.read(!named.Matches(stated), "policy hash named", named.String(), terms.InvalidPolicyHash)
	r.hash("policy hash held", stated, policy, policy.Digests().Content, policy.HashesMatched().Own, terms.InvalidPolicyHash)
}

type hashed interface {
	Held() bool
	Key() packets.Key
	Masked() bool
	Erased() bool
	Digests() packets.Digests
	HashesMatched() packets.HashesMatched
}

// hash adds the recomputed hash below the stated one; for a masked or erased text, which has no
// digest, the result from when the packet came in.
func (r *rows) hash(label string, stated terms.Hash, of hashed, recomputed terms.Hash, matched bool, codes ...terms.Blocker) {
	value, again := stated.String(), recomputed.String()
	when := " when the packet came in"
	switch {
	case of.Masked():
		value, again = "not kept: a text is masked or withheld", "matched"+when
	case of.Erased():
		again = "matched" + when
	}
	if (of.Masked() || of.Erased()) && !matched {
		again = fmt.Sprintf("did not match%s", when)
	}
	r.read(!matched, label, value, codes...)
	r.add(recomputedLabel, again)
}

func yesNo(f terms.Flag) string {
	switch f {
	case terms.FlagYes:
		return "yes"
	case terms.FlagNo:
		return "no"
	}
	return ""
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func labels[K terms.Kind](set terms.Set[K]) string {
	words := set.Terms()
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Label()
	}
	return strings.Join(texts, ", ")
}

// sections are those of a packet with its policy, nil for none, in order; each lays out its rows.
type sections[Packet, Policy any] []struct {
	name SectionName
	fill func(v *View, r *rows, packet *Packet, policy *Policy)
}

func (s sections[Packet, Policy]) names() []SectionName {
	names := make([]SectionName, len(s))
	for i := range s {
		names[i] = s[i].name
	}
	return names
}

// layOut gives all sections one piece of memory: a view has some fifty rows.
func (s sections[Packet, Policy]) layOut(v *View, packet *Packet, policy *Policy) []Section {
	r := rows{held: v.evaluation.BlockerSet(), list: make([]pages.Row, 0, 64)}
	list := make([]Section, len(s))
	for i, one := range s {
		from := len(r.list)
		one.fill(v, &r, packet, policy)
		list[i] = Section{one.name, r.list[from:len(r.list):len(r.list)]}
	}
	return list
}

type rows struct {
	held terms.BlockerSet
	list []pages.Row
}

// add appends a row that no rule reads; an empty value is shown as absent.
func (r *rows) add(label, value string) {
	r.list = append(r.list, pages.Row{Mark: pages.Unread, Label: label, Value: visible.String(value)})
}

// read appends a row that the rules with these codes read: since a rule may read several, it is bad
// only if it is amiss and a blocker holds.
func (r *rows) read(amiss bool, label, value string, codes ...terms.Blocker) {
	row := pages.Row{Label: label, Value: visible.String(value), Mark: pages.Good}
	for _, code := range codes {
		if amiss && r.held.Has(code) {
			row.Mark = pages.Bad
			row.Codes = append(row.Codes, code)
		}
	}
	r.list = append(r.list, row)
}

func (r *rows) listing(ids []terms.ID) { r.list[len(r.list)-1].List = ids }
