import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { Checkout, type ExceptionDetails } from '@quittance/domain'
import { type Invariant, type Settled, settledIntents } from './invariant.ts'

/** The most entries of a ledger's payments to one session, or to the account: by decision 28, and some to spare. */
const mostEntries = 40

const exceptionsOf = ({ services: { readModels } }: Settled) => readModels.exceptions.all().map(({ row }) => row)

/** How often each ledger has an entry, by what the entries are in. */
const entriesIn = async (settled: Settled): Promise<ReadonlyMap<string, number>> => {
  const { store, readModels } = settled.services
  const entries: Array<string> = []
  for (const { id } of readModels.checkouts.all()) {
    const state = fold(Checkout, (await done(store.readStream(`${Checkout.category}-${id}`))).events)
    if (state.status === 'absent') continue
    const all = [...state.accepted, ...state.setAside.map(({ credit }) => credit)]
    entries.push(...all.map(({ ledger }) => `${id} in ledger ${ledger}`))
  }
  const ownerless = exceptionsOf(settled).filter(({ details }) => details.checkoutId === null)
  entries.push(...ownerless.map(({ details }) => `the account in ledger ${details.ledger}`))
  const times = new Map<string, number>()
  for (const entry of entries) times.set(entry, (times.get(entry) ?? 0) + 1)
  return times
}

const largest = ({ sum, amount }: ExceptionDetails): bigint => sum?.largest ?? amount

export const floodRules: ReadonlyArray<Invariant> = [
  {
    rule: 'payments of a ledger to one session, or to the account, make few entries, however many they are',
    broken: async (settled) =>
      [...(await entriesIn(settled))].flatMap(([where, times]) =>
        times > mostEntries ? [`${where} has ${times} entries`] : [],
      ),
  },
  {
    // Without a rate nobody knows what other assets than XLM are worth.
    rule: 'dust does not go back',
    broken: async (settled) => {
      const paid = new Set(settledIntents(settled).map(({ details }) => `${details.owner}`))
      return exceptionsOf(settled).flatMap(({ details, moneyReturn }) => {
        const isValued = details.assetId === 'native' || !settled.network.rates.wereOut
        return isValued && largest(details) <= 1n && moneyReturn !== null && paid.has(moneyReturn.returnId)
          ? [`${moneyReturn.returnId} returned ${details.amount} ${details.assetId}`]
          : []
      })
    },
  },
]
