-- A line for each object of the schema: its kind, its name, and its properties except those that servers write differently.
WITH ours AS (SELECT oid, relname, relkind, relowner, relacl, relpersistence, relrowsecurity, relforcerowsecurity, reloptions FROM pg_class WHERE relnamespace = 'docket'::regnamespace AND relkind IN ('r', 'v', 'm', 'S', 'p', 'f'))
SELECT 'table ' || relname || ' kind ' || relkind::text || ' owner ' || pg_get_userbyid(relowner) || ' rights ' ||
  coalesce((SELECT string_agg(CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END || ' ' || privilege_type, ', '
    ORDER BY CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END COLLATE "C", privilege_type COLLATE "C")
    FROM aclexplode(relacl) WHERE grantee <> relowner), 'none') ||
  CASE relpersistence WHEN 'p' THEN '' ELSE ' persistence ' || relpersistence::text END || CASE WHEN relrowsecurity OR relforcerowsecurity THEN ' filtered' ELSE '' END ||
  coalesce(' options ' || array_to_string(reloptions, ' '), '') FROM ours
UNION ALL SELECT 'child ' || relname || '.' || inhrelid::regclass::text FROM ours JOIN pg_inherits ON inhparent = ours.oid OR inhrelid = ours.oid
UNION ALL SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attcollation = 0 THEN '' ELSE ' collation ' || collname END ||
  CASE WHEN attnotnull THEN ' required' ELSE '' END || CASE WHEN attacl IS NULL THEN '' ELSE ' rights' END || CASE attgenerated WHEN '' THEN '' ELSE ' generated' END ||
  CASE attidentity WHEN '' THEN '' ELSE ' identity' END || CASE WHEN adbin IS NULL THEN '' ELSE ' value ' || pg_get_expr(adbin, adrelid) END
  FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_attrdef ON adrelid = ours.oid AND adnum = attnum LEFT JOIN pg_collation ON pg_collation.oid = attcollation WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint ' || relname || '.' || conname || ' ' || contype::text || CASE WHEN convalidated THEN '' ELSE ' unchecked' END ||
  ' columns ' || coalesce((SELECT string_agg(attname, ' ' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k (number, place) JOIN pg_attribute ON attrelid = conrelid AND attnum = number), '') ||
  CASE WHEN conbin IS NULL THEN '' ELSE ' check ' || pg_get_expr(conbin, conrelid) END
  FROM ours JOIN pg_constraint ON conrelid = ours.oid WHERE contype <> 'n'
UNION ALL SELECT 'index ' || ours.relname || '.' || c.relname || CASE WHEN indisunique THEN ' unique' ELSE '' END || CASE WHEN indisvalid AND indisready THEN '' ELSE ' unusable' END ||
  ' columns ' || (SELECT string_agg(coalesce(attname, 'expression') || CASE WHEN indoption[place - 1] & 1 = 1 THEN ' down' ELSE '' END, ', ' ORDER BY place)
    FROM unnest(indkey::int2[]) WITH ORDINALITY AS k (number, place) LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number) ||
  ' by ' || amname || ' ' || (SELECT string_agg(opcname, ' ' ORDER BY place) FROM unnest(indclass::oid[]) WITH ORDINALITY AS k (class, place) JOIN pg_opclass ON pg_opclass.oid = class) ||
  CASE WHEN indexprs IS NULL THEN '' ELSE ' expressions ' || pg_get_expr(indexprs, indrelid) END || CASE WHEN indpred IS NULL THEN '' ELSE ' where ' || pg_get_expr(indpred, indrelid) END
  FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_am ON pg_am.oid = c.relam
UNION ALL SELECT 'trigger ' || relname || '.' || tgname || ' type ' || tgtype || ' fires ' || tgenabled::text || ' calls ' || proname ||
  coalesce(' of ' || (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = tgrelid AND attnum = ANY (tgattr::int2[])), '') ||
  CASE WHEN tgnargs = 0 THEN '' ELSE ' with ' || encode(tgargs, 'escape') END || CASE WHEN tgqual IS NULL THEN '' ELSE ' if ' || substring(pg_get_triggerdef(pg_trigger.oid) FROM 'WHEN (.*) EXECUTE') END
  FROM ours JOIN pg_trigger ON tgrelid = ours.oid JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || relname || '.' || rulename FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL SELECT 'policy ' || relname || '.' || polname FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL SELECT 'function ' || proname || ' owner ' || pg_get_userbyid(proowner) || ' volatile ' || provolatile::text || CASE WHEN prosecdef THEN ' definer' ELSE '' END ||
  ' source ' || encode(sha256(convert_to(prosrc, 'UTF8')), 'hex') || CASE WHEN has_function_privilege('docket_reader', pg_proc.oid, 'EXECUTE') THEN '' ELSE ' refused' END ||
  ' in ' || lanname || ' of ' || pg_get_function_identity_arguments(pg_proc.oid) || coalesce(' set ' || array_to_string(proconfig, ' '), '')
  FROM pg_proc JOIN pg_language ON pg_language.oid = prolang WHERE pronamespace = 'docket'::regnamespace
UNION ALL SELECT 'schema owner ' || pg_get_userbyid(nspowner) || ' rights ' ||
  coalesce((SELECT string_agg(CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END || ' ' || privilege_type, ', '
    ORDER BY CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END COLLATE "C", privilege_type COLLATE "C")
    FROM aclexplode(nspacl) WHERE grantee <> nspowner), 'none')
  FROM pg_namespace WHERE nspname = 'docket'
UNION ALL SELECT 'defaults ' || defaclobjtype::text || ' ' || defaclacl::text FROM pg_default_acl WHERE defaclnamespace = 'docket'::regnamespace
UNION ALL SELECT 'version ' || version FROM docket.docket_schema
