package client_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// anonymous is a client of the service without a token. It fails the test if it sends one.
func anonymous(t *testing.T, s *service) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Authorization")) > 0 {
			t.Error("a token was sent")
		}
		r.Header.Set("Authorization", "Bearer "+s.token) // this service asks everybody for one
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	caller, err := client.NewAnonymous(client.Options{Address: server.URL, Retry: newClock().pace()})
	must(t, err)
	t.Cleanup(caller.Close)
	return caller
}

// codes are the findings of a report.
func codes(r *verify.Report) (list []verify.Code) {
	for _, finding := range r.Findings {
		list = append(list, finding.Code)
	}
	return list
}

// What a console finds of a service's log, anybody finds who has an earlier checkpoint.
func TestAnybodyFindsASetbackOfTheServiceByACheckpointThatTheyKept(t *testing.T) {
	want := map[records.SetbackKind]verify.Code{records.LogRolledBack: verify.RolledBack, records.LogForked: verify.Forked, records.LogUnproven: verify.RootDiffers}
	for name, c := range setbacks {
		s := newService(t, 1)
		s.grow(many("record", 300)...)
		o := verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "kept", Signed: []byte(s.head(300))}, {Name: "older", Signed: []byte(s.head(3))}}}
		if report, err := client.CheckLog(t.Context(), anonymous(t, s), o); err != nil || !report.OK() || report.Size != 300 || !report.Root.Present() {
			t.Fatalf("%s: before: %+v, %v", name, report, err)
		}
		c.do(s)
		report, err := client.CheckLog(t.Context(), anonymous(t, s), o)
		if err != nil || !slices.Equal(codes(&report), []verify.Code{want[c.kind]}) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

func TestTheLogOfAServiceIsCheckedWithTheKeyThatIsKnown(t *testing.T) {
	s, other := newService(t, 1), newService(t, 5)
	s.grow("a", "b", "c")
	for name, c := range map[string]struct {
		o    verify.Options
		want []verify.Code
	}{
		"its key":                 {verify.Options{VerifierKeys: []string{s.key}}, nil},
		"one of several":          {verify.Options{VerifierKeys: []string{other.key, s.key}}, nil},
		"another key":             {verify.Options{VerifierKeys: []string{other.key}}, []verify.Code{verify.CheckpointUnknownKey}},
		"a checkpoint of another": {verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "x", Signed: []byte(other.head(0))}}}, []verify.Code{verify.EarlierUnusable}},
		"garbage":                 {verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "x", Signed: []byte("garbage")}}}, []verify.Code{verify.EarlierUnusable}},
	} {
		if report, err := client.CheckLog(t.Context(), anonymous(t, s), c.o); err != nil || !slices.Equal(codes(&report), c.want) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
	// Hashes that are not of the checkpoint are found without an earlier one, too.
	setbacks["tiles of another log"].do(s)
	if report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}}); err != nil || !slices.Equal(codes(&report), []verify.Code{verify.RootDiffers}) {
		t.Errorf("tiles of another log: %v, %v", report.Findings, err)
	}
	s.show = func(string, []byte) []byte { return nil }
	if report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}}); err == nil || report.OK() && report.Size > 0 {
		t.Errorf("a service that shows nothing: %+v, %v", report, err)
	}
	empty := newService(t, 2)
	if report, err := client.CheckLog(t.Context(), anonymous(t, empty), verify.Options{VerifierKeys: []string{empty.key}}); err != nil || !report.OK() || report.Size != 0 {
		t.Errorf("an empty log: %+v, %v", report, err)
	}
}

func TestTheLogOfAServiceIsHeldToAPolicyByAnybody(t *testing.T) {
	s, other := newService(t, 1), newService(t, 5)
	s.grow("a", "b", "c")
	w := verifytest.NewWitness(t, "example.org/w")
	now, _ := terms.ParseInstant("2026-06-15T12:00:00Z")
	cosigned := s.head(2) + string(w.Line([]byte(s.head(2)), now.Time().Add(-3*time.Hour)))
	fork := newService(t, 1)
	fork.grow("a", "x")
	forked := fork.head(2) + string(w.Line([]byte(fork.head(2)), now.Time()))
	quorum := "witness w " + w.Key + "\nquorum w\n"
	for name, c := range map[string]struct {
		policy, shown string
		age           time.Duration
		want          []verify.Code
	}{
		"met":                   {quorum, cosigned, 0, nil},
		"of the named log":      {"log " + s.key + "\n" + quorum, cosigned, 4 * time.Hour, nil},
		"old":                   {quorum, cosigned, time.Hour, []verify.Code{verify.PolicyOld}},
		"of another log":        {"log " + other.key + "\n" + quorum, cosigned, 0, []verify.Code{verify.PolicyUnmet}},
		"cosigned by nobody":    {quorum, "", 0, []verify.Code{verify.PolicyUnmet}},
		"of another history":    {quorum, forked, 0, []verify.Code{verify.Forked}},
		"cosigned by a forgery": {quorum, s.head(3) + string(w.Line([]byte(s.head(2)), now.Time())), 0, []verify.Code{verify.PolicyUnmet}},
	} {
		s.show = func(path string, log []byte) []byte {
			if path != api.CosignedPath {
				return log
			}
			if c.shown == "" {
				return nil
			}
			return []byte(c.shown)
		}
		policy, err := verify.ParsePolicy([]byte(c.policy))
		must(t, err)
		report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}, Policy: policy, MaxAge: c.age, Now: now})
		if err != nil || !slices.Equal(codes(&report), c.want) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
		if len(c.want) == 0 && (report.Coverage == nil || !report.Coverage.Met || report.Coverage.Size != 2 || report.Coverage.Uncovered != 1) {
			t.Errorf("%s: %+v", name, report.Coverage)
		}
	}
}
