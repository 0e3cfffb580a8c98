import { Payment, type RecordedEvent } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { type Invariant, ledgersOf, type Settled, settledIntents } from './invariant.ts'

const decodePayment = decodedBy(Payment)

type Sum = { readonly assetId: string; readonly amount: bigint }

const byAsset = (parts: Iterable<Sum>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { assetId, amount } of parts) sums.set(assetId, (sums.get(assetId) ?? 0n) + amount)
  return sums
}

/** The most that the merchant's payments have said at any time is the operator's: a payment may go back after its fee was collected. */
const mostBooked = async ({ services, fixture: { merchantId } }: Settled): Promise<ReadonlyMap<string, bigint>> => {
  const fees = new Map<string, Sum>()
  const now = new Map<string, bigint>()
  const most = new Map<string, bigint>()
  const book = ({ assetId, amount }: Sum): void => {
    const sum = (now.get(assetId) ?? 0n) + amount
    now.set(assetId, sum)
    if (sum > (most.get(assetId) ?? 0n)) most.set(assetId, sum)
  }
  const take = (event: RecordedEvent): void => {
    if (event.metadata.merchantId !== merchantId || !event.stream.startsWith(`${Payment.category}-`)) return
    const { type, data } = decodePayment(event)
    const fee = fees.get(event.stream)
    if (type === 'PaymentConfirmed' && data.platformFee !== undefined) {
      fees.set(event.stream, data.platformFee)
      book(data.platformFee)
    }
    if (type === 'ReturnClaimed' && fee !== undefined) {
      fees.delete(event.stream)
      book({ assetId: fee.assetId, amount: -fee.amount })
    }
  }
  for await (const event of services.store.readAll(0n)) take(event)
  return most
}

const collections = async ({ services: { readModels } }: Settled) =>
  (await readModels.payouts.all()).filter(({ row }) => row.details.purpose === 'platform_fee')

/** What the merchant's account has paid for collections, by the ledger. */
const paidOut = async (outcome: Settled) => {
  const { fixture, services } = outcome
  const ids = new Set<string>((await collections(outcome)).map(({ id }) => id))
  const intents = (await services.readModels.intents.all()).filter(({ row }) => ids.has(row.details.owner))
  // With a raised fee, the ledger shows another transaction than the one that the intent was attached to.
  const settled = (await settledIntents(outcome)).filter(({ details }) => ids.has(`${details.owner}`))
  const hashes = new Set<string | null>([
    ...intents.map(({ row }) => row.attachedTo),
    ...settled.map(({ place }) => place.transactionHash),
  ])
  const movements = (await ledgersOf(outcome)).flatMap((ledger) => ledger.movementsOf(new Set([fixture.account])))
  return byAsset(
    movements.flatMap(({ transactionHash, operationIndex, assetId, delta }) =>
      operationIndex !== null && hashes.has(transactionHash) ? [{ assetId, amount: -delta }] : [],
    ),
  )
}

export const feeRules: ReadonlyArray<Invariant> = [
  {
    rule: 'the operator gets no more of fees than payments have said at a time, and each collection that succeeded is on the ledger',
    broken: async (settled) => {
      // What a restored log has lost, the ledger still has.
      if (settled.isPutBack) return []
      const [owed, paid] = [await mostBooked(settled), await paidOut(settled)]
      const succeeded = byAsset(
        (await collections(settled)).flatMap(({ row }) => (row.status === 'succeeded' ? [row.details] : [])),
      )
      return [...new Set([...paid.keys(), ...succeeded.keys()])].flatMap((assetId) => {
        const of = (sums: ReadonlyMap<string, bigint>): bigint => sums.get(assetId) ?? 0n
        if (of(paid) <= of(owed) && of(paid) === of(succeeded)) return []
        return [`${of(paid)} of ${assetId} was paid, ${of(succeeded)} by collections, of ${of(owed)}`]
      })
    },
  },
]
