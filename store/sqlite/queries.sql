-- The queries that SQLite has to be asked in its own way.

-- name: AddHashes
-- The functions that read a list of hexadecimal digits have other names. Nothing is added, which is an error, unless the first position is the next one.
INSERT INTO docket_log_hashes (position, hash) SELECT $1 + key, unhex(value) FROM json_each($2)
WHERE $1 = (SELECT coalesce(max(position) + 1, 0) FROM docket_log_hashes);

-- name: WantedKeys
-- It has no jsonb_array_elements.
SELECT key AS place, value ->> 0 AS id, value ->> 1 AS number FROM json_each($1);
