-- What SQLite writes in its own way: words of the queries of package engine.

-- name: from(table | alias | index)
-- The index by which a table has to be read, so that a query that would read a whole table fails. It has the name of its table and one of its own.
{table} AS {alias} INDEXED BY {table}_{index}

-- name: join
-- It reads the left side first.
CROSS JOIN

-- name: inOrder(by)
-- A CROSS JOIN keeps the order of its left side.

-- name: isJSON(row)
-- Reading a column of a document that is no JSON would end the query.
json_valid({row}.document)

-- name: assignee(row)
-- The expression of the indexes on the reviewer that a case or an amendment is assigned to.
json_extract({row}.document, '$.record.neutralReview.reviewerId')

-- name: openedAt(row)
{row}.openedAt

-- name: reviewer(row)
-- Who signed the record in a row.
CASE WHEN json_valid({row}.document) THEN json_extract({row}.document, '$.reviewer.id') END

-- name: fingerprint(row)
CASE WHEN json_valid({row}.document) THEN json_extract({row}.document, '$.reviewer.keyFingerprint') END

-- name: isAmong(column | query)
{column} IN ({query})

-- name: elements(list)
json_each({list}) AS listed

-- name: bytes(digits)
unhex({digits})
