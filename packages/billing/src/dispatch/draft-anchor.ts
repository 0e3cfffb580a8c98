import { IntentId } from '@quittance/domain'
import { buildAnchor, PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/** Drafts the transaction that puts the hash of a checkpoint on the ledger. */
export const draftAnchor = (
  { network, ingested }: Pick<Outgoing, 'network' | 'ingested'>,
  { source: account, intents: [intent] }: Pick<Batch, 'source' | 'intents'>,
  { signer, sequence, bid }: TransactionSource,
): DraftTransaction => {
  const action = intent?.row.details.action
  if (intent === undefined || action?._tag !== 'anchor') throw new Error('an anchor without a checkpoint')
  const built = buildAnchor({
    account,
    checkpoint: action.checkpoint,
    sourceAccount: signer.account,
    nextAccountSequence: sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  })
  return { ...built, intents: [decodeOrThrow(IntentId, intent.id)], postponed: [] }
}
