import * as t from 'io-ts'
import { AccountId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { Environment } from '../shared/environment.ts'
import { fact, facts } from '../shared/fact.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { Count, UnixMs } from '../shared/units.ts'

/**
 * An event that the log held once, as it is noted outside the log. `position` is the store's own, as decimal digits;
 * `hash` covers the event and all before it in its stream; `at` is when the store recorded it.
 */
export const LogMark = strict({ position: Text, stream: Text, revision: Count, hash: Text, at: UnixMs }, 'LogMark')
export type LogMark = t.TypeOf<typeof LogMark>

/**
 * A transaction on the ledger that one of our keys has signed, and that the log does not know. Without a hash, no ingested
 * ledger holds it: `accountSequence` (decimal digits), which the ledger shows as used, shows that there was one.
 */
export const ForgottenTransaction = t.intersection(
  [
    strict({
      environment: Environment,
      account: AccountId,
      transactionHash: orNull(TransactionHash),
      ledger: LedgerSequence,
    }),
    partial({ accountSequence: Text }),
  ],
  'ForgottenTransaction',
)
export type ForgottenTransaction = t.TypeOf<typeof ForgottenTransaction>

/** The newest ledger of each network when a person accepted the log; null: not configured, or not known. */
export const AcceptedThrough = strict(
  { testnet: orNull(LedgerSequence), mainnet: orNull(LedgerSequence) },
  'AcceptedThrough',
)
export type AcceptedThrough = t.TypeOf<typeof AcceptedThrough>

/** A person accepted that the log went back. `isForced`: before all ledgers were ingested. */
export const LogAcceptance = strict(
  {
    by: Text,
    reason: Text,
    acceptedAt: UnixMs,
    lacked: t.readonlyArray(LogMark),
    forgotten: t.readonlyArray(ForgottenTransaction),
    through: AcceptedThrough,
    isForced: t.boolean,
  },
  'LogAcceptance',
)
export type LogAcceptance = t.TypeOf<typeof LogAcceptance>

export const LogHistoryEvent = facts([
  fact('LogRollbackFound', strict({ lacked: t.readonlyArray(LogMark), foundAt: UnixMs }, 'LogRollbackFound')),
  fact('ForgottenTransactionFound', ForgottenTransaction),
  fact('LogAccepted', LogAcceptance),
])
export type LogHistoryEvent = t.TypeOf<typeof LogHistoryEvent>
