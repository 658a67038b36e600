package decision

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Current is the decision as a draft keeps it: it goes on at the furthest step that was reached, or
// at the text that is being written. The reviewer's own judgment counts only once its step is left:
// then the advice is shown, and it stays.
func (d *Decision) Current() records.Draft {
	now := d.Draft
	now.Step, now.Supersedes = d.steps[d.furthest].String(), d.CaseFile.InForce
	if step := d.Step(); step == Statement || step == Note {
		now.Step = step.String()
	}
	if d.Blind() {
		now.Preliminary = 0
	}
	return now
}

// Pasted is a text as it was pasted, with one line feed for each break of its lines.
func Pasted(text string) string { return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) }

// Drafted is as much of a statement as a draft holds while it is typed: the sentences before one that
// may not be recorded. The words of that one are not kept, since they may be a part of a private
// detail.
func Drafted(text string) string {
	text = strings.TrimSpace(text)
	if StatementFault(text) == "" {
		return text
	}
	ends := sentenceEnd.FindAllStringIndex(text, -1)
	sound := sort.Search(len(ends), func(i int) bool { return StatementFault(text[:ends[i][1]]) != "" })
	if sound == 0 {
		return ""
	}
	return strings.TrimSpace(text[:ends[sound-1][1]])
}

var sentenceEnd = regexp.MustCompile(`[.!?]\s+|\s*\n\s*`)

// DraftOf sums up the draft of a packet in a sentence. Its note is not repeated.
func DraftOf(caseFile *queue.CaseFile, now terms.Instant) string {
	kept := &caseFile.Draft
	at := savedAt(kept, caseFile.View.Key().Number, now)
	if kept.Unreadable != "" {
		return fmt.Sprintf("The draft of %s cannot be read: %s.", at, kept.Unreadable)
	}
	return fmt.Sprintf("A draft of %s is kept: %s.", at, sum(&caseFile.View, &kept.Draft))
}

// HeldDraft lists the contents of the draft of a case that the service has reassigned and that
// cannot be decided here any more: line by line, the private note included, since no step shows it.
// It is nil for every other case.
func HeldDraft(caseFile *queue.CaseFile) (lines []string) {
	kept := &caseFile.Draft
	if caseFile.Reassigned == 0 || !kept.Present() {
		return nil
	}
	if kept.Unreadable != "" {
		return []string{fmt.Sprintf("it cannot be read: %s", kept.Unreadable)}
	}
	for _, m := range []struct{ name, text string }{
		{"outcome", kept.Outcome.Label()},
		{"factor codes", wording.Listed(kept.Factors.Terms())},
		{"added blockers", wording.Listed(kept.Added.Terms())},
		{"statement of reasons", kept.Statement},
		{"private note", kept.Note},
	} {
		if m.text != "" {
			lines = append(lines, m.name+": "+m.text)
		}
	}
	return append(lines, fmt.Sprintf("saved %s on revision %s", wording.Moment(kept.SavedAt), wording.Thousands(int(kept.Revision))))
}

// Unreadable says why a decision cannot go on with the draft, and what to do; "" if it can.
func Unreadable(caseFile *queue.CaseFile, discard string) string {
	if kept := &caseFile.Draft; kept.Present() && kept.Unreadable != "" {
		return fmt.Sprintf("the draft cannot be read: %s; %s discards it", kept.Unreadable, discard)
	}
	return ""
}

// sum sums up a draft without repeating its note: others may see the screen.
func sum(v *views.View, d *records.Draft) string {
	sum := wording.Plural(d.Factors.Len(), "factor code", "factor codes")
	if added := d.Added.Len(); added > 0 {
		sum += ", " + wording.Plural(added, "added blocker", "added blockers")
	}
	if v.Area() == terms.Appeals {
		outcome := "no outcome yet"
		if d.Outcome.Present() {
			outcome = fmt.Sprintf("outcome %s", d.Outcome.Label())
		}
		sum = outcome + ", " + sum
	}
	if d.Statement != "" {
		sum += ", a statement of reasons"
	}
	if d.Note != "" {
		sum += ", a private note"
	}
	return sum
}

func savedAt(kept *records.KeptDraft, revision int64, now terms.Instant) string {
	text := wording.Moment(kept.SavedAt)
	if now.Present() && kept.SavedAt.Present() && now.Time().Format("2006-01-02") == kept.SavedAt.Time().Format("2006-01-02") {
		text = kept.SavedAt.Time().Format("15:04Z")
	}
	if kept.Revision != revision {
		text = fmt.Sprintf("%s on revision %s", text, wording.Thousands(int(kept.Revision)))
	}
	return text
}

// Discard starts over in place of a draft, and reports whether the stored one can be deleted: not
// if the reviewer has given a judgment on this revision, since the advice was shown after it.
func (d *Decision) Discard(kept *records.KeptDraft) (drop bool) {
	if kept.Revision == d.View().Key().Number && kept.Preliminary.Present() {
		d.Preliminary = kept.Preliminary
		return false
	}
	return true
}

// Resume continues a draft as far as the packet still allows it: at the furthest step that was
// reached, unless something has changed since, an outcome has to be chosen, or the reviewer has to
// check each step again.
func (d *Decision) Resume(kept *records.KeptDraft, again bool) {
	changes := d.adopt(kept)
	d.Notices = append(d.Notices, changes...)
	if again || len(d.Notices) > 0 || d.unrecordable() != "" {
		d.at = 0
		return
	}
	if at := slices.IndexFunc(d.steps, func(s Step) bool { return s.String() == kept.Step }); at > 0 {
		d.enter(at)
	}
}

func (d *Decision) adopt(kept *records.KeptDraft) (changes []string) {
	v := d.View()
	openedAt := d.OpenedAt
	d.Draft = kept.Draft
	d.Supersedes = d.CaseFile.InForce
	if kept.Revision != v.Key().Number || !kept.OpenedAt.Present() || openedAt.Before(kept.OpenedAt) ||
		kept.OpenedAt.Before(d.CaseFile.Arrival()) {
		// The clock may have been ahead, or the draft edited.
		d.OpenedAt = openedAt
	}
	if kept.Revision != v.Key().Number {
		// It was given on another revision, and the advice on this one has not been shown.
		d.Preliminary = 0
		changes = append(changes, fmt.Sprintf("This was begun on revision %s; look at each step again",
			wording.Thousands(int(kept.Revision))))
	}
	if d.dropFixed() {
		changes = append(changes, "A blocker that you added now holds by the rules")
	}
	if why := d.StatementFault(d.Statement); d.Statement != "" && why != "" {
		d.Statement = ""
		changes = append(changes, fmt.Sprintf("Your statement is dropped: %s", why))
	}
	if why := d.ruledOut(); why != "" {
		changes = append(changes, fmt.Sprintf("%s may no longer be recorded: %s", d.Outcome.Label(), why))
		d.Outcome = 0
	} else {
		changes = append(changes, d.dropFactors()...)
	}
	if d.Supersedes != kept.Supersedes && d.Supersedes.Present() {
		changes = append(changes, fmt.Sprintf("Record %s is in force now, and would be superseded", d.Supersedes))
	}
	return changes
}

func (d *Decision) dropFixed() bool {
	left := d.Added.Minus(fixed(d.View()))
	dropped := left != d.Added
	d.Added = left
	return dropped
}

func fixed(v *views.View) terms.BlockerSet { return v.Evaluation().BlockerSet().Union(v.Carried()) }

// Kept is the decision as it continues on the current packet; see Reopen.
func (d *Decision) Kept(now terms.Instant) records.KeptDraft {
	return records.KeptDraft{Draft: d.Current(), Revision: d.View().Key().Number, SavedAt: now}
}

// Reopen is the revision to open when the packet has changed; 0 if the latest one was judged.
func (d *Decision) Reopen() int64 {
	if number := d.View().Key().Number; d.View().Latest().Revision > number {
		return number
	}
	return 0
}
