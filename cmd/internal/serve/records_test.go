package serve_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gowebpki/jcs"
	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// decided brings a case or an amendment, and hands in a record on it by the reviewer.
func (s *harness) decided(t testing.TB, table terms.Table, packet verifytest.Record) records.RecordID {
	t.Helper()
	return s.recorded(t, s.Bring(t, table, packet), Reviewer, nil)
}

// recorded hands in a record.
func (s *harness) recorded(t testing.TB, on verify.Ref, who person, change func(*records.Choice)) records.RecordID {
	t.Helper()
	record := s.Decide(on, who, change)
	if answered := s.handIn(t, record, who); answered.status != http.StatusCreated {
		t.Fatalf("the record is answered with %d %s", answered.status, answered.body)
	}
	return record.Members().RecordID
}

func recordPath(id records.RecordID) string { return api.RecordsPath + "/" + string(id) }

// A readRecord is what another program reads of a record.
type readRecord struct {
	Record       json.RawMessage
	Signature    string
	Receipt      readReceipt
	InForce      bool
	SupersededBy records.RecordID
}

type readReceipt struct {
	RecordID records.RecordID
	Sequence int64
	LeafHash string
}

// A readFeed is what another program reads of a page of records.
type readFeed struct {
	Records []readRecord
	After   string
	More    bool
}

// record asks for a record.
func (s *harness) record(t testing.TB, who person, id records.RecordID) readRecord {
	t.Helper()
	return read[readRecord](t, s.get(t, recordPath(id), who), http.StatusOK)
}

// feed asks page by page until there is no more, and returns the ids of the records in the order in which they came.
func (s *harness) feed(t testing.TB, who person, query url.Values) (ids []records.RecordID, after string) {
	t.Helper()
	last := int64(-1)
	for range 100 {
		page := read[readFeed](t, s.get(t, api.RecordsPath+"?"+query.Encode(), who), http.StatusOK)
		for _, r := range page.Records {
			if r.Receipt.Sequence <= last {
				t.Errorf("record %d comes after %d", r.Receipt.Sequence, last)
			}
			last = r.Receipt.Sequence
			ids = append(ids, r.Receipt.RecordID)
		}
		query.Set(api.AfterParameter, page.After)
		if !page.More {
			return ids, page.After
		}
	}
	t.Fatal("the pages do not end")
	return nil, ""
}

// grown fills the log with records on cases and amendments of the reviewer.
func (s *harness) grown(t testing.TB, count int) (ids []records.RecordID) {
	t.Helper()
	for i := range count {
		if i%3 == 2 {
			ids = append(ids, s.decided(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("amendment-of-%d", i), 1)))
			continue
		}
		ids = append(ids, s.decided(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-of-%d", i), 1)))
	}
	return ids
}

// TestARecordIsProvedByProgramsThatAreNotDockets checks the answers with an implementation of RFC 8785, one of RFC 6962, one of the
// checkpoint, and ssh-keygen.
func TestARecordIsProvedByProgramsThatAreNotDockets(t *testing.T) {
	s := serving(t)
	ids := s.grown(t, 11)
	verifier, err := note.NewVerifier(s.key(t))
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		answered := s.record(t, Reviewer, id)
		leaf, err := jcs.Transform(answered.Record)
		if err != nil {
			t.Fatal(err)
		}
		proof := read[struct {
			RecordID                   records.RecordID
			Sequence, TreeSize         int64
			LeafHash, Root, Checkpoint string
			Proof                      []string
		}](t, s.get(t, recordPath(id)+"/proof", Reviewer), http.StatusOK)
		head, _, _, err := checkpoint.ParseCheckpoint([]byte(proof.Checkpoint), verifier.Name(), verifier)
		if err != nil {
			t.Fatal(err)
		}
		var path tlog.RecordProof
		for _, hash := range proof.Proof {
			path = append(path, treeHash(t, hash))
		}
		root := tlog.Hash(head.Hash)
		if err := tlog.CheckRecord(path, int64(head.Size), root, int64(i), tlog.RecordHash(leaf)); err != nil {
			t.Errorf("record %d: %v", i, err)
		}
		if proof.Sequence != int64(i) || proof.TreeSize != int64(len(ids)) || treeHash(t, proof.Root) != root || treeHash(t, proof.LeafHash) != tlog.RecordHash(leaf) ||
			answered.Receipt.Sequence != int64(i) || treeHash(t, answered.Receipt.LeafHash) != tlog.RecordHash(leaf) || proof.RecordID != id {
			t.Errorf("record %d: %+v, %+v", i, proof, answered.Receipt)
		}
		changed := bytes.Replace(leaf, []byte(`"gate":"pass"`), []byte(`"gate":"pasS"`), 1)
		if tlog.CheckRecord(path, int64(head.Size), root, int64(i), tlog.RecordHash(changed)) == nil {
			t.Error("the proof holds of other bytes")
		}
		signedByReviewer(t, leaf, answered.Signature)
	}
}

func treeHash(t testing.TB, hash string) (h tlog.Hash) {
	t.Helper()
	digits, _ := strings.CutPrefix(hash, "sha256:")
	sum, err := hex.DecodeString(digits)
	if err != nil || copy(h[:], sum) != tlog.HashSize {
		t.Fatalf("%s is no hash", hash)
	}
	return h
}

// signedByReviewer verifies a signature with ssh-keygen.
func signedByReviewer(t *testing.T, signed []byte, signature string) {
	t.Helper()
	program, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	folder := t.TempDir()
	allowed := string(Reviewer.ID) + " " + string(ssh.MarshalAuthorizedKey(verifytest.Key(string(Reviewer.ID)).PublicKey()))
	for name, text := range map[string]string{"allowed_signers": allowed, "record.sig": signature} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, good := range map[string]bool{string(signed): true, string(signed) + " ": false} {
		verify := exec.CommandContext(t.Context(), program, "-Y", "verify", "-f", filepath.Join(folder, "allowed_signers"), "-I", string(Reviewer.ID),
			"-n", "docket-enforcement-record", "-s", filepath.Join(folder, "record.sig"))
		verify.Stdin = strings.NewReader(text)
		if said, err := verify.CombinedOutput(); (err == nil) != good {
			t.Errorf("ssh-keygen: %v\n%s", err, said)
		}
	}
}

func TestTheFeedHasEachRecordOnceInTheOrderOfTheLog(t *testing.T) {
	s := serving(t)
	want := s.grown(t, 130)
	first := read[readFeed](t, s.get(t, api.RecordsPath, Reviewer), http.StatusOK)
	if len(first.Records) != 100 || !first.More {
		t.Errorf("the first page has %d records, more %t", len(first.Records), first.More)
	}
	got, after := s.feed(t, Reviewer, url.Values{})
	if !slices.Equal(got, want) {
		t.Errorf("%d records came, want %d", len(got), len(want))
	}
	if got, again := s.feed(t, Reviewer, url.Values{api.AfterParameter: {after}}); len(got) > 0 || again != after {
		t.Errorf("after the end there is %v", got)
	}
	next := s.recorded(t, s.Case, Reviewer, nil)
	if got, _ := s.feed(t, Reviewer, url.Values{api.AfterParameter: {after}}); !slices.Equal(got, []records.RecordID{next}) {
		t.Errorf("what came later is %v", got)
	}
	if got, _ := s.feed(t, Admin, url.Values{api.AfterParameter: {after}}); !slices.Equal(got, append(want, next)) {
		t.Errorf("with another's cursor %d records come, want all", len(got))
	}
}

// TestTheFeedHasWhatTheCallerMaySeeAndNothingElse compares each caller's feed with what the packets' latest revisions say.
func TestTheFeedHasWhatTheCallerMaySeeAndNothingElse(t *testing.T) {
	s := serving(t)
	strangers := func(packet verifytest.Record) verifytest.Record {
		return packet.With(verifytest.Record{"neutralReview": verifytest.Review(string(Stranger.ID))})
	}
	mine := s.recorded(t, s.Case, Reviewer, nil)
	blocked := s.recorded(t, s.Case, Admin, func(c *records.Choice) { Block(c); c.Supersedes = mine })
	theirs := s.recorded(t, s.Bring(t, terms.AppealCases, strangers(verifytest.AppealCase("case-2", 1))), Stranger, nil)
	amendment := s.recorded(t, s.Amendment, Reviewer, nil)
	others := s.recorded(t, s.Bring(t, terms.AmendmentRecords, strangers(verifytest.Amendment("amendment-2", 1).With(verifytest.Record{"ownerId": OtherOwner}))), Stranger, nil)
	want := map[string][]records.RecordID{"reviewer": {mine, blocked, amendment}, "ownerless": {mine, blocked}, "stranger": {theirs, others},
		"admin": {mine, blocked, theirs, amendment}, "recused": {mine, blocked, theirs, amendment}}
	for _, who := range []person{Reviewer, Ownerless, Stranger, Admin, Recused} {
		got, _ := s.feed(t, who, url.Values{})
		if !slices.Equal(got, want[who.Token]) {
			t.Errorf("%s reads %v, want %v", who.Token, got, want[who.Token])
		}
		for _, id := range []records.RecordID{mine, blocked, theirs, amendment, others} {
			for _, path := range []string{recordPath(id), recordPath(id) + "/proof"} {
				if answered := s.get(t, path, who); (answered.status == http.StatusOK) != slices.Contains(want[who.Token], id) {
					t.Errorf("%s asks %s: %d", who.Token, path, answered.status)
				}
			}
		}
	}
	if got, _ := s.feed(t, Reviewer, url.Values{api.CaseParameter: {"case-1"}}); !slices.Equal(got, []records.RecordID{mine, blocked}) {
		t.Errorf("on the case: %v", got)
	}
	if got, _ := s.feed(t, Stranger, url.Values{api.AmendmentParameter: {"amendment-2"}}); !slices.Equal(got, []records.RecordID{others}) {
		t.Errorf("on the amendment: %v", got)
	}
	if first, second := s.record(t, Reviewer, mine), s.record(t, Reviewer, blocked); first.InForce || first.SupersededBy != blocked || !second.InForce || second.SupersededBy != "" {
		t.Errorf("%+v, %+v", first, second)
	}
	// The case is given to somebody else: what was recorded on it goes with it.
	s.Bring(t, terms.AppealCases, strangers(verifytest.AppealCase("case-1", 2)))
	s.get(t, recordPath(mine), Reviewer).is(t, api.NotFound)
	if got, _ := s.feed(t, Stranger, url.Values{}); !slices.Equal(got, []records.RecordID{mine, blocked, theirs, others}) {
		t.Errorf("after the case was given to them: %v", got)
	}
	// The amendment's latest revision is of another owner: nobody without both owners reads what was recorded on it.
	s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-1", 2).With(verifytest.Record{"ownerId": OtherOwner}))
	for _, who := range []person{Reviewer, Admin, Stranger} {
		s.get(t, recordPath(amendment), who).is(t, api.NotFound)
	}
}

// TestARecordThatIsNotTheirsIsAnsweredAsOneThatIsNotThere compares whole answers, but for the request's own id.
func TestARecordThatIsNotTheirsIsAnsweredAsOneThatIsNotThere(t *testing.T) {
	s := serving(t)
	id := s.recorded(t, s.Case, Reviewer, nil)
	pairs := [][2]string{
		{recordPath(id), recordPath(aRecordID)}, {recordPath(id) + "/proof", recordPath(aRecordID) + "/proof"}, {recordPath(canary), recordPath(aRecordID)},
		{api.RecordsPath + "?caseId=case-1", api.RecordsPath + "?caseId=case-99"}, {api.RecordsPath + "?amendmentId=amendment-1", api.RecordsPath + "?amendmentId=no"},
		{api.RecordsPath + "?caseId=appeal-policy", api.RecordsPath + "?caseId=no"}, {api.RecordsPath + "?caseId=", api.RecordsPath + "?caseId=" + canary + "%20"},
		{"/api/trade/challenge-appeal/gate/case-1", "/api/trade/challenge-appeal/gate/case-99"},
		{"/api/trade/agreement-amendments/gate/amendment-1", "/api/trade/agreement-amendments/gate/%00"},
	}
	for _, pair := range pairs {
		hidden, absent := s.get(t, pair[0], Stranger), s.get(t, pair[1], Stranger)
		hidden.is(t, api.NotFound)
		silent(t, absent)
		hidden.header.Del("X-Request-Id")
		absent.header.Del("X-Request-Id")
		if !bytes.Equal(hidden.body, absent.body) || fmt.Sprint(hidden.header) != fmt.Sprint(absent.header) {
			t.Errorf("%s is told apart: %s %v, %s %v", pair[0], hidden.body, hidden.header, absent.body, absent.header)
		}
	}
	s.get(t, "/api/trade/agreement-amendments/gate/amendment-1", Ownerless).is(t, api.NotFound)
}

func TestWhatHasNotChangedIsNotSentAgainToItsReader(t *testing.T) {
	s := serving(t)
	id := s.recorded(t, s.Case, Reviewer, nil)
	paths := []string{api.RecordsPath, api.RecordsPath + "?caseId=case-1", recordPath(id), recordPath(id) + "/proof", "/api/trade/challenge-appeal/gate/case-1"}
	tags := map[string]string{}
	ask := func(path, tag string, who person) reply {
		r := s.request(http.MethodGet, path, who, nil)
		r.Header.Set("If-None-Match", tag)
		return s.send(t, r)
	}
	for _, path := range paths {
		answered := s.get(t, path, Reviewer)
		tags[path] = answered.header.Get("ETag")
		if tags[path] == "" || answered.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %v", path, answered.header)
		}
		if again := ask(path, tags[path], Reviewer); again.status != http.StatusNotModified || len(again.body) > 0 || again.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %d", path, again.status)
		}
		if theirs := ask(path, tags[path], Stranger); theirs.status != http.StatusNotFound && path != api.RecordsPath {
			t.Errorf("%s: the tag of another's answer is answered with %d", path, theirs.status)
		}
	}
	const other = "/api/trade/agreement-amendments/gate/amendment-1"
	tags[other] = s.get(t, other, Reviewer).header.Get("ETag")
	s.recorded(t, s.Case, Reviewer, Supersede(id))
	if same := ask(other, tags[other], Reviewer); same.status != http.StatusNotModified {
		t.Errorf("%s: after a record on something else %d", other, same.status)
	}
	for _, path := range paths {
		if changed := ask(path, tags[path], Reviewer); changed.status != http.StatusOK || changed.header.Get("ETag") == tags[path] {
			t.Errorf("%s: after another record %d", path, changed.status)
		}
	}
}

func TestTheQueryOfTheRecordsIsReadStrictly(t *testing.T) {
	s := serving(t)
	_, good := s.feed(t, Reviewer, url.Values{})
	_, packets := s.pull(t, Reviewer, "")
	for _, query := range []string{"after=" + canary, "after=%zz" + canary, "After=" + good, "cursor=" + good, canary + "=1", "after=" + good + "&after=" + good,
		"after=" + packets, "after=" + good + "A", "after=" + good[1:], "after=" + strings.Repeat("A", 5000), "caseId=case-1&amendmentId=amendment-1",
		"caseId=case-1&caseId=case-1", "caseId=case-1;after=" + good, "after=0", "after=-1"} {
		answered := s.get(t, api.RecordsPath+"?"+query, Reviewer)
		answered.is(t, api.Malformed)
		silent(t, answered)
	}
	s.get(t, api.QueuePath+"?cursor="+good, Reviewer).is(t, api.Malformed)
	read[readFeed](t, s.get(t, api.RecordsPath+"?after=", Reviewer), http.StatusOK)
}

// answeredGate is what a platform reads of a gate route.
type answeredGate struct {
	Table           string
	ID              string
	Revision        int
	Recorded        bool
	Gate            string
	RelianceGate    string
	RelianceReasons []string
	RecordID        records.RecordID
	Outcome         string
	RecordedAt      string
}

func (s *harness) gateOf(t testing.TB, on verify.Ref) answeredGate {
	t.Helper()
	path := api.AppealGatePath
	if terms.AreaOf(on.Table) == terms.Amendments {
		path = api.AmendmentGatePath
	}
	gate := read[answeredGate](t, s.get(t, strings.Replace(path, "{id}", string(on.Key.ID), 1), Reviewer), http.StatusOK)
	if gate.ID != string(on.Key.ID) || gate.Table != on.Table.String() || (gate.RelianceGate == "pass") != (len(gate.RelianceReasons) == 0) {
		t.Errorf("%+v", gate)
	}
	return gate
}

// What the record in force says stands beside what may be relied on (source 4.1 (2) and 4.2 (1)).
func TestTheGateRouteNamesTheRecordInForceOnTheLatestRevision(t *testing.T) {
	s := serving(t)
	makes := map[terms.Area]func(string, int) verifytest.Record{terms.Appeals: verifytest.AppealCase, terms.Amendments: verifytest.Amendment}
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		if none := s.gateOf(t, on); none.Recorded || none.Gate != "blocked" || none.RecordID != "" || none.RelianceReasons[0] != records.NoRecord {
			t.Errorf("without a record: %+v", none)
		}
		first := s.recorded(t, on, Reviewer, nil)
		if passed := s.gateOf(t, on); !passed.Recorded || passed.Gate != "pass" || passed.RecordID != first ||
			(passed.Outcome != "") != (area == terms.Appeals) || (passed.RelianceGate == "pass") != (area == terms.Amendments) {
			t.Errorf("with a record that passes: %+v", passed)
		}
		second := s.recorded(t, on, Admin, func(c *records.Choice) { Block(c); c.Supersedes = first })
		if blocked := s.gateOf(t, on); !blocked.Recorded || blocked.Gate != "blocked" || blocked.RecordID != second ||
			blocked.RelianceReasons[0] != terms.NeutralReviewMissing.String() {
			t.Errorf("with a record that blocks: %+v", blocked)
		}
		s.Bring(t, on.Table, makes[area](string(on.Key.ID), 2))
		if later := s.gateOf(t, on); later.Recorded || later.Gate != "blocked" || later.Revision != 2 || later.RecordID != "" ||
			!slices.Contains(later.RelianceReasons, records.NotLatest) {
			t.Errorf("on a revision that nobody judged: %+v", later)
		}
	}
}

// TestRelianceIsJudgedWhenItIsAskedFor asks about each outcome on each kind of case: at once, after the policy's end, with a newer policy,
// and with a newer revision.
func TestRelianceIsJudgedWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	if onPostgres() {
		t.Skip("the time of the store is changed by opening its file again")
	}
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	var all []string
	for _, outcome := range terms.Outcomes.All() {
		all = append(all, outcome.String())
	}
	policy := func(version int) verifytest.Record {
		return verifytest.AppealPolicy("short-policy", version).With(verifytest.Record{
			"effectiveUntil": Noon.Add(time.Minute).Format(time.RFC3339),
			"outcomeRules": verifytest.Record{"wrong_scope_evidence": verifytest.Record{
				"advisory": "uphold_decision", "compatible": all}}})
	}
	s.Bring(t, terms.AppealPolicies, policy(1))
	s.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("short-policy", 1).With(verifytest.Record{
		"staleAfter": Noon.Add(time.Minute).Format(time.RFC3339)}))
	type subject struct {
		on   verify.Ref
		what verifytest.Record
		pass bool
	}
	var subjects []subject
	add := func(table terms.Table, what verifytest.Record, pass bool, change func(*records.Choice)) {
		on := s.Bring(t, table, what.With(verifytest.Record{"policyId": "short-policy"}))
		s.recorded(t, on, Reviewer, change)
		subjects = append(subjects, subject{on, what.With(verifytest.Record{"policyId": "short-policy"}), pass})
	}
	for _, status := range []string{"under_neutral_review", "corrected", "upheld"} {
		for _, outcome := range terms.Outcomes.All() {
			what := verifytest.AppealCase(status+"-"+outcome.String(), 1).With(verifytest.Record{"status": status})
			relied := outcome == terms.CorrectRecord || outcome == terms.RecordRemedy
			add(terms.AppealCases, what, status == "corrected" && relied, func(c *records.Choice) { c.Outcome = outcome })
		}
	}
	add(terms.AmendmentRecords, verifytest.Amendment("passed", 1), true, nil)
	add(terms.AmendmentRecords, verifytest.Amendment("tightened", 1), false, Block)
	ask := func(when, area string, passes bool, reason string) {
		t.Helper()
		for _, one := range subjects {
			if area != "" && terms.AreaOf(one.on.Table).String() != area {
				continue
			}
			got := s.gateOf(t, one.on)
			if want := passes && one.pass; (got.RelianceGate == "pass") != want || reason != "" && !slices.Contains(got.RelianceReasons, reason) {
				t.Errorf("%s: %s is %s by %q", when, one.on.Key.ID, got.RelianceGate, got.RelianceReasons)
			}
		}
	}
	ask("at once", "", true, "")

	now := s.store
	s.store = openStore(t, store.Options{Path: s.path, Service: true, Now: func() time.Time { return Noon.Add(2 * time.Minute) },
		AnchorFolder: filepath.Join(filepath.Dir(s.path), "anchors")})
	s.restart(t)
	ask("after the policy's end", terms.Appeals.String(), false, "appeal_policy_not_current")
	ask("after the policy's end", terms.Amendments.String(), false, "policy_stale")
	s.store = now
	s.restart(t)

	for _, one := range subjects {
		if !one.pass || one.on.Key.ID == "corrected-correct_record" {
			continue
		}
		s.Bring(t, one.on.Table, one.what.With(verifytest.Record{"revision": 2}))
		if got := s.gateOf(t, one.on); got.RelianceGate != "blocked" || !slices.Contains(got.RelianceReasons, records.NotLatest) {
			t.Errorf("with a newer revision: %+v", got)
		}
	}
	s.Bring(t, terms.AppealPolicies, policy(2))
	s.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("short-policy", 2))
	ask("with a newer policy", terms.Appeals.String(), false, "appeal_policy_not_current")
	ask("with a newer policy", terms.Amendments.String(), false, "policy_superseded")
}

// TestNothingPrivateIsInARecord looks at all that the routes of records answer for a case with private members and a masked text.
func TestNothingPrivateIsInARecord(t *testing.T) {
	s := serving(t)
	packet, err := json.Marshal(map[string]any{"table": terms.AppealCases, "record": verifytest.AppealCase("case-5", 1).With(verifytest.Record{
		"remedyGap": "Write to " + canary + "@example.org about it."}), "private": map[string]any{"reviewer_note": canary, "contact_data": []string{canary}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Hold(t, packet)
	on := s.Log.HoldSealed(packet)
	id := s.recorded(t, on, Reviewer, nil)
	for _, path := range []string{api.RecordsPath, recordPath(id), recordPath(id) + "/proof", api.RecordsPath + "?caseId=case-5", "/api/trade/challenge-appeal/gate/case-5"} {
		answered := s.get(t, path, Reviewer)
		if silent(t, answered); answered.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, answered.status, answered.body)
		}
	}
}

// TestATimeThatEndsInZerosIsTakenAsItIsSigned hands in records of another client, which writes its times with a fixed number of digits.
func TestATimeThatEndsInZerosIsTakenAsItIsSigned(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		honest := s.Decide(on, Reviewer, nil)
		times := verifytest.Record{}
		for member, at := range map[string]terms.Instant{"openedAt": honest.Members().OpenedAt, "evaluatedAt": honest.Members().EvaluatedAt, "recordedAt": honest.Members().RecordedAt} {
			times[member] = at.Time().Format("2006-01-02T15:04:05.000000Z")
		}
		record := reread(t, terms.AreaOf(on.Table), s.Log.Forged(honest, times))
		s.takes(t, record, Reviewer)
		s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
		answered := s.record(t, Reviewer, record.Members().RecordID)
		for member, text := range times {
			if parsed(t, answered.Record)[member] != text {
				t.Errorf("%s is %v, and was handed in as %s", member, parsed(t, answered.Record)[member], text)
			}
		}
	}
	report, err := s.store.Verify(t.Context(), verify.Options{Now: terms.InstantOf(Noon)})
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

// TestOfConflictingDecisionsAtOnceOneIsTaken hands in several decisions on one revision at the same time: the reviewer's from two consoles, and
// a safety admin's that blocks. One is acknowledged; the others are rejected by name of that one.
func TestOfConflictingDecisionsAtOnceOneIsTaken(t *testing.T) {
	s := serving(t)
	const rounds = 12
	var taken []records.RecordID
	for round := range rounds {
		on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-raced-%d", round), 1))
		if round%2 == 1 {
			on = s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("amendment-raced-%d", round), 1))
		}
		decisions := []records.Enforcement{s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil), s.Decide(on, Admin, Block), s.Decide(on, Admin, Block)}
		answers := make([]reply, len(decisions))
		var begin, all sync.WaitGroup
		begin.Add(1)
		for i, record := range decisions {
			who := []person{Reviewer, Reviewer, Admin, Admin}[i]
			body := s.Body(t, record)
			all.Go(func() {
				begin.Wait()
				answers[i] = s.post(t, enforcePath(record), who, body)
			})
		}
		begin.Done()
		all.Wait()
		won := slices.IndexFunc(answers, func(a reply) bool { return a.status == http.StatusCreated })
		if won < 0 {
			t.Fatalf("nothing was taken: %+v", answers)
		}
		winner := decisions[won].Members().RecordID
		taken = append(taken, winner)
		for i := range answers {
			if i != won {
				problem := answers[i].problem(t)
				s.rejected(t, decisions[i], problem)
				if answers[i].status != http.StatusConflict || problem.InForce != winner {
					t.Errorf("%s: in force is %s, acknowledged was %s", problem.Type, problem.InForce, winner)
				}
				s.get(t, recordPath(decisions[i].Members().RecordID), Admin).is(t, api.NotFound)
			}
		}
	}
	if got, _ := s.feed(t, Admin, url.Values{}); !slices.Equal(got, taken) {
		t.Errorf("the feed has %v, acknowledged were %v", got, taken)
	}
}
