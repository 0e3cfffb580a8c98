import { IntentId } from '@quittance/domain'
import { buildRecoverySigner, buildRotation, PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { foreignSignerIn, recoveryKeysOf } from '../features/outgoing/recovery-signers.ts'
import { knownKeysOf, laterKeysOf } from '../features/outgoing/rotations.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/**
 * Drafts the rotation of an account's key, or its recovery signer, from the keys that have weight on the ledger now. Null if the vault lacks the new
 * key, as an older copy does: nobody could sign for the account any more.
 */
export const draftRotation = async (
  { services, network, ingested, raise }: Outgoing,
  { environment, source: account, intents: [intent] }: Batch,
  { signer, sequence, bid }: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const action = intent?.row.details.action
  if (intent === undefined || (action?._tag !== 'rotate_key' && action?._tag !== 'set_recovery_signer'))
    throw new Error('a rotation without a key')
  const { sponsor = null } = action
  if (action._tag === 'rotate_key' && !(await laterKeysOf(services.vault, environment, account)).includes(action.to)) {
    raise({ _tag: 'CannotSign', account, cause: `the vault lacks ${action.to}, the key to rotate to` })
    return E.right(null)
  }
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.right(null)
  if (action._tag === 'set_recovery_signer' && action.isProtected) {
    const foreign = await foreignSignerIn(services, environment, view.right, action.signer)
    if (foreign !== null) {
      raise({ _tag: 'CannotSign', account, cause: `${foreign} has weight: with our key it could change signers` })
      return E.right(null)
    }
  }
  const own = await knownKeysOf(services, environment, account)
  const order = {
    account,
    authority: view.right.authority,
    sponsor,
    sourceAccount: signer.account,
    nextAccountSequence: sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    fee: bid,
    networkPassphrase: network.gateway.networkPassphrase,
  }
  const built =
    action._tag === 'rotate_key'
      ? buildRotation({ ...order, from: own, to: action.to })
      : buildRecoverySigner({
          ...order,
          own,
          signer: action.signer,
          former: await recoveryKeysOf(services.readModels, environment, account),
          isProtected: action.isProtected,
        })
  return E.right({ ...built, intents: [decodeOrThrow(IntentId, intent.id)], postponed: [] })
}
