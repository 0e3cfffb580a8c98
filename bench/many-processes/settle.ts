import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '@quittance/http/testing/child-process'
import { eventually } from '@quittance/http/testing/eventually'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { unlessProven } from '@quittance/http/testing/kills/proofs'
import { askFor, isAnswered } from '@quittance/http/testing/refund-kills/merchant'
import { underWay } from '@quittance/http/testing/renewal-kills/time'
import { ledgerIsIngested } from '@quittance/http/testing/sale'
import type { startFailingReceiver } from '../failing-receiver.ts'
import type { Asking } from './asking.ts'
import type { Books } from './books.ts'
import type { Fleet } from './fleet.ts'
import type { Shop } from './shop.ts'

const settledWithinMs = 180_000
const halfADayMs = 12 * 60 * 60_000
/** Longer than our transactions wait for a ledger. */
const lifetimeMs = 150_000
const betweenLooksMs = 500

type Stage = {
  readonly fleet: Pick<Fleet, 'urls'>
  readonly books: () => Promise<Books>
  readonly network: LastingNetwork
  readonly asking: Asking
  readonly shop: Shop
  readonly receiver: Awaited<ReturnType<typeof startFailingReceiver>>
  /** With which the command line finds the log. */
  readonly settings: Environment
  readonly print: (line: string) => void
}

/** All records of a list, page by page. */
const all = async ({ insist }: Asking, path: string) => {
  const found = []
  for (let cursor = ''; ; ) {
    const { data } = (await insist(`${path}?limit=100${cursor}`)).body
    found.push(...data.data)
    if (!data.has_more) return found
    cursor = `&starting_after=${data.data.at(-1).id}`
  }
}

/** Lets all processes work without faults until nothing is pending; names what stays pending beyond its time. */
export const settle = async ({ fleet, books, network, asking, shop, receiver, settings, print }: Stage) => {
  const pending: Array<string> = []
  /** Looks until nothing is left. */
  const until = async (what: string, left: () => Promise<ReadonlyArray<unknown>>): Promise<void> => {
    const last = await eventually(left, (each) => each.length === 0, settledWithinMs).catch(String)
    print(typeof last === 'string' ? `still pending: ${what}` : `settled: ${what}`)
    if (typeof last === 'string') pending.push(`${what}: ${last.slice(0, 2_000)}`)
  }
  const slowly = async <A>(look: Promise<A>): Promise<A> => {
    await pause(betweenLooksMs)
    return look
  }

  receiver.failNoMore()
  const answerAll = () =>
    until('refunds without an answer', async () => {
      const open = shop.wanted.filter((each) => !isAnswered(each))
      await Promise.all(open.map((each) => askFor(asking.ask, each)))
      return open
    })
  const payAll = async (): Promise<void> => {
    await until('refunds', () =>
      slowly(asking.insist('/refunds?status=pending&limit=5').then(({ body }) => body.data.data)),
    )
    await until('exceptions', async () => {
      const { data } = (await slowly(asking.insist('/exceptions?status=open&limit=5'))).body.data
      // A return that was given up waits for a person, who lets it go again.
      for (const { id, decision_needed } of data)
        if (decision_needed === 'not_sent')
          await asking.insist(`/exceptions/${id}/resolve`, { body: { action: 'refund' } })
      return data
    })
  }
  await answerAll()
  await payAll()
  await Promise.all(shop.wanted.map((each) => askFor(asking.ask, each)))
  await answerAll()
  await payAll()
  // What is under way arrives now, or dies.
  const endAll = async (): Promise<void> => {
    for (const url of fleet.urls()) await ledgerIsIngested({ url })
    await until('attempts, transactions and intents', async () => {
      const { histories } = await slowly(books())
      return Array.from({ length: underWay({ histories }) })
    })
  }
  for (const ms of [lifetimeMs, halfADayMs, halfADayMs, lifetimeMs]) {
    network.skip(ms)
    await endAll()
  }
  let published = 0
  await until('deliveries', async () => {
    const events = await all(asking, '/events')
    published = events.length
    const missing = events.filter(({ id }) => !receiver.arrived.has(id)).map(({ id, type }) => `${id} ${type}`)
    // Makes failed deliveries due again.
    if (missing.length > 0) network.skip(60 * 60_000)
    await pause(betweenLooksMs)
    return missing
  })
  await endAll()
  const notProven = [
    ...(await unlessProven(settings, ['verify'])),
    ...(await unlessProven(settings, ['reconcile', '--from', '2'])),
  ]
  print('proven')
  return { wrong: { pending, notProven }, refunds: await all(asking, '/refunds'), published }
}
