-- The schema of a store, version 1, made as docket_owner. Names are never quoted, so that the server has them in lower case. Documents and free texts are bytes, as
-- they were signed; the columns that queries look for are filled from them by a trigger.

CREATE TABLE docket.docket_schema (
  version bigint PRIMARY KEY,
  madeAt timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- The one row that every transaction which writes locks first.
CREATE TABLE docket.docket_head (
  id bigint PRIMARY KEY CHECK (id = 0),
  turn bigint NOT NULL
);

INSERT INTO docket.docket_head (id, turn) VALUES (0, 0);

CREATE TABLE docket.trade_appeal_policies (
  position bigint PRIMARY KEY,
  document bytea NOT NULL,
  policyId text COLLATE "C" NOT NULL,
  policyVersion bigint NOT NULL
);

CREATE UNIQUE INDEX trade_appeal_policies_key ON docket.trade_appeal_policies (policyId, policyVersion DESC);

CREATE TABLE docket.trade_appeal_cases (
  position bigint PRIMARY KEY,
  document bytea NOT NULL,
  caseId text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  status text COLLATE "C",
  assignee text COLLATE "C",
  deadline text COLLATE "C",
  filedAt text COLLATE "C",
  subjectId text COLLATE "C"
);

CREATE UNIQUE INDEX trade_appeal_cases_key ON docket.trade_appeal_cases (caseId, revision DESC);

CREATE INDEX trade_appeal_cases_assignee ON docket.trade_appeal_cases (assignee, deadline, caseId, revision) WHERE status NOT IN ('upheld', 'corrected', 'dismissed', 'closed_unresolved', 'superseded');

CREATE INDEX trade_appeal_cases_assigned ON docket.trade_appeal_cases (assignee, position, caseId, revision);

CREATE INDEX trade_appeal_cases_deadline ON docket.trade_appeal_cases (deadline, caseId, revision) WHERE status NOT IN ('upheld', 'corrected', 'dismissed', 'closed_unresolved', 'superseded');

CREATE INDEX trade_appeal_cases_related ON docket.trade_appeal_cases (subjectId, caseId, revision);

CREATE TABLE docket.trade_agreement_amendment_policies (
  position bigint PRIMARY KEY,
  document bytea NOT NULL,
  policyId text COLLATE "C" NOT NULL,
  policyVersion bigint NOT NULL
);

CREATE UNIQUE INDEX trade_agreement_amendment_policies_key ON docket.trade_agreement_amendment_policies (policyId, policyVersion DESC);

CREATE TABLE docket.trade_agreement_amendment_records (
  position bigint PRIMARY KEY,
  document bytea NOT NULL,
  amendmentId text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  state text COLLATE "C",
  assignee text COLLATE "C",
  ownerId text COLLATE "C",
  agreementId text COLLATE "C"
);

CREATE UNIQUE INDEX trade_agreement_amendment_records_key ON docket.trade_agreement_amendment_records (amendmentId, revision DESC);

CREATE INDEX trade_agreement_amendment_records_assignee ON docket.trade_agreement_amendment_records (assignee, amendmentId, revision);

CREATE INDEX trade_agreement_amendment_records_assigned ON docket.trade_agreement_amendment_records (assignee, position, amendmentId, revision);

CREATE INDEX trade_agreement_amendment_records_owned ON docket.trade_agreement_amendment_records (ownerId, position, amendmentId, revision);

CREATE INDEX trade_agreement_amendment_records_related ON docket.trade_agreement_amendment_records (agreementId, amendmentId, revision);

CREATE TABLE docket.trade_challenge_appeal_enforcement_records (
  sequence bigint PRIMARY KEY,
  document bytea NOT NULL,
  recordId text COLLATE "C" NOT NULL,
  caseId text COLLATE "C" NOT NULL,
  caseRevision bigint NOT NULL,
  supersedes text COLLATE "C",
  reviewer text COLLATE "C",
  fingerprint text COLLATE "C",
  recordedAt text COLLATE "C",
  computed text COLLATE "C",
  byReviewer text COLLATE "C",
  carried text COLLATE "C"
);

CREATE UNIQUE INDEX trade_challenge_appeal_enforcement_records_record ON docket.trade_challenge_appeal_enforcement_records (recordId);

CREATE INDEX trade_challenge_appeal_enforcement_records_key ON docket.trade_challenge_appeal_enforcement_records (caseId, caseRevision, sequence);

CREATE INDEX trade_challenge_appeal_enforcement_records_supersedes ON docket.trade_challenge_appeal_enforcement_records (supersedes, recordId);

CREATE TABLE docket.trade_agreement_amendment_enforcement_records (
  sequence bigint PRIMARY KEY,
  document bytea NOT NULL,
  recordId text COLLATE "C" NOT NULL,
  amendmentId text COLLATE "C" NOT NULL,
  amendmentRevision bigint NOT NULL,
  supersedes text COLLATE "C",
  reviewer text COLLATE "C",
  fingerprint text COLLATE "C",
  recordedAt text COLLATE "C",
  computed text COLLATE "C",
  byReviewer text COLLATE "C",
  carried text COLLATE "C",
  ownerId text COLLATE "C"
);

CREATE UNIQUE INDEX trade_agreement_amendment_enforcement_records_record ON docket.trade_agreement_amendment_enforcement_records (recordId);

CREATE INDEX trade_agreement_amendment_enforcement_records_key ON docket.trade_agreement_amendment_enforcement_records (amendmentId, amendmentRevision, sequence);

CREATE INDEX trade_agreement_amendment_enforcement_records_supersedes ON docket.trade_agreement_amendment_enforcement_records (supersedes, recordId);

CREATE INDEX trade_agreement_amendment_enforcement_records_owner ON docket.trade_agreement_amendment_enforcement_records (ownerId, sequence);

CREATE TABLE docket.docket_meta (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_log (
  position bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  tableName text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  at text COLLATE "C" NOT NULL,
  leafHash bytea NOT NULL CHECK (pg_catalog.octet_length(leafHash) = 32),
  body text COLLATE "C" NOT NULL,
  signature text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX docket_log_record ON docket.docket_log (subject) WHERE kind = 'record';

CREATE UNIQUE INDEX docket_log_records ON docket.docket_log (number) WHERE kind = 'record';

CREATE INDEX docket_log_stated ON docket.docket_log (subject, position) WHERE kind = 'statement';

CREATE UNIQUE INDEX docket_log_statements ON docket.docket_log (position) WHERE kind = 'statement';

CREATE TABLE docket.docket_log_hashes (
  position bigint PRIMARY KEY,
  hash bytea NOT NULL CHECK (pg_catalog.octet_length(hash) = 32)
);

CREATE TABLE docket.docket_signers (
  position bigint PRIMARY KEY,
  reviewerId text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  publicKey text COLLATE "C" NOT NULL,
  since text COLLATE "C" NOT NULL,
  UNIQUE (reviewerId, fingerprint)
);

CREATE TABLE docket.docket_checkpoints (
  size bigint PRIMARY KEY,
  note text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_texts (
  owner bigint NOT NULL,
  member text COLLATE "C" NOT NULL,
  salt text COLLATE "C" NOT NULL,
  text bytea NOT NULL,
  PRIMARY KEY (owner, member)
);

CREATE TABLE docket.docket_cosignatures (
  position bigint PRIMARY KEY,
  checkpoint text COLLATE "C" NOT NULL,
  cosignature text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  keptAt text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_tokens (
  position bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (pg_catalog.octet_length(digest) = 32),
  principal text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  owners text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  expiresAt text COLLATE "C" NOT NULL,
  UNIQUE (kind, id),
  UNIQUE (kind, digest)
);

CREATE TABLE docket.docket_service_moves (
  position bigint PRIMARY KEY,
  origin text COLLATE "C" NOT NULL UNIQUE,
  movedAt text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_service_received (
  sequence bigint PRIMARY KEY,
  origin text COLLATE "C" NOT NULL,
  recordId text COLLATE "C" NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  UNIQUE (origin, recordId, size)
);

CREATE TABLE docket.docket_service_formers (
  kind text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  tableName text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (kind, holder, tableName, position)
);

CREATE TABLE docket.docket_local (
  position bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  tableName text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  value bytea NOT NULL,
  at text COLLATE "C" NOT NULL,
  UNIQUE (kind, tableName, id, revision, owner)
);

CREATE TABLE docket.docket_handin_service (
  position bigint PRIMARY KEY,
  key text COLLATE "C" NOT NULL,
  boundAt text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_handin_checkpoints (
  position bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  checkpoint text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  keptAt text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_handin_acceptances (
  position bigint PRIMARY KEY,
  service bigint NOT NULL,
  sequence bigint NOT NULL,
  origin text COLLATE "C" NOT NULL,
  treeSize bigint NOT NULL,
  receipt text COLLATE "C" NOT NULL,
  proof text COLLATE "C" NOT NULL,
  checkpoint text COLLATE "C" NOT NULL,
  keptAt text COLLATE "C" NOT NULL,
  UNIQUE (sequence, service),
  UNIQUE (service, origin, treeSize)
);

CREATE TABLE docket.docket_handin_rejections (
  position bigint PRIMARY KEY,
  sequence bigint NOT NULL UNIQUE,
  inForce text COLLATE "C" NOT NULL,
  signed text COLLATE "C" NOT NULL,
  changes text COLLATE "C" NOT NULL,
  keptAt text COLLATE "C" NOT NULL
);

CREATE TABLE docket.docket_handin_records (
  position bigint PRIMARY KEY,
  service bigint NOT NULL,
  tableName text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  recordId text COLLATE "C" NOT NULL,
  supersedes text COLLATE "C" NOT NULL,
  record bytea NOT NULL,
  signature text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  at text COLLATE "C" NOT NULL,
  proof text COLLATE "C" NOT NULL,
  checkpoint text COLLATE "C" NOT NULL,
  afterRecords bigint NOT NULL,
  afterRejections bigint NOT NULL,
  keptAt text COLLATE "C" NOT NULL
);

CREATE INDEX docket_handin_records_key ON docket.docket_handin_records (tableName, id, revision, position);

CREATE INDEX docket_handin_records_supersedes ON docket.docket_handin_records (supersedes, recordId);

-- The columns of a document. PostgreSQL's JSON has no U+0000, which no column of these has either.
CREATE FUNCTION docket.members(document bytea) RETURNS jsonb LANGUAGE sql STRICT PARALLEL SAFE AS $$
  SELECT pg_catalog.replace(pg_catalog.convert_from(document, 'UTF8'), '\u0000', '\ufffd')::jsonb
$$;

-- A list of words as the canonical form writes it.
CREATE FUNCTION docket.words(list jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT pg_catalog.replace(list::text, '", "', '","')
$$;

CREATE FUNCTION docket.filled_trade_appeal_policies(held docket.trade_appeal_policies) RETURNS docket.trade_appeal_policies LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.policyId := d #>> '{record,policyId}';
  held.policyVersion := (d #>> '{record,policyVersion}')::bigint;
  RETURN held;
END
$$;

CREATE FUNCTION docket.filled_trade_agreement_amendment_policies(held docket.trade_agreement_amendment_policies) RETURNS docket.trade_agreement_amendment_policies LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.policyId := d #>> '{record,policyId}';
  held.policyVersion := (d #>> '{record,policyVersion}')::bigint;
  RETURN held;
END
$$;

CREATE FUNCTION docket.filled_trade_appeal_cases(held docket.trade_appeal_cases) RETURNS docket.trade_appeal_cases LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.caseId := d #>> '{record,caseId}';
  held.revision := (d #>> '{record,revision}')::bigint;
  held.status := d #>> '{record,status}';
  held.assignee := d #>> '{record,neutralReview,reviewerId}';
  held.deadline := d #>> '{record,deadline}';
  held.filedAt := d #>> '{record,filedAt}';
  held.subjectId := d #>> '{record,subjectId}';
  RETURN held;
END
$$;

CREATE FUNCTION docket.filled_trade_agreement_amendment_records(held docket.trade_agreement_amendment_records) RETURNS docket.trade_agreement_amendment_records LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.amendmentId := d #>> '{record,amendmentId}';
  held.revision := (d #>> '{record,revision}')::bigint;
  held.state := d #>> '{record,state}';
  held.assignee := d #>> '{record,neutralReview,reviewerId}';
  held.ownerId := d #>> '{record,ownerId}';
  held.agreementId := d #>> '{record,agreementId}';
  RETURN held;
END
$$;

CREATE FUNCTION docket.filled_trade_challenge_appeal_enforcement_records(held docket.trade_challenge_appeal_enforcement_records) RETURNS docket.trade_challenge_appeal_enforcement_records LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.recordId := d #>> '{recordId}';
  held.caseId := d #>> '{caseId}';
  held.caseRevision := (d #>> '{caseRevision}')::bigint;
  held.supersedes := d #>> '{supersedes}';
  held.reviewer := d #>> '{reviewer,id}';
  held.fingerprint := d #>> '{reviewer,keyFingerprint}';
  held.recordedAt := d #>> '{recordedAt}';
  held.computed := docket.words(d -> 'computedBlockers');
  held.byReviewer := docket.words(d -> 'reviewerBlockers');
  held.carried := docket.words(d -> 'carriedBlockers');
  RETURN held;
END
$$;

CREATE FUNCTION docket.filled_trade_agreement_amendment_enforcement_records(held docket.trade_agreement_amendment_enforcement_records) RETURNS docket.trade_agreement_amendment_enforcement_records LANGUAGE plpgsql STRICT PARALLEL SAFE AS $$
DECLARE
  d jsonb := docket.members(held.document);
BEGIN
  held.recordId := d #>> '{recordId}';
  held.amendmentId := d #>> '{amendmentId}';
  held.amendmentRevision := (d #>> '{amendmentRevision}')::bigint;
  held.supersedes := d #>> '{supersedes}';
  held.reviewer := d #>> '{reviewer,id}';
  held.fingerprint := d #>> '{reviewer,keyFingerprint}';
  held.recordedAt := d #>> '{recordedAt}';
  held.computed := docket.words(d -> 'computedBlockers');
  held.byReviewer := docket.words(d -> 'reviewerBlockers');
  held.carried := docket.words(d -> 'carriedBlockers');
  held.ownerId := d #>> '{ownerId}';
  RETURN held;
END
$$;

-- The columns are filled as a row comes in, and a packet or a record comes after its entry.
DO $$
DECLARE
  name text;
  leaf text;
BEGIN
  FOREACH name IN ARRAY ARRAY['trade_appeal_policies',
    'trade_agreement_amendment_policies',
    'trade_appeal_cases',
    'trade_agreement_amendment_records',
    'trade_challenge_appeal_enforcement_records',
    'trade_agreement_amendment_enforcement_records'] LOOP
    leaf := 'log.position = NEW.position AND log.kind = ''packet''';
    IF pg_catalog.right(name, 20) = '_enforcement_records' THEN
      leaf := 'log.position = NEW.sequence AND log.kind = ''record'' AND log.subject = NEW.recordId';
    END IF;
    leaf := pg_catalog.format($leaf$  IF NOT EXISTS (SELECT 1 FROM docket.docket_log AS log WHERE %2$s AND log.tableName = %1$L) THEN
    RAISE EXCEPTION '%1$s: the row has no entry' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
$leaf$, name, leaf);
    EXECUTE pg_catalog.format($fill$CREATE FUNCTION docket.fill_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  NEW := docket.filled_%1$s(NEW);
%2$s  RETURN NEW;
END
$body$ $fill$, name, leaf);
    EXECUTE pg_catalog.format('CREATE TRIGGER fill BEFORE INSERT ON docket.%1$I FOR EACH ROW EXECUTE FUNCTION docket.fill_%1$s()', name);
    EXECUTE pg_catalog.format('ALTER TABLE docket.%I ENABLE ALWAYS TRIGGER fill', name);
  END LOOP;
END
$$;

-- One log, without a gap, in the order in which records come.
CREATE FUNCTION docket.next_leaf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < 0 OR NEW.position > 0 AND NOT EXISTS (SELECT 1 FROM docket.docket_log AS log WHERE log.position = NEW.position - 1) THEN
    RAISE EXCEPTION 'docket_log: the leaf is not the next one' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER next_leaf BEFORE INSERT ON docket.docket_log FOR EACH ROW EXECUTE FUNCTION docket.next_leaf();
ALTER TABLE docket.docket_log ENABLE ALWAYS TRIGGER next_leaf;

-- No checkpoint is of a larger log than there is.
CREATE FUNCTION docket.next_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.size > 0 AND NOT EXISTS (SELECT 1 FROM docket.docket_log AS log WHERE log.position = NEW.size - 1) THEN
    RAISE EXCEPTION 'docket_checkpoints: the log is not as large' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER next_checkpoint BEFORE INSERT ON docket.docket_checkpoints FOR EACH ROW EXECUTE FUNCTION docket.next_checkpoint();
ALTER TABLE docket.docket_checkpoints ENABLE ALWAYS TRIGGER next_checkpoint;

-- Rows that are there stay as they are.
CREATE FUNCTION docket.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

-- Texts may be deleted once a statement of the log says that they are erased.
CREATE FUNCTION docket.refuse_unless_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erased text;
BEGIN
  CASE OLD.member
    WHEN 'texts' THEN
      SELECT 'texts trade_appeal_cases ' || held.caseId || ' ' || held.revision INTO erased FROM docket.trade_appeal_cases AS held WHERE held.position = OLD.owner;
    WHEN 'packetDigest' THEN
      SELECT 'texts trade_appeal_cases ' || held.caseId || ' ' || held.caseRevision INTO erased
        FROM docket.trade_challenge_appeal_enforcement_records AS held WHERE held.sequence = OLD.owner;
    ELSE
      SELECT OLD.member || ' ' || log.subject INTO erased FROM docket.docket_log AS log WHERE log.position = OLD.owner;
  END CASE;
  IF erased IS NULL OR NOT EXISTS (SELECT 1 FROM docket.docket_log AS stated
      WHERE stated.kind = 'statement' AND stated.subject = 'erasure' AND pg_catalog.starts_with(stated.body, E'docket-log-statement/v1\nerasure\n')
      AND pg_catalog.strpos(stated.body, E'\n' || erased || ' ') > 0) THEN
    RAISE EXCEPTION '% is append-only but for what a statement erases', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END
$$;

DO $$
DECLARE
  name text;
  mutable CONSTANT text[] := ARRAY['docket_local'];
BEGIN
  FOR name IN SELECT relname FROM pg_catalog.pg_class WHERE relnamespace = 'docket'::regnamespace AND relkind = 'r' ORDER BY relname LOOP
    CASE
      WHEN name = ANY (mutable) THEN
        EXECUTE pg_catalog.format('GRANT INSERT, UPDATE, DELETE ON docket.%I TO docket_writer', name);
        EXECUTE pg_catalog.format('CREATE TRIGGER keep BEFORE TRUNCATE ON docket.%I FOR EACH STATEMENT EXECUTE FUNCTION docket.refuse()', name);
      WHEN name = 'docket_head' THEN
        GRANT UPDATE ON docket.docket_head TO docket_writer;
        CREATE TRIGGER keep BEFORE INSERT OR DELETE OR TRUNCATE ON docket.docket_head FOR EACH STATEMENT EXECUTE FUNCTION docket.refuse();
      WHEN name = 'docket_texts' THEN
        GRANT INSERT, DELETE ON docket.docket_texts TO docket_writer;
        CREATE TRIGGER keep BEFORE UPDATE OR TRUNCATE ON docket.docket_texts FOR EACH STATEMENT EXECUTE FUNCTION docket.refuse();
        CREATE TRIGGER erase BEFORE DELETE ON docket.docket_texts FOR EACH ROW EXECUTE FUNCTION docket.refuse_unless_erased();
        ALTER TABLE docket.docket_texts ENABLE ALWAYS TRIGGER erase;
      ELSE
        IF name <> 'docket_schema' THEN
          EXECUTE pg_catalog.format('GRANT INSERT ON docket.%I TO docket_writer', name);
        END IF;
        EXECUTE pg_catalog.format('CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON docket.%I FOR EACH STATEMENT EXECUTE FUNCTION docket.refuse()', name);
    END CASE;
    EXECUTE pg_catalog.format('ALTER TABLE docket.%I ENABLE ALWAYS TRIGGER keep', name);
    EXECUTE pg_catalog.format('GRANT SELECT ON docket.%I TO docket_reader', name);
  END LOOP;
END
$$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA docket FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA docket TO docket_reader;
GRANT USAGE ON SCHEMA docket TO docket_reader;
