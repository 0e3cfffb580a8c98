import { type AccountId, type AssetId, LedgerSequence, type Stroops, stroops } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { resetsOf } from '../../kernel/epoch.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { ArrivedBalance } from '../../services/just-arrived.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import { feeCapOf } from '../outgoing/fees.ts'
import { bookedFeesOf } from './booked-fees.ts'
import { heldIn } from './held.ts'

/**
 * What an account has of an asset. `spendable` is what is left when refunds and returns are paid, and the ledger's fees can
 * be. `bookedFees` is what counts as booked of the operator's fees.
 */
export type Funds = {
  readonly ledger: Stroops
  readonly held: Stroops
  readonly spendable: Stroops
  readonly bookedFees: bigint
}

/**
 * The settlement account's funds by asset, as of ledger `observedAt` after `epoch` resets of the network. Unless `isIngested`,
 * some of them may have come in ledgers that were not ingested yet, and belong to somebody else: `arrived` finds these.
 */
export type ObservedFunds = {
  readonly account: AccountId
  readonly observedAt: LedgerSequence
  readonly isIngested: boolean
  readonly epoch: number
  readonly of: (assetId: AssetId) => Funds
  readonly arrived: () => Promise<E.Either<LedgerUnreachable, ArrivedBalance>>
}

/** What the look at an account's funds may touch. */
export type FundsServices = Pick<
  Services,
  'readModels' | 'awaitingRate' | 'caughtUp' | 'cursors' | 'settlementOf' | 'networks' | 'justArrived'
>

export type ObserveFailure = LedgerUnreachable | NetworkNotConfigured | MerchantNotReady | StoreUnavailable

/** Of what is not there, any ledger tells that there is nothing. */
const firstLedger = decodeOrThrow(LedgerSequence, 1)

/** So many refunds in XLM can always bid the most that they may, however much of it is paid out. */
const keptForFees = feeCapOf('refund') * 10n

/**
 * Looks what a settlement account can pay out of these assets. What is held is read first, then the ledger: so a refund
 * that is paid meanwhile counts twice rather than never. Another process may ingest ledgers meanwhile: what is held is known
 * up to those that were ingested before, and a node that is behind those that are ingested afterwards is not believed.
 */
export const observeFunds = async (
  services: FundsServices,
  { merchantId, environment }: Scope,
  assets: ReadonlyArray<AssetId>,
): Promise<E.Either<ObserveFailure, ObservedFunds>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const { account } = settlement.right
  const before = await services.cursors.of(environment).load()()
  if (E.isLeft(before)) return before
  const through = before.right?.sequence ?? 0
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const epoch = await resetsOf(services.readModels, environment)
  const held = await heldIn(services, { merchantId, environment })
  const booked = await bookedFeesOf(services, { merchantId, environment })
  const ingested = await services.cursors.of(environment).load()()
  if (E.isLeft(ingested)) return ingested
  const { gateway } = network.right
  const view = await gateway.accountView(account, assets)()
  if (E.isLeft(view)) return view
  const { asOf: observedAt } = view.right ?? { asOf: ingested.right?.sequence ?? firstLedger }
  if (observedAt === undefined || observedAt < (ingested.right?.sequence ?? 0))
    return E.left({ _tag: 'LedgerUnreachable', cause: `the node is at ledger ${observedAt}, behind us` })
  const isOwn = settlement.right.custody === 'merchant'
  const of = (assetId: AssetId): Funds => {
    const bookedFees = booked.find((each) => each.assetId === assetId)?.amount ?? 0n
    const funds = { ...fundsOf(view.right, assetId, held(assetId)), bookedFees }
    // The service has no key for the merchant's own account.
    return isOwn ? { ...funds, spendable: stroops(0n) } : funds
  }
  const isIngested = (view.right?.changedIn ?? observedAt) <= through
  const arrived = () => services.justArrived(gateway, through, account, view.right)
  return E.right({ account, observedAt, isIngested, epoch, of, arrived })
}

/** Without authorisation nothing can leave. */
const fundsOf = (view: AccountView | null, assetId: AssetId, held: Stroops): Omit<Funds, 'bookedFees'> => {
  if (view === null) return { ledger: stroops(0n), held, spendable: stroops(0n) }
  if (assetId === 'native')
    return { ledger: view.nativeBalance, held, spendable: positive(view.nativeSpendable - keptForFees - held) }
  const line = view.trustlines.find((each) => each.assetId === assetId)
  const spendable = line?.isAuthorized === true ? line.spendable : 0n
  return { ledger: line?.balance ?? stroops(0n), held, spendable: positive(spendable - held) }
}

export const positive = (amount: bigint): Stroops => stroops(amount > 0n ? amount : 0n)
