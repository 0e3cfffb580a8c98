import { AccountId, TransactionHash } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import type * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ClaimLost } from '../kernel/claims.ts'
import type { CommandContext } from '../kernel/execute.ts'
import { withClaim } from './claims/with-claim.ts'
import { isChanged, orNull, query, write } from './sql/query.ts'

const KeptChallenge = t.strict({
  transactionHash: TransactionHash,
  customerId: t.string,
  address: AccountId,
  envelopeXdr: t.string,
  /** The command that has used it up; null while it is good. */
  spentBy: orNull(t.string),
})
/** A challenge that was issued to prove that an address is a customer's. */
export type KeptChallenge = t.TypeOf<typeof KeptChallenge>

type By = Pick<CommandContext, 'commandId' | 'alongside'>

/** The issued challenges. They are not in the log, since a challenge is no fact before it is answered. */
export interface Challenges {
  /** Keeps a command's challenge. A repeated command gets the one that it made first. */
  readonly keep: (by: By, challenge: Omit<KeptChallenge, 'spentBy'>) => Promise<E.Either<ClaimLost, KeptChallenge>>
  readonly find: (transactionHash: TransactionHash) => Promise<KeptChallenge | null>
  /** Uses a challenge up. False if another command has done so. */
  readonly spend: (by: By, transactionHash: TransactionHash) => Promise<E.Either<ClaimLost, boolean>>
  /** Forgets unused challenges: a repeated request gets a new one. Used ones stay, to answer their command again. */
  readonly purge: () => Promise<void>
}

const keptMs = 30 * 24 * 60 * 60 * 1000

export const challengeTable = `CREATE TABLE IF NOT EXISTS wallet_challenges (
  command_id TEXT PRIMARY KEY, transaction_hash TEXT NOT NULL UNIQUE, customer_id TEXT NOT NULL,
  address TEXT NOT NULL, envelope TEXT NOT NULL, made_at INTEGER NOT NULL, spent_by TEXT
) STRICT`

const insert = write('INSERT INTO wallet_challenges VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING')
const select = `SELECT transaction_hash AS "transactionHash", customer_id AS "customerId", address,
  envelope AS "envelopeXdr", spent_by AS "spentBy" FROM wallet_challenges`
const ofCommand = query(KeptChallenge, `${select} WHERE command_id = ?`)
const ofHash = query(KeptChallenge, `${select} WHERE transaction_hash = ?`)
const spend = isChanged(
  'UPDATE wallet_challenges SET spent_by = ? WHERE transaction_hash = ? AND (spent_by IS NULL OR spent_by = ?)',
)
const purge = write('DELETE FROM wallet_challenges WHERE made_at < ? AND spent_by IS NULL')

/** Beside claims and cursors. `wallClock`, in Unix milliseconds, is the clock of the challenges' time bounds. */
export const challenges = (sql: Sql, wallClock: () => number): Challenges => {
  const claimed = withClaim(sql)
  return {
    keep: ({ commandId, alongside }, { transactionHash, customerId, address, envelopeXdr }) =>
      claimed(alongside, function* () {
        yield* insert(commandId, transactionHash, customerId, address, envelopeXdr, wallClock())()
        const kept = yield* ofCommand.one(commandId)()
        if (kept === null) throw new Error(`the challenge of ${commandId} is gone`)
        return kept
      }),
    find: (transactionHash) => sql.run(ofHash.one(transactionHash)),
    spend: ({ commandId, alongside }, transactionHash) =>
      claimed(alongside, spend(commandId, transactionHash, commandId)),
    purge: () => sql.run(purge(wallClock() - keptMs)),
  }
}
