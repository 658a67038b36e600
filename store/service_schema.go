package store

// The tables of a service. In a console's store they stay empty.
const (
	tokensTable         = "docket_service_tokens"
	revocationsTable    = "docket_service_revocations"
	keysTable           = "docket_service_keys"
	keyRevocationsTable = "docket_service_key_revocations"
	witnessedTable      = "docket_service_witnessed"
	disputedTable       = "docket_service_disputed"
	receivedTable       = "docket_service_received"
)

// serviceTokens are whom a token stands for, by the token's SHA-256.
var serviceTokens = localTable{name: tokensTable, options: "STRICT", refuses: []string{
	same(tokensTable, "id"), same(tokensTable, "digest"),
}, columns: []string{
	"id TEXT NOT NULL UNIQUE",
	"digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32)",
	"principal TEXT NOT NULL",
	"role TEXT NOT NULL",
	"owners TEXT NOT NULL CHECK (json_valid(owners))",
	"createdAt TEXT NOT NULL",
	"expiresAt TEXT NOT NULL",
}}

// serviceRevocations are the tokens that stand for nobody any more.
var serviceRevocations = localTable{name: revocationsTable, options: "STRICT", refuses: []string{
	same(revocationsTable, "id"), "NOT " + same(tokensTable, "id"),
}, columns: []string{
	"id TEXT NOT NULL UNIQUE",
	"revokedAt TEXT NOT NULL",
}}

// serviceKeys are the keys with which principals may have signed the records that they hand in. A key is one
// principal's for good.
var serviceKeys = localTable{name: keysTable, options: "STRICT", refuses: []string{
	same(keysTable, "fingerprint"),
}, columns: []string{
	"fingerprint TEXT NOT NULL UNIQUE",
	"principal TEXT NOT NULL",
	"publicKey TEXT NOT NULL",
	"addedAt TEXT NOT NULL",
}}

// serviceKeyRevocations are the keys that are nobody's any more.
var serviceKeyRevocations = localTable{name: keyRevocationsTable, options: "STRICT", refuses: []string{
	same(keyRevocationsTable, "fingerprint"), "NOT " + same(keysTable, "fingerprint"),
}, columns: []string{
	"fingerprint TEXT NOT NULL UNIQUE",
	"revokedAt TEXT NOT NULL",
}}

// serviceWitnessed are the checkpoints of consoles' logs that the service cosigned. A log is its key, whatever origin that
// names and whoever lodges the checkpoint, and only grows.
var serviceWitnessed = localTable{name: witnessedTable, options: "STRICT", refuses: []string{
	"EXISTS (SELECT 1 FROM " + witnessedTable + " WHERE key = NEW.key AND size >= NEW.size)",
}, columns: []string{
	"origin TEXT NOT NULL",
	"size INTEGER NOT NULL CHECK (size >= 0)",
	"principal TEXT NOT NULL",
	"key TEXT NOT NULL",
	"checkpoint TEXT NOT NULL",
	"witnessedAt TEXT NOT NULL",
	"UNIQUE (key, size)",
}}

// serviceDisputed are checkpoints, signed by their logs, that do not extend what the service had seen.
var serviceDisputed = localTable{name: disputedTable, options: "STRICT", refuses: []string{
	same(disputedTable, "key", "checkpoint"),
}, columns: []string{
	"origin TEXT NOT NULL",
	"key TEXT NOT NULL",
	"principal TEXT NOT NULL",
	"checkpoint TEXT NOT NULL",
	"fault TEXT NOT NULL",
	"heldSize INTEGER NOT NULL",
	"disputedAt TEXT NOT NULL",
	"UNIQUE (key, checkpoint)",
}}

// serviceReceived are when the records came in, and where each stands in the log of the console that made it. The index
// finds the records of a console that were recorded after a time.
var serviceReceived = localTable{name: receivedTable, options: "STRICT", refuses: []string{unlogged("sequence")}, columns: []string{
	"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
	"receivedAt TEXT NOT NULL",
	"origin TEXT NOT NULL",
	"recordId TEXT NOT NULL",
	"size INTEGER NOT NULL CHECK (size >= 0)",
	"UNIQUE (origin, recordId, size)",
}}
