-- The schema of a store, version 13. SQLite keeps each statement as it is written here, so that any change takes another version.
-- Each table has a column that numbers its rows, so that no rewriting of the file changes their order, or is asked for its rows by key.

CREATE TABLE trade_appeal_policies (
  position INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyId')) VIRTUAL NOT NULL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.policyVersion')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.contractVersion')) VIRTUAL,
  "status" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.status')) VIRTUAL,
  "frozenAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.frozenAt')) VIRTUAL,
  "effectiveFrom" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.effectiveFrom')) VIRTUAL,
  "effectiveUntil" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.effectiveUntil')) VIRTUAL,
  "outcomeRules" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.outcomeRules')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyHash')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_appeal_policies_key ON trade_appeal_policies ("policyId", "policyVersion");

CREATE TRIGGER trade_appeal_policies_no_update BEFORE UPDATE ON trade_appeal_policies BEGIN SELECT RAISE(ABORT, 'trade_appeal_policies is append-only'); END;

CREATE TRIGGER trade_appeal_policies_no_delete BEFORE DELETE ON trade_appeal_policies BEGIN SELECT RAISE(ABORT, 'trade_appeal_policies is append-only'); END;

CREATE TRIGGER trade_appeal_policies_no_replace BEFORE INSERT ON trade_appeal_policies WHEN EXISTS (SELECT 1 FROM trade_appeal_policies WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_appeal_policies WHERE "policyId" = NEW."policyId" AND "policyVersion" = NEW."policyVersion")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.position AND kind = 'packet' AND tableName = 'trade_appeal_policies') BEGIN SELECT RAISE(ABORT, 'trade_appeal_policies already has that row, or the row is not the next one'); END;

CREATE TABLE trade_appeal_cases (
  position INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  "caseId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.caseId')) VIRTUAL NOT NULL,
  "revision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.revision')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.contractVersion')) VIRTUAL,
  "status" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.status')) VIRTUAL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyId')) VIRTUAL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.policyVersion')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyHash')) VIRTUAL,
  "subject" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.subject')) VIRTUAL,
  "subjectId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.subjectId')) VIRTUAL,
  "trigger" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.trigger')) VIRTUAL,
  "standing" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.standing')) VIRTUAL,
  "notice" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.notice')) VIRTUAL,
  "filedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.filedAt')) VIRTUAL,
  "deadline" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.deadline')) VIRTUAL,
  "evidenceScope" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.evidenceScope')) VIRTUAL,
  "scopeHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.scopeHash')) VIRTUAL,
  "nonRetaliation" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.nonRetaliation')) VIRTUAL,
  "originalDeciderId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.originalDeciderId')) VIRTUAL,
  "partyIds" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.partyIds')) VIRTUAL,
  "neutralReview" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.neutralReview')) VIRTUAL,
  "requestedOutcome" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.requestedOutcome')) VIRTUAL,
  "requestedEffects" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.requestedEffects')) VIRTUAL,
  "remedyGap" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.remedyGap')) VIRTUAL,
  "redaction" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.redaction')) VIRTUAL,
  "caseHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.caseHash')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_appeal_cases_key ON trade_appeal_cases ("caseId", "revision");

CREATE INDEX trade_appeal_cases_assignee ON trade_appeal_cases (json_extract(document, '$.record.neutralReview.reviewerId'), "deadline", "caseId", "revision") WHERE "status" NOT IN ('upheld', 'corrected', 'dismissed', 'closed_unresolved', 'superseded');

CREATE INDEX trade_appeal_cases_assigned ON trade_appeal_cases (json_extract(document, '$.record.neutralReview.reviewerId'), position, "caseId", "revision");

CREATE INDEX trade_appeal_cases_deadline ON trade_appeal_cases ("deadline", "caseId", "revision") WHERE "status" NOT IN ('upheld', 'corrected', 'dismissed', 'closed_unresolved', 'superseded');

CREATE INDEX trade_appeal_cases_related ON trade_appeal_cases ("subjectId", "caseId", "revision");

CREATE TRIGGER trade_appeal_cases_no_update BEFORE UPDATE ON trade_appeal_cases BEGIN SELECT RAISE(ABORT, 'trade_appeal_cases is append-only'); END;

CREATE TRIGGER trade_appeal_cases_no_delete BEFORE DELETE ON trade_appeal_cases BEGIN SELECT RAISE(ABORT, 'trade_appeal_cases is append-only'); END;

CREATE TRIGGER trade_appeal_cases_no_replace BEFORE INSERT ON trade_appeal_cases WHEN EXISTS (SELECT 1 FROM trade_appeal_cases WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_appeal_cases WHERE "caseId" = NEW."caseId" AND "revision" = NEW."revision")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.position AND kind = 'packet' AND tableName = 'trade_appeal_cases') BEGIN SELECT RAISE(ABORT, 'trade_appeal_cases already has that row, or the row is not the next one'); END;

CREATE TABLE trade_agreement_amendment_policies (
  position INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyId')) VIRTUAL NOT NULL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.policyVersion')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.contractVersion')) VIRTUAL,
  "status" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.status')) VIRTUAL,
  "frozenAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.frozenAt')) VIRTUAL,
  "staleAfter" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.staleAfter')) VIRTUAL,
  "transitions" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.transitions')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyHash')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_agreement_amendment_policies_key ON trade_agreement_amendment_policies ("policyId", "policyVersion");

CREATE TRIGGER trade_agreement_amendment_policies_no_update BEFORE UPDATE ON trade_agreement_amendment_policies BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_policies is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_policies_no_delete BEFORE DELETE ON trade_agreement_amendment_policies BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_policies is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_policies_no_replace BEFORE INSERT ON trade_agreement_amendment_policies WHEN EXISTS (SELECT 1 FROM trade_agreement_amendment_policies WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_agreement_amendment_policies WHERE "policyId" = NEW."policyId" AND "policyVersion" = NEW."policyVersion")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.position AND kind = 'packet' AND tableName = 'trade_agreement_amendment_policies') BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_policies already has that row, or the row is not the next one'); END;

CREATE TABLE trade_agreement_amendment_records (
  position INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  "amendmentId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.amendmentId')) VIRTUAL NOT NULL,
  "revision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.revision')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.contractVersion')) VIRTUAL,
  "ownerId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.ownerId')) VIRTUAL,
  "state" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.state')) VIRTUAL,
  "agreementId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.agreementId')) VIRTUAL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyId')) VIRTUAL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.record.policyVersion')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policyHash')) VIRTUAL,
  "transition" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.transition')) VIRTUAL,
  "subjectType" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.subjectType')) VIRTUAL,
  "amendmentType" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.amendmentType')) VIRTUAL,
  "confirmationState" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.confirmationState')) VIRTUAL,
  "beforeTermsHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.beforeTermsHash')) VIRTUAL,
  "afterTermsHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.afterTermsHash')) VIRTUAL,
  "changedTerms" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.changedTerms')) VIRTUAL,
  "parentRecord" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.parentRecord')) VIRTUAL,
  "effects" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.effects')) VIRTUAL,
  "requiredParties" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.requiredParties')) VIRTUAL,
  "confirmations" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.confirmations')) VIRTUAL,
  "originalDeciderId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.originalDeciderId')) VIRTUAL,
  "neutralReview" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.neutralReview')) VIRTUAL,
  "notice" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.notice')) VIRTUAL,
  "reviewerQuality" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.reviewerQuality')) VIRTUAL,
  "baselineIntegrity" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.baselineIntegrity')) VIRTUAL,
  "destinationReview" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.destinationReview')) VIRTUAL,
  "policySnapshotBundle" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.policySnapshotBundle')) VIRTUAL,
  "amendmentHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.record.amendmentHash')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_agreement_amendment_records_key ON trade_agreement_amendment_records ("amendmentId", "revision");

CREATE INDEX trade_agreement_amendment_records_assignee ON trade_agreement_amendment_records (json_extract(document, '$.record.neutralReview.reviewerId'), "amendmentId", "revision");

CREATE INDEX trade_agreement_amendment_records_assigned ON trade_agreement_amendment_records (json_extract(document, '$.record.neutralReview.reviewerId'), position, "amendmentId", "revision");

CREATE INDEX trade_agreement_amendment_records_owned ON trade_agreement_amendment_records ("ownerId", position, "amendmentId", "revision");

CREATE INDEX trade_agreement_amendment_records_related ON trade_agreement_amendment_records ("agreementId", "amendmentId", "revision");

CREATE TRIGGER trade_agreement_amendment_records_no_update BEFORE UPDATE ON trade_agreement_amendment_records BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_records is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_records_no_delete BEFORE DELETE ON trade_agreement_amendment_records BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_records is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_records_no_replace BEFORE INSERT ON trade_agreement_amendment_records WHEN EXISTS (SELECT 1 FROM trade_agreement_amendment_records WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_agreement_amendment_records WHERE "amendmentId" = NEW."amendmentId" AND "revision" = NEW."revision")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.position AND kind = 'packet' AND tableName = 'trade_agreement_amendment_records') BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_records already has that row, or the row is not the next one'); END;

CREATE TABLE trade_challenge_appeal_enforcement_records (
  document TEXT NOT NULL,
  sequence INTEGER PRIMARY KEY,
  "recordId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.recordId')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.contractVersion')) VIRTUAL,
  "rulesVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.rulesVersion')) VIRTUAL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.policyId')) VIRTUAL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.policyVersion')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.policyHash')) VIRTUAL,
  "latestPolicyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.latestPolicyVersion')) VIRTUAL,
  "latestRevision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.latestRevision')) VIRTUAL,
  "computedBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.computedBlockers')) VIRTUAL,
  "reviewerBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.reviewerBlockers')) VIRTUAL,
  "carriedBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.carriedBlockers')) VIRTUAL,
  "gate" TEXT GENERATED ALWAYS AS (json_extract(document, '$.gate')) VIRTUAL,
  "reviewer" TEXT GENERATED ALWAYS AS (json_extract(document, '$.reviewer')) VIRTUAL,
  "logHead" TEXT GENERATED ALWAYS AS (json_extract(document, '$.logHead')) VIRTUAL,
  "supersedes" TEXT GENERATED ALWAYS AS (json_extract(document, '$.supersedes')) VIRTUAL,
  "packetDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.packetDigest')) VIRTUAL,
  "sectionsViewed" TEXT GENERATED ALWAYS AS (json_extract(document, '$.sectionsViewed')) VIRTUAL,
  "openedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.openedAt')) VIRTUAL,
  "evaluatedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.evaluatedAt')) VIRTUAL,
  "recordedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.recordedAt')) VIRTUAL,
  "statementDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.statementDigest')) VIRTUAL,
  "noteDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.noteDigest')) VIRTUAL,
  "stateMutation" TEXT GENERATED ALWAYS AS (json_extract(document, '$.stateMutation')) VIRTUAL,
  "caseId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.caseId')) VIRTUAL NOT NULL,
  "caseRevision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.caseRevision')) VIRTUAL NOT NULL,
  "caseHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.caseHash')) VIRTUAL,
  "scopeHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.scopeHash')) VIRTUAL,
  "subject" TEXT GENERATED ALWAYS AS (json_extract(document, '$.subject')) VIRTUAL,
  "subjectId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.subjectId')) VIRTUAL,
  "trigger" TEXT GENERATED ALWAYS AS (json_extract(document, '$.trigger')) VIRTUAL,
  "advisoryOutcome" TEXT GENERATED ALWAYS AS (json_extract(document, '$.advisoryOutcome')) VIRTUAL,
  "requestedOutcome" TEXT GENERATED ALWAYS AS (json_extract(document, '$.requestedOutcome')) VIRTUAL,
  "preliminaryOutcome" TEXT GENERATED ALWAYS AS (json_extract(document, '$.preliminaryOutcome')) VIRTUAL,
  "outcome" TEXT GENERATED ALWAYS AS (json_extract(document, '$.outcome')) VIRTUAL,
  "factorCodes" TEXT GENERATED ALWAYS AS (json_extract(document, '$.factorCodes')) VIRTUAL,
  "reviewScope" TEXT GENERATED ALWAYS AS (json_extract(document, '$.reviewScope')) VIRTUAL,
  "provenanceActivity" TEXT GENERATED ALWAYS AS (json_extract(document, '$.provenanceActivity')) VIRTUAL,
  "traceabilityBusinessStep" TEXT GENERATED ALWAYS AS (json_extract(document, '$.traceabilityBusinessStep')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_challenge_appeal_enforcement_records_record ON trade_challenge_appeal_enforcement_records ("recordId");

CREATE INDEX trade_challenge_appeal_enforcement_records_key ON trade_challenge_appeal_enforcement_records ("caseId", "caseRevision", "recordId");

CREATE INDEX trade_challenge_appeal_enforcement_records_supersedes ON trade_challenge_appeal_enforcement_records ("supersedes", "recordId");

CREATE TRIGGER trade_challenge_appeal_enforcement_records_no_update BEFORE UPDATE ON trade_challenge_appeal_enforcement_records BEGIN SELECT RAISE(ABORT, 'trade_challenge_appeal_enforcement_records is append-only'); END;

CREATE TRIGGER trade_challenge_appeal_enforcement_records_no_delete BEFORE DELETE ON trade_challenge_appeal_enforcement_records BEGIN SELECT RAISE(ABORT, 'trade_challenge_appeal_enforcement_records is append-only'); END;

CREATE TRIGGER trade_challenge_appeal_enforcement_records_no_replace BEFORE INSERT ON trade_challenge_appeal_enforcement_records WHEN EXISTS (SELECT 1 FROM trade_challenge_appeal_enforcement_records WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_challenge_appeal_enforcement_records WHERE "recordId" = NEW."recordId")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.sequence AND kind = 'record' AND subject = NEW.recordId AND tableName = 'trade_challenge_appeal_enforcement_records') BEGIN SELECT RAISE(ABORT, 'trade_challenge_appeal_enforcement_records already has that row, or the row is not the next one'); END;

CREATE TABLE trade_agreement_amendment_enforcement_records (
  document TEXT NOT NULL,
  sequence INTEGER PRIMARY KEY,
  "recordId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.recordId')) VIRTUAL NOT NULL,
  "contractVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.contractVersion')) VIRTUAL,
  "rulesVersion" TEXT GENERATED ALWAYS AS (json_extract(document, '$.rulesVersion')) VIRTUAL,
  "policyId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.policyId')) VIRTUAL,
  "policyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.policyVersion')) VIRTUAL,
  "policyHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.policyHash')) VIRTUAL,
  "latestPolicyVersion" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.latestPolicyVersion')) VIRTUAL,
  "latestRevision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.latestRevision')) VIRTUAL,
  "computedBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.computedBlockers')) VIRTUAL,
  "reviewerBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.reviewerBlockers')) VIRTUAL,
  "carriedBlockers" TEXT GENERATED ALWAYS AS (json_extract(document, '$.carriedBlockers')) VIRTUAL,
  "gate" TEXT GENERATED ALWAYS AS (json_extract(document, '$.gate')) VIRTUAL,
  "reviewer" TEXT GENERATED ALWAYS AS (json_extract(document, '$.reviewer')) VIRTUAL,
  "logHead" TEXT GENERATED ALWAYS AS (json_extract(document, '$.logHead')) VIRTUAL,
  "supersedes" TEXT GENERATED ALWAYS AS (json_extract(document, '$.supersedes')) VIRTUAL,
  "packetDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.packetDigest')) VIRTUAL,
  "sectionsViewed" TEXT GENERATED ALWAYS AS (json_extract(document, '$.sectionsViewed')) VIRTUAL,
  "openedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.openedAt')) VIRTUAL,
  "evaluatedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.evaluatedAt')) VIRTUAL,
  "recordedAt" TEXT GENERATED ALWAYS AS (json_extract(document, '$.recordedAt')) VIRTUAL,
  "statementDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.statementDigest')) VIRTUAL,
  "noteDigest" TEXT GENERATED ALWAYS AS (json_extract(document, '$.noteDigest')) VIRTUAL,
  "stateMutation" TEXT GENERATED ALWAYS AS (json_extract(document, '$.stateMutation')) VIRTUAL,
  "amendmentId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.amendmentId')) VIRTUAL NOT NULL,
  "amendmentRevision" INTEGER GENERATED ALWAYS AS (json_extract(document, '$.amendmentRevision')) VIRTUAL NOT NULL,
  "amendmentHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.amendmentHash')) VIRTUAL,
  "ownerId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.ownerId')) VIRTUAL,
  "agreementId" TEXT GENERATED ALWAYS AS (json_extract(document, '$.agreementId')) VIRTUAL,
  "transition" TEXT GENERATED ALWAYS AS (json_extract(document, '$.transition')) VIRTUAL,
  "subjectType" TEXT GENERATED ALWAYS AS (json_extract(document, '$.subjectType')) VIRTUAL,
  "amendmentType" TEXT GENERATED ALWAYS AS (json_extract(document, '$.amendmentType')) VIRTUAL,
  "beforeTermsHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.beforeTermsHash')) VIRTUAL,
  "afterTermsHash" TEXT GENERATED ALWAYS AS (json_extract(document, '$.afterTermsHash')) VIRTUAL,
  "blockedTransitions" TEXT GENERATED ALWAYS AS (json_extract(document, '$.blockedTransitions')) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX trade_agreement_amendment_enforcement_records_record ON trade_agreement_amendment_enforcement_records ("recordId");

CREATE INDEX trade_agreement_amendment_enforcement_records_key ON trade_agreement_amendment_enforcement_records ("amendmentId", "amendmentRevision", "recordId");

CREATE INDEX trade_agreement_amendment_enforcement_records_supersedes ON trade_agreement_amendment_enforcement_records ("supersedes", "recordId");

CREATE INDEX trade_agreement_amendment_enforcement_records_owner ON trade_agreement_amendment_enforcement_records ("ownerId");

CREATE TRIGGER trade_agreement_amendment_enforcement_records_no_update BEFORE UPDATE ON trade_agreement_amendment_enforcement_records BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_enforcement_records is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_enforcement_records_no_delete BEFORE DELETE ON trade_agreement_amendment_enforcement_records BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_enforcement_records is append-only'); END;

CREATE TRIGGER trade_agreement_amendment_enforcement_records_no_replace BEFORE INSERT ON trade_agreement_amendment_enforcement_records WHEN EXISTS (SELECT 1 FROM trade_agreement_amendment_enforcement_records WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM trade_agreement_amendment_enforcement_records WHERE "recordId" = NEW."recordId")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.sequence AND kind = 'record' AND subject = NEW.recordId AND tableName = 'trade_agreement_amendment_enforcement_records') BEGIN SELECT RAISE(ABORT, 'trade_agreement_amendment_enforcement_records already has that row, or the row is not the next one'); END;

CREATE TABLE docket_meta (
  name TEXT NOT NULL UNIQUE,
  value TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_meta_no_update BEFORE UPDATE ON docket_meta BEGIN SELECT RAISE(ABORT, 'docket_meta is append-only'); END;

CREATE TRIGGER docket_meta_no_delete BEFORE DELETE ON docket_meta BEGIN SELECT RAISE(ABORT, 'docket_meta is append-only'); END;

CREATE TRIGGER docket_meta_no_replace BEFORE INSERT ON docket_meta WHEN EXISTS (SELECT 1 FROM docket_meta WHERE rowid = NEW.rowid)
  OR EXISTS (SELECT 1 FROM docket_meta WHERE "name" = NEW."name") BEGIN SELECT RAISE(ABORT, 'docket_meta already has that row, or the row is not the next one'); END;

CREATE TABLE docket_log (
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  tableName TEXT NOT NULL,
  subject TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  leafHash BLOB NOT NULL CHECK (length(leafHash) = 32),
  body TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX docket_log_record ON docket_log (subject) WHERE kind = 'record';

CREATE UNIQUE INDEX docket_log_records ON docket_log (number) WHERE kind = 'record';

CREATE INDEX docket_log_stated ON docket_log (subject, position) WHERE kind = 'statement';

CREATE UNIQUE INDEX docket_log_statements ON docket_log (position) WHERE kind = 'statement';

CREATE TRIGGER docket_log_no_update BEFORE UPDATE ON docket_log BEGIN SELECT RAISE(ABORT, 'docket_log is append-only'); END;

CREATE TRIGGER docket_log_no_delete BEFORE DELETE ON docket_log BEGIN SELECT RAISE(ABORT, 'docket_log is append-only'); END;

CREATE TRIGGER docket_log_no_replace BEFORE INSERT ON docket_log WHEN EXISTS (SELECT 1 FROM docket_log WHERE rowid = NEW.rowid)
  OR NEW.kind = 'record' AND EXISTS (SELECT 1 FROM docket_log WHERE kind = 'record' AND subject = NEW.subject)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_log) BEGIN SELECT RAISE(ABORT, 'docket_log already has that row, or the row is not the next one'); END;

CREATE TABLE docket_log_hashes (
  position INTEGER PRIMARY KEY,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER docket_log_hashes_no_update BEFORE UPDATE ON docket_log_hashes BEGIN SELECT RAISE(ABORT, 'docket_log_hashes is append-only'); END;

CREATE TRIGGER docket_log_hashes_no_delete BEFORE DELETE ON docket_log_hashes BEGIN SELECT RAISE(ABORT, 'docket_log_hashes is append-only'); END;

CREATE TRIGGER docket_log_hashes_no_replace BEFORE INSERT ON docket_log_hashes WHEN EXISTS (SELECT 1 FROM docket_log_hashes WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_log_hashes) BEGIN SELECT RAISE(ABORT, 'docket_log_hashes already has that row, or the row is not the next one'); END;

CREATE TABLE docket_signers (
  position INTEGER PRIMARY KEY,
  reviewerId TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  publicKey TEXT NOT NULL,
  since TEXT NOT NULL,
  UNIQUE (reviewerId, fingerprint)
) STRICT;

CREATE TRIGGER docket_signers_no_update BEFORE UPDATE ON docket_signers BEGIN SELECT RAISE(ABORT, 'docket_signers is append-only'); END;

CREATE TRIGGER docket_signers_no_delete BEFORE DELETE ON docket_signers BEGIN SELECT RAISE(ABORT, 'docket_signers is append-only'); END;

CREATE TRIGGER docket_signers_no_replace BEFORE INSERT ON docket_signers WHEN EXISTS (SELECT 1 FROM docket_signers WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_signers)
  OR EXISTS (SELECT 1 FROM docket_signers WHERE "reviewerId" = NEW."reviewerId" AND "fingerprint" = NEW."fingerprint") BEGIN SELECT RAISE(ABORT, 'docket_signers already has that row, or the row is not the next one'); END;

CREATE TABLE docket_checkpoints (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_checkpoints_no_update BEFORE UPDATE ON docket_checkpoints BEGIN SELECT RAISE(ABORT, 'docket_checkpoints is append-only'); END;

CREATE TRIGGER docket_checkpoints_no_delete BEFORE DELETE ON docket_checkpoints BEGIN SELECT RAISE(ABORT, 'docket_checkpoints is append-only'); END;

CREATE TRIGGER docket_checkpoints_no_replace BEFORE INSERT ON docket_checkpoints WHEN EXISTS (SELECT 1 FROM docket_checkpoints WHERE rowid = NEW.rowid)
  OR NEW.size <= (SELECT coalesce(max(size), -1) FROM docket_checkpoints)
  OR NEW.size > (SELECT coalesce(max(position) + 1, 0) FROM docket_log) BEGIN SELECT RAISE(ABORT, 'docket_checkpoints already has that row, or the row is not the next one'); END;

CREATE TABLE docket_texts (
  owner INTEGER NOT NULL,
  member TEXT NOT NULL,
  salt TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (owner, member)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER docket_texts_no_update BEFORE UPDATE ON docket_texts BEGIN SELECT RAISE(ABORT, 'docket_texts is append-only'); END;

CREATE TRIGGER docket_texts_no_delete BEFORE DELETE ON docket_texts WHEN NOT EXISTS (SELECT 1 FROM docket_log AS stated WHERE stated.kind = 'statement' AND stated.subject = 'erasure'
  AND substr(stated.body, 1, 32) = 'docket-log-statement/v1' || char(10) || 'erasure' || char(10) AND instr(stated.body, char(10) || CASE OLD.member
    WHEN 'texts' THEN 'texts trade_appeal_cases ' || (SELECT "caseId" || ' ' || "revision" FROM trade_appeal_cases WHERE position = OLD.owner)
    WHEN 'packetDigest' THEN 'texts trade_appeal_cases ' || (SELECT "caseId" || ' ' || "caseRevision" FROM trade_challenge_appeal_enforcement_records WHERE sequence = OLD.owner)
    ELSE OLD.member || ' ' || (SELECT subject FROM docket_log WHERE position = OLD.owner) END || ' ') > 0) BEGIN SELECT RAISE(ABORT, 'docket_texts is append-only but for what a statement erases'); END;

CREATE TRIGGER docket_texts_no_replace BEFORE INSERT ON docket_texts WHEN EXISTS (SELECT 1 FROM docket_texts WHERE owner = NEW.owner AND member = NEW.member)
  OR NEW.member = 'texts' AND NEW.owner IS NOT (SELECT max(rowid) FROM trade_appeal_cases)
  OR NEW.member <> 'texts' AND NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.owner) BEGIN SELECT RAISE(ABORT, 'docket_texts already has that row, or the row is not the next one'); END;

CREATE TABLE docket_cosignatures (
  position INTEGER PRIMARY KEY,
  checkpoint TEXT NOT NULL,
  cosignature TEXT NOT NULL,
  key TEXT NOT NULL,
  keptAt TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_cosignatures_no_update BEFORE UPDATE ON docket_cosignatures BEGIN SELECT RAISE(ABORT, 'docket_cosignatures is append-only'); END;

CREATE TRIGGER docket_cosignatures_no_delete BEFORE DELETE ON docket_cosignatures BEGIN SELECT RAISE(ABORT, 'docket_cosignatures is append-only'); END;

CREATE TRIGGER docket_cosignatures_no_replace BEFORE INSERT ON docket_cosignatures WHEN EXISTS (SELECT 1 FROM docket_cosignatures WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_cosignatures) BEGIN SELECT RAISE(ABORT, 'docket_cosignatures already has that row, or the row is not the next one'); END;

CREATE TABLE docket_tokens (
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  principal TEXT NOT NULL,
  role TEXT NOT NULL,
  owners TEXT NOT NULL CHECK (json_valid(owners)),
  at TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  UNIQUE (kind, id),
  UNIQUE (kind, digest)
) STRICT;

CREATE TRIGGER docket_tokens_no_update BEFORE UPDATE ON docket_tokens BEGIN SELECT RAISE(ABORT, 'docket_tokens is append-only'); END;

CREATE TRIGGER docket_tokens_no_delete BEFORE DELETE ON docket_tokens BEGIN SELECT RAISE(ABORT, 'docket_tokens is append-only'); END;

CREATE TRIGGER docket_tokens_no_replace BEFORE INSERT ON docket_tokens WHEN EXISTS (SELECT 1 FROM docket_tokens WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_tokens)
  OR EXISTS (SELECT 1 FROM docket_tokens WHERE "kind" = NEW."kind" AND "id" = NEW."id")
  OR EXISTS (SELECT 1 FROM docket_tokens WHERE "kind" = NEW."kind" AND "digest" = NEW."digest")
  OR NEW.kind <> 'given' AND NOT EXISTS (SELECT 1 FROM docket_tokens WHERE kind = 'given' AND "id" = NEW."id" AND "digest" = NEW."digest") BEGIN SELECT RAISE(ABORT, 'docket_tokens already has that row, or the row is not the next one'); END;

CREATE TABLE docket_service_moves (
  position INTEGER PRIMARY KEY,
  origin TEXT NOT NULL UNIQUE,
  movedAt TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_service_moves_no_update BEFORE UPDATE ON docket_service_moves BEGIN SELECT RAISE(ABORT, 'docket_service_moves is append-only'); END;

CREATE TRIGGER docket_service_moves_no_delete BEFORE DELETE ON docket_service_moves BEGIN SELECT RAISE(ABORT, 'docket_service_moves is append-only'); END;

CREATE TRIGGER docket_service_moves_no_replace BEFORE INSERT ON docket_service_moves WHEN EXISTS (SELECT 1 FROM docket_service_moves WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_service_moves)
  OR EXISTS (SELECT 1 FROM docket_service_moves WHERE "origin" = NEW."origin") BEGIN SELECT RAISE(ABORT, 'docket_service_moves already has that row, or the row is not the next one'); END;

CREATE TABLE docket_service_received (
  sequence INTEGER PRIMARY KEY REFERENCES docket_log (position),
  origin TEXT NOT NULL,
  recordId TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size >= 0),
  UNIQUE (origin, recordId, size)
) STRICT;

CREATE TRIGGER docket_service_received_no_update BEFORE UPDATE ON docket_service_received BEGIN SELECT RAISE(ABORT, 'docket_service_received is append-only'); END;

CREATE TRIGGER docket_service_received_no_delete BEFORE DELETE ON docket_service_received BEGIN SELECT RAISE(ABORT, 'docket_service_received is append-only'); END;

CREATE TRIGGER docket_service_received_no_replace BEFORE INSERT ON docket_service_received WHEN EXISTS (SELECT 1 FROM docket_service_received WHERE rowid = NEW.rowid)
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'docket_service_received already has that row, or the row is not the next one'); END;

CREATE TABLE docket_service_formers (
  kind TEXT NOT NULL,
  holder TEXT NOT NULL,
  tableName TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (kind, holder, tableName, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER docket_service_formers_no_update BEFORE UPDATE ON docket_service_formers BEGIN SELECT RAISE(ABORT, 'docket_service_formers is append-only'); END;

CREATE TRIGGER docket_service_formers_no_delete BEFORE DELETE ON docket_service_formers BEGIN SELECT RAISE(ABORT, 'docket_service_formers is append-only'); END;

CREATE TRIGGER docket_service_formers_no_replace BEFORE INSERT ON docket_service_formers WHEN EXISTS (SELECT 1 FROM docket_service_formers WHERE kind = NEW.kind AND holder = NEW.holder AND tableName = NEW.tableName AND position = NEW.position) BEGIN SELECT RAISE(ABORT, 'docket_service_formers already has that row, or the row is not the next one'); END;

CREATE TABLE docket_local (
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  tableName TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  value TEXT NOT NULL,
  at TEXT NOT NULL,
  UNIQUE (kind, tableName, id, revision, owner)
) STRICT;

CREATE TABLE docket_handin_service (
  position INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  boundAt TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_handin_service_no_update BEFORE UPDATE ON docket_handin_service BEGIN SELECT RAISE(ABORT, 'docket_handin_service is append-only'); END;

CREATE TRIGGER docket_handin_service_no_delete BEFORE DELETE ON docket_handin_service BEGIN SELECT RAISE(ABORT, 'docket_handin_service is append-only'); END;

CREATE TRIGGER docket_handin_service_no_replace BEFORE INSERT ON docket_handin_service WHEN EXISTS (SELECT 1 FROM docket_handin_service WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_service) BEGIN SELECT RAISE(ABORT, 'docket_handin_service already has that row, or the row is not the next one'); END;

CREATE TABLE docket_handin_checkpoints (
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  checkpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  keptAt TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_handin_checkpoints_no_update BEFORE UPDATE ON docket_handin_checkpoints BEGIN SELECT RAISE(ABORT, 'docket_handin_checkpoints is append-only'); END;

CREATE TRIGGER docket_handin_checkpoints_no_delete BEFORE DELETE ON docket_handin_checkpoints BEGIN SELECT RAISE(ABORT, 'docket_handin_checkpoints is append-only'); END;

CREATE TRIGGER docket_handin_checkpoints_no_replace BEFORE INSERT ON docket_handin_checkpoints WHEN EXISTS (SELECT 1 FROM docket_handin_checkpoints WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_checkpoints) BEGIN SELECT RAISE(ABORT, 'docket_handin_checkpoints already has that row, or the row is not the next one'); END;

CREATE TABLE docket_handin_acceptances (
  position INTEGER PRIMARY KEY,
  service INTEGER NOT NULL,
  sequence INTEGER NOT NULL REFERENCES docket_log (position),
  origin TEXT NOT NULL,
  treeSize INTEGER NOT NULL,
  receipt TEXT NOT NULL,
  proof TEXT NOT NULL,
  checkpoint TEXT NOT NULL,
  keptAt TEXT NOT NULL,
  UNIQUE (sequence, service),
  UNIQUE (service, origin, treeSize)
) STRICT;

CREATE TRIGGER docket_handin_acceptances_no_update BEFORE UPDATE ON docket_handin_acceptances BEGIN SELECT RAISE(ABORT, 'docket_handin_acceptances is append-only'); END;

CREATE TRIGGER docket_handin_acceptances_no_delete BEFORE DELETE ON docket_handin_acceptances BEGIN SELECT RAISE(ABORT, 'docket_handin_acceptances is append-only'); END;

CREATE TRIGGER docket_handin_acceptances_no_replace BEFORE INSERT ON docket_handin_acceptances WHEN EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_acceptances)
  OR EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE "sequence" = NEW."sequence" AND "service" = NEW."service")
  OR EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE "service" = NEW."service" AND "origin" = NEW."origin" AND "treeSize" = NEW."treeSize")
  OR EXISTS (SELECT 1 FROM docket_handin_rejections WHERE "sequence" = NEW."sequence")
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'docket_handin_acceptances already has that row, or the row is not the next one'); END;

CREATE TABLE docket_handin_rejections (
  position INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL UNIQUE REFERENCES docket_log (position),
  inForce TEXT NOT NULL,
  signed TEXT NOT NULL,
  changes TEXT NOT NULL,
  keptAt TEXT NOT NULL
) STRICT;

CREATE TRIGGER docket_handin_rejections_no_update BEFORE UPDATE ON docket_handin_rejections BEGIN SELECT RAISE(ABORT, 'docket_handin_rejections is append-only'); END;

CREATE TRIGGER docket_handin_rejections_no_delete BEFORE DELETE ON docket_handin_rejections BEGIN SELECT RAISE(ABORT, 'docket_handin_rejections is append-only'); END;

CREATE TRIGGER docket_handin_rejections_no_replace BEFORE INSERT ON docket_handin_rejections WHEN EXISTS (SELECT 1 FROM docket_handin_rejections WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_rejections)
  OR EXISTS (SELECT 1 FROM docket_handin_rejections WHERE "sequence" = NEW."sequence")
  OR EXISTS (SELECT 1 FROM docket_handin_acceptances WHERE "sequence" = NEW."sequence" AND service = (SELECT max(position) FROM docket_handin_service))
  OR NOT EXISTS (SELECT 1 FROM docket_log WHERE position = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'docket_handin_rejections already has that row, or the row is not the next one'); END;

CREATE TABLE docket_handin_records (
  position INTEGER PRIMARY KEY,
  service INTEGER NOT NULL,
  tableName TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  recordId TEXT NOT NULL,
  supersedes TEXT NOT NULL,
  record TEXT NOT NULL,
  signature TEXT NOT NULL,
  origin TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at TEXT NOT NULL,
  proof TEXT NOT NULL,
  checkpoint TEXT NOT NULL,
  afterRecords INTEGER NOT NULL,
  afterRejections INTEGER NOT NULL,
  keptAt TEXT NOT NULL
) STRICT;

CREATE INDEX docket_handin_records_key ON docket_handin_records (tableName, id, revision, position);

CREATE INDEX docket_handin_records_supersedes ON docket_handin_records (supersedes, recordId);

CREATE TRIGGER docket_handin_records_no_update BEFORE UPDATE ON docket_handin_records BEGIN SELECT RAISE(ABORT, 'docket_handin_records is append-only'); END;

CREATE TRIGGER docket_handin_records_no_delete BEFORE DELETE ON docket_handin_records BEGIN SELECT RAISE(ABORT, 'docket_handin_records is append-only'); END;

CREATE TRIGGER docket_handin_records_no_replace BEFORE INSERT ON docket_handin_records WHEN EXISTS (SELECT 1 FROM docket_handin_records WHERE rowid = NEW.rowid)
  OR NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_records)
  OR EXISTS (SELECT 1 FROM docket_log WHERE kind = 'record' AND subject = NEW.recordId) BEGIN SELECT RAISE(ABORT, 'docket_handin_records already has that row, or the row is not the next one'); END;
