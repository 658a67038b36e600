package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/store/verify"
	"docket/store/verify/verifytest"
)

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

// A policy that is weaker than it reads would be worse than none.
func TestAPolicyThatCannotBeReadOrAsksForLessThanItSaysIsRefused(t *testing.T) {
	one, two := verifytest.NewWitness(t, "example.org/1"), verifytest.NewWitness(t, "example.org/2")
	witnesses := "witness a " + one.Key + "\nwitness b " + two.Key + "\n"
	for name, text := range map[string]string{
		"nothing":                       "",
		"no quorum":                     witnesses,
		"a quorum of nobody":            witnesses + "quorum none\n",
		"a witness named none":          "witness none " + one.Key + "\nquorum none\n",
		"two quorums":                   witnesses + "quorum a\nquorum b\n",
		"a quorum that is not there":    witnesses + "quorum c\n",
		"a quorum of two":               witnesses + "quorum a b\n",
		"an unknown word":               witnesses + "quorum a\nwitnesses a\n",
		"a witness without a key":       "witness a\nquorum a\n",
		"a witness with a broken key":   "witness a " + one.Key[:30] + "\nquorum a\n",
		"a witness with the log's key":  "witness a " + otherLog + "\nquorum a\n",
		"a witness with too much":       "witness a " + one.Key + " https://a.example https://b.example\nquorum a\n",
		"one key under two names":       "witness a " + one.Key + "\nwitness b " + one.Key + "\ngroup g all a b\nquorum g\n",
		"one key with another key name": "witness a " + one.Key + "\nwitness b " + one.Named(t, "example.org/b").Key + "\ngroup g all a b\nquorum g\n",
		"a member twice in a group":     witnesses + "group g 2 a a\nquorum g\n",
		"a member in two groups":        witnesses + "group g any a b\ngroup h any a\ngroup i all g h\nquorum i\n",
		"a group of more than it has":   witnesses + "group g 3 a b\nquorum g\n",
		"a group of none of its own":    witnesses + "group g 0 a b\nquorum g\n",
		"a group before its members":    "group g any a b\n" + witnesses + "quorum g\n",
		"an empty group":                witnesses + "group g any\nquorum g\n",
		"a log without a key":           "log\n" + witnesses + "quorum a\n",
		"a log with a broken key":       "log x+y+z\n" + witnesses + "quorum a\n",
		"more than a policy is":         witnesses + "quorum a\n" + strings.Repeat("#", verify.MostPolicy),
	} {
		if policy, err := verify.ParsePolicy([]byte(text)); err == nil || policy != nil {
			t.Errorf("%s is read", name)
		}
	}
}

// A fault of a line is told in docket's words, not in the library's.
func TestALineOfAPolicyIsRefusedWithItsForm(t *testing.T) {
	for line, form := range map[string]string{
		"log": "`log KEY`", "log a b c": "`log KEY`", "group": "`group NAME any|all|N MEMBER…`", "group g": "`group NAME any|all|N MEMBER…`",
		"group g any": "`group NAME any|all|N MEMBER…`", "quorum": "`quorum NAME`", "quorum a b": "`quorum NAME`", "quorum none": "`quorum NAME`",
	} {
		_, err := verify.ParsePolicy([]byte("# of the log\n" + line + "\n"))
		if err == nil || !strings.Contains(err.Error(), form) || !strings.Contains(err.Error(), "line 2 of the witness policy") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestAPolicyWithABrokenKeyIsRefusedForTheKey(t *testing.T) {
	one := verifytest.NewWitness(t, "example.org/1")
	for word, text := range map[string]string{
		"the key of the witness": "witness b " + one.Key + "\nwitness a " + one.Key[:30] + "\nquorum b\n",
		"the key of the log":     "log x+y+z\nwitness b " + one.Key + "\nquorum b\n",
	} {
		if _, err := verify.ParsePolicy([]byte(text)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
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
