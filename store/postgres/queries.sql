-- The queries that PostgreSQL has to be asked in its own way.

-- name: AddHashes
-- The functions that read a list of hexadecimal digits have other names. Nothing is added, which is an error, unless the first position is the next one.
INSERT INTO docket_log_hashes (position, hash) SELECT $1::bigint + place - 1, decode(value, 'hex')
FROM jsonb_array_elements_text($2::jsonb) WITH ORDINALITY AS added (value, place)
WHERE $1 = (SELECT coalesce(max(position) + 1, 0) FROM docket_log_hashes);

-- name: WantedKeys
-- It has no json_each for the elements of a list.
SELECT place - 1 AS place, (value ->> 0) COLLATE "C" AS id, (value ->> 1)::bigint AS number
FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS listed (value, place);
