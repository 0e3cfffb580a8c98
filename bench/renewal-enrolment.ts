import { linkWallet } from '@quittance/billing/testing/internals'
import { done, right } from '@quittance/billing/testing/outcomes'
import { CustomerId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { noEvents } from '@quittance/event-store'
import { type Enrolment, walletOf } from './copied-wallets.ts'
import type { openMeteredServices } from './metered-services.ts'
import { beginningOf, type Club, enrolmentOf, subscriptionIdOf, termsOf } from './renewal-subscribers.ts'

/** Customers per command, and concurrent commands. */
const ofOneCommand = 20
const noDetails = { name: null, phone: null, image: null, metadata: {} }

/** Groups of consecutive numbers. */
export function* groups(first: number, last: number, size: number): Generator<ReadonlyArray<number>> {
  for (let from = first; from <= last; from += size)
    yield Array.from({ length: Math.min(size, last - from + 1) }, (_, index) => from + index)
}

/** Writes subscriptions of a club. */
export const enrollingIn = (
  { store, services, billing, newContext }: ReturnType<typeof openMeteredServices>,
  club: Club,
  trialDays: number,
) => {
  const { merchantId, startedAt } = club
  const scope = { merchantId, environment: 'testnet' as const }
  const newSubscribers = async (numbers: ReadonlyArray<number>) => {
    const wanted = numbers.map((number) => ({ ...noDetails, email: `p${number}@club.example` }))
    const created = await done(billing.customers.createAll({ ...newContext(), merchantId, isFirstRun: true }, wanted))
    return numbers.map((number, index) => ({
      number,
      customerId: decoded(CustomerId, created[index]?.id),
      terms: termsOf(club, walletOf(number), number, trialDays),
    }))
  }
  const write = async (beginnings: ReadonlyArray<ReturnType<typeof beginningOf>>): Promise<void> => {
    const appended = beginnings.map(({ stream, events }) => store.append(stream, noEvents, events)())
    for (const each of await Promise.all(appended)) right(each)
  }
  return {
    write,
    /** Subscribes customers of their own, whose wallets are copies. */
    enrol: async (
      numbers: ReadonlyArray<number>,
      copyWallets: (enrolments: ReadonlyArray<Enrolment & { readonly number: number }>) => void,
    ): Promise<void> => {
      const parts = groups(numbers[0] ?? 0, numbers.at(-1) ?? -1, ofOneCommand)
      const subscribers = (await Promise.all([...parts].map(newSubscribers))).flat()
      copyWallets(subscribers.map(({ terms, number }) => ({ number, ...enrolmentOf(terms) })))
      await write(subscribers.map(({ terms, number, customerId }) => beginningOf(club, terms, number, customerId)))
      const linked = subscribers.map(({ number, customerId, terms: { customer: wallet } }) =>
        linkWallet(services, scope, subscriptionIdOf(club, number), customerId, { wallet, closedAt: startedAt }),
      )
      for (const each of await Promise.all(linked)) right(each)
    },
  }
}
