import { IntentId } from '@quittance/domain'
import { buildRotation, PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { knownKeysOf, laterKeysOf } from '../features/outgoing/rotations.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/**
 * Drafts the rotation of an account's key, from the keys that have weight on the ledger now. Null if the vault lacks the new
 * key, as an older copy does: nobody could sign for the account any more.
 */
export const draftRotation = async (
  { services, network, ingested, raise }: Outgoing,
  { environment, source: account, intents: [intent] }: Batch,
  { signer, sequence, bid }: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const action = intent?.row.details.action
  if (intent === undefined || action?._tag !== 'rotate_key') throw new Error('a rotation without a key')
  const { to, sponsor = null } = action
  if (!laterKeysOf(services.vault, environment, account).includes(to)) {
    raise({ _tag: 'CannotSign', account, cause: `the vault lacks ${to}, the key to rotate to` })
    return E.right(null)
  }
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.right(null)
  const built = buildRotation({
    account,
    authority: view.right.authority,
    from: knownKeysOf(services, environment, account),
    to,
    sponsor,
    sourceAccount: signer.account,
    nextAccountSequence: sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  })
  return E.right({ ...built, intents: [decodeOrThrow(IntentId, intent.id)], postponed: [] })
}
