import { IntentId, type MemoId, type Text } from '@quittance/domain'
import { buildPayouts, PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { paidFor } from '../features/outgoing/paid-for.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Batch } from './batches.ts'
import type { Drawn, Source } from './draft.ts'

/** The payments of a batch, each an operation. */
export const drawPayouts = (
  { network, ingested }: Pick<Outgoing, 'network' | 'ingested'>,
  batch: Batch,
  { signer, sequence, bid }: Source,
): E.Either<never, Drawn> => {
  const built = buildPayouts({
    sourceAccount: signer.publicKey,
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
  if (E.isLeft(built)) throw new Error(`intents were recorded that no transaction can hold: ${built.left._tag}`)
  return E.right({ ...built.right, intents: batch.intents.map(({ id }) => decodeOrThrow(IntentId, id)), postponed: [] })
}

/**
 * A transaction has one memo: that of the intent which is alone in it. Returns always say that they are such, by that of
 * the first: without, another service like this one would send them to and fro for ever.
 */
const memoOf = ({ class: of, intents: [first, ...more] }: Batch): Text | null =>
  first === undefined || (more.length > 0 && of !== 'return') ? null : first.row.details.memo

/** A numeric memo belongs to a payout, which is alone in its transaction. */
const memoIdOf = ({ intents: [first, ...more] }: Batch): { readonly memoId?: MemoId } => {
  const memoId = more.length === 0 ? first?.row.details.memoId : undefined
  return memoId === undefined ? {} : { memoId }
}
