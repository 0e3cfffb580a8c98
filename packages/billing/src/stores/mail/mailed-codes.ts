import { dayMs, Environment, hourMs, KeyedHash, Sealed, type UnixMs, unixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { exists, isChanged, orNull, query, write } from '../sql/query.ts'

const MailedCode = t.strict({
  id: t.string,
  merchantId: t.string,
  environment: Environment,
  /** The hash by which a customer's email is found. */
  address: KeyedHash,
  /** The customer who wants that address in place of theirs, and the address, sealed; null for an entry. */
  customerId: orNull(t.string),
  newEmail: orNull(Sealed),
})
/** A code that proves an address. The code itself is derived from the id by a key, and kept nowhere. */
export type MailedCode = t.TypeOf<typeof MailedCode>

/** The codes of the last day, living and dead, since limits count them. */
export interface MailedCodes {
  /** Issues a code, good until `endsAt`; false where a limit is reached. `client` is a hash of whoever asks. */
  readonly issue: (code: MailedCode, client: KeyedHash, now: UnixMs, endsAt: UnixMs) => Promise<boolean>
  /**
   * Whether its merchant has a mail left in this hour, which is counted once for a code; where none is left, the code is used up.
   * Asked only for mails that really go out: requests for emails of nobody must not use up what customers need.
   */
  readonly mayMail: (id: string, now: UnixMs) => Promise<boolean>
  /** A code that can still be used. */
  readonly find: (id: string, now: Times) => Promise<MailedCode | null>
  /** Counts a try; null where none is left, or the code can no longer be used. */
  readonly tryOnce: (id: string, now: Times) => Promise<MailedCode | null>
  /** Uses a code up, once. */
  readonly spend: (id: string, now: Times) => Promise<boolean>
  readonly purge: (now: Times) => Promise<void>
}

export const triesOfCode = 5

/**
 * How many codes are issued. A stranger cannot fill a mailbox, guess for long; and needs several addresses of their own to
 * keep a customer out.
 */
const limits = [
  { where: 'address_hash = ? AND client_hash = ?', most: 5, withinMs: hourMs },
  { where: 'address_hash = ?', most: 20, withinMs: dayMs },
  { where: 'client_hash = ?', most: 100, withinMs: hourMs },
  { where: 'customer_id = ?', most: 5, withinMs: hourMs },
] as const

/** How many codes are mailed in an hour in a merchant's name, so that nobody uses it for a flood. */
const mailedInHour = 1_000

const Count = t.strict({ count: t.number })

export const mailedCodeTables = `
  CREATE TABLE IF NOT EXISTS mailed_codes (
    id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL, address_hash TEXT NOT NULL,
    client_hash TEXT NOT NULL, made_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, tries_left INTEGER NOT NULL,
    customer_id TEXT, new_email TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS mailed_codes_address ON mailed_codes (address_hash, made_at);
  CREATE INDEX IF NOT EXISTS mailed_codes_client ON mailed_codes (client_hash, made_at);
  CREATE INDEX IF NOT EXISTS mailed_codes_customer ON mailed_codes (customer_id, made_at);
  CREATE TABLE IF NOT EXISTS codes_that_went_out (
    id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL, made_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS codes_that_went_out_merchant ON codes_that_went_out (merchant_id, environment, made_at)`

const issued = limits.map(({ where, ...limit }) => ({
  ...limit,
  count: query(Count, `SELECT count(*) AS count FROM mailed_codes WHERE ${where} AND made_at > ?`),
}))
const insert = write(`INSERT INTO mailed_codes VALUES (?, ?, ?, ?, ?, ?, ?, ${triesOfCode}, ?, ?)`)
const columns = `id, merchant_id AS "merchantId", environment, address_hash AS address, customer_id AS "customerId",
  new_email AS "newEmail"`
const isLiving = `id = ? AND tries_left >= 0 AND ends_at > ${timeOfRow}`
const living = query(MailedCode, `SELECT ${columns} FROM mailed_codes WHERE ${isLiving}`)
const tried = query(
  MailedCode,
  `UPDATE mailed_codes SET tries_left = tries_left - 1 WHERE ${isLiving} AND tries_left > 0 RETURNING ${columns}`,
)
const spend = isChanged(`UPDATE mailed_codes SET tries_left = -1 WHERE ${isLiving}`)
const purges = ['mailed_codes', 'codes_that_went_out'].map((table) =>
  write(`DELETE FROM ${table} WHERE made_at <= ${timeOfRow}`),
)
const wentOut = exists('SELECT 1 FROM codes_that_went_out WHERE id = ?')
const ofMerchant = query(
  Count,
  `SELECT count(*) AS count FROM codes_that_went_out JOIN mailed_codes AS code USING (merchant_id, environment)
   WHERE code.id = ? AND codes_that_went_out.made_at > ?`,
)
const goesOut = write(
  `INSERT INTO codes_that_went_out
   SELECT id, merchant_id, environment, CAST(? AS bigint) FROM mailed_codes WHERE id = ?`,
)
const useUp = write('UPDATE mailed_codes SET tries_left = -1 WHERE id = ?')

/** Beside claims and cursors, where every process finds them. */
export const mailedCodes = ({ run }: Sql): MailedCodes => ({
  issue: ({ id, merchantId, environment, address, customerId, newEmail }, client, now, endsAt) =>
    run(function* () {
      const subjects = [[address, client], [address], [client], [customerId]]
      for (const [each, { count, most, withinMs }] of issued.entries()) {
        const found = yield* count.one(...(subjects[each] ?? []), now - withinMs)()
        if ((found?.count ?? 0) >= most) return false
      }
      yield* insert(id, merchantId, environment, address, client, now, endsAt, customerId, newEmail)()
      return true
    }),
  mayMail: (id, now) =>
    run(function* () {
      if (yield* wentOut(id)()) return true
      const isLeft = ((yield* ofMerchant.one(id, now - hourMs)())?.count ?? 0) < mailedInHour
      yield* isLeft ? goesOut(now, id)() : useUp(id)()
      return isLeft
    }),
  find: (id, now) => run(living.one(id, ...timeArguments(now))),
  tryOnce: (id, now) => run(tried.one(id, ...timeArguments(now))),
  spend: (id, now) => run(spend(id, ...timeArguments(now))),
  purge: ({ testnet, mainnet }) =>
    run(function* () {
      const times = timeArguments({ testnet: unixMs(testnet - dayMs), mainnet: unixMs(mainnet - dayMs) })
      for (const purge of purges) yield* purge(...times)()
    }),
})
