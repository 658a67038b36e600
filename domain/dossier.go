package domain

// A Dossier is a packet in view together with what this store knows about it besides.
type Dossier struct {
	View      View
	Revisions []int64        // all that are held, ascending
	Records   []LoggedRecord // all on this revision, in log order
	InForce   RecordID       // the one of them that no other supersedes; "" if there is none
	Skipped   string         // the reason for which the local reviewer skipped this revision; "" if they did not
	Draft     KeptDraft      // the decision that the local reviewer began on this revision or, failing that, on an earlier one
}

// A Note is a reviewer's private note on a record. It stays on this machine; the record holds only its digest, which
// the salt keeps from being guessed.
type Note struct {
	Salt string // random, as text
	Text string
}

// Digest is H({"note", "salt"}); absent if there is no note.
func (n Note) Digest() Hash {
	if n.Text == "" {
		return Hash{}
	}
	return HashOf(canonicalJSON(map[string]string{"salt": n.Salt, "note": n.Text}))
}

// A Tally counts a docket.
type Tally struct {
	Open    int // neither decided nor skipped
	Pass    int // of the open ones, those whose gate is pass
	Mine    int // of the open ones, those assigned to the reviewer
	Skipped int
	Decided int
}

// Count tallies the rows of a queue.
func Count(rows []QueueRow, reviewer ID) Tally {
	var t Tally
	for i := range rows {
		switch row := &rows[i]; row.rank() {
		case 0:
			t.Open++
			if row.Gate == Pass {
				t.Pass++
			}
			if reviewer.Present() && row.AssignedTo == reviewer {
				t.Mine++
			}
		case 1:
			t.Skipped++
		default:
			t.Decided++
		}
	}
	return t
}
