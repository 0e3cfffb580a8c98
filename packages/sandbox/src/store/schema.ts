import type { SqlDatabase } from '@quittance/event-store'

/**
 * `state_sum` is what the state hash is made of. Offers are entries, too: `sandbox_offer` is where they stand in their
 * books. Envelopes, results and metas are XDR. The queue holds one transaction for each source account, and the queue of
 * fees what was offered for it, by whom; the queue of bids what of that pays for a place in a ledger, and after which
 * ledger its account began to wait. A banned hash is not taken until a ledger has closed; the evicted bid of each kind of
 * transaction is the last one that the full queue gave up since the last ledger. `sandbox_contract_fee` are the contract transactions, and what each was charged
 * for an operation beside its resources; `sandbox_event` is what contracts have announced. `sandbox_fee_bump` finds a fee bump by the hash of the transaction in it.
 * A transaction that is held is not taken from the queue before its ledger. A fault's setting is JSON; `seen` are the
 * answers it could have applied to, `ends_at` the ledger it ends with. `sandbox_withdrawn` are the lines whose issuer's
 * consent a fault has withdrawn. `ceiling_ms` is a time the clock has certainly not shown yet.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS sandbox_network (
    id INTEGER PRIMARY KEY CHECK (id = 1), passphrase TEXT NOT NULL, state_sum BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sandbox_entry (
    key BLOB PRIMARY KEY, entry BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_offer (
    key BLOB PRIMARY KEY, book TEXT NOT NULL, price REAL NOT NULL, offer_id INTEGER NOT NULL, seller TEXT NOT NULL,
    selling TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sandbox_offer_place ON sandbox_offer (book, price, offer_id);
  CREATE INDEX IF NOT EXISTS sandbox_offer_seller ON sandbox_offer (seller);
  CREATE INDEX IF NOT EXISTS sandbox_offer_selling ON sandbox_offer (selling, book);
  CREATE TABLE IF NOT EXISTS sandbox_last_id (
    id INTEGER PRIMARY KEY CHECK (id = 1), last_id INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sandbox_ledger (
    sequence INTEGER PRIMARY KEY, hash TEXT NOT NULL, close_time INTEGER NOT NULL, meta BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sandbox_transaction (
    hash TEXT PRIMARY KEY, ledger INTEGER NOT NULL, application_order INTEGER NOT NULL, succeeded INTEGER NOT NULL,
    operations INTEGER NOT NULL, fee_charged INTEGER NOT NULL, envelope BLOB NOT NULL, result BLOB NOT NULL,
    meta BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS sandbox_transaction_place ON sandbox_transaction (ledger, application_order);
  CREATE TABLE IF NOT EXISTS sandbox_contract_fee (
    hash TEXT PRIMARY KEY, ledger INTEGER NOT NULL, fee INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sandbox_contract_fee_ledger ON sandbox_contract_fee (ledger);
  CREATE TABLE IF NOT EXISTS sandbox_event (
    ledger INTEGER NOT NULL, application_order INTEGER NOT NULL, place INTEGER NOT NULL, hash TEXT NOT NULL,
    event BLOB NOT NULL, PRIMARY KEY (ledger, application_order, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_queue (
    arrival INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, source TEXT NOT NULL UNIQUE,
    operations INTEGER NOT NULL, envelope BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sandbox_queue_fee (
    hash TEXT PRIMARY KEY, fee_source TEXT NOT NULL, fee TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sandbox_queue_fee_source ON sandbox_queue_fee (fee_source);
  CREATE TABLE IF NOT EXISTS sandbox_queue_bid (
    hash TEXT PRIMARY KEY, source TEXT NOT NULL, kind TEXT NOT NULL, fee TEXT NOT NULL, operations INTEGER NOT NULL,
    since INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sandbox_queue_bid_kind ON sandbox_queue_bid (kind);
  CREATE TABLE IF NOT EXISTS sandbox_banned (
    hash TEXT PRIMARY KEY, until_ledger INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sandbox_banned_until ON sandbox_banned (until_ledger);
  CREATE TABLE IF NOT EXISTS sandbox_evicted (
    kind TEXT PRIMARY KEY, fee TEXT NOT NULL, operations INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_fee_bump (
    inner_hash TEXT PRIMARY KEY, hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1), time_ms INTEGER NOT NULL, offset_ms INTEGER NOT NULL,
    ceiling_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sandbox_held (
    hash TEXT PRIMARY KEY, first_ledger INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_fault (
    knob TEXT PRIMARY KEY, setting TEXT NOT NULL, seen INTEGER NOT NULL, ends_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sandbox_withdrawn (
    account TEXT NOT NULL, asset_id TEXT NOT NULL, PRIMARY KEY (account, asset_id)
  ) STRICT, WITHOUT ROWID;
`

/** What an older version has left in the queue: a node forgets its queue as well when it is replaced. */
const forgetOlderQueue = `
  DELETE FROM sandbox_queue_fee WHERE hash NOT IN (SELECT hash FROM sandbox_queue_bid);
  DELETE FROM sandbox_queue WHERE hash NOT IN (SELECT hash FROM sandbox_queue_bid);
`

export const createTables = (database: SqlDatabase): void => database.execute(tables + forgetOlderQueue)
