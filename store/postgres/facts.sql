-- The state of the server and of the login, as far as the login may see it.
SELECT current_setting('server_version'), current_setting('server_version_num')::int >= 150000, pg_is_in_recovery(), pg_encoding_to_char(d.encoding),
  coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate), current_user, r.rolsuper,
  coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = 'docket_owner'), false),
  coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = 'docket_writer'), false),
  coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = 'docket_reader'), false),
  current_setting('synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_standby_names'),
  -- The number in FIRST 2 (a, b), ANY 2 (a, b) and 2 (a, b).
  CASE current_setting('synchronous_standby_names') WHEN '' THEN 0
    ELSE coalesce(substring(current_setting('synchronous_standby_names') FROM '(?i)^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(')::int, 1) END,
  current_setting('archive_mode') <> 'off', coalesce(floor(extract(epoch FROM a.last_archived_time))::bigint, 0),
  coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false),
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), inet_server_addr() IS NULL,
  coalesce((SELECT string_agg(c.relname || '.' || a.attname, ' ' ORDER BY c.relname || '.' || a.attname) FROM pg_attribute AS a
    JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_collation AS l ON l.oid = a.attcollation
    WHERE n.nspname = 'docket' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND l.collname <> 'C'), ''),
  EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'docket')
FROM pg_database AS d, pg_roles AS r, pg_stat_archiver AS a WHERE d.datname = current_database() AND r.rolname = current_user;
