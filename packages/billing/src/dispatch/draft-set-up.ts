import { type AccountId, IntentId } from '@quittance/domain'
import { buildSetUp, PAYOUT_LIFETIME_MS, type SetUp } from '@quittance/ledger'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

type SetUpOfAccount = { readonly account: AccountId; readonly setUp: SetUp }

const setUpOf = ({ source, intents }: Pick<Batch, 'source' | 'intents'>): SetUpOfAccount | null => {
  const actions = intents.map(({ row }) => row.details.action)
  const changes = actions.flatMap((action) => (action._tag === 'change_trust' ? [action] : []))
  const [first] = actions
  switch (first?._tag) {
    case 'create_account':
      return { account: first.account, setUp: { _tag: 'account', sponsor: source } }
    case 'change_trust':
      return { account: source, setUp: { _tag: 'trustlines', sponsor: first.sponsor ?? null, changes } }
    case undefined:
    case 'payment':
    case 'charge':
    case 'mandate_cancellation':
    case 'rotate_key':
    case 'set_recovery_signer':
    case 'keep_contract':
    case 'anchor':
      return null
  }
}

/** Drafts the trustlines of a batch, or the creation of one account. */
export const draftSetUp = (
  { network, ingested }: Pick<Outgoing, 'network' | 'ingested'>,
  batch: Batch,
  { signer, sequence, bid }: TransactionSource,
): DraftTransaction => {
  const wanted = setUpOf(batch)
  if (wanted === null) throw new Error('a batch of set-ups sets nothing up')
  const built = buildSetUp({
    ...wanted,
    sourceAccount: signer.account,
    nextAccountSequence: sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  })
  return { ...built, intents: batch.intents.map(({ id }) => decodeOrThrow(IntentId, id)), postponed: [] }
}

/** The account that signs a set-up or a rotation beside the batch's source. */
export const cosignerOf = (batch: Pick<Batch, 'source' | 'intents'>): AccountId | null => {
  const [action] = batch.intents.map(({ row }) => row.details.action)
  if (action?._tag === 'rotate_key' || action?._tag === 'set_recovery_signer') return action.sponsor ?? null
  const wanted = setUpOf(batch)
  if (wanted === null || wanted.setUp.sponsor === null) return null
  return wanted.setUp.sponsor === batch.source ? wanted.account : wanted.setUp.sponsor
}

/** How many operations a batch takes, with the two that begin and end a sponsorship. */
export const operationsIn = (batch: Pick<Batch, 'source' | 'intents'>): number =>
  batch.intents.length + (cosignerOf(batch) === null ? 0 : 2)
