package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A struck is a service's store whose transactions end as a test asks for.
type struck struct {
	*fixture
	database *postgrestest.Database
	proxy    *proxy
	direct   *pgx.Conn // past the proxy
}

// strikes is a function that has the server end a transaction for another one, once after arm.
const strikes = `
CREATE SEQUENCE public.strikes START 2;
CREATE FUNCTION public.strike() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF nextval('strikes') = 1 THEN
    RAISE EXCEPTION 'struck' USING ERRCODE = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;`

const arm = "SELECT setval('public.strikes', 1, false)"

// struckTables are the tables of which each operation of a service writes one at least.
var struckTables = []string{"docket_log", "docket_tokens", "docket_cosignatures"}

// newStruck is a service with a policy, behind a proxy.
func newStruck(t *testing.T) *struck {
	t.Helper()
	database := postgrestest.New(t)
	s := &struck{database: database, proxy: newProxy(t, database.Server), direct: connect(t, database)}
	s.fixture = fixtureAt(t, s.open(t, database.Name, t.TempDir()))
	s.register()
	s.take(s.mill.appealPolicy(1))
	s.nameOperator()
	return s
}

func connect(t testing.TB, database *postgrestest.Database) *pgx.Conn {
	t.Helper()
	conn := need(pgx.Connect(t.Context(), database.DSN(postgrestest.Superuser)))(t)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// ask runs statements, as psql does and without a program for each, and returns the row of the last one.
func (s *struck) ask(statements string) string {
	s.t.Helper()
	results := need(s.direct.PgConn().Exec(s.t.Context(), statements).ReadAll())(s.t)
	last := results[len(results)-1]
	must(s.t, last.Err)
	if len(last.Rows) == 0 {
		return ""
	}
	return string(bytes.Join(last.Rows[0], []byte("|")))
}

func (s *struck) open(t *testing.T, name, folder string) *Store {
	t.Helper()
	return onDatabase(t, s.proxy.dsn(postgrestest.Superuser, name), folder, filepath.Join(folder, "anchors"))
}

// onDatabase is the store of a service in a database, with its key and its anchors in folders.
func onDatabase(t testing.TB, dsn, keys, anchors string) *Store {
	t.Helper()
	db := need(postgres.New(postgres.Options{DSN: dsn, Busy: time.Minute}))(t)
	return openWith(t, Options{Path: db.Name(), Database: db, KeyFolder: keys, Service: true, BusyTimeout: time.Minute, AnchorFolder: anchors,
		Now: func() time.Time { return noon }})
}

// operations are what a service writes. Each is done once for a number, and has to be done as if nothing had happened.
var operations = map[string]func(s *struck, i int) error{
	"a record": func(s *struck, i int) error {
		before, err := s.store.Head(s.t.Context())
		if err != nil {
			return err
		}
		taken, err := s.submit(s.judged(terms.ID(fmt.Sprintf("case-%d", i)), decision{}))
		if err == nil && (taken.Again || taken.Receipt.TreeSize != before.Size+1) {
			err = fmt.Errorf("again %v, %d records before, receipt of %d", taken.Again, before.Size, taken.Receipt.TreeSize)
		}
		return err
	},
	"packets": func(s *struck, i int) error {
		var list []packets.Packet
		for n := range 3 {
			list = append(list, s.mill.appealCase(passing(fmt.Sprintf("case-more-%d-%d", i, n), 1)))
		}
		list = append(list, s.mill.appealPolicy(1))
		results, err := s.store.Import(s.t.Context(), list)
		if due := []ImportResult{Imported, Imported, Imported, Unchanged}; err == nil && !reflect.DeepEqual(results, due) {
			err = fmt.Errorf("the packets are %v", results)
		}
		return err
	},
	"an erasure": func(s *struck, i int) error {
		e := textsOfCase1
		e.Key.ID = terms.ID(fmt.Sprintf("case-erased-%d", i))
		return s.store.Erase(s.t.Context(), s.statedErasure(e))
	},
	"a token": func(s *struck, i int) error { return s.store.AddToken(s.t.Context(), numbered(i)) },
	"the end of a token": func(s *struck, i int) error {
		return s.store.RevokeToken(s.t.Context(), fmt.Sprintf("tok-ending-%d", i))
	},
	"a key": func(s *struck, i int) error {
		_, err := s.store.AddKey(s.t.Context(), reviewerID, signed.AuthorizedKey(newKey(s.t, byte(100+i)).PublicKey()))
		return err
	},
	"an operator": func(s *struck, i int) error {
		other, own := newKey(s.t, byte(200+i)), s.key
		defer func() { s.key = own }()
		for _, to := range []ssh.Signer{other, own} { // and back
			due, err := s.store.OperatorToChange(s.t.Context(), reviewerID, ssh.FingerprintSHA256(to.PublicKey()))
			if err == nil {
				err = s.store.NameOperator(s.t.Context(), s.stated(due, nil))
			}
			if err != nil {
				return err
			}
			s.key = to
		}
		return nil
	},
	"an enrolment": func(s *struck, i int) error {
		name := fmt.Sprint(i)
		token, _, err := s.store.Enroll(s.t.Context(), answer(s.t, name, "secret-"+name, "key-"+name, reviewerID))
		if err == nil && token.ID != "token-"+name {
			err = fmt.Errorf("the token is %q", token.ID)
		}
		return err
	},
	"a cosignature": func(s *struck, i int) error {
		w := verifytest.NewWitness(s.t, fmt.Sprintf("example.org/w-%d", i))
		return s.store.KeepCosignature(s.t.Context(), w.Cosign(s.checkpoint(), noon))
	},
}

func numbered(i int) Token {
	token := aToken(fmt.Sprintf("tok-struck-%d", i), byte(i))
	token.Digest[0] = 77
	return token
}

func (s *struck) prepare(i int) {
	s.t.Helper()
	name := fmt.Sprint(i)
	evidence := members{"items": []string{"ev-1"}, "statement": "Some words."}
	s.take(s.mill.appealCase(passing("case-"+name, 1)), s.mill.appealCase(passing("case-erased-"+name, 1).With(members{"evidenceScope": evidence})))
	ending, invitation := numbered(i), answer(s.t, name, "secret-"+name, "key-"+name, reviewerID)
	ending.ID, ending.Digest[0] = "tok-ending-"+name, 78
	must(s.t, s.store.AddToken(s.t.Context(), ending))
	invited := s.invite(s.t, name, "secret-"+name)
	mustNot(s.t, string(invited.ID) != invitation.Invitation,
		"%s is invited by %s", invitation.Invitation, invited.ID)
}

// held are how many rows there are of what cannot be there twice, and of the statements and cosignatures.
func (s *struck) held() string {
	s.t.Helper()
	var parts []string
	for _, table := range append(struckTables, "trade_appeal_cases", "docket_texts", "docket_checkpoints") {
		parts = append(parts, "(SELECT count(*) FROM docket."+table+")")
	}
	return s.ask("SELECT " + strings.Join(parts, ", "))
}

// Each way in which the database may end a transaction: for another one, with its connection before it heard of the COMMIT, and with its
// connection after it committed. What a service writes is written once and acknowledged, whichever it was.
func TestWhatTheDatabaseEndsIsDoneAgainAndIsThereOnce(t *testing.T) {
	t.Parallel()
	s, undisturbed := newStruck(t), newStruck(t)
	var trigger, drop strings.Builder
	for _, table := range struckTables {
		fmt.Fprintf(&trigger, "CREATE CONSTRAINT TRIGGER struck AFTER INSERT ON docket.%s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.strike('%%[1]s');", table)
		fmt.Fprintf(&drop, "DROP TRIGGER struck ON docket.%s;", table)
	}
	s.ask(strikes)
	number := 0
	for _, way := range []struct {
		name, code string
		arm        func()
	}{
		{"a serialization failure", "40001", nil},
		{"a deadlock", "40P01", nil},
		{"a COMMIT that the server never got", "", s.proxy.loseRequest},
		{"a COMMIT whose answer is lost", "", s.proxy.loseAnswer},
	} {
		for name, do := range operations {
			number++
			s.prepare(number)
			undisturbed.prepare(number)
			ended := s.proxy.ended()
			if way.code != "" {
				s.ask(fmt.Sprintf(trigger.String(), way.code) + arm)
			} else {
				way.arm()
			}
			err := errors.Join(do(s, number), do(undisturbed, number))
			wantNot(t, err != nil, "%s, %s: %v", way.name, name, err)
			if way.code != "" {
				drawn := s.ask(drop.String() + "SELECT last_value, is_called FROM public.strikes")
				wantNot(t, drawn == "1|f", "%s, %s: the transaction was not ended", way.name, name)
			} else if s.proxy.ended() != ended+1 {
				t.Errorf("%s, %s: %d connections were ended", way.name, name, s.proxy.ended()-ended)
			}
			if now, due := s.held(), undisturbed.held(); now != due {
				t.Fatalf("%s, %s: there are %s rows, and undisturbed %s", way.name, name, now, due)
			}
		}
	}
	found := proven(t, s.store)
	wantNot(t, len(found) > 0 || len(s.store.Findings()) > 0, "found %v", found)
}

func TestARecordThatTheServerEndsInADeadlockIsTakenAgain(t *testing.T) {
	t.Parallel()
	s := newStruck(t)
	other := s.direct
	rounds := 0
	for victim := "40P01"; victim != ""; { // the server ends the one that waited for longer than its limit, which is shorter for the service
		rounds++
		s.prepare(rounds)
		sub := s.judged(terms.ID(fmt.Sprintf("case-%d", rounds)), decision{})
		sub.Token = s.grant(s.reviewer)
		for _, statement := range []string{"SET deadlock_timeout = '10s'", "BEGIN", "LOCK TABLE docket.docket_log IN SHARE MODE"} {
			need(other.Exec(t.Context(), statement))(t)
		}
		done := make(chan error)
		go func() {
			_, err := s.store.HandIn(context.Background(), sub)
			done <- err
		}()
		s.database.Server.Await(t, "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted", "t")
		_, err := other.Exec(t.Context(), "SELECT turn FROM docket.docket_head WHERE id = 0 FOR UPDATE")
		victim = codeOf(err)
		mustNot(t, victim != "" && victim != "40P01", "%v", err)
		need(other.Exec(t.Context(), "ROLLBACK"))(t)
		must(t, <-done)
	}
	wantText(t, "there was no deadlock", s.database.Server.Log(), "deadlock detected")
	wantKinds(t, "found", proven(t, s.store))
	wantSame(t, "records", need(s.store.RecordPage(t.Context(), 0, 1))(t).Total, int64(rounds))
}

func codeOf(err error) string {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}

// The first process of a service makes the store, and another one moves there: what is made is there once, with its key.
func TestAStoreThatIsMadeOrMovedIsThereOnceThoughTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	s := newStruck(t)
	for name, lose := range map[string]func(){"the COMMIT": s.proxy.loseRequest, "its answer": s.proxy.loseAnswer} {
		folder, empty := t.TempDir(), s.database.Server.New(t)
		lose()
		made := fixtureAt(t, s.open(t, empty.Name, folder))
		made.register()
		if found := proven(t, made.store); len(found) > 0 || made.store.ReadOnly() {
			t.Errorf("%s is lost: found %v, obstacle %v", name, found, made.store.Obstacle())
		}

		from, to := moved(t)
		target := s.database.Server.New(t)
		migrated := database(t, target, postgrestest.Superuser, false)
		_, _, err := migrated.Migrate(t.Context())
		must(t, err)
		db := need(postgres.New(postgres.Options{DSN: s.proxy.dsn(postgrestest.Writer, target.Name), Busy: time.Minute}))(t)
		to.Database, to.Path = db, db.Name()
		ended := s.proxy.ended()
		lose()
		head := need(from.store.MoveTo(t.Context(), to, quiet))(t)
		wantNot(t, head.Size == 0 || s.proxy.ended() != ended+1, "%s is lost: %+v", name, head)
		mustBe(t, from.store.AddToken(t.Context(), aToken("tok-late", 9)), ErrMoved)
	}
}

func TestACheckpointOfMoreEntriesThanThereAreIsRefusedAndFoundInADatabase(t *testing.T) {
	t.Parallel()
	s := newStruck(t)
	const more = "INSERT INTO docket.docket_checkpoints SELECT size + 1, note FROM docket.docket_checkpoints ORDER BY size DESC LIMIT 1"
	_, refused := s.direct.PgConn().Exec(t.Context(), "SET ROLE docket_writer; "+more).ReadAll()
	wantNot(t, refused == nil, "it is kept")
	s.ask("RESET ROLE; ALTER TABLE docket.docket_checkpoints DISABLE TRIGGER next_checkpoint; " + more + "; ALTER TABLE docket.docket_checkpoints ENABLE ALWAYS TRIGGER next_checkpoint")
	wantKinds(t, "a checkpoint more", proven(t, s.store), verify.DerivedDiffers)
}

// services are so many processes of one service on one database, with the log's key and the checkpoint outside the store in one folder.
func services(t *testing.T, count int) (database *postgrestest.Database, list []*fixture) {
	t.Helper()
	database = postgrestest.New(t)
	folder := t.TempDir()
	for range count {
		list = append(list, fixtureAt(t, onDatabase(t, database.DSN(postgrestest.Superuser), folder, filepath.Join(folder, "anchors"))))
	}
	list[0].register()
	return database, list
}

func TestOfTwoProcessesThatRaceForOneCaseOneIsTaken(t *testing.T) {
	t.Parallel()
	_, list := services(t, 2)
	d := list[0]
	d.take(d.mill.appealPolicy(1))
	for round := range 10 {
		id := terms.ID(fmt.Sprintf("case-%d", round))
		d.take(d.mill.appealCase(passing(string(id), 1)))
		var subs []Submission
		for range list {
			sub := d.judged(id, decision{})
			sub.Token = d.grant(d.reviewer)
			subs = append(subs, sub)
		}
		errs := atOnce(len(list), func(i int) error { return errOf(list[i].store.HandIn(context.Background(), subs[i])) })
		mustNot(t, (errs[0] == nil) == (errs[1] == nil) ||
			!errors.Is(errors.Join(errs...), records.ErrRefused), "round %d: %v", round, errs)
	}
	for _, one := range list {
		wantSame(t, "records in the log", len(wholeLog(t, one.store)), 10)
	}
}

func TestNothingAcknowledgedIsLostWhenConnectionsEnd(t *testing.T) {
	t.Parallel()
	const clients, each = 8, 6
	database, list := services(t, 2)
	d := list[0]
	subs := make([]Submission, clients*each)
	for i, id := range d.many("case", len(subs)) {
		subs[i] = d.judged(id, decision{})
		subs[i].Token = d.grant(d.reviewer)
	}
	stop, taken, direct := make(chan struct{}), make(chan struct{}), connect(t, database)
	var killer, wait sync.WaitGroup
	killer.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-taken:
				if _, err := direct.Exec(context.Background(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket' "+
					"AND datname = current_database() AND state <> 'idle' AND random() < 0.3"); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for client := range clients {
		wait.Go(func() {
			for i := client * each; i < (client+1)*each; i++ {
				for tries := 0; ; tries++ { // as a console hands in again what was not answered
					_, err := list[client%2].store.HandIn(context.Background(), subs[i])
					if err == nil {
						select {
						case taken <- struct{}{}:
						default:
						}
						break
					}
					if errors.Is(err, records.ErrRefused) || tries == 100 {
						t.Errorf("record %d: %v", i, err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	killer.Wait()
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), clients*each)
	report := need(d.store.Verify(t.Context(), verify.Options{}))(t)
	wantNot(t, len(d.store.Findings()) > 0, "%v, %v", report, d.store.Findings())
}
