package bundle_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// lostLog is a log of three records, all of which a service took in before a restore there lost the last two, after the service showed a
// shorter log.
func lostLog(t *testing.T) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	for _, id := range []string{"case-1", "case-2", "case-3"} {
		l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1)), assigned, nil))
	}
	l.Acknowledge(1, 0, 1, 2)
	l.Says.Setbacks = []signed.Setback{{Kind: records.LogRolledBack.String(), Known: l.List[2].Lost[0].Checkpoint, KnownKey: l.Says.EarlierServiceKeys[0],
		Shown: l.List[0].Acceptance.Checkpoint, ShownKey: l.Says.EarlierServiceKeys[0], At: terms.InstantOf(time.Date(2026, 6, 16, 0, 0, 0, 0, time.UTC)).String(),
		Settled: l.List[0].Acceptance.Checkpoint, SettledKey: l.Says.EarlierServiceKeys[0]}}
	return l
}

func TestABundleHoldsWhatTheServiceAcknowledgedAndLost(t *testing.T) {
	t.Parallel()
	l := lostLog(t)
	dir := written(t, l)
	report := checked(t, dir, verify.Options{})
	if !report.OK() || report.Receipts != 1 || report.Lost != 2 || len(report.Service) != 2 || len(report.Setbacks) != 1 {
		t.Errorf("%d receipts, %d lost, %d logs, %d setbacks: %v", report.Receipts, report.Lost, len(report.Service), len(report.Setbacks), report.Findings)
	}
	var reader packets.Reader
	for sequence, name := range map[int64]string{1: "lost-receipts/1.json", 2: "lost-receipts/2.json"} {
		document, err := os.ReadFile(at(dir, name))
		list, failed := signed.ReadAcceptances(&reader, document)
		if err = errors.Join(err, failed); err != nil || len(list) != 1 || list[0] != l.List[sequence].Lost[0] {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
	for name, c := range map[string]struct {
		keys []string
		want bool
	}{
		"the newest alone": {[]string{l.Says.ServiceKey}, false},
		"the first":        {l.Says.EarlierServiceKeys, true}, // the operator, whom its log names, vouches for the restore
		"both":             {append([]string{l.Says.ServiceKey}, l.Says.EarlierServiceKeys...), true},
		"another's":        {[]string{verifytest.NewService("").Key}, false},
	} {
		if report := checked(t, dir, verify.Options{ServiceKeys: c.keys}); (report.Count(verify.ServiceKeyUnusable) == 0) != c.want {
			t.Errorf("trusting %s: %v", name, report.Findings)
		}
	}
}

// forgedLost are a bundle with receipts that the service lost, and what a forger does to it.
func forgedLost(t *testing.T) (string, []changedBundle) {
	l := lostLog(t)
	replace := func(name, old, with string) func(string) error {
		return func(dir string) error {
			text, err := os.ReadFile(at(dir, name))
			changed := strings.Replace(string(text), old, with, 1)
			if err == nil && changed == string(text) {
				err = errors.New(name + " does not have it")
			}
			return errors.Join(err, os.WriteFile(at(dir, name), []byte(changed), 0o644))
		}
	}
	all := func(changes ...func(string) error) func(string) error {
		return func(dir string) (err error) {
			for _, change := range changes {
				err = errors.Join(err, change(dir))
			}
			return err
		}
	}
	list := func(list ...signed.Acceptance) string { return string(signed.AcceptancesDocument(list)) }
	unproven := l.List[1].Lost[0]
	unproven.Proof = ""
	altered, unusable, differs := []verify.Code{verify.AnswerAltered}, []verify.Code{verify.ServiceKeyUnusable}, []verify.Code{verify.FileDiffers}
	const class, service, setbacks = "lost receipts", "the service's restores", "the service's setbacks"
	return written(t, l), []changedBundle{
		{class, "a lost receipt removed", removing("lost-receipts/2.json"), differs},
		{class, "all lost receipts removed", func(dir string) error { return os.RemoveAll(at(dir, "lost-receipts")) }, differs},
		{class, "a lost receipt of another record", copying("lost-receipts/2.json", "lost-receipts/1.json"), altered},
		{class, "a lost receipt as one that stands", writing("receipts/2.json", string(l.List[2].Lost[0].Document())), altered},
		{class, "a receipt that stands as a lost one", writing("lost-receipts/0.json", list(*l.List[0].Acceptance)), altered},
		{class, "a lost receipt without its proof", writing("lost-receipts/1.json", list(unproven)), altered},
		{class, "a lost receipt twice", writing("lost-receipts/1.json", list(l.List[1].Lost[0], l.List[1].Lost[0])), altered},
		{class, "no receipt in the list of lost ones", writing("lost-receipts/1.json", "[]"), altered},
		{class, "a lost receipt of no record", copying("lost-receipts/1.json", "lost-receipts/7.json"), []verify.Code{verify.FileUnexpected}},
		{service, "the restore of the service removed", all(removing("service-statements/1.txt"), removing("service-statements/1.txt.sig"), removing("service-statements/1.txt.log")), unusable},
		{service, "the operator's name removed", all(removing("service-statements/0.txt"), removing("service-statements/0.txt.sig"), removing("service-statements/0.txt.log")), unusable},
		{service, "the operator's signature of the restore removed", removing("service-statements/1.txt.sig"), unusable},
		{service, "the signature of the ended log removed", removing("service-statements/1.txt.log"), differs},
		{service, "the restore of the service edited", replace("service-statements/1.txt", "store_lost", "key_lost"), unusable},
		{service, "a signature of no statement", copying("service-statements/1.txt.sig", "service-statements/5.txt.sig"), []verify.Code{verify.FileUnexpected}},
		{service, "the earlier key of the service removed", replace("service", l.Says.EarlierServiceKeys[0]+"\n", ""), unusable},
		{service, "another earlier key of the service", replace("service", l.Says.EarlierServiceKeys[0], verifytest.NewService("").Key), unusable},
		{service, "all of it removed", func(dir string) error {
			return errors.Join(os.RemoveAll(at(dir, "service-statements")), os.RemoveAll(at(dir, "lost-receipts")),
				os.RemoveAll(at(dir, "receipts")), os.RemoveAll(at(dir, "setbacks")), os.Remove(at(dir, "service")))
		}, differs},
		{setbacks, "a setback removed", removing("setbacks/0.json"), differs},
		{setbacks, "a setback of another kind", replace("setbacks/0.json", "rolled_back", "unproven"), differs},
		{setbacks, "a setback whose checkpoints do not show it", replace("setbacks/0.json", "rolled_back", "forked"), altered},
		{setbacks, "a setback that cannot be read", writing("setbacks/0.json", "{}"), altered},
		{setbacks, "a setback that nothing settled", replace("setbacks/0.json", `"settled":"docket`, `"settled":"x`), altered},
		{setbacks, "a setback far away", copying("setbacks/0.json", "setbacks/9.json"), altered},
		{setbacks, "a stray beside the setbacks", writing("setbacks/x", "x"), []verify.Code{verify.FileUnexpected}},
	}
}
