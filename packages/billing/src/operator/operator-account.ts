import { type AccountId, type Environment, Merchant, type Stroops, stroops } from '@quittance/domain'
import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { merchantOperator, setUpAccount } from '../features/outgoing/signing-accounts.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import type { CommandContext, ExecuteFailure } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { executeExpecting } from '../kernel/step.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import { madeOperatorKey, merchantOperatorKey, operatorKey } from '../stores/vault/vault-signer.ts'
import type { KeyLacking } from './lacking-keys.ts'

/**
 * An operator account. `balance` is its lumens in stroops; null while the ledger does not hold it, so that nothing is
 * charged.
 */
export type MadeOperator = { readonly account: AccountId; readonly balance: Stroops | null }

type Failure =
  | NetworkNotConfigured
  | LedgerUnreachable
  | SignerUnavailable
  | KeyLacking
  | MerchantNotFound
  | ExecuteFailure

/** The account cannot pay for charges yet: it was not made, is not on the ledger, or can spend less than 1 XLM. */
export type OperatorNotFunded = { readonly _tag: 'OperatorNotFunded'; readonly account: AccountId | null }

/**
 * The account that charges the mandates of an environment. Mandates name it for ever, so there is one; and one for each
 * merchant that charges by an account of its own.
 */
export interface Operator {
  /** Makes the key, once: of the service's account, or of a merchant's own. It has to be funded. */
  readonly create: (environment: Environment, merchantId?: string) => TE.TaskEither<Failure, MadeOperator>
  /** Null until its key is made. */
  readonly show: (environment: Environment, merchantId?: string) => TE.TaskEither<Failure, MadeOperator | null>
  /**
   * Has the merchant's new mandates name its own account, or the service's again. Present ones go on with theirs, until a
   * migration has their customers sign anew. Answers the account; null for the service's.
   */
  readonly adopt: (
    context: CommandContext,
    whose: 'own' | 'service',
  ) => TE.TaskEither<Failure | OperatorNotFunded, AccountId | null>
}

type OperatorAccounts = Pick<Services, 'vault' | 'networks' | 'clock' | 'store'>

export const operator = (services: OperatorAccounts): Operator => {
  const made =
    (environment: Environment, merchantId?: string): TE.TaskEither<Failure, MadeOperator> =>
    async () => {
      const network = networkOf(services, environment)
      if (E.isLeft(network)) return network
      if (merchantId !== undefined) {
        const merchant = await stateOf(services.store)(Merchant, merchantId)
        if (E.isLeft(merchant)) return merchant
        if (merchant.right.state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
      }
      const key = merchantId === undefined ? operatorKey(environment) : merchantOperatorKey(environment, merchantId)
      if (!(await services.vault.mayMake(key))) return E.left({ _tag: 'KeyLacking', key })
      const account = await services.vault.createKey(key)()
      if (E.isLeft(account)) return account
      const view = await network.right.gateway.accountView(account.right, [])()
      return E.isLeft(view) ? view : E.right({ account: account.right, balance: view.right?.nativeBalance ?? null })
    }
  const isMade = async (environment: Environment, merchantId?: string): Promise<boolean> =>
    merchantId === undefined
      ? (await madeOperatorKey(services.vault, environment)) !== null
      : (await merchantOperator(services, { merchantId, environment })) !== null
  return {
    create: made,
    show: (environment, merchantId) => async () =>
      (await isMade(environment, merchantId)) ? made(environment, merchantId)() : E.right(null),
    adopt: (context, whose) => async () => {
      const network = networkOf(services, context.environment)
      if (E.isLeft(network)) return network
      const account = whose === 'service' ? E.right(null) : await fundedOwn(services, network.right, context)
      if (E.isLeft(account)) return account
      const { environment } = context
      const decide = Merchant.decider.decide({ type: 'SetOperatorAccount', environment, account: account.right })
      const set = await executeExpecting(services.store)(
        ['MerchantNotFound'],
        Merchant,
        context.merchantId,
        context,
        decide,
      )
      return E.isLeft(set) ? set : account
    },
  }
}

/** What charges cost at first, as the doctor asks of it too. */
const leastSpendable = stroops(10_000_000n)

const fundedOwn = async (
  services: OperatorAccounts,
  network: Network,
  context: CommandContext,
): Promise<E.Either<LedgerUnreachable | OperatorNotFunded, AccountId>> => {
  const own = await merchantOperator(services, context)
  if (own === null) return E.left({ _tag: 'OperatorNotFunded', account: null })
  const { account } = own
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) {
    const isSetUp = await setUpAccount(services, network, own)
    if (E.isRight(isSetUp) && isSetUp.right) return E.right(account)
  }
  const isFunded = view.right !== null && view.right.nativeSpendable >= leastSpendable
  return isFunded ? E.right(account) : E.left({ _tag: 'OperatorNotFunded', account })
}
