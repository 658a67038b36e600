package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// cosignedAt is when the witnesses of these tests cosign.
var cosignedAt = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func cosign(t *testing.T, l *verifytest.Log, name string) verifytest.Witness {
	t.Helper()
	w := verifytest.NewWitness(t, name)
	l.Cosigned = append(l.Cosigned, w.Cosign(l.Says.Checkpoint, cosignedAt))
	return w
}

// underPolicy are options with a policy that asks for each of the witnesses, so long after they cosigned.
func underPolicy(t *testing.T, later time.Duration, witnesses ...verifytest.Witness) verify.Options {
	t.Helper()
	return verify.Options{Policy: verifytest.Policy(t, witnesses...), MaxAge: time.Hour, Now: terms.InstantOf(cosignedAt.Add(later))}
}

var cosignatureForgeries = []forgery{
	{"a cosigned checkpoint of another log", func(t *testing.T, l *verifytest.Log) verify.Options {
		l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/w").Cosign(l.Checkpoint("docket/other"), cosignedAt))
		return verify.Options{}
	}, true},
	{"the signature of the log in place of the witness's", func(t *testing.T, l *verifytest.Log) verify.Options {
		cosign(t, l, "example.org/w")
		_, line, _ := strings.Cut(string(l.Says.Checkpoint), "\n\n")
		l.Cosigned[0].Line = []byte(line)
		return verify.Options{}
	}, true},
	{"a cosignature of a time that no record can have", func(t *testing.T, l *verifytest.Log) verify.Options {
		l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/w").Cosign(l.Says.Checkpoint, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)))
		return verify.Options{}
	}, true},
	{"a log that was rolled back and signed again after a witness saw it", func(t *testing.T, l *verifytest.Log) verify.Options {
		cosign(t, l, "example.org/w")
		l.Cut(2)
		l.Rebuild()
		return verify.Options{}
	}, true},
	{"a log that was forked after a witness saw it", func(t *testing.T, l *verifytest.Log) verify.Options {
		cosign(t, l, "example.org/w")
		rewritten(l)
		l.Rebuild()
		return verify.Options{}
	}, true},
	{"a policy whose second witness did not cosign", func(t *testing.T, l *verifytest.Log) verify.Options {
		return underPolicy(t, 0, cosign(t, l, "example.org/1"), verifytest.NewWitness(t, "example.org/2"))
	}, true},
	{"a policy whose witness cosigned in the future", func(t *testing.T, l *verifytest.Log) verify.Options {
		return underPolicy(t, -6*time.Minute, cosign(t, l, "example.org/w"))
	}, true},
	{"a policy without a time of now", func(t *testing.T, l *verifytest.Log) verify.Options {
		o := underPolicy(t, 0, cosign(t, l, "example.org/w"))
		o.Now = terms.Instant{}
		return o
	}, true},
	{"a policy that is for another log", func(t *testing.T, l *verifytest.Log) verify.Options {
		w := cosign(t, l, "example.org/w")
		policy := need(verify.ParsePolicy([]byte("log " + otherLog + "\n" + verifytest.PolicyText(w))))(t)
		return verify.Options{Policy: policy, Now: terms.InstantOf(cosignedAt)}
	}, true},
	{"a policy whose witness cosigned long ago", func(t *testing.T, l *verifytest.Log) verify.Options {
		return underPolicy(t, 61*time.Minute, cosign(t, l, "example.org/w"))
	}, true},
}

// otherLog is the verifier key of a log that is none of these tests'.
const otherLog = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"

func TestAPolicyIsMetByWhatItsWitnessesCosigned(t *testing.T) {
	l := sound(t)
	one, two := cosign(t, l, "example.org/1"), cosign(t, l, "example.org/2")
	report := check(t, l, underPolicy(t, time.Hour, one, two))
	size := int64(len(l.List))
	want := verify.Coverage{Met: true, Size: size, At: terms.InstantOf(cosignedAt)}
	if !report.OK() || *report.Coverage != want || len(report.Cosigners) != 2 ||
		report.Cosigners[0] != (verify.Cosigner{Witness: "example.org/1", Key: one.Key, Size: size, At: want.At}) {
		t.Errorf("%+v %+v %v", report.Coverage, report.Cosigners, report.Findings)
	}
	fresh(l, assigned, verifytest.Record{})
	l.Says.Checkpoint = l.Checkpoint(l.Says.Origin)
	report = check(t, l, underPolicy(t, 0, one, two))
	if want.Uncovered = 2; !report.OK() || *report.Coverage != want {
		t.Errorf("%+v %v", report.Coverage, report.Findings)
	}
	if report := check(t, l, verify.Options{}); !report.OK() || report.Coverage != nil {
		t.Errorf("without a policy: %+v %v", report.Coverage, report.Findings)
	}
}

func TestOfEachWitnessTheNewestCosignatureIsReported(t *testing.T) {
	l := sound(t)
	w := verifytest.NewWitness(t, "example.org/w")
	smaller := w.Cosign(l.Says.Checkpoint, cosignedAt.Add(time.Hour))
	l.Append(l.Decide(newCase(l), assigned, nil))
	early, late := w.Cosign(l.Says.Checkpoint, cosignedAt), w.Cosign(l.Says.Checkpoint, cosignedAt.Add(time.Minute))
	want := []verify.Cosigner{{Witness: "example.org/w", Key: w.Key, Size: int64(len(l.List)), At: terms.InstantOf(cosignedAt.Add(time.Minute))}}
	for _, order := range [][]verify.Cosigned{{late, early, smaller}, {early, late, smaller}, {smaller, early, late}, {smaller, late, early}} {
		l.Cosigned = order
		if report := check(t, l, verify.Options{}); !report.OK() || !slices.Equal(report.Cosigners, want) {
			t.Errorf("%+v %v", report.Cosigners, report.Findings)
		}
	}
}

// Of a log that was rolled back the policy is met by what was cosigned of the records that are left, in any order.
func TestALogThatWasRolledBackIsCoveredByWhatWasCosignedOfTheRest(t *testing.T) {
	for _, newestFirst := range []bool{true, false} {
		l := sound(t)
		w := verifytest.NewWitness(t, "example.org/w")
		whole := l.List
		cosigned := []verify.Cosigned{w.Cosign(l.Says.Checkpoint, cosignedAt)}
		l.Append(l.Decide(newCase(l), assigned, nil))
		cosigned = append(cosigned, w.Cosign(l.Says.Checkpoint, cosignedAt))
		l.List = whole
		l.Rebuild()
		if newestFirst {
			slices.Reverse(cosigned)
		}
		l.Cosigned = cosigned
		report := check(t, l, underPolicy(t, 0, w))
		want := verify.Coverage{Met: true, Size: int64(len(whole)), At: terms.InstantOf(cosignedAt)}
		if report.OK() || report.Coverage == nil || *report.Coverage != want {
			t.Errorf("newest first %t: %+v, %v", newestFirst, report.Coverage, report.Findings)
		}
	}
}

func TestACheckOfTheHeadLooksAtTheNewestCosignaturesUntilAPolicyIsMet(t *testing.T) {
	for _, c := range []struct {
		name    string
		altered int // which cosignature from the newest
		by      int // which one is by the witness of the policy; -1: there is no policy
		depth   verify.Depth
		found   bool
	}{
		{"among the newest", 63, -1, verify.HeadOnly, true},
		{"behind the newest", 64, -1, verify.HeadOnly, false},
		{"behind the newest, with all that is there", 64, -1, verify.Storage, true},
		{"before the policy is met", 70, 75, verify.HeadOnly, true},
		{"after the policy is met", 81, 75, verify.HeadOnly, false},
		{"where the policy was met among the newest", 70, 3, verify.HeadOnly, false},
		{"the last one of those that are read at most", 1024, 1090, verify.HeadOnly, true},
		{"behind those that are read at most", 1025, 1090, verify.HeadOnly, false},
	} {
		l := sound(t)
		keepTree(t, l)
		w, other := verifytest.NewWitness(t, "example.org/w"), verifytest.NewWitness(t, "example.org/other")
		l.Cosigned = slices.Repeat([]verify.Cosigned{other.Cosign(l.Says.Checkpoint, cosignedAt)}, 1100)
		if c.by >= 0 {
			l.Cosigned[c.by] = w.Cosign(l.Says.Checkpoint, cosignedAt)
		}
		l.Cosigned[c.altered].Key = "key"
		var o verify.Options
		if c.by >= 0 {
			o = underPolicy(t, 0, w)
		}
		o.Depth = c.depth
		if report := check(t, l, o); (report.Count(verify.EvidenceAltered) == 1) != c.found {
			t.Errorf("%s: %v", c.name, report.Findings)
		}
	}
}

// After a restore the log has another name. What witnesses cosigned of the old one counts as far as it was restored, and who restored it
// has to be proven then.
func TestAPolicyFollowsARestore(t *testing.T) {
	restored := func(size int, by terms.ID, change func(*verifytest.Log)) verify.Report {
		l := sound(t)
		l.Cut(4)
		l.Rebuild()
		w := cosign(t, l, "example.org/w")
		l.Restore(size, secondOrigin, by, nil)
		change(l)
		l.Append(l.Decide(newCase(l), assigned, nil))
		return check(t, l, underPolicy(t, 0, w))
	}
	report := restored(4, verifytest.Assigned, func(*verifytest.Log) {})
	want := verify.Coverage{Met: true, Size: 12, At: terms.InstantOf(cosignedAt), Uncovered: 3}
	if report.Count(verify.LogRestored) != 1 || report.Total != 1 || *report.Coverage != want {
		t.Errorf("%+v %+v %v", report.Coverage, report.Followed, report.Findings)
	}
	report = restored(3, verifytest.Assigned, func(*verifytest.Log) {})
	if report.Count(verify.LogRestored) != 1 || report.Count(verify.PolicyUnmet) != 1 || report.Total != 2 {
		t.Errorf("of fewer records: %v", report.Findings)
	}
	if report = restored(4, "stranger", quietly); report.Count(verify.LogRestored) != 1 || report.Count(verify.StatementNotAuthorized) != 1 || report.Total != 2 {
		t.Errorf("by a stranger: %v", report.Findings)
	}
}

func TestAPolicyNamesItsWitnessesWithTheirAddresses(t *testing.T) {
	one, two := verifytest.NewWitness(t, "example.org/1"), verifytest.NewWitness(t, "example.org/2")
	policy, err := verify.ParsePolicy([]byte("# who cosigns\nwitness  a\t" + one.Key + " https://witness.example.org/1 # the first\n" +
		"witness b " + two.Key + "\n\ngroup both all a b\nquorum both\n"))
	want := []verify.Witness{{Name: "a", Key: one.Key, URL: "https://witness.example.org/1"}, {Name: "b", Key: two.Key}}
	if err != nil || fmt.Sprint(policy.Witnesses()) != fmt.Sprint(want) {
		t.Fatalf("%v, %v", policy, err)
	}
	if !policy.Covers(otherLog) {
		t.Error("a policy that names no log is for any")
	}
}

func TestAPolicyForSeveralLogsIsForEachOfThem(t *testing.T) {
	l := sound(t)
	w := cosign(t, l, "example.org/w")
	key := check(t, l, verify.Options{}).VerifierKey
	policy, err := verify.ParsePolicy([]byte("log " + otherLog + "\nlog " + key + " https://log.example.org\n" + verifytest.PolicyText(w)))
	if err != nil || !policy.Covers(key) || !policy.Covers(otherLog) || policy.Covers(w.Key) {
		t.Fatalf("%v", err)
	}
	o := underPolicy(t, 0, w)
	o.Policy = policy
	if report := check(t, l, o); !report.OK() || !report.Coverage.Met {
		t.Errorf("%+v %v", report.Coverage, report.Findings)
	}
}

// A policy that is weaker than it reads would be worse than none. A fault of a line is told in docket's words, not in the library's.
func TestAPolicyThatCannotBeReadOrAsksForLessThanItSaysIsRefused(t *testing.T) {
	one, two := verifytest.NewWitness(t, "example.org/1"), verifytest.NewWitness(t, "example.org/2")
	witnesses := "witness a " + one.Key + "\nwitness b " + two.Key + "\n"
	const group, quorum, second = "`group NAME any|all|N MEMBER…`", "`quorum NAME`", "# of the log\n"
	for name, c := range map[string]struct{ text, says string }{
		"nothing":                       {"", ""},
		"no quorum":                     {witnesses, ""},
		"a quorum of nobody":            {witnesses + "quorum none\n", quorum},
		"a witness named none":          {"witness none " + one.Key + "\nquorum none\n", ""},
		"two quorums":                   {witnesses + "quorum a\nquorum b\n", ""},
		"a quorum that is not there":    {witnesses + "quorum c\n", ""},
		"a quorum of two":               {witnesses + "quorum a b\n", quorum},
		"an unknown word":               {witnesses + "quorum a\nwitnesses a\n", ""},
		"a witness without a key":       {"witness a\nquorum a\n", ""},
		"a witness with a broken key":   {"witness b " + one.Key + "\nwitness a " + one.Key[:30] + "\nquorum b\n", "the key of the witness"},
		"a witness with the log's key":  {"witness a " + otherLog + "\nquorum a\n", ""},
		"a witness with too much":       {"witness a " + one.Key + " https://a.example https://b.example\nquorum a\n", ""},
		"one key under two names":       {"witness a " + one.Key + "\nwitness b " + one.Key + "\ngroup g all a b\nquorum g\n", ""},
		"one key with another key name": {"witness a " + one.Key + "\nwitness b " + one.Named(t, "example.org/b").Key + "\ngroup g all a b\nquorum g\n", ""},
		"a member twice in a group":     {witnesses + "group g 2 a a\nquorum g\n", ""},
		"a member in two groups":        {witnesses + "group g any a b\ngroup h any a\ngroup i all g h\nquorum i\n", ""},
		"a group of more than it has":   {witnesses + "group g 3 a b\nquorum g\n", ""},
		"a group of none of its own":    {witnesses + "group g 0 a b\nquorum g\n", ""},
		"a group before its members":    {"group g any a b\n" + witnesses + "quorum g\n", ""},
		"an empty group":                {witnesses + "group g any\nquorum g\n", ""},
		"a log without a key":           {"log\n" + witnesses + "quorum a\n", ""},
		"a log with a broken key":       {"log x+y+z\n" + witnesses + "quorum a\n", "the key of the log"},
		"more than a policy is":         {witnesses + "quorum a\n" + strings.Repeat("#", verify.MostPolicy), ""},
		"of a log, only the word":       {second + "log\n", "`log KEY`"},
		"of a log, too much":            {second + "log a b c\n", "`log KEY`"},
		"of a group, only the word":     {second + "group\n", group},
		"of a group, only the name":     {second + "group g\n", group},
		"of a group, no member":         {second + "group g any\n", group},
		"of a quorum, only the word":    {second + "quorum\n", quorum},
		"of a quorum, too much":         {second + "quorum a b\n", quorum},
		"of a quorum, nobody":           {second + "quorum none\n", quorum},
	} {
		policy, err := verify.ParsePolicy([]byte(c.text))
		if err == nil || policy != nil || !strings.Contains(err.Error(), c.says) ||
			strings.HasPrefix(c.text, second) && !strings.Contains(err.Error(), "line 2 of the witness policy") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzAPolicyIsReadOrRefused(f *testing.F) {
	w := verifytest.NewWitness(f, "example.org/w")
	f.Add(verifytest.PolicyText(w))
	f.Add("log " + otherLog + "\nwitness a " + w.Key + " https://x\nquorum a")
	f.Fuzz(func(t *testing.T, text string) {
		policy, err := verify.ParsePolicy([]byte(text))
		if (policy == nil) != (err != nil) {
			t.Errorf("%v, %v", policy, err)
		}
		if policy != nil && len(policy.Witnesses()) == 0 {
			t.Error("a policy that asks nobody is read")
		}
	})
}
