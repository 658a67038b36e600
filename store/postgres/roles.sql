-- The roles of a store, which no program logs in as: logins are made members of them. The reader's rights are also the writer's and the
-- auditor's.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['docket_owner', 'docket_writer', 'docket_reader', 'docket_auditor'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = name) THEN
      EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', name);
    END IF;
    IF NOT pg_catalog.pg_has_role(CURRENT_USER, name, 'MEMBER') THEN
      EXECUTE pg_catalog.format('GRANT %I TO CURRENT_USER', name);
    END IF;
  END LOOP;
  IF NOT pg_catalog.pg_has_role('docket_writer', 'docket_reader', 'MEMBER') THEN
    GRANT docket_reader TO docket_writer;
  END IF;
  IF NOT pg_catalog.pg_has_role('docket_auditor', 'docket_reader', 'MEMBER') THEN
    GRANT docket_reader TO docket_auditor;
  END IF;
END
$$;

CREATE SCHEMA docket AUTHORIZATION docket_owner;
