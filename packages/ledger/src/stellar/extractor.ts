import { LedgerSequence, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger, WatchedAccounts } from '../gateway.ts'
import type { Movement } from '../movement.ts'
import { named } from '../named.ts'
import { type CloseMeta, decodeCloseMeta } from './close-meta.ts'
import { accountNames, askedOnce } from './incoming-payments/balance-changes.ts'
import { incomingPaymentsAmong } from './incoming-payments/incoming-payments.ts'
import { movementsOf } from './incoming-payments/movements.ts'
import { type SettledTransaction, settledTransaction } from './incoming-payments/settled-transaction.ts'
import { assetContracts } from './incoming-payments/token-events.ts'
import { contractErrorAmong } from './mandate/diagnostic-error.ts'
import { mandateFacts } from './mandate/facts.ts'
import { outcomesAmong } from './outcomes.ts'
import { ownTransactions } from './own-transactions.ts'

/** Why a closed ledger could not be read. `cause` is for the log. */
export type UnreadableMeta = { readonly _tag: 'UnreadableMeta'; readonly cause: string }

/**
 * Reads a closed ledger from its base64 `LedgerCloseMeta`.
 * Its work does not depend on the number of watched accounts: it looks each account of the ledger up once.
 * Errors: `UnreadableMeta` for anything malformed, contradictory or of another network.
 */
export const extractLedger = (metaXdr: string, networkPassphrase: string): E.Either<UnreadableMeta, ClosedLedger> =>
  E.tryCatch(
    () => closedLedger(decodeCloseMeta(metaXdr, networkPassphrase, settledTransaction), networkPassphrase),
    (thrown) => ({ _tag: 'UnreadableMeta', cause: String(thrown) }),
  )

/** The movements of a ledger for given watched accounts. */
export const closedLedger = (
  { header, hash, transactions }: CloseMeta<SettledTransaction>,
  networkPassphrase: string,
): ClosedLedger => {
  const head = { sequence: named(LedgerSequence, header.ledgerSeq), closedAt: closedAtOf(header.scpValue.closeTime) }
  const context = { ...head, nameOf: accountNames(), contracts: assetContracts(networkPassphrase) }
  // Incoming payments and movements are read one after the other, for the same accounts.
  let known: { readonly watched: WatchedAccounts; readonly movements: ReadonlyArray<Movement> } | null = null
  const movements = (watched: WatchedAccounts): ReadonlyArray<Movement> => {
    if (known?.watched === watched) return known.movements
    const isWatched = askedOnce(watched)
    known = { watched, movements: transactions.flatMap((transaction) => movementsOf(transaction, context, isWatched)) }
    return known.movements
  }
  return {
    ...head,
    hash,
    previousHash: header.previousLedgerHash.toString(),
    maxTxSetSize: header.maxTxSetSize,
    incomingPaymentsTo: (watched) => incomingPaymentsAmong(movements(watched)),
    movementsOf: movements,
    outcomesOf: (isOurs) => outcomesAmong(transactions, head, isOurs),
    ownTransactions: (keysOf) => ownTransactions(transactions, head, keysOf),
    mandatesOf: (asked) => mandateFacts(transactions, context, asked),
    contractErrorOf: (hash) => contractErrorAmong(transactions, hash),
  }
}

const closedAtOf = (seconds: bigint): UnixMs => unixMs(Number(seconds) * 1000)
