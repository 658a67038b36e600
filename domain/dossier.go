package domain

// A Dossier is a packet in view together with what this store knows about it besides.
type Dossier struct {
	View      View
	Revisions []int64        // all that are held, ascending
	Records   []LoggedRecord // all on this revision, in log order
	InForce   RecordID       // the one of them that no other supersedes; "" if there is none
	Skipped   string         // the reason for which the local reviewer skipped this revision; "" if they did not
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
