-- What both engines are asked, in SQL that both take: a block without braces can be pasted into sqlite3 or, after SET search_path TO docket, into psql.
-- Names of columns are never quoted. Arguments are $1, $2 …, a list is one JSON argument. No other schema or database can take the place of a table: SQLite's
-- connections make no temporary objects and attach no files, and PostgreSQL's look for temporary tables last.
--
-- A query that stands for several tables, and what many queries say, is written with words in braces. A word is a block whose name begins with a small letter: here, for
-- both engines, or in the file of an engine. {word a | b} is its text with a and b for its parameters, and {of table word} is a word about that table. What the words
-- of the table are that a query is about, is in queries.go: {table}, {id}, {number}, {records} and so on.

-- name: MetaValue
SELECT value FROM docket_meta WHERE name = $1;

-- name: MetaValues
SELECT name, value FROM docket_meta LIMIT $1;

-- name: AddMeta
INSERT INTO docket_meta (name, value) VALUES ($1, $2);

-- name: Local
SELECT value, at FROM docket_local WHERE kind = $1 AND owner = $2 AND tableName = $3 AND id = $4 AND revision = $5;

-- name: KeepLocal
-- The row moves to the end, so that each change raises the last position.
INSERT INTO docket_local (position, kind, owner, tableName, id, revision, value, at)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_local), $1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (kind, tableName, id, revision, owner) DO UPDATE SET position = excluded.position, value = excluded.value, at = excluded.at;

-- name: DropLocal
DELETE FROM docket_local WHERE kind = $1 AND owner = $2 AND tableName = $3 AND id = $4 AND revision = $5;

-- name: Drafts
SELECT owner, revision, value, at FROM docket_local
WHERE kind = 'draft' AND (owner = $1 OR substr(owner, 1, length($1) + 1) = $1 || '@') AND tableName = $2 AND id = $3 AND revision <= $4
ORDER BY revision DESC, at DESC, owner;

-- name: Reassigned
SELECT coalesce(max(revision), 0) FROM docket_local WHERE kind = 'reassigned' AND tableName = $1 AND id = $2 AND value = '';

-- name: WithdrawReassigned
-- The rows stay, so that positions go on, and move behind the last one, as a change does.
UPDATE docket_local SET value = 'withdrawn', position = position + 1 + (SELECT max(position) FROM docket_local) WHERE kind = 'reassigned' AND value = '';

-- name: StrayLocal
SELECT EXISTS (SELECT 1 FROM docket_local WHERE kind IN ('pull', 'reassigned')) AND NOT EXISTS (SELECT 1 FROM docket_handin_service WHERE key <> '');

-- name: token
-- A revocation is a row with the token as it was given.
SELECT token.id, token.digest, token.principal, token.role, token.owners, token.at, token.expiresAt, coalesce(revoked.at, '')
FROM docket_tokens AS token LEFT JOIN docket_tokens AS revoked ON revoked.kind = 'revoked' AND revoked.id = token.id WHERE token.kind = 'given'

-- name: Tokens
{token} ORDER BY token.position;

-- name: TokensBetween
{token} AND token.digest BETWEEN $1 AND $2 ORDER BY token.digest;

-- name: Token
{token} AND token.id = $1;

-- name: HasToken
SELECT EXISTS (SELECT 1 FROM docket_tokens WHERE kind = 'given' AND id = $1) OR EXISTS (SELECT 1 FROM docket_tokens WHERE kind = 'given' AND digest = $2);

-- name: AddToken
INSERT INTO docket_tokens (position, kind, id, digest, principal, role, owners, at, expiresAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_tokens), 'given', $1, $2, $3, $4, $5, $6, $7);

-- name: RevokeToken
INSERT INTO docket_tokens (position, kind, id, digest, principal, role, owners, at, expiresAt)
SELECT (SELECT max(position) + 1 FROM docket_tokens), 'revoked', id, digest, principal, role, owners, $2, expiresAt FROM docket_tokens WHERE kind = 'given' AND id = $1;

-- name: AddMove
INSERT INTO docket_service_moves (position, origin, movedAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_service_moves), $1, $2);

-- name: MovedAt
SELECT movedAt FROM docket_service_moves WHERE origin = $1;

-- name: Receive
INSERT INTO docket_service_received (sequence, origin, recordId, size) VALUES ($1, $2, $3, $4);

-- name: Received
SELECT held.sequence, held.document, coalesce(kept.origin, ''), coalesce(kept.recordId, ''), coalesce(kept.size, 0)
FROM {table} AS held LEFT JOIN docket_service_received AS kept ON kept.sequence = held.sequence;

-- name: ReceivedFrom
SELECT EXISTS (SELECT 1 FROM docket_service_received WHERE origin = $1 AND recordId >= $2 AND size < $3);

-- name: FirstRecord
SELECT coalesce((SELECT position FROM docket_log WHERE kind = 'record' ORDER BY number LIMIT 1), -1);

-- name: CountRecords
SELECT {recordCount};

-- name: recordCount
(SELECT coalesce(max(number) + 1, 0) FROM docket_log WHERE kind = 'record')

-- name: LastLeaf
SELECT coalesce(max(position), -1) FROM docket_log;

-- name: NewestRecordFrom
SELECT coalesce(max(subject), '') FROM docket_log WHERE kind = 'record' AND position >= $1;

-- name: Leaf
SELECT position, tableName, subject, at, leafHash FROM docket_log WHERE kind = 'record' AND subject = $1;

-- name: Leaves
SELECT position, tableName, subject, at, leafHash, number FROM docket_log WHERE position >= $1 AND position < $2 ORDER BY position;

-- name: AddLeaf
-- A record is numbered among the records, and another entry has -1.
INSERT INTO docket_log (position, kind, tableName, subject, number, at, leafHash, body, signature)
VALUES ($1, $2, $3, $4, CASE WHEN $2 = 'record' THEN {recordCount} ELSE -1 END, $5, $6, $7, $8);

-- name: LastAt
-- The time of the newest entry from a position on.
SELECT coalesce((SELECT at FROM docket_log WHERE position >= $1 ORDER BY position DESC LIMIT 1), '');

-- name: HashesBetween
SELECT position, hash FROM docket_log_hashes WHERE position >= $1 AND position < $2;

-- name: Checkpoint
SELECT note FROM docket_checkpoints WHERE size = $1;

-- name: NewestCheckpoint
SELECT size, note FROM docket_checkpoints ORDER BY size DESC LIMIT 1;

-- name: Checkpoints
SELECT size, note FROM docket_checkpoints WHERE size BETWEEN $1 AND $2;

-- name: AddCheckpoint
-- It adds nothing, which is an error, unless it is of a larger log than all others.
INSERT INTO docket_checkpoints (size, note) SELECT CAST($1 AS bigint), $2
WHERE CAST($1 AS bigint) > (SELECT coalesce(max(size), -1) FROM docket_checkpoints);

-- name: EndOfStatements
SELECT coalesce(max(position) + 1, 0) FROM docket_log WHERE kind = 'statement';

-- name: Statements
SELECT position, body, signature FROM docket_log WHERE kind = 'statement' ORDER BY position;

-- name: Restores
SELECT position, body, signature FROM docket_log WHERE kind = 'statement' AND subject = 'restore' ORDER BY position DESC;

-- name: Erasures
-- The statements about erasures, each with the origin of this log.
SELECT body, coalesce((SELECT value FROM docket_meta WHERE name = 'origin'), '') FROM docket_log WHERE {isOfErasure} ORDER BY position;

-- name: AnyErasure
SELECT EXISTS (SELECT 1 FROM docket_log WHERE {isOfErasure});

-- name: isOfErasure
kind = 'statement' AND subject = 'erasure'

-- name: LastCosignature
SELECT coalesce(max(position), -1) FROM docket_cosignatures;

-- name: CosignaturesBefore
SELECT position, checkpoint, cosignature, key FROM docket_cosignatures WHERE position < $1 AND position <= $2 ORDER BY position DESC LIMIT $3;

-- name: NewestCosignature
SELECT position, checkpoint, cosignature, key FROM docket_cosignatures
WHERE key = $1 AND substr(checkpoint, 1, length($2)) = $2 ORDER BY position DESC LIMIT 1;

-- name: HasCosignature
SELECT EXISTS (SELECT 1 FROM docket_cosignatures WHERE checkpoint = $1 AND cosignature = $2 AND key = $3);

-- name: AddCosignature
INSERT INTO docket_cosignatures (position, checkpoint, cosignature, key, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_cosignatures), $1, $2, $3, $4);

-- name: Signers
SELECT reviewerId, fingerprint, publicKey, since FROM docket_signers ORDER BY position;

-- name: AddSigner
INSERT INTO docket_signers (position, reviewerId, fingerprint, publicKey, since)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_signers), $1, $2, $3, $4);

-- name: Ends
SELECT coalesce((SELECT position FROM docket_log WHERE kind = 'record' ORDER BY number DESC LIMIT 1), -1),
  (SELECT coalesce(max(n), -1) FROM (SELECT max(sequence) AS n FROM trade_challenge_appeal_enforcement_records
    UNION ALL SELECT max(sequence) FROM trade_agreement_amendment_enforcement_records) AS ends),
  (SELECT coalesce(max(position), -1) FROM docket_log_hashes);

-- name: InOtherTable
SELECT log.position, log.tableName, log.subject, log.at, log.leafHash FROM {table} AS held
JOIN docket_log AS log ON log.position = held.{numbered} WHERE log.tableName <> '{table}' ORDER BY log.position LIMIT $1;

-- name: Bound
SELECT key FROM docket_handin_service ORDER BY position;

-- name: Bind
INSERT INTO docket_handin_service (position, key, boundAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_service), $1, $2);

-- name: NewestShown
SELECT position, checkpoint, key, kind, keptAt FROM docket_handin_checkpoints ORDER BY position DESC LIMIT 1;

-- name: NewestKnown
SELECT position, checkpoint, key, kind, keptAt FROM docket_handin_checkpoints WHERE kind = '' ORDER BY position DESC LIMIT 1;

-- name: Shown
SELECT position, checkpoint, key, kind, keptAt FROM docket_handin_checkpoints ORDER BY position;

-- name: Show
INSERT INTO docket_handin_checkpoints (position, kind, checkpoint, key, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_checkpoints), $1, $2, $3, $4);

-- name: AcceptedAbove
SELECT 0, '', '', '', NULL, origin, treeSize, '', '', checkpoint, NULL, false FROM docket_handin_acceptances
WHERE service = (SELECT max(position) FROM docket_handin_service) AND origin = $1 AND treeSize > $2 ORDER BY treeSize;

-- name: AnswerOf
SELECT rejected.sequence IS NOT NULL, coalesce(rejected.signed, ''), coalesce(rejected.changes, ''),
  accepted.sequence IS NOT NULL, coalesce(accepted.receipt, ''), coalesce(accepted.keptAt, '') FROM (SELECT CAST($1 AS bigint) AS sequence) AS record
LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = record.sequence AND accepted.service = (SELECT max(position) FROM docket_handin_service)
LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = record.sequence;

-- name: Taken
SELECT EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE service = (SELECT max(position) FROM docket_handin_service) AND origin = $1 AND treeSize = $2);

-- name: Accept
INSERT INTO docket_handin_acceptances (position, service, sequence, origin, treeSize, receipt, proof, checkpoint, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_acceptances), (SELECT max(position) FROM docket_handin_service), $1, $2, $3, $4, $5, $6, $7);

-- name: EarlierAcceptance
SELECT sequence, '', '', '', NULL, origin, treeSize, receipt, proof, checkpoint, NULL, false FROM docket_handin_acceptances
WHERE sequence = $1 AND service < (SELECT max(position) FROM docket_handin_service) ORDER BY position DESC LIMIT 1;

-- name: Acceptances
-- A receipt may be of a leaf that an edited log no longer has.
SELECT kept.sequence, coalesce(leaf.tableName, ''), coalesce(leaf.subject, ''), coalesce(leaf.at, ''), leaf.leafHash, kept.origin, kept.treeSize,
  kept.receipt, kept.proof, kept.checkpoint, {either ofLeaf},
  EXISTS (SELECT 1 FROM docket_handin_rejections AS rejected WHERE rejected.sequence = kept.sequence) AND kept.service = (SELECT max(position) FROM docket_handin_service)
FROM docket_handin_acceptances AS kept LEFT JOIN docket_log AS leaf ON leaf.position = kept.sequence ORDER BY kept.sequence, kept.position;

-- name: LastRejection
SELECT coalesce(max(position), -1) FROM docket_handin_rejections;

-- name: Reject
INSERT INTO docket_handin_rejections (position, sequence, inForce, signed, changes, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_rejections), $1, $2, $3, $4, $5);

-- name: Rejections
SELECT kept.sequence, coalesce(leaf.tableName, ''), coalesce(leaf.subject, ''), coalesce(leaf.at, ''), leaf.leafHash, kept.position, kept.inForce, kept.signed,
  kept.changes, {either ofLeaf}
FROM docket_handin_rejections AS kept LEFT JOIN docket_log AS leaf ON leaf.position = kept.sequence
WHERE kept.position > $1 AND kept.position <= $2 ORDER BY kept.position LIMIT $3;

-- name: AddServiceRecord
INSERT INTO docket_handin_records (position, service, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, at, proof, checkpoint,
  afterRecords, afterRejections, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_records), (SELECT max(position) FROM docket_handin_service), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: theirs
SELECT theirs.record, theirs.signature, theirs.sequence, theirs.at, theirs.proof, theirs.checkpoint, theirs.position, theirs.tableName, theirs.id, theirs.revision,
  theirs.recordId, theirs.supersedes, theirs.origin, theirs.afterRecords, theirs.afterRejections, {isEarlier theirs} FROM docket_handin_records AS theirs

-- name: ServiceRecordsOn
{theirs} WHERE theirs.tableName = $1 AND theirs.id = $2 AND theirs.revision = $3 ORDER BY theirs.position;

-- name: LastServiceRecord
SELECT coalesce(max(position), -1) FROM docket_handin_records;

-- name: ServiceRecords
{theirs} WHERE theirs.position > $1 AND theirs.position <= $2 ORDER BY theirs.position LIMIT $3;

-- name: Ending
SELECT (SELECT coalesce(max(position), -1) FROM docket_log),
  EXISTS (SELECT 1 FROM docket_log WHERE kind = 'record' AND subject = $1),
  EXISTS (SELECT 1 FROM docket_signers WHERE reviewerId = $2 AND fingerprint = $3),
  EXISTS (SELECT 1 FROM docket_signers WHERE reviewerId = $2 AND fingerprint <> $3),
  coalesce((SELECT subject FROM docket_log WHERE kind = 'record' ORDER BY subject DESC LIMIT 1), '');

-- name: AddText
INSERT INTO docket_texts (owner, member, salt, text) VALUES ($1, $2, $3, $4);

-- name: Signature
SELECT signature FROM docket_log WHERE kind = 'record' AND subject = $1;

-- name: Text
SELECT owner, salt, text FROM docket_texts WHERE owner = (SELECT position FROM docket_log WHERE kind = 'record' AND subject = $1) AND member = $2;

-- name: AddHashes
-- Nothing is added, which is an error, unless the first position is the next one.
INSERT INTO docket_log_hashes (position, hash) SELECT CAST($1 AS bigint) + key, {bytes value} FROM {elements $2}
WHERE CAST($1 AS bigint) = (SELECT coalesce(max(position) + 1, 0) FROM docket_log_hashes);

-- name: Hashes
SELECT position, hash FROM docket_log_hashes WHERE {isAmong position | {numbers}};

-- name: numbers
-- Those of the list that is the first argument.
SELECT CAST(value AS bigint) FROM {elements $1}

-- What answers of the service, and revocations, mean for a record.

-- name: isEarlier(answer)
-- It is of a log of the service before the one that the console accepted last.
{answer}.service < (SELECT coalesce(max(position), 0) FROM docket_handin_service)

-- name: isRejected(sequence)
-- The service rejected the record at a place of the log.
EXISTS (SELECT 1 FROM docket_handin_rejections AS rejected WHERE rejected.sequence = {sequence})

-- name: isAccepted(sequence)
-- The service's log has the record at a place of the log.
EXISTS (SELECT 1 FROM docket_handin_acceptances AS accepted WHERE accepted.sequence = {sequence} AND NOT {isEarlier accepted})

-- name: isAnswered(sequence)
-- The service gave its final answer.
({isAccepted {sequence}} OR {isRejected {sequence}})

-- name: theirsOn(of | compared)
-- The records of the service's log on a revision, without those of an earlier log of the service. They replace earlier records of this log on the revision.
{from docket_handin_records | theirs | key} WHERE theirs.tableName = '{packets}' AND theirs.id = {of} AND theirs.revision {compared} AND NOT {isEarlier theirs}

-- Words about documents.

-- name: ifJSON(row | column | otherwise)
-- A column of a row if its document is JSON.
CASE WHEN {isJSON {row}} THEN {column} ELSE {otherwise} END

-- name: cameAt(row)
-- When a packet came in.
coalesce((SELECT log.at FROM docket_log AS log WHERE log.position = {row}.position), '')

-- name: texts
-- Those beside a row, called held, of a table of packets; NULL where there are none.
NULL

-- name: texts of trade_appeal_cases
(SELECT side.text FROM docket_texts AS side WHERE side.owner = held.position AND side.member = 'texts')

-- name: owner(row)
''

-- name: owner(row) of trade_agreement_amendment_records
coalesce({row}.ownerId, '')

-- name: about of trade_appeal_cases
-- What packets on the same subject share.
subjectId

-- name: about of trade_agreement_amendment_records
agreementId

-- Records.

-- name: AddRecord
INSERT INTO {table} (sequence, document) VALUES ($1, $2);

-- name: Document
SELECT document FROM {table} WHERE sequence = $1;

-- name: About
SELECT {id} FROM {table} WHERE sequence = $1;

-- name: LastRecord
SELECT coalesce(max(sequence), -1) FROM {table};

-- name: Logged
-- The leaves that {which} selects, with their records and the service's answers.
SELECT leaf.position, leaf.tableName, leaf.subject, leaf.at, leaf.leafHash, leaf.number, {either ofLeaf},
  rejected.sequence IS NOT NULL, coalesce(rejected.signed, ''), coalesce(rejected.changes, ''),
  accepted.sequence IS NOT NULL, coalesce(accepted.receipt, ''), coalesce(accepted.keptAt, ''),
  EXISTS (SELECT 1 FROM docket_log AS here WHERE here.kind = 'record' AND here.subject = rejected.inForce), EXISTS (SELECT 1 FROM docket_handin_service WHERE position >= 0)
FROM (SELECT leaf.* FROM docket_log AS leaf WHERE leaf.kind = 'record' AND {which}) AS leaf
LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = leaf.position AND NOT {isEarlier accepted}
LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = leaf.position ORDER BY leaf.position;

-- name: either(word)
-- By the table that the log names of a leaf.
CASE leaf.tableName WHEN 'trade_challenge_appeal_enforcement_records' THEN ({of trade_challenge_appeal_enforcement_records {word}})
  WHEN 'trade_agreement_amendment_enforcement_records' THEN ({of trade_agreement_amendment_enforcement_records {word}}) END

-- name: ofLeaf
SELECT held.document FROM {table} AS held WHERE held.sequence = leaf.position

-- name: numberedFrom
leaf.number >= $1 AND leaf.number < $1 + $2

-- name: onRevision(compared)
{isAmong leaf.subject | SELECT held.recordId FROM {from {records} | held | key} WHERE held.{id} = $1 AND held.{on} {compared} $2}

-- name: as
leaf.subject = $1

-- name: fromRecord
leaf.subject >= $1 AND leaf.subject < $2 ORDER BY leaf.subject LIMIT $3

-- name: at
{isAmong leaf.position | {numbers}}

-- name: SequencesAfter
SELECT recorded.sequence FROM {which} AND recorded.sequence > $2 ORDER BY recorded.sequence LIMIT $3;

-- name: every
{table} AS recorded WHERE $1 = ''

-- name: aboutOne
{from {table} | recorded | key} WHERE recorded.{id} = $1

-- name: ofOwner
{from {table} | recorded | owner} WHERE recorded.ownerId = $1

-- name: ofAssigneeAtEnd
-- From the end of the log.
{table} AS recorded {join} {from {packets} | held | assigned} ON held.position = (SELECT newest.position FROM {from {packets} | newest | key}
  WHERE newest.{id} = recorded.{id} ORDER BY newest.revision DESC LIMIT 1) AND {assignee held} = $1 WHERE true

-- name: ofAssignee
-- From all that is assigned.
{from {packets} | held | assigned} {join} {from {table} | recorded | key} ON recorded.{id} = held.{id}
WHERE {assignee held} = $1 AND NOT EXISTS (SELECT 1 FROM {from {packets} | newer | key} WHERE newer.{id} = held.{id} AND newer.revision > held.revision)

-- name: Dates
SELECT held.sequence, coalesce({ifJSON judged | judged.filedAt | NULL}, ''), coalesce({ifJSON judged | judged.deadline | NULL}, '')
FROM docket_log AS leaf {join} {records} AS held ON held.sequence = leaf.position
{join} {from {packets} | judged | key} ON judged.{id} = {ifJSON held | held.{id} | NULL} AND judged.revision = {ifJSON held | held.{on} | NULL}
WHERE leaf.kind = 'record' AND leaf.subject >= $1 AND leaf.subject <= $2;

-- name: History
-- The records on cases or amendments with what the service said of each, and those of its log that other consoles handed in.
SELECT held.{id}, held.{on}, held.sequence, held.document, coalesce(rejected.position, 0), coalesce(rejected.signed, ''), coalesce(accepted.treeSize, 0), false
FROM {from {records} | held | key} LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = held.sequence
LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = held.sequence AND NOT {isEarlier accepted}
WHERE {isAmong held.{id} | {names}}
UNION ALL SELECT theirs.id, theirs.revision, theirs.afterRecords, theirs.record, theirs.afterRejections, '', 0, true
FROM {from docket_handin_records | theirs | key} WHERE theirs.tableName = '{packets}' AND {isAmong theirs.id | {names}} AND NOT {isEarlier theirs};

-- name: names
-- Those of the list of lists that is the first argument.
SELECT value ->> 0 FROM {elements $1}

-- name: entry
-- The rows of the positions in place (n), gaps included. It finds rows by their place and reads no column that is derived from a document.
SELECT place.n, coalesce(log.kind, ''), coalesce(log.tableName, ''), coalesce(log.subject, ''), coalesce(log.at, ''), log.leafHash,
  CASE log.tableName WHEN 'trade_challenge_appeal_enforcement_records' THEN appeal.document WHEN 'trade_agreement_amendment_enforcement_records' THEN amendment.document
    WHEN 'trade_appeal_cases' THEN cased.document WHEN 'trade_agreement_amendment_records' THEN amended.document
    WHEN 'trade_appeal_policies' THEN appealed.document WHEN 'trade_agreement_amendment_policies' THEN ruled.document END,
  CASE log.tableName WHEN 'trade_agreement_amendment_enforcement_records' THEN appeal.document
    WHEN 'trade_challenge_appeal_enforcement_records' THEN amendment.document ELSE coalesce(appeal.document, amendment.document) END,
  coalesce(log.body, ''), beside.text, nullif(log.signature, ''),
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), coalesce(reasons.text, ''), coalesce(note.salt, ''), coalesce(note.text, ''),
  accepted.receipt, accepted.checkpoint, accepted.proof
FROM place
LEFT JOIN docket_log AS log ON log.position = place.n
LEFT JOIN trade_challenge_appeal_enforcement_records AS appeal ON appeal.sequence = place.n
LEFT JOIN trade_agreement_amendment_enforcement_records AS amendment ON amendment.sequence = place.n
LEFT JOIN trade_appeal_cases AS cased ON cased.position = place.n
LEFT JOIN trade_agreement_amendment_records AS amended ON amended.position = place.n
LEFT JOIN trade_appeal_policies AS appealed ON appealed.position = place.n
LEFT JOIN trade_agreement_amendment_policies AS ruled ON ruled.position = place.n
LEFT JOIN docket_texts AS beside ON beside.owner = place.n AND beside.member = 'texts'
LEFT JOIN docket_texts AS packet ON packet.owner = place.n AND packet.member = 'packetDigest'
LEFT JOIN docket_texts AS reasons ON reasons.owner = place.n AND reasons.member = 'statement'
LEFT JOIN docket_texts AS note ON note.owner = place.n AND note.member = 'note'
LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = place.n
  AND accepted.service = (SELECT max(service) FROM docket_handin_acceptances WHERE sequence = place.n) AND NOT ({isEarlier accepted} AND {isRejected place.n})

-- name: Entries
WITH RECURSIVE place (n) AS (SELECT CAST($1 AS bigint) UNION ALL SELECT n + 1 FROM place WHERE n + 1 < $2) {entry}{inOrder place.n};

-- name: RecordEntries
WITH place (n) AS (SELECT position FROM docket_log WHERE kind = 'record' AND position >= $1 AND position < $2 ORDER BY position LIMIT $3) {entry} ORDER BY place.n;

-- name: EntriesAt
WITH place (n) AS ({numbers}) {entry} ORDER BY place.n;

-- name: OpenedEarly
-- The records that were opened in the second in which their packet came in, or before.
SELECT held.sequence, held.recordId, {openedAt held}, log.at FROM {records} AS held
JOIN {packets} AS packet ON packet.{id} = held.{id} AND packet.revision = held.{on} JOIN docket_log AS log ON log.position = packet.position
WHERE substr({openedAt held}, 1, 19) <= substr(log.at, 1, 19);

-- The service's answers.

-- name: Unanswered
-- Each with the reviewer and the fingerprint of the key that signed it.
SELECT log.position, coalesce({reviewer appeal}, {reviewer amendment}, ''), coalesce({fingerprint appeal}, {fingerprint amendment}, '') FROM docket_log AS log
LEFT JOIN trade_challenge_appeal_enforcement_records AS appeal ON appeal.sequence = log.position
LEFT JOIN trade_agreement_amendment_enforcement_records AS amendment ON amendment.sequence = log.position
WHERE log.kind = 'record' AND log.number > coalesce((SELECT number FROM docket_log WHERE position = $1), -1) AND NOT {isAnswered log.position} ORDER BY log.number LIMIT $2;

-- name: Tally
SELECT (SELECT count(*) FROM docket_handin_acceptances AS accepted WHERE NOT {isEarlier accepted}), (SELECT count(*) FROM docket_handin_rejections);

-- name: ToJudgeAgain
-- The records that the service rejected, and how many of those of a list, that are open.
SELECT (SELECT count(*) FROM docket_handin_rejections AS rejected JOIN {records} AS held ON held.sequence = rejected.sequence WHERE {isOpen}),
  (SELECT count(*) FROM {records} AS held WHERE {isAmong held.sequence | {numbers}} AND {isOpen});

-- name: isOpen
-- There is no later record on the same or a later revision, the service did not assign what it is on to another reviewer, and no other console decided on it in a later
-- revision.
CASE WHEN {isJSON held} THEN NOT EXISTS (SELECT 1 FROM {from {records} | later | key}
    WHERE later.{id} = held.{id} AND later.{on} >= held.{on} AND later.sequence > held.sequence)
  AND NOT {isGivenAway held.{id} | (SELECT max(packet.revision) FROM {from {packets} | packet | key} WHERE packet.{id} = held.{id})}
  AND NOT EXISTS (SELECT 1 FROM {theirsOn held.{id} | > held.{on}}) END

-- name: isGivenAway(id | revision)
-- The service assigned it to another reviewer with a later revision.
EXISTS (SELECT 1 FROM docket_local AS given WHERE given.kind = 'reassigned' AND given.tableName = '{packets}' AND given.id = {id} AND given.revision > {revision}
  AND given.value = '')

-- Packets.

-- name: AddPacket
INSERT INTO {table} (position, document) VALUES ($1, $2);

-- name: Packet
SELECT held.position, CAST($1 AS text), CAST($2 AS bigint), held.document, {cameAt held}, {texts} FROM {table} AS held
WHERE held.position = (SELECT position FROM {table} WHERE {id} = $1 AND {number} = $2) AND held.position <= $3;

-- name: Documents
SELECT wanted.key, held.document, {texts} FROM (SELECT key, value ->> 0 AS id, CAST(value ->> 1 AS bigint) AS number FROM {elements $1}) AS wanted
JOIN {table} AS held ON held.position = (SELECT position FROM {table} WHERE {id} = wanted.id AND {number} = wanted.number) WHERE held.position <= $2;

-- name: Policy
SELECT (SELECT coalesce(max({number}), 0) FROM {table} WHERE {id} = $1),
  (SELECT document FROM {table} WHERE position = (SELECT position FROM {table} WHERE {id} = $1 AND {number} = $2));

-- name: Numbers
SELECT {number} FROM {table} WHERE {id} = $1 ORDER BY 1;

-- name: Holds
SELECT EXISTS (SELECT 1 FROM {table} WHERE {id} = $1);

-- name: CountPackets
SELECT count(*) FROM {table};

-- name: LastPacket
SELECT coalesce(max(position), -1) FROM {table};

-- name: LastImport
SELECT coalesce((SELECT {cameAt held} FROM {table} AS held ORDER BY held.position DESC LIMIT 1), '');

-- name: Between
SELECT 0, CAST($1 AS text), held.{number}, held.document, '', {texts} FROM {table} AS held
WHERE held.{id} = $1 AND held.{number} BETWEEN $2 AND $3 AND held.position <= $4 ORDER BY held.{number} LIMIT $5;

-- name: PoliciesFrom
SELECT held.position, {ifJSON held | held.{id} | ''}, {ifJSON held | held.{number} | 0}, held.document, '' FROM {table} AS held
WHERE held.position >= $1 ORDER BY held.position LIMIT $2;

-- name: LatestBefore
SELECT latest.position, {ifJSON latest | latest.{number} | 0}, {assigneeOf latest}, {ownerOf latest}
FROM {table} AS latest
WHERE latest.position = (SELECT held.position FROM {from {table} | held | key} WHERE held.{id} = $1 AND held.position < $2 ORDER BY held.{number} DESC LIMIT 1);

-- name: Revisions
SELECT revision.revision, {cameAt revision}, CASE WHEN {isWanted} THEN (SELECT held.document FROM {table} AS held WHERE held.position = revision.position) END,
  CASE WHEN {isWanted} THEN (SELECT {texts} FROM {table} AS held WHERE held.position = revision.position) END
FROM {from {table} | revision | key} WHERE revision.{id} = $1 ORDER BY revision.revision;

-- name: isWanted
revision.revision = CASE CAST($2 AS bigint) WHEN 0 THEN (SELECT max(revision) FROM {table} WHERE {id} = $1) ELSE CAST($2 AS bigint) END

-- name: Arrivals
-- Of the only revision of an id nothing but the packet is read.
SELECT came.position, came.id, came.number, CASE WHEN came.id <> '' AND NOT EXISTS
  (SELECT 1 FROM {from {table} | another | key} WHERE another.{id} = came.id AND another.position <> came.position) THEN held.document END, '',
  {ownerOf held}, false, came.theirs, {texts} FROM ({came}) AS came {join} {table} AS held ON held.position = came.position ORDER BY came.position;

-- name: cameToAll
SELECT held.position, false AS theirs, {ifJSON held | held.{id} | ''} AS id, {ifJSON held | held.{number} | 0} AS number FROM {table} AS held
WHERE held.position >= $1 ORDER BY held.position LIMIT $2

-- name: cameTo(parts)
SELECT position, max(theirs) = 1 AS theirs, max(id) AS id, max(number) AS number FROM ({parts}) AS came GROUP BY position ORDER BY position LIMIT $2

-- name: cameToOne(kind | whose | index | holder)
-- The rows from a position on of an assignee or an owner, in their order: by an index of the table, and those of which it was the last revision's.
SELECT * FROM (SELECT held.position, 1 AS theirs, held.{id} AS id, held.{number} AS number FROM {from {table} | held | {index}}
  WHERE {whose} = {holder} AND held.position >= $1 ORDER BY held.position LIMIT $2) AS came
UNION ALL SELECT * FROM (SELECT other.position, 0, {ifJSON held | held.{id} | ''}, {ifJSON held | held.{number} | 0}
  FROM docket_service_formers AS other {join} {table} AS held ON held.position = other.position
  WHERE other.kind = '{kind}' AND other.tableName = '{table}' AND other.holder = {holder} AND other.position >= $1 ORDER BY other.position LIMIT $2) AS came

-- name: cameToAssignee(holder)
{cameToOne assignee | {assignee held} | assigned | {holder}}

-- name: cameToOwner(holder)
{cameToOne owner | held.ownerId | owned | {holder}}

-- name: AddFormers
INSERT INTO docket_service_formers (kind, holder, tableName, position) {formers SELECT CAST($1 AS bigint) AS position, CAST($2 AS text) AS id};

-- name: FormersDiffer
SELECT EXISTS (SELECT * FROM ({formersOfAll}) AS due EXCEPT SELECT * FROM ({formersKept}) AS kept)
  OR EXISTS (SELECT * FROM ({formersKept}) AS kept EXCEPT SELECT * FROM ({formersOfAll}) AS due);

-- name: formersKept
SELECT kind, holder, tableName, position FROM docket_service_formers WHERE tableName = '{table}'

-- name: formersOfAll
{formers SELECT held.position, held.{id} AS id FROM {from {table} | held | key} ORDER BY held.{id}}

-- name: formers(came)
{formersOf assignee | {assigneeOf before} | {assigneeOf held} | {came}}

-- name: formers(came) of trade_agreement_amendment_records
{formersOf assignee | {assigneeOf before} | {assigneeOf held} | {came}}
UNION ALL {formersOf owner | {ownerOf before} | {ownerOf held} | {came}}

-- name: assigneeOf(row)
{ifJSON {row} | coalesce({assignee {row}}, '') | ''}

-- name: ownerOf(row)
{ifJSON {row} | {owner {row}} | ''}

-- name: formersOf(kind | before | now | came)
-- For each row of "came (position, id)" whose assignee or owner differs from that of the latest revision when the row came in.
SELECT CAST('{kind}' AS text) AS kind, {before} AS holder, CAST('{table}' AS text) AS tableName, came.position AS position FROM ({came}) AS came
{join} {table} AS before ON before.position = (SELECT earlier.position FROM {from {table} | earlier | key}
  WHERE earlier.{id} = came.id AND earlier.position < came.position ORDER BY earlier.{number} DESC LIMIT 1)
{join} {table} AS held ON held.position = came.position WHERE {before} NOT IN ('', {now})

-- The queue.

-- name: QueueRows
-- The rows for "latest (id, number, position)", which may take arguments from $3 on.
SELECT latest.id, latest.number, {cameAt held},
  coalesce((SELECT skip.value FROM docket_local AS skip WHERE skip.kind = 'skip' AND skip.owner = $1 AND skip.tableName = $2 AND skip.id = latest.id
    AND skip.revision = latest.number), ''),
  EXISTS (SELECT 1 FROM docket_local AS draft WHERE draft.kind = 'draft' AND (draft.owner = $1 OR substr(draft.owner, 1, length($1) + 1) = $1 || '@')
    AND draft.tableName = $2 AND draft.id = latest.id),
  {isGivenAway latest.id | latest.number},
  held.document, {texts}
FROM ({latest}) AS latest {join} {packets} AS held ON held.position = latest.position{inOrder {order}};

-- name: listed(index)
-- Latest revisions, read by an index.
{from {packets} | listed | {index}} WHERE NOT EXISTS (SELECT 1 FROM {from {packets} | newer | key} WHERE newer.{id} = listed.{id} AND newer.revision > listed.revision)

-- name: columns
listed.{id} AS id, listed.revision AS number, listed.position

-- name: after(first | most)
SELECT {columns} FROM {listed key} AND listed.{id} > {first} ORDER BY listed.{id} LIMIT {most}

-- name: ofID(first)
SELECT {columns} FROM {listed key} AND listed.{id} = {first}

-- name: related
SELECT {columns} FROM {listed related} AND listed.{about} = $3 AND listed.{id} <> $4 ORDER BY listed.{id} LIMIT $5

-- name: top(index | whose | due)
SELECT {columns} FROM {listed {index}} AND {whose} ORDER BY listed.{id} LIMIT $4

-- name: top(index | whose | due) of trade_appeal_cases
-- The rank is that of the rows in their order: by a column of the table that they are joined with, all of that would be sorted.
SELECT {columns}, listed.deadline AS deadline FROM {listed {index}} AND {whose} AND listed.deadline IS {due} AND listed.status NOT IN ({settled})
ORDER BY listed.deadline, listed.{id} LIMIT $4

-- name: Mark
SELECT (SELECT coalesce(max(position) + 1, 0) FROM {packets}), (SELECT coalesce(max(position) + 1, 0) FROM {policies}), (SELECT coalesce(max(position) + 1, 0) FROM docket_log),
  (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_rejections), (SELECT coalesce(max(position) + 1, 0) FROM docket_log WHERE kind = 'statement'),
  (SELECT coalesce(max(position) + 1, 0) FROM docket_local WHERE kind = 'reassigned'), (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_records);

-- name: Changed
SELECT {id} FROM {packets} WHERE position >= $1 UNION ALL SELECT {id} FROM {records} WHERE sequence >= $2
UNION ALL SELECT held.{id} FROM docket_handin_rejections AS rejected JOIN {records} AS held ON held.sequence = rejected.sequence WHERE rejected.position >= $3
UNION ALL SELECT id FROM docket_local WHERE kind = 'reassigned' AND position >= $4 AND tableName = $5
UNION ALL SELECT id FROM docket_handin_records WHERE position >= $6 AND tableName = $5;
