-- What PostgreSQL writes in its own way: words of the queries of package engine.

-- name: from(table | alias | index)
-- It has no word for an index. Its settings keep it from reading a whole table.
{table} AS {alias}

-- name: join
JOIN

-- name: inOrder(by)
 ORDER BY {by}

-- name: isJSON(row)
-- A trigger fills the columns.
true

-- name: assignee(row)
{row}.assignee

-- name: openedAt(row)
-- The store is a service's, where the console's log says what came before what.
CAST(NULL AS text)

-- name: reviewer(row)
{row}.reviewer

-- name: fingerprint(row)
{row}.fingerprint

-- name: isAmong(column | query)
-- A list that is there before the rows are looked for, by an index.
{column} = ANY (ARRAY ({query}))

-- name: elements(list)
(SELECT place - 1 AS key, value FROM jsonb_array_elements({list}::jsonb) WITH ORDINALITY AS each (value, place)) AS listed

-- name: bytes(digits)
decode(trim('"' FROM {digits}::text), 'hex')
