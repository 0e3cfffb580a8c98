import { closingOf, type Environment, feesOwed, isResetPending, PayoutBook, standingOf } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { merchantOperator } from '../../features/outgoing/signing-accounts.ts'
import { bookedFeesOf } from '../../features/payouts/booked-fees.ts'
import { filterInTurn, someInTurn } from '../../kernel/checks-in-turn.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { bookId } from '../../kernel/payout-book.ts'
import type { Services } from '../../services/services.ts'

/** Why a merchant cannot leave now, and how many of these there are. */
export type Hindrance = {
  readonly what: /** Intents whose end is not known yet, or not reported. */
    | 'outgoing'
    | 'transactions'
    | 'refunds'
    | 'payouts'
    /** A ledger's share that could not be placed, or money that waits for a rate. */
    | 'unplaced'
    /** Money that a screening holds. */
    | 'held'
    /** Living mandates that name an operator account of others. */
    | 'shared_operator'
    /** The merchant closes: it ends here. */
    | 'closing'
    /** Platform fees that the merchant still owes: the destination would collect them. */
    | 'fees_owed'
    /** The network was reset once: another installation counts its histories otherwise. */
    | 'network_reset'
    /** It was paid in the sandbox, whose ledger is nowhere else. */
    | 'sandbox'
    /** Its environment has no node, so nobody knows what is under way. */
    | 'no_network'
  readonly environment: Environment
  readonly count: number
}

export type LeavingServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'networks'
  | 'vault'
  | 'parked'
  | 'awaitingRate'
  | 'holding'
  | 'freezing'
  | 'epochs'
>

const openStates = ['waiting', 'attached', 'settled', 'refused', 'given_up'] as const

/** What has to end before a merchant can leave. */
export const underWay = async (
  services: LeavingServices,
  merchantId: string,
): Promise<E.Either<ExecuteFailure, ReadonlyArray<Hindrance>>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const held = await services.holding.now()
  if (E.isLeft(held)) return held
  const frozen = await services.freezing.now()
  if (E.isLeft(frozen)) return frozen
  const found: Array<Hindrance> = []
  for (const environment of ['testnet', 'mainnet'] as const) {
    const scope = { merchantId, environment }
    const note = (what: Hindrance['what'], count: number): void => {
      if (count > 0) found.push({ what, environment, count })
    }
    const waits = [...held.right.held.values()].filter(
      (each) =>
        each.merchantId === merchantId &&
        each.environment === environment &&
        standingOf(held.right, each.subject) === 'held',
    )
    note('held', waits.length)
    const owed = await assetsOwed(services, scope)
    if (E.isLeft(owed)) return owed
    note('fees_owed', owed.right)
    const epochs = await services.epochs.of(environment)
    if (E.isLeft(epochs)) return epochs
    const { resets } = epochs.right
    note(
      'network_reset',
      (await isPaidIn(services, scope)) && (resets.length > 0 || isResetPending(epochs.right)) ? 1 : 0,
    )
    for (const [what, count] of await inRows(services, scope)) note(what, count)
  }
  if (closingOf(frozen.right, merchantId) !== null) found.push({ what: 'closing', environment: 'testnet', count: 1 })
  return E.right(found)
}

const isPaidIn = async ({ readModels }: LeavingServices, { merchantId, environment }: Scope): Promise<boolean> =>
  (await readModels.merchants.withId(merchantId))?.row.watched.some((each) => each.environment === environment) === true

/** In how many assets platform fees are owed. */
const assetsOwed = async (services: LeavingServices, scope: Scope): Promise<E.Either<ExecuteFailure, number>> => {
  let assets = 0
  for (const { assetId, amount } of await bookedFeesOf(services, scope)) {
    const book = await stateOf(services.store)(PayoutBook, bookId(scope, assetId))
    if (E.isLeft(book)) return book
    if (feesOwed(book.right.state, amount) > 0n) assets += 1
  }
  return E.right(assets)
}

const countOf = async (rows: AsyncIterable<unknown>): Promise<number> => {
  let count = 0
  for await (const _ of rows) count += 1
  return count
}

const totalOf = async (lists: ReadonlyArray<AsyncIterable<unknown>>): Promise<number> =>
  (await Promise.all(lists.map(countOf))).reduce((sum, count) => sum + count, 0)

const inRows = async (
  services: LeavingServices,
  scope: Scope,
): Promise<ReadonlyArray<readonly [Hindrance['what'], number]>> => {
  const { readModels, networks, parked, awaitingRate } = services
  const { intents, ledgerTransactions, refunds, payouts, mandates } = readModels
  const { merchantId, environment } = scope
  const isOwn = async (id: string): Promise<boolean> => (await intents.withId(id))?.merchantId === merchantId
  const transactions = await filterInTurn(
    await Array.fromAsync(ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER)),
    async (each) => each.merchantId === merchantId || (await someInTurn(each.row.intents, isOwn)),
  )
  const own = (await merchantOperator(services, scope))?.account
  const shared = (await mandates.places(environment)).filter(({ operator }) => operator !== own)
  const unplaced = (await awaitingRate.of(environment)).filter((each) => each.merchantId === merchantId).length
  const isPaid = await isPaidIn(services, scope)
  const network = networks[environment]
  return [
    ['outgoing', await totalOf(openStates.map((status) => intents.ofStatus(scope, status)))],
    ['transactions', transactions.length],
    ['refunds', await countOf(refunds.ofStatus(scope, 'pending'))],
    ['payouts', await countOf(payouts.ofStatus(scope, 'pending'))],
    ['unplaced', unplaced + ((await parked.isWaiting(environment, merchantId)) ? 1 : 0)],
    ['shared_operator', await totalOf(shared.map((place) => mandates.living(environment, place, merchantId)))],
    ['sandbox', isPaid && network?.isInBackups === true ? 1 : 0],
    ['no_network', isPaid && network === null ? 1 : 0],
  ]
}
