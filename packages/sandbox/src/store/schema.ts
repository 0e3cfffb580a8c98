import type { SqlDatabase } from '@quittance/event-store'

/**
 * `state_sum` is the sum behind the state hash. Envelopes, results and metas are XDR. `sandbox_offer` indexes the
 * offers among the entries. `sandbox_queue` holds one transaction for each source account, `sandbox_queue_fee` its fee
 * and payer, `sandbox_queue_bid` its inclusion fee and the ledger since which it waits. `sandbox_held` delays a
 * transaction until a ledger. `sandbox_banned` lists rejected hashes; `sandbox_evicted` the last bid of each kind
 * evicted since the last ledger. `sandbox_contract_fee` holds contract transactions and their inclusion fee per
 * operation; `sandbox_event` contract events; `sandbox_fee_bump` maps an inner hash to its fee bump. In
 * `sandbox_fault`, `setting` is JSON, `seen` counts the answers a knob could have applied to, and `ends_at` is its last
 * ledger. `sandbox_withdrawn` lists trustlines that a fault has deauthorized. `ceiling_ms` is a time that the clock has
 * not yet shown.
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

/** Clears queue rows of older versions; a node that is replaced loses its queue as well. */
const forgetOlderQueue = `
  DELETE FROM sandbox_queue_fee WHERE hash NOT IN (SELECT hash FROM sandbox_queue_bid);
  DELETE FROM sandbox_queue WHERE hash NOT IN (SELECT hash FROM sandbox_queue_bid);
`

export const createTables = (database: SqlDatabase): void => database.execute(tables + forgetOlderQueue)
