import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { Checkout, Exception, type ExceptionDetails, Payment } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { type Invariant, type Settled, settledIntents } from './invariant.ts'

/** The most entries of a ledger's payments to one session, or to the account: by decision 28, and some to spare. */
const mostEntries = 40

/** The most appends of a flood that another merchant's sale waits for: all entries of a ledger in a session are one. */
const mostBefore = 10

const decodeCheckout = decodedBy(Checkout)
const decodeException = decodedBy(Exception)
const decodePayment = decodedBy(Payment)

const exceptionsOf = async ({ services: { readModels } }: Settled) =>
  (await readModels.exceptions.all()).map(({ row }) => row)

/** How often each ledger has an entry, by what the entries are in. */
const entriesIn = async (settled: Settled): Promise<ReadonlyMap<string, number>> => {
  const { store, readModels } = settled.services
  const entries: Array<string> = []
  for (const { id } of await readModels.checkouts.all()) {
    const state = fold(Checkout, (await done(store.readStream(`${Checkout.category}-${id}`))).events)
    if (state.status === 'absent') continue
    const all = [...state.accepted, ...state.setAside.map(({ credit }) => credit)]
    entries.push(...all.map(({ ledger }) => `${id} in ledger ${ledger}`))
  }
  const ownerless = (await exceptionsOf(settled)).filter(({ details }) => details.checkoutId === null)
  entries.push(...ownerless.map(({ details }) => `the account in ledger ${details.ledger}`))
  const times = new Map<string, number>()
  for (const entry of entries) times.set(entry, (times.get(entry) ?? 0) + 1)
  return times
}

const largest = ({ sum, amount }: ExceptionDetails): bigint => sum?.largest ?? amount

type Recorded = { readonly stream: string; readonly ledger: number; readonly position: bigint }

/** The neighbour's confirmed sales, and entries of money of the first merchant, in the order of the log. */
const inMarket = async ({ services, fixture }: Settled) => {
  const [sales, entries]: [Array<Recorded>, Array<Recorded>] = [[], []]
  for await (const event of services.store.readAll(0n)) {
    const { type, stream, position, metadata } = event
    if (type === 'PaymentConfirmed' && metadata.merchantId === fixture.neighbour?.merchantId) {
      const confirmed = decodePayment(event)
      if (confirmed.type === 'PaymentConfirmed') sales.push({ stream, ledger: confirmed.data.ledger, position })
    }
    if (metadata.merchantId !== fixture.merchantId) continue
    if (type === 'CreditAccepted' || type === 'CreditSetAside') {
      const accepted = decodeCheckout(event)
      if ('credit' in accepted.data) entries.push({ stream, ledger: accepted.data.credit.ledger, position })
    }
    if (type === 'ExceptionOpened') {
      const opened = decodeException(event)
      if (opened.type === 'ExceptionOpened' && opened.data.checkoutId === null)
        entries.push({ stream, ledger: opened.data.ledger, position })
    }
  }
  return { sales, entries }
}

export const floodRules: ReadonlyArray<Invariant> = [
  {
    rule: 'payments of a ledger to one session, or to the account, make few entries, however many they are',
    broken: async (settled) =>
      [...(await entriesIn(settled))].flatMap(([where, times]) =>
        times > mostEntries ? [`${where} has ${times} entries`] : [],
      ),
  },
  {
    rule: 'a sale waits for few appends of a flood of another merchant in its ledger, and for none of later ledgers',
    broken: async (settled) => {
      if (settled.fixture.neighbour === null) return []
      const { sales, entries } = await inMarket(settled)
      return sales.flatMap(({ ledger, position }) => {
        const before = entries.filter((entry) => entry.position < position && entry.ledger >= ledger)
        // A worker that was interrupted finds more of the flood recorded when it starts again.
        const closing = settled.closings.get(ledger) ?? 0n
        if (settled.interruptions.some((at) => at >= closing && at < position)) return []
        const appends = new Set(before.map((entry) => `${entry.stream} ${entry.ledger}`)).size
        const later = before.filter((entry) => entry.ledger > ledger).length
        return appends > mostBefore || later > 0
          ? [`a sale of ledger ${ledger} was confirmed after ${appends} appends, and ${later} entries of later ledgers`]
          : []
      })
    },
  },
  {
    // Without a rate nobody knows what other assets than XLM are worth.
    rule: 'dust does not go back',
    broken: async (settled) => {
      const paid = new Set((await settledIntents(settled)).map(({ details }) => `${details.owner}`))
      return (await exceptionsOf(settled)).flatMap(({ details, moneyReturn }) => {
        const isValued = details.assetId === 'native' || !settled.network.rates.wereOut
        return isValued && largest(details) <= 1n && moneyReturn !== null && paid.has(moneyReturn.returnId)
          ? [`${moneyReturn.returnId} returned ${details.amount} ${details.assetId}`]
          : []
      })
    },
  },
]
