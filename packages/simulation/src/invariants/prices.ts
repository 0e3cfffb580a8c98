import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { Checkout, type CheckoutRecord, minuteMs, settlementOf } from '@quittance/domain'
import type { SimulatedNetwork } from '../network.ts'
import type { Invariant, Settled } from './invariant.ts'

type Quote = CheckoutRecord['quotes'][number]

/** What is paid when its quote ends may close within this time. */
const graceMs = 2 * minuteMs
/** The longest that a quote holds. */
const lifetimeMs = 15 * minuteMs

const endOf = ({ validFrom, validUntil }: Quote): number => Math.min(validUntil, validFrom + lifetimeMs)
const isInTime = (quote: Quote, closedAt: number): boolean =>
  quote.validFrom - (quote.validFrom % 1_000) <= closedAt && closedAt <= endOf(quote) + graceMs

/** Whether the rates behind a quote were in force when observed, and not long before the ledger closed. */
const isTrue = async ({ rates: moved }: SimulatedNetwork, { rates }: Quote, closedAt: number): Promise<boolean> => {
  for (const { source, pair, rate, observedAt } of rates) {
    const real = (await done(moved.observe([pair], observedAt))).find((each) => each.source === source)
    if (real?.rate !== rate || observedAt < closedAt - lifetimeMs - graceMs) return false
  }
  return true
}

const checkoutsOf = async ({ services }: Settled): Promise<ReadonlyArray<CheckoutRecord & { readonly id: string }>> => {
  const found: Array<CheckoutRecord & { readonly id: string }> = []
  for (const { id } of await services.readModels.checkouts.all()) {
    const state = fold(Checkout, (await done(services.store.readStream(`${Checkout.category}-${id}`))).events)
    if (state.status !== 'absent') found.push({ id, ...state })
  }
  return found
}

/** Why the price of a completed session is out of date; null where it is not. */
const stalePrice = async (network: SimulatedNetwork, session: CheckoutRecord): Promise<string | null> => {
  const { quotes, offers, enrolment, details } = session
  if (enrolment !== null) {
    const offer = offers.find(({ transactionHash }) => transactionHash === enrolment.offered)
    const quote = quotes.find(({ ordinal }) => ordinal === offer?.quote)
    if (quote === undefined) return 'names no quote'
    const { closedAt } = enrolment
    const lateMs = closedAt - endOf(quote)
    // A later quote that asks for no more judges it, too.
    const isStillAsked = quotes.some((each) => each.amount <= quote.amount && isInTime(each, closedAt))
    return lateMs <= graceMs || isStillAsked ? null : `is of a mandate signed ${lateMs} ms after the end of its quote`
  }
  const settlement = settlementOf(session)
  if (settlement === null || details.price._tag === 'asset') return null
  const { amountDue, closedAt } = settlement
  for (const quote of quotes)
    if (quote.amount === amountDue && isInTime(quote, closedAt) && (await isTrue(network, quote, closedAt))) return null
  return `is ${amountDue}, which no quote in force at ${closedAt} says`
}

export const priceRules: ReadonlyArray<Invariant> = [
  {
    rule: 'nothing completes at a price whose quote ended more than two minutes before the ledger closed',
    broken: async (settled) => {
      const wrong: Array<string> = []
      for (const session of await checkoutsOf(settled)) {
        const why = await stalePrice(settled.network, session)
        if (why !== null) wrong.push(`the price of ${session.id} ${why}`)
      }
      return wrong
    },
  },
]
