import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { AccountId, AssetId, Environment, PaymentDetails, UnixMs } from '@quittance/domain'
import type { Found, LedgerTransactionRow, PaymentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { merchantOperator } from '../features/outgoing/signing-accounts.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { epochBegan } from '../kernel/epoch.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { platform } from '../kernel/platform.ts'
import { lookedUpOnce, ownersIn } from '../services/owners.ts'
import type { Services } from '../services/services.ts'
import { madeChannelKeys, madeOperatorKey } from '../stores/vault/vault-signer.ts'
import { type Fiat, splitFee, type UsageLine, usageLines } from './usage-sums.ts'

/** From `from` on, and before `to`; null is no bound. `merchantId`: null for all merchants, and the operator's own. */
export type UsageRequest = {
  readonly environment: Environment
  readonly merchantId: string | null
  readonly from: UnixMs | null
  readonly to: UnixMs | null
}

/** What fees came to, in stroops, by the account that they were taken from. */
export type Fees = { readonly operator: bigint; readonly merchant: bigint; readonly others: bigint }

/** The operator's fees: booked and collected in the range, and owed at its end. */
export type PlatformFeeUsage = {
  readonly booked: ReadonlyArray<UsageLine>
  readonly collected: ReadonlyArray<UsageLine>
  readonly owed: ReadonlyArray<OwedFees>
}

/** Less than nothing after a restore that has lost what was booked. */
export type OwedFees = { readonly assetId: AssetId; readonly amount: bigint }

const noFees: PlatformFeeUsage = { booked: [], collected: [], owed: [] }

/**
 * What a merchant used. `merchantId` is null for the operator's own transactions, such as rent. `transactions`: how many
 * of ours a ledger took a fee for; a shared one counts for each merchant in it.
 */
export type MerchantUsage = {
  readonly merchantId: string | null
  readonly name: string | null
  readonly sales: ReadonlyArray<UsageLine>
  readonly renewals: ReadonlyArray<UsageLine>
  readonly refunds: ReadonlyArray<UsageLine>
  readonly payouts: ReadonlyArray<UsageLine>
  readonly platformFees: PlatformFeeUsage
  readonly transactions: number
  readonly fees: Fees
}

/** Sums what merchants used in an environment, from the read models alone: the same range gives the same figures. */
export type Usage = (
  request: UsageRequest,
) => TE.TaskEither<StoreUnavailable | MerchantNotFound, ReadonlyArray<MerchantUsage>>

type UsageServices = Pick<Services, 'readModels' | 'caughtUp' | 'vault' | 'left'>
type IsInRange = (at: number) => boolean

const atOnce = 500

export const usage =
  (services: UsageServices): Usage =>
  ({ environment, merchantId, from, to }) =>
  async () => {
    const { caughtUp, readModels } = services
    const caught = await caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const merchants = await readModels.merchants.all()
    if (merchantId !== null && !merchants.some(({ id }) => id === merchantId)) {
      return E.left({ _tag: 'MerchantNotFound' })
    }
    const isBeforeEnd: IsInRange = (at) => at < (to ?? Number.POSITIVE_INFINITY)
    const isInRange: IsInRange = (at) => at >= (from ?? Number.NEGATIVE_INFINITY) && isBeforeEnd(at)
    const ids = merchants.map(({ id }) => id)
    const spent = await feesOf(services, environment, ids, isInRange)
    const used: Array<MerchantUsage> = []
    for (const { id, row } of merchants) {
      if (merchantId !== null && id !== merchantId) continue
      const moved = await movedBy(services, { merchantId: id, environment }, isInRange, isBeforeEnd)
      used.push({ merchantId: id, name: row.name, ...moved, ...(spent.get(id) ?? nothingSpent) })
    }
    const own = {
      sales: [],
      renewals: [],
      refunds: [],
      payouts: [],
      platformFees: noFees,
      ...(spent.get(platform) ?? nothingSpent),
    }
    return E.right(merchantId === null ? [...used, { merchantId: null, name: null, ...own }] : used)
  }

/** Sales and the like of one merchant. A payment that went back without a refund was no sale. */
const movedBy = async ({ readModels }: UsageServices, scope: Scope, isInRange: IsInRange, isBeforeEnd: IsInRange) => {
  const [sales, renewals, refunds, payouts] = [usageLines(), usageLines(), usageLines(), usageLines()]
  const [booked, collected] = [usageLines(), usageLines()]
  const owed = new Map<AssetId, bigint>()
  const began = await epochBegan(readModels, scope.environment)
  // Nobody owes the fees of a ledger that is gone, once it is.
  const owe = (assetId: AssetId, amount: bigint, at: number) => {
    if (at > began || !isBeforeEnd(began)) owed.set(assetId, (owed.get(assetId) ?? 0n) + amount)
  }
  await forEach(readModels.payments.ofStatus(scope, 'confirmed'), async ({ row }) => {
    if (row.status !== 'confirmed' || row.isReturned || !isBeforeEnd(row.confirmation.confirmedAt)) return
    const { details, confirmation } = row
    const fee = confirmation.platformFee
    if (fee !== undefined) owe(fee.assetId, fee.amount, confirmation.confirmedAt)
    if (!isInRange(confirmation.confirmedAt)) return
    if (fee !== undefined) booked.add(fee.assetId, fee.amount, null)
    const lines = details.subscriptionId === null ? sales : renewals
    lines.add(details.assetId, row.confirmation.amount, fiatOf(details))
  })
  await forEach(readModels.refunds.ofStatus(scope, 'succeeded'), async ({ row }) => {
    if (row.status !== 'succeeded' || !isInRange(row.settlement.closedAt)) return
    const { paymentId, assetId, amount } = row.details
    refunds.add(assetId, amount, fiatOfWhole(await readModels.payments.withId(paymentId), amount))
  })
  await forEach(readModels.payouts.ofStatus(scope, 'succeeded'), async ({ row }) => {
    if (row.status !== 'succeeded' || !isBeforeEnd(row.settlement.closedAt)) return
    const { assetId, amount, purpose } = row.details
    if (purpose === 'platform_fee') owe(assetId, -amount, row.settlement.closedAt)
    if (isInRange(row.settlement.closedAt))
      (purpose === 'platform_fee' ? collected : payouts).add(assetId, amount, null)
  })
  return {
    sales: sales.sorted(),
    renewals: renewals.sorted(),
    refunds: refunds.sorted(),
    payouts: payouts.sorted(),
    platformFees: {
      booked: booked.sorted(),
      collected: collected.sorted(),
      owed: [...owed].map(([assetId, amount]) => ({ assetId, amount })).filter(({ amount }) => amount !== 0n),
    },
  }
}

const fiatOf = ({ currencyCode, amountCents }: PaymentDetails): Fiat | null =>
  currencyCode === null || amountCents === null ? null : { currency: currencyCode, cents: amountCents }

/** The price of a payment that went back as a whole; a part of it has no recorded price. */
const fiatOfWhole = (found: Found<PaymentRow> | null, amount: bigint): Fiat | null =>
  found?.row.status === 'confirmed' && found.row.confirmation.amount === amount ? fiatOf(found.row.details) : null

type Spent = Pick<MerchantUsage, 'transactions' | 'fees'>
const nothingSpent: Spent = { transactions: 0, fees: { operator: 0n, merchant: 0n, others: 0n } }

/** The fees of our transactions by merchant. They count at the time of the ledger after which a transaction was made. */
const feesOf = async (
  services: UsageServices,
  environment: Environment,
  merchants: ReadonlyArray<string>,
  isInRange: IsInRange,
): Promise<ReadonlyMap<string, Spent>> => {
  const { readModels } = services
  const payerOf = await feePayers(services, environment, merchants)
  const spent = new Map<string, Spent>()
  for (const merchantId of [...merchants, platform]) {
    await forEach(transactionsOf(services, { merchantId, environment }), async ({ row }) => {
      if (row.fees.length === 0 || !isInRange(row.preparedAt)) return
      const intents = await Promise.all(
        row.intents.map(async (id) => (await readModels.intents.withId(id))?.merchantId ?? merchantId),
      )
      const owners = intents.length === 0 ? [merchantId] : intents
      for (const owner of new Set(owners)) {
        const known = spent.get(owner) ?? nothingSpent
        spent.set(owner, { ...known, transactions: known.transactions + 1 })
      }
      for (const { feeSource, feeCharged } of row.fees) {
        const payer = await payerOf(feeSource)
        for (const [owner, share] of splitFee(feeCharged, owners)) {
          const known = spent.get(owner) ?? nothingSpent
          spent.set(owner, { ...known, fees: { ...known.fees, [payer]: known.fees[payer] + share } })
        }
      }
    })
  }
  return spent
}

async function* transactionsOf(
  { readModels }: UsageServices,
  scope: Scope,
): AsyncGenerator<Found<LedgerTransactionRow>, undefined> {
  for (let startingAfter: string | undefined; ; ) {
    const request = startingAfter === undefined ? {} : { startingAfter }
    const { rows, hasMore } = await readModels.ledgerTransactions.page({ ...scope, ...request, limit: atOnce })
    yield* rows
    startingAfter = rows.at(-1)?.id
    if (!hasMore) return
  }
}

/** Whose account paid a fee. Anybody may pay for a transaction of ours by a fee bump of their own. */
const feePayers = async (services: UsageServices, environment: Environment, merchants: ReadonlyArray<string>) => {
  const { vault } = services
  const operatorKey = await madeOperatorKey(vault, environment)
  const keys = [...(operatorKey === null ? [] : [operatorKey]), ...(await madeChannelKeys(vault, environment))]
  const operators = new Set(await Promise.all(keys.map(vault.publicKey)))
  const ofMerchants = new Set(
    await Promise.all(
      merchants.map(async (merchantId) => (await merchantOperator(services, { merchantId, environment }))?.account),
    ),
  )
  const ownerOf = lookedUpOnce(ownersIn(services, environment))
  return async (account: AccountId): Promise<keyof Fees> => {
    if (operators.has(account)) return 'operator'
    return ofMerchants.has(account) || (await ownerOf(account)) !== null ? 'merchant' : 'others'
  }
}

/** A service that reads many rows answers others in between. */
const forEach = async <Row>(rows: AsyncIterable<Row>, work: (row: Row) => Promise<void>): Promise<void> => {
  let count = 0
  for await (const row of rows) {
    await work(row)
    count += 1
    if (count % atOnce === 0) await letOthersWork()
  }
}
