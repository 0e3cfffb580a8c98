import { type AccountId, IntentId } from '@quittance/domain'
import { buildSetUp, PAYOUT_LIFETIME_MS, type SetUp } from '@quittance/ledger'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Batch } from './batches.ts'
import type { Drawn, Source } from './draft.ts'

/** What a batch sets up, of which account. Null where no intent of it sets anything up. */
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
      return null
  }
}

/** The trustlines of a batch, or the creation of one account. */
export const drawSetUp = (
  { network, ingested }: Pick<Outgoing, 'network' | 'ingested'>,
  batch: Batch,
  { signer, sequence, bid }: Source,
): Drawn => {
  const drawn = setUpOf(batch)
  if (drawn === null) throw new Error('a batch that sets an account up holds nothing of the kind')
  const built = buildSetUp({
    ...drawn,
    sourceAccount: signer.publicKey,
    nextAccountSequence: sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  })
  return { ...built, intents: batch.intents.map(({ id }) => decodeOrThrow(IntentId, id)), postponed: [] }
}

/** Who has to sign what a batch sets up, beside the account that is its source. */
export const cosignerOf = (batch: Pick<Batch, 'source' | 'intents'>): AccountId | null => {
  const drawn = setUpOf(batch)
  if (drawn === null || drawn.setUp.sponsor === null) return null
  return drawn.setUp.sponsor === batch.source ? drawn.account : drawn.setUp.sponsor
}

/** How many operations a batch takes: those that begin and end a sponsorship stand beside its own. */
export const operationsIn = (batch: Pick<Batch, 'source' | 'intents'>): number =>
  batch.intents.length + (cosignerOf(batch) === null ? 0 : 2)
