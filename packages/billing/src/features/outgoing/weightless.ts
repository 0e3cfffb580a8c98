import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Outgoing } from './outgoing.ts'
import { knownKeysOf } from './rotations.ts'
import { type AccountSigner, type OwnAccount, signerOf } from './signing-accounts.ts'

/**
 * The signer for an account by what the ledger says now; null, with a trouble, if no key of the vault has weight. An account
 * that was never rotated, as far as vault and log know, is signed for by the key that names it, and the ledger is not asked.
 */
export const signerNow = async (
  { services, network, raise, weightless }: Outgoing,
  environment: Environment,
  own: OwnAccount,
): Promise<E.Either<ProcessFailure, AccountSigner | null>> => {
  if ((await knownKeysOf(services, environment, own.account)).length === 1)
    return E.right(await signerOf(services, environment, own, null))
  const view = await network.gateway.accountView(own.account, [])()
  if (E.isLeft(view)) return view
  const signer = await signerOf(services, environment, own, view.right)
  if (signer !== null) {
    weightless.delete(own.account)
    return E.right(signer)
  }
  weightless.set(own.account, own)
  raise({ _tag: 'CannotSign', account: own.account, cause: 'no key of the vault has weight on the ledger' })
  return E.right(null)
}

/** Looks again at the accounts that could not be signed for. */
export const lookAgain = async (
  outgoing: Outgoing,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  for (const own of [...outgoing.weightless.values()]) {
    const signer = await signerNow(outgoing, environment, own)
    if (E.isLeft(signer)) return signer
  }
  return E.right(undefined)
}
