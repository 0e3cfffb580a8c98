import type { AccountId, Environment, Stroops } from '@quittance/domain'
import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import { channelKey } from '../stores/vault/vault-signer.ts'
import type { KeyLacking } from './lacking-keys.ts'

/**
 * A channel account. `balance` is its lumens in stroops; null while the ledger does not hold it, so that it is not
 * used.
 */
export type MadeChannel = { readonly account: AccountId; readonly balance: Stroops | null }

/** Channel accounts lend sequence numbers to transactions, so that several can be open at once. */
export interface Channels {
  /**
   * Makes keys until an environment has `count` channel accounts, and answers these; repeated, it makes none. Once the
   * operator has funded them, they are used and pay the fees.
   */
  readonly create: (
    environment: Environment,
    count: number,
  ) => TE.TaskEither<
    NetworkNotConfigured | LedgerUnreachable | SignerUnavailable | KeyLacking,
    ReadonlyArray<MadeChannel>
  >
}

export const channels = (services: Pick<Services, 'vault' | 'networks'>): Channels => ({
  create: (environment, count) => async () => {
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const made: Array<MadeChannel> = []
    for (let number = 1; number <= count; number++) {
      const key = channelKey(environment, number)
      if (!(await services.vault.mayMake(key))) return E.left({ _tag: 'KeyLacking', key })
      const account = await services.vault.createKey(key)()
      if (E.isLeft(account)) return account
      const view = await network.right.gateway.accountView(account.right, [])()
      if (E.isLeft(view)) return view
      made.push({ account: account.right, balance: view.right?.nativeBalance ?? null })
    }
    return E.right(made)
  },
})
