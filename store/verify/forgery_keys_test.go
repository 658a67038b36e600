package verify_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/crypto/ssh"
)

// signAs appends a record of the assigned reviewer by the key of the name, which is listed.
func signAs(l *verifytest.Log, ref verify.Ref, key string, members verifytest.Record) records.Enforcement {
	record := l.Decide(ref, assigned, nil)
	signedAs(l, record, key, members)
	return record
}

// signedAs appends a record as one by the key of the name, which is listed.
func signedAs(l *verifytest.Log, record records.Enforcement, key string, members verifytest.Record) {
	listed := verify.Signer{ID: verifytest.Assigned, Key: verifytest.Key(key).PublicKey()}
	if !slices.ContainsFunc(l.Says.Signers, func(s verify.Signer) bool {
		return s.ID == listed.ID && bytes.Equal(s.Key.Marshal(), listed.Key.Marshal())
	}) {
		l.Says.Signers = append(l.Says.Signers, listed)
	}
	named := verifytest.Record{"reviewer": reviewer(verifytest.Assigned, "neutral_reviewer", key)}
	maps.Copy(named, members)
	l.AppendSigned(record.Table(), l.Forged(record, named), verifytest.Key(key))
}

const first = verifytest.Assigned

// judgedAfterRevocation appends a record that adds a blocker, by a key that is revoked from then on, and another one on the same case. It
// was judged before the first one if carried is false.
func judgedAfterRevocation(l *verifytest.Log, carried bool) {
	l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
	ref, from := newCase(l), l.Seen().Size
	adding := l.Decide(ref, assigned, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) })
	again := l.Decide(ref, assigned, nil)
	l.Append(adding)
	s := l.About(records.KeyRevoked, "second", first)
	s.Key.From = from
	l.StateKey(s, "second")
	if carried {
		again = l.Decide(ref, assigned, nil)
	}
	signedAs(l, again, "second", nil)
}

// inTurn is a forgery of several steps.
func inTurn(steps ...func(*verifytest.Log)) func(*testing.T, *verifytest.Log) verify.Options {
	return byHand(func(l *verifytest.Log) {
		for _, step := range steps {
			step(l)
		}
	})
}

// stated is a statement in the name of one key about another one, signed by a third.
func stated(kind records.LogStatementKind, by, key string, signs terms.ID) func(*verifytest.Log) {
	return func(l *verifytest.Log) { l.StateKey(l.About(kind, by, key), signs) }
}

// endorsed is the endorsement of a key by the first.
func endorsed(key string) func(*verifytest.Log) {
	return stated(records.KeyEndorsed, first, key, first)
}

// revoked is the revocation of a key from then on.
func revoked(key, by string) func(*verifytest.Log) {
	return stated(records.KeyRevoked, by, key, terms.ID(by))
}

// signedBy is a record of the assigned reviewer by the key of the name.
func signedBy(key string) func(*verifytest.Log) {
	return func(l *verifytest.Log) { signAs(l, newCase(l), key, nil) }
}

// rotated endorses a second key, which revokes the first from then on.
func rotated(l *verifytest.Log) {
	endorsed("second")(l)
	revoked(first, "second")(l)
}

// erasedBy states with a key of the assigned reviewer that texts were erased.
func erasedBy(key string) func(*verifytest.Log) {
	return func(l *verifytest.Log) {
		e := records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-none", Number: 1}, Rest: terms.HashOf(nil),
			Reason: records.ErasedMistake}
		s := l.Statement(records.Erased, verifytest.Assigned, e.Words()...)
		s.KeyFingerprint = ssh.FingerprintSHA256(verifytest.Key(key).PublicKey())
		l.StateKey(s, terms.ID(key))
	}
}

var keyForgeries = []forgery{
	{"an endorsed key", inTurn(endorsed("second"), signedBy("second")), false},
	{"a key that an endorsed key endorsed",
		inTurn(endorsed("second"), stated(records.KeyEndorsed, "second", "third", "second"),
			signedBy("third")), false},
	{"a key that signs before it is endorsed",
		inTurn(signedBy("second"), endorsed("second")), true},
	{"an endorsement by the new key itself",
		inTurn(stated(records.KeyEndorsed, "second", "third", "second"), signedBy("third")), true},
	{"a replacement that the log's key signs",
		inTurn(stated(records.KeyReplaced, "second", "second", "second"), signedBy("second")), false},
	{"an endorsement that the log's key signed in place of the reviewer's",
		inTurn(stated(records.KeyEndorsed, first, "second", "second"), signedBy("second")), true},
	{"an endorsement of another log", byHand(func(l *verifytest.Log) {
		s := l.About(records.KeyEndorsed, first, "second")
		s.Origin = "docket/fedcba9876543210"
		l.StateKey(s, first)
		signAs(l, newCase(l), "second", nil)
	}), true},
	{"a registration that the console's own log signed", byHand(func(l *verifytest.Log) {
		s := l.About(records.KeyRegistered, "second", "second")
		s.Origin = "docket/service/0123456789abcdef"
		l.StateKey(s, "second")
		signAs(l, newCase(l), "second", nil)
	}), true},
	{"a registration of the service", byHand(func(l *verifytest.Log) {
		service := verifytest.NewService("")
		l.Bind(service)
		s := l.About(records.KeyRegistered, "second", "second")
		s.Origin = verifytest.ServiceOrigin
		l.State(s, "second", service.Signer)
		l.Says.Statements[1].Signature = nil
		signAs(l, newCase(l), "second", nil)
	}), false},
	{"the log of the reviewer with this key", byHand(func(l *verifytest.Log) { l.Says.Reviewer = assigned }), false},
	{"the log of a reviewer whose key is not known here", byHand(func(l *verifytest.Log) { l.Says.Reviewer = records.Reviewer{ID: verifytest.Assigned} }), false},
	{"another key in the name of the reviewer whose log it is", byHand(func(l *verifytest.Log) {
		l.Says.Reviewer = assigned
		l.Says.Reviewer.KeyFingerprint = ssh.FingerprintSHA256(verifytest.Key("second").PublicKey())
	}), true},
	{"a deleted endorsement", byHand(func(l *verifytest.Log) {
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		signAs(l, newCase(l), "second", nil)
		l.Says.Statements = nil
	}), true},
	{"a statement that was put before another", byHand(func(l *verifytest.Log) {
		rotated(l)
		l.StateKey(l.About(records.KeyEndorsed, first, "third"), first)
		l.Says.Statements[1], l.Says.Statements[2] = l.Says.Statements[2], l.Says.Statements[1]
	}), true},
	{"a statement of a key after its revocation",
		inTurn(rotated, endorsed("third"), signedBy("third")), true},
	{"a backdated statement", byHand(func(l *verifytest.Log) {
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		empty := l.About(records.KeyEndorsed, first, "third")
		empty.Size, empty.Root = 0, terms.HashOf(nil)
		l.StateKey(empty, first)
	}), true},
	{"an endorsement of a time long before the records before it", byHand(func(l *verifytest.Log) {
		s := l.About(records.KeyEndorsed, first, "second")
		s.At = terms.InstantOf(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
		l.StateKey(s, first)
	}), true},
	{"an endorsement of four minutes before the record before it", byHand(func(l *verifytest.Log) {
		s := l.About(records.KeyEndorsed, first, "second")
		s.At = terms.InstantOf(s.At.Time().Add(-4 * time.Minute))
		l.StateKey(s, first)
	}), false},
	{"texts erased, and the key that stated it revoked then",
		inTurn(endorsed("second"), erasedBy(first), revoked(first, "second")), false},
	{"texts erased with a key that was revoked before", inTurn(rotated, erasedBy(first)), true},
	{"texts erased with a key that was revoked before, and another key revoked then",
		inTurn(endorsed("third"), rotated, erasedBy(first), revoked("third", "third")), true},
	{"texts erased with a key that was revoked before, and revoked once more by itself",
		inTurn(rotated, erasedBy(first), revoked(first, first)), true},
	{"texts erased with a key that is revoked from before that on", byHand(func(l *verifytest.Log) {
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		erasedBy(first)(l)
		s := l.About(records.KeyRevoked, "second", first)
		s.Key.From = s.Size - 1 // the erasure's place
		l.StateKey(s, "second")
	}), true},
	{"texts erased with a key that a key of the thief's endorsed",
		inTurn(stated(records.KeyEndorsed, "third", "second", "third"), erasedBy("second")), true},
	{"texts erased with a key that is endorsed only then",
		inTurn(erasedBy("second"), endorsed("second")), true},
	{"a revoked key that signs", inTurn(rotated, signedBy(first)), true},
	{"a revoked key, and the packet judged again", byHand(func(l *verifytest.Log) {
		rotated(l)
		ref := newCase(l)
		signAs(l, ref, first, nil)
		signAs(l, ref, "second", verifytest.Record{"supersedes": nil})
	}), true},
	{"a blocker that a revoked key added before its revocation is carried over", byHand(func(l *verifytest.Log) { judgedAfterRevocation(l, true) }), true},
	{"a blocker that a revoked key added before its revocation is not carried over", byHand(func(l *verifytest.Log) { judgedAfterRevocation(l, false) }), true},
	{"a blocker that a revoked key added right after its revocation is not carried over", byHand(func(l *verifytest.Log) {
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		ref := newCase(l)
		adding := l.Decide(ref, assigned, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.ScopeMissing) })
		again := l.Decide(ref, assigned, nil)
		l.StateKey(l.About(records.KeyRevoked, "second", first), "second")
		l.Append(adding)
		signedAs(l, again, "second", nil)
	}), true},
	{"a revocation that is gone", byHand(func(l *verifytest.Log) {
		rotated(l)
		ref := newCase(l)
		signAs(l, ref, first, nil)
		signAs(l, ref, "second", verifytest.Record{"supersedes": nil})
		l.Says.Statements = l.Says.Statements[:1]
	}), true},
}

// A report lists each record that a revoked key signed, and no other.
func TestAReportListsTheRecordsOfARevokedKey(t *testing.T) {
	l := sound(t)
	rotated(l)
	signAs(l, newCase(l), first, nil)
	signAs(l, newCase(l), "second", nil)
	revoked := check(t, l, verify.Options{}).NotInForce
	if want := []int64{l.At(recordsIn(l) - 2)}; !slices.Equal(revoked, want) {
		t.Errorf("told of %v, want %v", revoked, want)
	}
}

// A revocation in the past makes void what the key endorsed meanwhile, and stops nobody.
func TestARevocationInThePastMakesVoidWhatTheKeyStatedSince(t *testing.T) {
	l := sound(t)
	stolen := l.Seen().Size
	report := check(t, l, byHand(func(l *verifytest.Log) {
		ref := newCase(l)
		signAs(l, ref, first, nil)
		l.StateKey(l.About(records.KeyEndorsed, first, "thief"), first)
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		l.StateKey(l.About(records.KeyRevoked, "thief", "second"), "thief")
		signAs(l, newCase(l), "thief", nil)
		l.StateKey(l.About(records.KeyReplaced, "fourth", "fourth"), "fourth")
		s := l.About(records.KeyRevoked, "fourth", first)
		s.Key.From = stolen
		l.StateKey(s, "fourth")
		signAs(l, newCase(l), "fourth", nil)
	})(t, l))
	for _, f := range report.Findings {
		if f.Code != verify.SignedAfterRevocation {
			t.Error(f)
		}
	}
	if report.Total != 2 || len(report.NotInForce) != 2 || report.OK() || !report.Sound() {
		t.Errorf("%d findings, %d not in force", report.Total, len(report.NotInForce))
	}
}

// The span of a key ends with its last record that counts.
func TestASpanOfAKeyEndsWithItsLastRecordThatCounts(t *testing.T) {
	l := sound(t)
	var before, after records.Enforcement
	report := check(t, l, byHand(func(l *verifytest.Log) {
		l.StateKey(l.About(records.KeyEndorsed, first, "second"), first)
		signAs(l, newCase(l), "second", nil)
		before = signAs(l, newCase(l), "second", nil)
		l.StateKey(l.About(records.KeyRevoked, first, "second"), first)
		after = signAs(l, newCase(l), "second", nil)
	})(t, l))
	fingerprint := ssh.FingerprintSHA256(verifytest.Key("second").PublicKey())
	at := slices.IndexFunc(report.Reviewers, func(r verify.Reviewer) bool { return r.Fingerprint == fingerprint })
	if at < 0 {
		t.Fatalf("%+v", report.Reviewers)
	}
	if r := report.Reviewers[at]; r.Records != 3 || !r.Span.Revoked || r.Span.Last != before.Members().RecordedAt || !r.Span.First.Before(r.Span.Last) ||
		!r.Span.Last.Before(after.Members().RecordedAt) {
		t.Errorf("%+v", r)
	}
	for _, r := range slices.Delete(report.Reviewers, at, at+1) {
		if r.Span.Revoked || !r.Span.First.Present() || r.Span.Last.Before(r.Span.First) {
			t.Errorf("%+v", r)
		}
	}
}
