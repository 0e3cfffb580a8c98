import type { AccountId, LedgerSequence } from '@quittance/domain'
import type { IncomingPayment } from '@quittance/ledger'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import type { TestNetwork } from './network.ts'
import { done } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'

type Named = { readonly assetId: string; readonly amount: bigint }

const sums = (entries: ReadonlyArray<Named>): Readonly<Record<string, bigint>> => {
  const byAsset: Record<string, bigint> = {}
  for (const { assetId, amount } of entries) byAsset[assetId] = (byAsset[assetId] ?? 0n) + amount
  return byAsset
}
const nameOf = (movement: Parameters<typeof incomingPaymentName>[1]): string =>
  incomingPaymentName({ environment: 'testnet' }, movement)

/** What an account has received after its set-up, by the ledger. */
export const ledgerBooks = async (
  { gateway }: Pick<TestNetwork, 'gateway'>,
  account: AccountId,
  setUpThrough: LedgerSequence,
) => {
  const credits: Array<IncomingPayment> = []
  const head = await done(gateway.latestLedger())
  let ledgers = [...(await done(gateway.readLedgers(setUpThrough, 200, null))).ledgers]
  for (;;) {
    for (const ledger of ledgers) {
      if (ledger.sequence > setUpThrough) credits.push(...ledger.incomingPaymentsTo(new Set([account])))
    }
    const last = ledgers.at(-1)?.sequence ?? head.sequence
    if (last >= head.sequence) break
    ledgers = [...(await done(gateway.readLedgers(last, 200, null))).ledgers]
    ledgers = ledgers.slice(1)
  }
  return { sums: sums(credits), payments: credits.length, names: credits.map(nameOf).sort() }
}

/**
 * The same money by a merchant's payments and exceptions. An excess counts once, apart from its payment. `names` has the
 * first alone of payments that were summed.
 */
export const ourBooks = async (platform: Pick<TestPlatform, 'shown'>, merchantId: string) => {
  const readModels = await platform.shown()
  const payments = (await readModels.payments.all()).filter((each) => each.merchantId === merchantId)
  // Unapplied money of a subscription goes back by an exception for the same incoming payments.
  const aside = new Set<string>((await readModels.subscriptions.all()).flatMap(({ row }) => row.unappliedPayments))
  const named = new Set(payments.flatMap(({ id, row }) => (aside.has(id) ? row.incomingPayments.map(nameOf) : [])))
  const exceptions = (await readModels.exceptions.all())
    .filter((each) => each.merchantId === merchantId)
    .map(({ row }) => row.details)
    .filter(
      (details) => details.kind !== 'unexplained' && !(details.kind === 'paid_twice' && named.has(nameOf(details))),
    )
  const confirmed = payments.flatMap(({ row }) => (row.status === 'confirmed' ? [row] : []))
  const paid = confirmed.map(({ confirmation, details }) => ({
    assetId: details.assetId,
    amount: confirmation.amount,
  }))
  const isConfirmed = new Set<string>(payments.flatMap(({ id, row }) => (row.status === 'confirmed' ? [id] : [])))
  const entries = [
    ...(await readModels.incomingPayments.all()).flatMap(({ row }) =>
      isConfirmed.has(row.paymentId) ? [row.incoming] : [],
    ),
    ...exceptions.filter(({ kind }) => kind !== 'overpaid'),
  ]
  const counted = entries.reduce((all, { sum }) => all + (sum?.count ?? 1), 0)
  return { sums: sums([...paid, ...exceptions]), payments: counted, names: entries.map(nameOf).sort() }
}
