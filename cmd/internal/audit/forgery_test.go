package audit_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/domain"
	"docket/domain/signed"
)

// A forgery is something that somebody did to a sound log, with exactly the kinds that have to be found.
type forgery struct {
	name  string
	forge func(*testing.T, *audittest.Log) audit.Options
	want  []audit.Kind
}

// last is the sequence of the last record of a sound log.
const last = 4

// byHand is a forgery that needs no options.
func byHand(forge func(*audittest.Log)) func(*testing.T, *audittest.Log) audit.Options {
	return func(_ *testing.T, l *audittest.Log) audit.Options {
		forge(l)
		return audit.Options{}
	}
}

// since is a forgery that has to be found by the checkpoint from before it.
func since(forge func(*audittest.Log)) func(*testing.T, *audittest.Log) audit.Options {
	return func(_ *testing.T, l *audittest.Log) audit.Options {
		earlier := bytes.Clone(l.Says.Checkpoint)
		forge(l)
		return audit.Options{Earlier: []audit.Earlier{{Name: "kept", Signed: earlier}}}
	}
}

// rewritten changes the last record as its reviewer could, and leaves the tree as it was.
func rewritten(l *audittest.Log) {
	record := l.Decide(audit.Ref{Table: domain.AppealCases, Key: domain.Key{ID: "case-3", Number: 1}}, assigned, nil)
	entry := &l.List[last]
	entry.Document = record.Document()
	entry.Signature = l.Armored(entry.Document, audittest.Key(audittest.Assigned), domain.SignatureNamespace)
	forged := l.Forged(record, audittest.Record{"logHead": map[string]any{"origin": audittest.Origin, "size": 0, "root": domain.HashOf(nil).String()}})
	entry.Document = forged
	entry.Signature = l.Armored(forged, audittest.Key(audittest.Assigned), domain.SignatureNamespace)
}

// reasons is a statement of reasons.
var reasons = domain.Statement{Salt: audittest.Salt, Text: "The evidence is about another row."}

// reasoned is a forgery of a record that has a statement of reasons; it is told where the record stands.
func reasoned(forge func(l *audittest.Log, at int)) func(*testing.T, *audittest.Log) audit.Options {
	return func(_ *testing.T, l *audittest.Log) audit.Options {
		record := l.Decide(l.Hold(domain.AppealCases, audittest.AppealCase("reasoned", 1)), assigned,
			func(c *domain.Choice) { c.Statement = reasons })
		l.Append(record)
		at := len(l.List) - 1
		l.List[at].Statement = reasons
		forge(l, at)
		return audit.Options{}
	}
}

var logForgeries = []forgery{
	{"no checkpoint", byHand(func(l *audittest.Log) { l.Says.Checkpoint = nil }), []audit.Kind{audit.CheckpointMissing}},
	{"no note", byHand(func(l *audittest.Log) { l.Says.Checkpoint = []byte("all is well\n") }), []audit.Kind{audit.CheckpointUnreadable}},
	{"a checkpoint that says more", byHand(func(l *audittest.Log) {
		l.Says.Checkpoint = append(bytes.Clone(l.Says.Checkpoint), l.Says.Checkpoint[bytes.LastIndex(l.Says.Checkpoint, []byte("\n\n"))+2:]...)
	}), []audit.Kind{audit.CheckpointUnreadable}},
	{"another size in the checkpoint", byHand(func(l *audittest.Log) {
		l.Says.Checkpoint = bytes.Replace(l.Says.Checkpoint, []byte("\n5\n"), []byte("\n4\n"), 1)
	}), []audit.Kind{audit.CheckpointSignature}},
	{"signed with another store's key", byHand(func(l *audittest.Log) {
		keys := l.Says.VerifierKeys
		l.NewStoreKey("another")
		l.Sign()
		l.Says.VerifierKeys = keys
	}), []audit.Kind{audit.CheckpointUnknownKey}},
	{"no verifier key", byHand(func(l *audittest.Log) { l.Says.VerifierKeys = nil }), []audit.Kind{audit.CheckpointUnknownKey}},
	{"a verifier key that is none", byHand(func(l *audittest.Log) { l.Says.VerifierKeys = []string{"key"} }), []audit.Kind{audit.CheckpointUnknownKey}},
	{"a checkpoint of another log", byHand(func(l *audittest.Log) { l.Says.Checkpoint = l.Checkpoint("docket/other") }), []audit.Kind{audit.CheckpointOrigin}},
	{"a salt that is gone", byHand(func(l *audittest.Log) { l.List[1].PacketSalt = "" }), []audit.Kind{audit.SaltMissing, audit.ViewDiffers}},
	{"another salt", byHand(func(l *audittest.Log) { l.List[1].PacketSalt = "anothersaltanothersalt" }), []audit.Kind{audit.ViewDiffers}},
	{"a statement that is gone", reasoned(func(l *audittest.Log, at int) { l.List[at].Statement = domain.Statement{} }), []audit.Kind{audit.StatementMissing}},
	{"another statement", reasoned(func(l *audittest.Log, at int) { l.List[at].Statement.Text = "The window was open." }), []audit.Kind{audit.StatementDiffers}},
	{"another salt of a statement", reasoned(func(l *audittest.Log, at int) { l.List[at].Statement.Salt = "anothersaltanothersalt" }), []audit.Kind{audit.StatementDiffers}},
	{"a statement where the record has none", byHand(func(l *audittest.Log) { l.List[1].Statement = reasons }), []audit.Kind{audit.StatementDiffers}},
	{"a statement with private details", func(t *testing.T, l *audittest.Log) audit.Options {
		private := domain.Statement{Salt: audittest.Salt, Text: "Ask someone@example.org."}
		record := l.Decide(l.Hold(domain.AppealCases, audittest.AppealCase("private", 1)), assigned, nil)
		l.AppendSigned(record.Table(), l.Forged(record, audittest.Record{"statementDigest": private.Digest()}), audittest.Key(audittest.Assigned))
		l.List[len(l.List)-1].Statement = private
		return audit.Options{}
	}, []audit.Kind{audit.StatementRefused}},
	{"a rule book of another day", func(t *testing.T, l *audittest.Log) audit.Options {
		fresh(l, assigned, audittest.Record{"rulesVersion": "trade-challenge-appeal-validator-v0.1+docket.2"})
		return audit.Options{}
	}, []audit.Kind{audit.RulesUnknown}},
	{"a pass over a blocker that somebody added", func(t *testing.T, l *audittest.Log) audit.Options {
		on := l.Hold(domain.AppealCases, audittest.AppealCase("added", 1))
		first := l.Decide(on, assigned, func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.ScopeMissing) })
		second := l.Decide(on, assigned, func(c *domain.Choice) { c.Supersedes = first.Members().RecordID })
		l.Append(first)
		l.Append(second)
		return audit.Options{}
	}, []audit.Kind{audit.CarriedMissing}},
	{"a blocker carried over that nobody added", func(t *testing.T, l *audittest.Log) audit.Options {
		fresh(l, assigned, audittest.Record{"carriedBlockers": []string{"scope_missing"}, "gate": "blocked"})
		return audit.Options{}
	}, []audit.Kind{audit.CarriedUnknown}},
	{"a record on top of another log", func(t *testing.T, l *audittest.Log) audit.Options {
		head := l.Seen()
		fresh(l, assigned, audittest.Record{"logHead": map[string]any{"origin": "docket/00000000000000000000000000000000", "size": head.Size, "root": head.Root.String()}})
		return audit.Options{}
	}, []audit.Kind{audit.HeadNotPrefix}},
	{"an id of another time", func(t *testing.T, l *audittest.Log) audit.Options {
		fresh(l, assigned, audittest.Record{"recordId": "019ecb6a-4e00-7abc-8def-0123456789ab"})
		return audit.Options{}
	}, []audit.Kind{audit.TimeBackwards}},
	{"an edited record", byHand(rewritten), []audit.Kind{audit.RootDiffers}},
	{"two records in another order", byHand(func(l *audittest.Log) {
		l.List[1], l.List[2] = l.List[2], l.List[1]
		l.List[1].Sequence, l.List[2].Sequence = 1, 2
	}), []audit.Kind{audit.RootDiffers, audit.HeadNotPrefix}},
	{"a tree beside the records that is not theirs", byHand(func(l *audittest.Log) {
		l.Says.StoredRoot = domain.HashOf([]byte("another"))
	}), []audit.Kind{audit.StoredRootDiffers}},
	{"a deleted tail", byHand(func(l *audittest.Log) { l.List = l.List[:last] }), []audit.Kind{audit.TailMissing}},
	{"a record that no checkpoint covers", byHand(func(l *audittest.Log) {
		signed := l.Says.Checkpoint
		fresh(l, assigned, nil)
		l.Says.Checkpoint = signed
	}), []audit.Kind{audit.TailUnsigned}},
	{"a checkpoint of another log, kept earlier", func(_ *testing.T, l *audittest.Log) audit.Options {
		return audit.Options{Earlier: []audit.Earlier{{Name: "kept", Signed: l.Checkpoint("docket/other")}, {Name: "nothing"}}}
	}, []audit.Kind{audit.EarlierUnusable}},
	{"a log that goes on after the kept checkpoint", since(func(l *audittest.Log) { fresh(l, assigned, nil) }), nil},
	{"a log that is rolled back, key and all", since(func(l *audittest.Log) {
		l.List = l.List[:2]
		l.Rebuild()
	}), []audit.Kind{audit.RolledBack}},
	{"a fork with the store's own key", since(func(l *audittest.Log) {
		rewritten(l)
		l.Rebuild()
	}), []audit.Kind{audit.Forked}},
	{"a log made anew with another key", since(func(l *audittest.Log) {
		l.NewStoreKey("another")
		l.Rebuild()
	}), []audit.Kind{audit.EarlierUnusable}},
	{"a trusted key that is not the log's", func(t *testing.T, l *audittest.Log) audit.Options {
		other := audittest.New(t)
		other.NewStoreKey("another")
		return audit.Options{VerifierKeys: other.Says.VerifierKeys}
	}, []audit.Kind{audit.CheckpointUnknownKey}},
}

var recordForgeries = []forgery{
	{"a record that is gone", byHand(func(l *audittest.Log) {
		l.List[last].Document = nil
	}), []audit.Kind{audit.RecordMissing, audit.RootDiffers}},
	{"a record of which a byte is another one", byHand(func(l *audittest.Log) {
		l.List[last].Document = bytes.Replace(l.List[last].Document, []byte("human_review_required"), []byte("human_review_requirex"), 1)
	}), []audit.Kind{audit.RecordUnreadable, audit.SignatureInvalid, audit.RootDiffers}},
	{"a record in another table", byHand(func(l *audittest.Log) {
		l.List[last].Table = domain.AmendmentEnforcements
	}), []audit.Kind{audit.RecordUnreadable}},
	{"another leaf hash beside a record", byHand(func(l *audittest.Log) {
		l.List[1].LeafHash = make([]byte, 32)
	}), []audit.Kind{audit.LeafDiffers}},
	{"a record under another's id", byHand(func(l *audittest.Log) {
		l.List[1].RecordID = "019ecb6a-4e00-7abc-8def-0123456789ab"
	}), []audit.Kind{audit.RecordMisplaced}},
	{"a record twice", byHand(func(l *audittest.Log) { l.Add(l.List[last]) }), []audit.Kind{audit.RecordDuplicate}},
	{"a log head of more records than there were", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"logHead": map[string]any{"origin": audittest.Origin, "size": 6, "root": domain.HashOf(nil).String()}})
	}), []audit.Kind{audit.HeadNotPrefix}},
	{"a log head with another root", byHand(func(l *audittest.Log) {
		fresh(l, assigned, audittest.Record{"logHead": map[string]any{"origin": audittest.Origin, "size": 3, "root": domain.HashOf(nil).String()}})
	}), []audit.Kind{audit.HeadNotPrefix}},
	{"no signature", byHand(func(l *audittest.Log) { l.List[1].Signature = nil }), []audit.Kind{audit.SignatureMissing}},
	{"no armor", byHand(func(l *audittest.Log) { l.List[1].Signature = []byte("signed") }), []audit.Kind{audit.SignatureUnreadable}},
	{"text after the armor", byHand(func(l *audittest.Log) {
		l.List[1].Signature = append(bytes.Clone(l.List[1].Signature), '\n')
	}), []audit.Kind{audit.SignatureUnreadable}},
	{"a signature in another namespace", byHand(func(l *audittest.Log) {
		l.List[1].Signature = l.Armored(l.List[1].Document, audittest.Key(audittest.Assigned), "file")
	}), []audit.Kind{audit.SignatureNamespace}},
	{"swapped signatures", byHand(func(l *audittest.Log) {
		l.List[1].Signature, l.List[2].Signature = l.List[2].Signature, l.List[1].Signature
	}), []audit.Kind{audit.SignatureInvalid}},
	{"re-signed by a key that nobody knows", byHand(func(l *audittest.Log) {
		l.List[1].Signature = l.Armored(l.List[1].Document, audittest.Key("stranger"), domain.SignatureNamespace)
	}), []audit.Kind{audit.SignerUnknown, audit.KeyDiffers}},
	{"made anew with a key that nobody knows", byHand(func(l *audittest.Log) {
		record := l.Decide(newCase(l), assigned, nil)
		forged := l.Forged(record, audittest.Record{"reviewer": reviewer(audittest.Assigned, "neutral_reviewer", "stranger")})
		l.AppendSigned(record.Table(), forged, audittest.Key("stranger"))
	}), []audit.Kind{audit.SignerUnknown}},
	{"signed by another reviewer", byHand(func(l *audittest.Log) {
		record := l.Decide(newCase(l), assigned, nil)
		forged := l.Forged(record, audittest.Record{"reviewer": reviewer(audittest.Assigned, "neutral_reviewer", "reviewer-8")})
		l.AppendSigned(record.Table(), forged, audittest.Key("reviewer-8"))
	}), []audit.Kind{audit.SignerOther}},
	{"signed with the reviewer's other key", byHand(func(l *audittest.Log) {
		l.Says.Signers = append(l.Says.Signers, audit.Signer{ID: audittest.Assigned, Key: audittest.Key("second").PublicKey()})
		record := l.Decide(newCase(l), assigned, nil)
		l.AppendSigned(record.Table(), record.Document(), audittest.Key("second"))
	}), []audit.Kind{audit.KeyDiffers}},
	{"a reviewer's second key, listed and named by the record", byHand(func(l *audittest.Log) {
		l.Says.Signers = append(l.Says.Signers, audit.Signer{ID: audittest.Assigned, Key: audittest.Key("second").PublicKey()})
		record := l.Decide(newCase(l), assigned, nil)
		forged := l.Forged(record, audittest.Record{"reviewer": reviewer(audittest.Assigned, "neutral_reviewer", "second")})
		l.AppendSigned(record.Table(), forged, audittest.Key("second"))
	}), []audit.Kind{audit.SecondKey}},
	{"a statement that is signed by another key than it names", byHand(func(l *audittest.Log) {
		l.Says.Statements = []signed.Statement{accepted(l, 2, l.Says.Origin, "stranger")}
	}), []audit.Kind{audit.LogStatementAltered}},
	{"a statement about another log", byHand(func(l *audittest.Log) {
		l.Says.Statements = []signed.Statement{accepted(l, 2, "docket/other", audittest.Assigned)}
	}), []audit.Kind{audit.LogStatementAltered}},
	{"a statement with another root", byHand(func(l *audittest.Log) {
		l.Says.Statements = []signed.Statement{accepted(l, 3, l.Says.Origin, audittest.Assigned)}
	}), []audit.Kind{audit.LogStatementAltered}},
	{"an hour before the newest record", anHourAhead(), []audit.Kind{audit.TimeBackwards}},
	{"an hour before the newest record, with an accepted anchor", anHourAhead(clockAccepted(0, domain.AnchorAccepted)), []audit.Kind{audit.TimeBackwards}},
	{"an hour before the newest record, with a clock that was accepted for a later time", anHourAhead(clockAccepted(10*time.Minute, domain.ClockAccepted)),
		[]audit.Kind{audit.TimeBackwards}},
	{"an hour before the newest record, with an accepted clock", anHourAhead(clockAccepted(0, domain.ClockAccepted)), nil},
	{"a statement that fits", byHand(func(l *audittest.Log) {
		l.Says.Statements = []signed.Statement{accepted(l, 0, l.Says.Origin, audittest.Assigned)}
	}), nil},
}

// anHourAhead appends a record that was made while the clock was an hour ahead and then, as the statements say that a person accepted,
// one that was made when it was right again.
func anHourAhead(statements ...func(*audittest.Log) signed.Statement) func(*testing.T, *audittest.Log) audit.Options {
	return byHand(func(l *audittest.Log) {
		first, second := l.Decide(newCase(l), assigned, nil), l.Decide(newCase(l), assigned, nil)
		ahead := domain.InstantOf(first.Members().RecordedAt.Time().Add(time.Hour))
		l.AppendSigned(first.Table(), l.Forged(first, audittest.Record{"recordedAt": ahead.String(),
			"recordId": string(domain.NewRecordID(ahead, [10]byte{7}))}), audittest.Key(audittest.Assigned))
		for _, s := range statements {
			l.Says.Statements = append(l.Says.Statements, s(l))
		}
		l.AppendSigned(second.Table(), second.Document(), audittest.Key(audittest.Assigned))
	})
}

// clockAccepted is a statement that a clock was accepted, of the log as it is.
func clockAccepted(ahead time.Duration, kind domain.LogStatementKind) func(l *audittest.Log) signed.Statement {
	return func(l *audittest.Log) signed.Statement {
		seen := l.Seen()
		statement := domain.LogStatement{Kind: kind, Origin: l.Says.Origin, Size: seen.Size, Root: seen.Root,
			At: domain.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC).Add(ahead)), By: audittest.Assigned,
			KeyFingerprint: ssh.FingerprintSHA256(audittest.Key(audittest.Assigned).PublicKey()), Found: []string{"x"}}
		return signed.Statement{Text: statement.Text(), Signature: l.Armored([]byte(statement.Text()), audittest.Key(audittest.Assigned), domain.LogStatementNamespace)}
	}
}

// accepted is a statement that a log without records was accepted, of whatever size it says, signed with a key.
func accepted(l *audittest.Log, size int64, origin, key string) signed.Statement {
	empty := domain.HashOf(nil)
	statement := domain.LogStatement{Kind: domain.AnchorAccepted, Origin: origin, Size: size, Root: empty, At: domain.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)),
		By: audittest.Assigned, KeyFingerprint: ssh.FingerprintSHA256(audittest.Key(audittest.Assigned).PublicKey()), Found: []string{"anchor_missing"}}
	return signed.Statement{Text: statement.Text(), Signature: l.Armored([]byte(statement.Text()), audittest.Key(key), domain.LogStatementNamespace)}
}

// newCase holds another case that passes, assigned to a reviewer.
func newCase(l *audittest.Log) audit.Ref {
	id := fmt.Sprintf("case-new-%d", len(l.Held))
	return l.Hold(domain.AppealCases, audittest.AppealCase(id, 1).With(audittest.Record{"policyVersion": 7}))
}

// fresh appends a record on another case with some members forged, signed by the reviewer whom it then names.
func fresh(l *audittest.Log, who domain.Reviewer, members audittest.Record) {
	forgedOn(l, newCase(l), who, nil, members)
}

func forgedOn(l *audittest.Log, ref audit.Ref, who domain.Reviewer, change func(*domain.Choice), members audittest.Record) {
	record := l.Decide(ref, who, change)
	signer := string(who.ID)
	if named, there := members["reviewer"].(map[string]any); there {
		signer = named["id"].(string)
	}
	l.AppendSigned(record.Table(), l.Forged(record, members), audittest.Key(signer))
}

func reviewer(id, role, key string) map[string]any {
	return map[string]any{"id": id, "role": role, "keyFingerprint": ssh.FingerprintSHA256(audittest.Key(key).PublicKey())}
}

func TestEveryForgeryIsFoundAndNamed(t *testing.T) {
	covered := map[audit.Kind]bool{audit.FileUnexpected: true, audit.FileMissing: true, audit.FileDiffers: true} // in package bundle
	for _, f := range slices.Concat(logForgeries, recordForgeries, packetForgeries, decisionForgeries, chainForgeries, rejectionForgeries) {
		t.Run(f.name, func(t *testing.T) {
			l := sound(t)
			report := check(t, l, f.forge(t, l))
			var kinds []audit.Kind
			for _, finding := range report.Findings {
				t.Log(finding)
				if !slices.Contains(kinds, finding.Kind) {
					kinds = append(kinds, finding.Kind)
				}
				if finding.Kind.Meaning() == "" || finding.Kind.Cure() == "" {
					t.Errorf("%s has no meaning or no cure", finding.Kind)
				}
			}
			want := slices.Clone(f.want)
			slices.Sort(kinds)
			slices.Sort(want)
			if !slices.Equal(kinds, want) {
				t.Errorf("found %v, want %v", kinds, want)
			}
		})
		for _, kind := range f.want {
			covered[kind] = true
		}
	}
	for _, kind := range audit.Kinds() {
		if !covered[kind] {
			t.Errorf("no forgery is found as %s", kind)
		}
	}
}

func TestFindingsNameTheRecord(t *testing.T) {
	l := sound(t)
	l.List[1].Signature, l.List[3].Signature = nil, nil
	report := check(t, l, audit.Options{})
	if report.Total != 2 || report.Count(audit.SignatureMissing) != 2 || report.OK() {
		t.Fatalf("%+v", report)
	}
	for i, sequence := range []int64{1, 3} {
		finding := report.Findings[i]
		if finding.Sequence != sequence || !finding.RecordID.Valid() || !bytes.Contains(l.List[sequence].Document, []byte(finding.RecordID)) {
			t.Errorf("%+v", finding)
		}
	}
}
