-- What both engines are asked, in SQL that both take: each block can be pasted into sqlite3 or, after SET search_path TO docket, into psql.
-- Names of columns are never quoted. Arguments are $1, $2 …, a list is one JSON argument. No other schema or database can take the place of a table: SQLite's
-- connections make no temporary objects and attach no files, and PostgreSQL's look for temporary tables last.

-- name: MetaValue
SELECT value FROM docket_meta WHERE name = $1;

-- name: MetaValues
SELECT name, value FROM docket_meta LIMIT $1;

-- name: AddMeta
INSERT INTO docket_meta (name, value) VALUES ($1, $2);

-- name: Drafts
SELECT reviewer, revision, draft, savedAt FROM docket_drafts
WHERE (reviewer = $1 OR substr(reviewer, 1, length($1) + 1) = $1 || '@') AND tableName = $2 AND id = $3 AND revision <= $4
ORDER BY revision DESC, savedAt DESC, reviewer;

-- name: SaveDraft
INSERT INTO docket_drafts (reviewer, tableName, id, revision, draft, savedAt) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (reviewer, tableName, id, revision) DO UPDATE SET draft = excluded.draft, savedAt = excluded.savedAt;

-- name: DropDrafts
DELETE FROM docket_drafts WHERE reviewer = $1 AND tableName = $2 AND id = $3 AND revision <= $4;

-- name: SkipReason
SELECT reason FROM docket_skips WHERE reviewer = $1 AND tableName = $2 AND id = $3 AND revision = $4;

-- name: Skip
INSERT INTO docket_skips (reviewer, tableName, id, revision, reason, skippedAt) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (reviewer, tableName, id, revision) DO UPDATE SET reason = excluded.reason, skippedAt = excluded.skippedAt;

-- name: Unskip
DELETE FROM docket_skips WHERE reviewer = $1 AND tableName = $2 AND id = $3 AND revision = $4;

-- name: Tokens
SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt, coalesce(revocation.revokedAt, '')
FROM docket_service_tokens AS token LEFT JOIN docket_service_revocations AS revocation ON revocation.id = token.id ORDER BY token.position;

-- name: TokensBetween
SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt, coalesce(revocation.revokedAt, '')
FROM docket_service_tokens AS token LEFT JOIN docket_service_revocations AS revocation ON revocation.id = token.id
WHERE token.digest BETWEEN $1 AND $2 ORDER BY token.digest;

-- name: Token
SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt, coalesce(revocation.revokedAt, '')
FROM docket_service_tokens AS token LEFT JOIN docket_service_revocations AS revocation ON revocation.id = token.id WHERE token.id = $1;

-- name: HasToken
SELECT EXISTS (SELECT 1 FROM docket_service_tokens WHERE id = $1) OR EXISTS (SELECT 1 FROM docket_service_tokens WHERE digest = $2);

-- name: AddToken
INSERT INTO docket_service_tokens (position, id, digest, principal, role, owners, createdAt, expiresAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_service_tokens), $1, $2, $3, $4, $5, $6, $7);

-- name: IsTokenRevoked
SELECT EXISTS (SELECT 1 FROM docket_service_tokens WHERE id = $1), EXISTS (SELECT 1 FROM docket_service_revocations WHERE id = $1);

-- name: RevokeToken
INSERT INTO docket_service_revocations (position, id, revokedAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_service_revocations), $1, $2);

-- name: AddMove
INSERT INTO docket_service_moves (position, origin, movedAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_service_moves), $1, $2);

-- name: MovedAt
SELECT movedAt FROM docket_service_moves WHERE origin = $1;

-- name: Receive
INSERT INTO docket_service_received (sequence, receivedAt, origin, recordId, size) VALUES ($1, $2, $3, $4, $5);

-- name: ReceivedAt
SELECT received.receivedAt FROM docket_log AS log JOIN docket_service_received AS received ON received.sequence = log.sequence WHERE log.recordId = $1;

-- name: ReceivedFrom
SELECT EXISTS (SELECT 1 FROM docket_service_received WHERE origin = $1 AND recordId >= $2 AND size < $3);

-- name: LastLeaf
SELECT coalesce(max(sequence), -1) FROM docket_log;

-- name: NewestRecordFrom
SELECT coalesce(max(recordId), '') FROM docket_log WHERE sequence >= $1;

-- name: Leaf
SELECT sequence, tableName, recordId, leafHash FROM docket_log WHERE recordId = $1;

-- name: Leaves
SELECT sequence, tableName, recordId, leafHash FROM docket_log WHERE sequence >= $1 AND sequence < $2 ORDER BY sequence;

-- name: AddLeaf
INSERT INTO docket_log (sequence, tableName, recordId, leafHash) VALUES ($1, $2, $3, $4);

-- name: HashesBetween
SELECT position, hash FROM docket_log_hashes WHERE position >= $1 AND position < $2;

-- name: Checkpoint
SELECT note FROM docket_checkpoints WHERE size = $1;

-- name: NewestCheckpoint
SELECT size, note FROM docket_checkpoints ORDER BY size DESC LIMIT 1;

-- name: Checkpoints
SELECT size, note FROM docket_checkpoints WHERE size BETWEEN $1 AND $2;

-- name: AddCheckpoint
-- It adds nothing, which is an error, unless the size is the next one.
INSERT INTO docket_checkpoints (size, note) SELECT CAST($1 AS bigint), $2
WHERE CAST($1 AS bigint) = (SELECT coalesce(max(size) + 1, 0) FROM docket_checkpoints);

-- name: CountStatements
SELECT coalesce(max(position) + 1, 0) FROM docket_log_statements;

-- name: Statements
SELECT position, statement, signature, logSignature, checkpoint FROM docket_log_statements ORDER BY position;

-- name: NewestRestore
SELECT position, statement, checkpoint FROM docket_log_statements WHERE checkpoint <> '' ORDER BY position DESC LIMIT 1;

-- name: AnyErasure
SELECT EXISTS (SELECT 1 FROM docket_log_statements WHERE replace(statement, '
erasure
', '') <> statement);

-- name: AddStatement
INSERT INTO docket_log_statements (position, statement, signature, logSignature, checkpoint)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_log_statements), $1, $2, $3, $4);

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

-- name: RevokedKeys
SELECT reviewerId, fingerprint, fromSequence, madeSize, received FROM docket_revoked_keys ORDER BY reviewerId, fingerprint, received;

-- name: ClearRevokedKeys
DELETE FROM docket_revoked_keys;

-- name: AddRevokedKey
INSERT INTO docket_revoked_keys (reviewerId, fingerprint, fromSequence, madeSize, received) VALUES ($1, $2, $3, $4, $5);

-- name: Ends
SELECT (SELECT coalesce(max(sequence), -1) FROM docket_signatures),
  (SELECT coalesce(max(n), -1) FROM (SELECT max(sequence) AS n FROM trade_challenge_appeal_enforcement_records
    UNION ALL SELECT max(sequence) FROM trade_agreement_amendment_enforcement_records) AS ends),
  (SELECT coalesce(max(position), -1) FROM docket_log_hashes);

-- name: InAppealsOfOther
SELECT log.sequence, log.tableName, log.recordId, log.leafHash FROM trade_challenge_appeal_enforcement_records AS held
JOIN docket_log AS log ON log.sequence = held.sequence WHERE log.tableName <> 'trade_challenge_appeal_enforcement_records' ORDER BY log.sequence LIMIT $1;

-- name: InAmendmentsOfOther
SELECT log.sequence, log.tableName, log.recordId, log.leafHash FROM trade_agreement_amendment_enforcement_records AS held
JOIN docket_log AS log ON log.sequence = held.sequence WHERE log.tableName <> 'trade_agreement_amendment_enforcement_records' ORDER BY log.sequence LIMIT $1;

-- name: Bound
SELECT key FROM docket_handin_service ORDER BY position;

-- name: Bind
INSERT INTO docket_handin_service (position, key, boundAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_service), $1, $2);

-- name: NewestShown
SELECT position, kind, checkpoint, key, keptAt FROM docket_handin_checkpoints ORDER BY position DESC LIMIT 1;

-- name: NewestKnown
SELECT position, kind, checkpoint, key, keptAt FROM docket_handin_checkpoints WHERE kind = '' ORDER BY position DESC LIMIT 1;

-- name: Shown
SELECT position, kind, checkpoint, key, keptAt FROM docket_handin_checkpoints ORDER BY position;

-- name: Show
INSERT INTO docket_handin_checkpoints (position, kind, checkpoint, key, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_checkpoints), $1, $2, $3, $4);

-- name: AcceptedAbove
SELECT origin, treeSize, checkpoint FROM docket_handin_acceptances
WHERE service = (SELECT max(position) FROM docket_handin_service) AND origin = $1 AND treeSize > $2 ORDER BY treeSize;

-- name: AnswerOf
SELECT accepted.receipt, accepted.keptAt, rejected.signed, rejected.changes FROM (SELECT CAST($1 AS bigint) AS sequence) AS record
LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = record.sequence AND accepted.service = (SELECT max(position) FROM docket_handin_service)
LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = record.sequence;

-- name: Taken
SELECT EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE service = (SELECT max(position) FROM docket_handin_service) AND origin = $1 AND treeSize = $2);

-- name: Accept
INSERT INTO docket_handin_acceptances (position, service, sequence, origin, treeSize, receipt, proof, checkpoint, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_acceptances), (SELECT max(position) FROM docket_handin_service), $1, $2, $3, $4, $5, $6, $7);

-- name: EarlierAcceptance
SELECT sequence, origin, treeSize, receipt, proof, checkpoint FROM docket_handin_acceptances
WHERE sequence = $1 AND service < (SELECT max(position) FROM docket_handin_service) ORDER BY position DESC LIMIT 1;

-- name: Acceptances
-- A receipt may be of a leaf that an edited log no longer has.
SELECT kept.sequence, coalesce(log.tableName, ''), coalesce(log.recordId, ''), log.leafHash, kept.origin, kept.treeSize, kept.receipt, kept.proof, kept.checkpoint,
  EXISTS (SELECT 1 FROM docket_handin_rejections AS rejected WHERE rejected.sequence = kept.sequence) AND kept.service = (SELECT max(position) FROM docket_handin_service)
FROM docket_handin_acceptances AS kept LEFT JOIN docket_log AS log ON log.sequence = kept.sequence ORDER BY kept.sequence, kept.position;

-- name: LastRejection
SELECT coalesce(max(position), -1) FROM docket_handin_rejections;

-- name: Reject
INSERT INTO docket_handin_rejections (position, sequence, inForce, signed, changes, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_rejections), $1, $2, $3, $4, $5);

-- name: Rejections
SELECT kept.sequence, coalesce(log.tableName, ''), coalesce(log.recordId, ''), log.leafHash, kept.position, kept.inForce, kept.signed, kept.changes
FROM docket_handin_rejections AS kept LEFT JOIN docket_log AS log ON log.sequence = kept.sequence
WHERE kept.position > $1 AND kept.position <= $2 ORDER BY kept.position LIMIT $3;

-- name: AddServiceRecord
INSERT INTO docket_handin_records (position, service, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, proof, checkpoint,
  afterRecords, afterRejections, keptAt)
VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_records), (SELECT max(position) FROM docket_handin_service), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: ServiceRecordsOn
SELECT theirs.position, theirs.tableName, theirs.id, theirs.revision, theirs.recordId, theirs.supersedes, theirs.record, theirs.signature,
  theirs.origin, theirs.sequence, theirs.proof, theirs.checkpoint, theirs.afterRecords, theirs.afterRejections,
  theirs.service < (SELECT coalesce(max(position), 0) FROM docket_handin_service)
FROM docket_handin_records AS theirs WHERE theirs.tableName = $1 AND theirs.id = $2 AND theirs.revision = $3 ORDER BY theirs.position;

-- name: LastServiceRecord
SELECT coalesce(max(position), -1) FROM docket_handin_records;

-- name: ServiceRecords
SELECT theirs.position, theirs.tableName, theirs.id, theirs.revision, theirs.recordId, theirs.supersedes, theirs.record, theirs.signature,
  theirs.origin, theirs.sequence, theirs.proof, theirs.checkpoint, theirs.afterRecords, theirs.afterRejections,
  theirs.service < (SELECT coalesce(max(position), 0) FROM docket_handin_service)
FROM docket_handin_records AS theirs WHERE theirs.position > $1 AND theirs.position <= $2 ORDER BY theirs.position LIMIT $3;

-- name: Reassigned
SELECT coalesce((SELECT revision FROM docket_handin_reassigned WHERE tableName = $1 AND id = $2), 0);

-- name: SetReassigned
-- The row moves to the end, so that each change raises the last position.
INSERT INTO docket_handin_reassigned (position, tableName, id, revision, toldAt) VALUES ((SELECT coalesce(max(position) + 1, 0) FROM docket_handin_reassigned), $1, $2, $3, $4)
ON CONFLICT (tableName, id) DO UPDATE SET position = excluded.position, revision = excluded.revision, toldAt = excluded.toldAt;

-- name: ClearReassigned
-- The rows stay, so that positions go on, and move behind the last one, as a change does. Revisions begin at 1; 0 stands for none.
UPDATE docket_handin_reassigned SET revision = 0, position = position + 1 + (SELECT max(position) FROM docket_handin_reassigned) WHERE revision <> 0;

-- name: StrayReassigned
SELECT EXISTS (SELECT 1 FROM docket_handin_reassigned WHERE revision > 0) AND NOT EXISTS (SELECT 1 FROM docket_handin_service);

-- name: Pull
SELECT cursor, completedAt FROM docket_handin_pull LIMIT 1;

-- name: SetPull
INSERT INTO docket_handin_pull AS held (id, cursor, completedAt) VALUES (0, $1, $2) ON CONFLICT (id) DO UPDATE
SET cursor = excluded.cursor, completedAt = CASE excluded.completedAt WHEN '' THEN held.completedAt ELSE excluded.completedAt END;

-- name: Ending
SELECT (SELECT coalesce(max(sequence), -1) FROM docket_log),
  EXISTS (SELECT 1 FROM docket_log WHERE recordId = $1),
  EXISTS (SELECT 1 FROM docket_signers WHERE reviewerId = $2 AND fingerprint = $3),
  EXISTS (SELECT 1 FROM docket_signers WHERE reviewerId = $2 AND fingerprint <> $3),
  EXISTS (SELECT 1 FROM docket_revoked_keys WHERE reviewerId = $2 AND fingerprint = $3),
  (SELECT coalesce(max(recordId), '') FROM docket_log);

-- name: AddSignature
INSERT INTO docket_signatures (sequence, signature) VALUES ($1, $2);

-- name: AddPacketSalt
INSERT INTO docket_packet_salts (sequence, salt) VALUES ($1, $2);

-- name: AddReasons
INSERT INTO docket_statements (sequence, salt, statement) VALUES ($1, $2, $3);

-- name: AddNote
INSERT INTO docket_notes (sequence, salt, note) VALUES ($1, $2, $3);

-- name: Signature
SELECT signature FROM docket_signatures WHERE sequence = (SELECT sequence FROM docket_log WHERE recordId = $1);

-- name: PacketSalt
SELECT salt FROM docket_packet_salts WHERE sequence = (SELECT sequence FROM docket_log WHERE recordId = $1);

-- name: Reasons
SELECT salt, statement FROM docket_statements WHERE sequence = (SELECT sequence FROM docket_log WHERE recordId = $1);

-- name: Note
SELECT salt, note FROM docket_notes WHERE sequence = (SELECT sequence FROM docket_log WHERE recordId = $1);

-- name: AddPacketTexts
INSERT INTO docket_packet_texts (place, texts) VALUES ($1, $2);

-- name: PacketHead
SELECT position, note FROM docket_packet_heads WHERE position = $1;

-- name: NewestPacketHead
SELECT position, note FROM docket_packet_heads ORDER BY position DESC LIMIT 1;

-- name: PacketHeads
SELECT position, note FROM docket_packet_heads ORDER BY position;

-- name: AddPacketHead
-- It adds nothing, which is an error, unless the position is the next one.
INSERT INTO docket_packet_heads (position, note) SELECT CAST($1 AS bigint), $2
WHERE CAST($1 AS bigint) = (SELECT coalesce(max(position) + 1, 0) FROM docket_packet_heads);
