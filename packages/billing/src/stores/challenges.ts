import { AccountId, TransactionHash } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ClaimLost } from '../kernel/claims.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { CommandContext } from '../kernel/execute.ts'
import { withClaim } from './claims/with-claim.ts'

/** A challenge that was given out to prove that an address is a customer's. */
export type KeptChallenge = {
  readonly transactionHash: TransactionHash
  readonly customerId: string
  readonly address: AccountId
  readonly envelopeXdr: string
  /** The command that has used it up; null while it is good. */
  readonly spentBy: string | null
}

type By = Pick<CommandContext, 'commandId' | 'alongside'>

/** The challenges that were given out. What is here is in no log: a challenge is no fact before it is answered. */
export interface Challenges {
  /** Keeps what a command has made; answers what it made first, so that a repeated command gives the same. */
  readonly keep: (by: By, challenge: Omit<KeptChallenge, 'spentBy'>) => E.Either<ClaimLost, KeptChallenge>
  readonly find: (transactionHash: TransactionHash) => KeptChallenge | null
  /** Uses a challenge up. False where another command has. */
  readonly spend: (by: By, transactionHash: TransactionHash) => E.Either<ClaimLost, boolean>
  /** Forgets what no repeated request can ask for any more. */
  readonly purge: () => void
}

/** A day longer than the keys of requests, so that no proof is forgotten before the key that it was given under. */
const keptMs = 31 * 24 * 60 * 60 * 1000

const Row = t.strict({
  transaction_hash: TransactionHash,
  customer_id: t.string,
  address: AccountId,
  envelope: t.string,
  spent_by: t.union([t.string, t.null]),
})

/** Beside claims and cursors. `wallClock` as in the time bounds of challenges, in Unix milliseconds. */
export const sqliteChallenges = (database: SqlDatabase, wallClock: () => number): Challenges => {
  database.execute(`CREATE TABLE IF NOT EXISTS wallet_challenges (
    command_id TEXT PRIMARY KEY, transaction_hash TEXT NOT NULL UNIQUE, customer_id TEXT NOT NULL,
    address TEXT NOT NULL, envelope TEXT NOT NULL, made_at INTEGER NOT NULL, spent_by TEXT
  ) STRICT`)
  const insert = database.prepare('INSERT OR IGNORE INTO wallet_challenges VALUES (?, ?, ?, ?, ?, ?, NULL)')
  const columns = 'SELECT transaction_hash, customer_id, address, envelope, spent_by FROM wallet_challenges'
  const ofCommand = database.prepare(`${columns} WHERE command_id = ?`)
  const ofHash = database.prepare(`${columns} WHERE transaction_hash = ?`)
  const spend = database.prepare(
    'UPDATE wallet_challenges SET spent_by = ? WHERE transaction_hash = ? AND (spent_by IS NULL OR spent_by = ?)',
  )
  const purge = database.prepare('DELETE FROM wallet_challenges WHERE made_at < ?')
  const claimed = withClaim(database)
  const read = (row: unknown): KeptChallenge => {
    const { transaction_hash, customer_id, address, envelope, spent_by } = decodeOrThrow(Row, row)
    return {
      transactionHash: transaction_hash,
      customerId: customer_id,
      address,
      envelopeXdr: envelope,
      spentBy: spent_by,
    }
  }
  return {
    keep: ({ commandId, alongside }, { transactionHash, customerId, address, envelopeXdr }) =>
      claimed(alongside, () => {
        insert.run(commandId, transactionHash, customerId, address, envelopeXdr, wallClock())
        return read(ofCommand.get(commandId))
      }),
    find: (transactionHash) => {
      const row = ofHash.get(transactionHash)
      return row === undefined ? null : read(row)
    },
    spend: ({ commandId, alongside }, transactionHash) =>
      claimed(alongside, () => spend.run(commandId, transactionHash, commandId).changes > 0),
    purge: () => void purge.run(wallClock() - keptMs),
  }
}
