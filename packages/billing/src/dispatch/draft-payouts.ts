import { IntentId, type MemoId, type Text } from '@quittance/domain'
import { buildPayouts, PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { paidFor } from '../features/outgoing/paid-for.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/** Drafts the payments of a batch, one operation each. */
export const draftPayouts = (
  { network, ingested }: Pick<Outgoing, 'network' | 'ingested'>,
  batch: Batch,
  { signer, sequence, bid }: TransactionSource,
): E.Either<never, DraftTransaction> => {
  const built = buildPayouts({
    sourceAccount: signer.account,
    nextAccountSequence: sequence,
    payingAccount: batch.source,
    payouts: batch.intents.flatMap(({ row: { details } }) => paidFor(details)?.action ?? []),
    memoText: memoOf(batch),
    ...memoIdOf(batch),
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  })
  if (E.isLeft(built)) throw new Error(`recorded intents fit no transaction: ${built.left._tag}`)
  return E.right({ ...built.right, intents: batch.intents.map(({ id }) => decodeOrThrow(IntentId, id)), postponed: [] })
}

/**
 * A transaction has one memo: that of its only intent. Returns always carry the memo of the first, which marks them as
 * returns: otherwise two services like this one would return the same money to each other for ever.
 */
const memoOf = ({ class: of, intents: [first, ...more] }: Batch): Text | null =>
  first === undefined || (more.length > 0 && of !== 'return') ? null : first.row.details.memo

/** A numeric memo belongs to a payout, which is alone in its transaction. */
const memoIdOf = ({ intents: [first, ...more] }: Batch): { readonly memoId?: MemoId } => {
  const memoId = more.length === 0 ? first?.row.details.memoId : undefined
  return memoId === undefined ? {} : { memoId }
}
