import type { Billing, CommandContext } from '@quittance/billing'
import { everyInTurn } from '@quittance/billing/testing/internals'
import { book, someone } from '@quittance/billing/testing/shop'
import { asText, HttpUrl, hourMs, minuteMs, secondMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Move } from '../move.ts'
import { processes, type Stage } from './stage.ts'

const waits = [1, 5 * secondMs, 6 * secondMs, 5 * minuteMs, 40 * minuteMs, 5 * hourMs, 24 * hourMs]
const wallWaits = [10, 200, 2_000, 61 * secondMs]
const choices = [['*'], ['*'], ['product.*'], ['product.updated', 'customer.created']]
const maxEndpoints = 4
/** Ended deliveries are kept for 30 days, and all of a run's must remain until its end. */
const maxWaitedMs = 12 * 24 * hourMs

/** A merchant whose resources change and who creates, disables and enables endpoints; and time that passes. */
export const deliveryMoves = (stage: Stage): ReadonlyArray<Move> => {
  const { random, fixture, scheduler, shops, network, wall, faultFree, processNamed, deliver, note, contextNow } = stage
  const { merchantId } = fixture
  const urls: Array<string> = []
  let waitedMs = 0
  let named = 0

  type Command = (billing: Billing, context: CommandContext) => TaskEither<{ readonly _tag: string }, unknown>
  /** Runs a command on any process. `heard` may never be called; only the log shows whether the command was done. */
  const run = (name: string, command: Command, heard: (process: string) => void = () => undefined): void => {
    const process = random.oneOf(processes)
    const { billing, process: living } = processNamed(process)
    scheduler.start(living, name, command(billing, contextNow()), (outcome) => {
      note(`${name}: ${E.isRight(outcome) ? 'Right' : outcome.left._tag}`)
      heard(process)
    })
  }
  const someOf = (rows: ReadonlyArray<{ readonly id: string }>): string | null =>
    rows.length === 0 ? null : random.oneOf(rows).id
  const page = { merchantId, environment: 'testnet', limit: 100 } as const
  const { products, customers, webhooks } = faultFree.readModels
  const endpoints = async () => (await webhooks.page({ ...page, status: 'living' })).rows
  const text = (): ReturnType<typeof asText> => asText(`Name ${named++}`)

  const makeEndpoint = (): void => {
    if (urls.length >= maxEndpoints) return
    const url = `https://shop-${urls.length}.example/`
    const events = random.oneOf(choices)
    urls.push(url)
    const details = { name: text(), url: decoded(HttpUrl, url), events: events.map(asText), description: null }
    run('make an endpoint', (billing, context) => billing.webhooks.create(context, details))
  }
  const setDisabled = (isDisabled: boolean) => async (): Promise<void> => {
    const id = someOf((await endpoints()).filter(({ row }) => row.isDisabled !== isDisabled))
    if (id === null) return
    const name = `${isDisabled ? 'disable' : 'enable'} ${id}`
    run(name, (billing, context) => billing.webhooks.update(context, id, { changed: {}, isDisabled }), deliver)
  }
  /** A process that has not learnt of an endpoint within five days assumes that its list of deliveries is lost. */
  const areKnown = async (): Promise<boolean> =>
    everyInTurn(
      await endpoints(),
      async ({ id }) => (await faultFree.toDo.sql.run(faultFree.toDo.endpoints.progress(id))) !== null,
    )

  const moves: ReadonlyArray<Move> = [
    { name: 'an endpoint', weight: 2, act: makeEndpoint },
    { name: 'disabled', weight: 2, act: setDisabled(true) },
    { name: 'enabled', weight: 4, act: setDisabled(false) },
    {
      name: 'a product',
      weight: 4,
      act: () => run('make a product', (billing, context) => billing.products.create(context, book())),
    },
    {
      name: 'a product changes',
      weight: 10,
      act: async () => {
        const [id, name] = [someOf((await products.page(page)).rows), text()]
        if (id !== null) run('rename', (billing, context) => billing.products.update(context, id, { name }))
      },
    },
    {
      name: 'a customer',
      weight: 2,
      act: () => {
        const who = someone(`${named++}@shop.example`)
        run('make a customer', (billing, context) => billing.customers.createAll(context, [who]))
      },
    },
    {
      name: 'a customer changes',
      weight: 4,
      act: async () => {
        const [id, name] = [someOf((await customers.page(page)).rows), `Name ${named++}`]
        if (id !== null) run('rename', (billing, context) => billing.customers.update(context, id, { name }))
      },
    },
    ...processes.map((name): Move => ({ name: `${name} delivers`, weight: 6, act: () => deliver(name) })),
    ...processes.map((name): Move => ({ name: `${name} dies`, weight: 1, act: () => stage.restart(name) })),
    {
      name: 'a server goes down or up',
      weight: 1,
      act: () => {
        const url = random.oneOf(urls)
        if (!shops.down.delete(url)) shops.down.add(url)
      },
    },
    {
      name: 'time passes',
      weight: 5,
      act: async () => {
        const ms = random.oneOf(waits)
        wall.advance(random.oneOf(wallWaits))
        if (waitedMs + ms > maxWaitedMs || !(await areKnown())) return
        waitedMs += ms
        await network.wait(ms)
      },
    },
  ]
  makeEndpoint()
  makeEndpoint()
  return moves
}
