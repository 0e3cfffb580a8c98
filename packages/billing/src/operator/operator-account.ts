import type { AccountId, Environment, Stroops } from '@quittance/domain'
import { type LedgerUnreachable, localSigner } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import { madeOperatorKey, operatorKey } from '../stores/vault/vault-signer.ts'
import type { KeyLacking } from './lacking-keys.ts'

/**
 * The operator account. `balance` is its lumens in stroops; null while the ledger does not hold it, so that nothing is
 * charged.
 */
export type MadeOperator = { readonly account: AccountId; readonly balance: Stroops | null }

type Failure = NetworkNotConfigured | LedgerUnreachable | KeyLacking

/** The account that charges the mandates of an environment. Mandates name it for ever, so there is one. */
export interface Operator {
  /** Makes its key, once. The operator has to fund it. */
  readonly create: (environment: Environment) => TE.TaskEither<Failure, MadeOperator>
  /** Null until its key is made. */
  readonly show: (environment: Environment) => TE.TaskEither<Failure, MadeOperator | null>
}

export const operator = (services: Pick<Services, 'vault' | 'networks'>): Operator => {
  const made =
    (environment: Environment): TE.TaskEither<Failure, MadeOperator> =>
    async () => {
      const network = networkOf(services, environment)
      if (E.isLeft(network)) return network
      const key = operatorKey(environment)
      if (!services.vault.mayMake(key)) return E.left({ _tag: 'KeyLacking', key })
      const account = services.vault.withSeed(key, localSigner).publicKey
      const view = await network.right.gateway.accountView(account, [])()
      return E.isLeft(view) ? view : E.right({ account, balance: view.right?.nativeBalance ?? null })
    }
  return {
    create: made,
    show: (environment) => async () =>
      madeOperatorKey(services.vault, environment) === null ? E.right(null) : made(environment)(),
  }
}
