import * as domain from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import { decodedBy } from '../decode.ts'
import { inlineProjections, readModels } from '../read-models.ts'
import { sqliteReading } from '../reading.ts'
import { tableName } from '../table-rows.ts'
import { anyHistory, type Step, write } from '../testing/any-history.ts'
import { anySales } from '../testing/any-sales.ts'
import { documented } from '../testing/documented.ts'
import { openLog } from '../testing/log.ts'
import { rowsIn, tableOf } from '../testing/tables.ts'
import type { PublicEvent } from './public-event.ts'
import { placeOf } from './public-event-row.ts'
import { publishers } from './publishers.ts'
import { publicEventWriter } from './write-public-events.ts'

const seed = 20_261_120

type Log = ReadonlyArray<domain.RecordedEvent>
type Written = Awaited<ReturnType<typeof written>>

/** What a history makes: the log, its public events, and their rows. */
const written = async (steps: ReadonlyArray<Step>) => {
  const log = openLog(inlineProjections)
  await write(log, steps)
  const events: Array<domain.RecordedEvent> = []
  for await (const event of log.store.readAll(0n)) events.push(event)
  const feed = await readModels(sqliteReading(log.store.reader)).publicEvents.next(null, 1_000_000)
  const rows = rowsIn(log.store.reader, tableOf('announcements'))
  log.store.close()
  return { events, feed, rows }
}
/** The same histories for every rule. */
let histories: Promise<ReadonlyArray<Written>> | null = null
const forAnySales = async (check: (made: Written) => void): Promise<void> => {
  histories ??= Promise.all(fc.sample(anySales, { numRuns: 40, seed }).map(written))
  for (const made of await histories) check(made)
}

const typesOf = (feed: ReadonlyArray<PublicEvent>): ReadonlyArray<string> => feed.map(({ type }) => type)
const publishedBy = ({ feed }: Written, { position }: domain.RecordedEvent) =>
  feed.filter((each) => each.position === position)

describe('a place in the feed', () => {
  it('sorts as positions do, also those of a server, and by the order within one event', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 128n }), fc.bigInt({ min: 1n, max: 2n ** 53n }), (one, other) => {
        expect(placeOf(one, 0) < placeOf(other, 0)).toBe(one < other)
        expect(placeOf(one, 0) < placeOf(one, 1)).toBe(true)
        expect(placeOf(one, 9) < placeOf(one + 1n, 0)).toBe(true)
      }),
    ))
})

describe('the public events of a log', () => {
  it('is numbered for each resource from 1 without gaps, in the order of the log', () =>
    forAnySales(({ feed }) => {
      const places = feed.map(({ place }) => place)
      expect(places).toEqual(places.toSorted())
      // Those named by numbers have the same ids in several categories, as no two things have.
      const identified = feed.filter(({ resourceId }) => !/^id-/.test(resourceId))
      const byResource = Map.groupBy(identified, (each) => [each.merchantId, each.environment, each.resourceId].join())
      for (const own of byResource.values()) {
        expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1))
      }
    }))

  it('have the merchant, environment and time of the event that gives them', () =>
    forAnySales(({ events, feed }) => {
      const known = new Map(events.map((event) => [event.position, event]))
      for (const { stream, revision, position, merchantId, environment, occurredAt } of feed) {
        const metadata = { merchantId, environment, occurredAt }
        expect(known.get(position)).toMatchObject({ stream, revision, metadata })
      }
      expect(new Set(feed.map(({ id }) => id)).size).toBe(feed.length)
    }))

  it('are those of the documented table, in its order: all that are always given, and no others', () =>
    forAnySales((made) => {
      for (const event of made.events) {
        const published = typesOf(publishedBy(made, event))
        const rows = documented.filter(({ fact }) => fact === event.type)
        const expected = rows
          .filter(({ type, isAlways }) => isAlways || published.includes(type))
          .map(({ type }) => type)
        expect({ fact: event.type, published }).toEqual({ fact: event.type, published: expected })
      }
    }))

  it('is the same after it was rebuilt, in batches of any size', () =>
    fc.assert(
      fc.asyncProperty(anySales, fc.integer({ min: 1, max: 40 }), async (steps, size) => {
        const { events, rows } = await written(steps)
        const scratch = openDatabase(':memory:', { durability: 'full' })
        const table = tableName(publicEventWriter)
        publicEventWriter.create(scratch, table)
        for (let from = 0; from < events.length; from += size) {
          const apply = publicEventWriter.open(scratch, table)
          scratch.transaction(() => {
            for (const event of events.slice(from, from + size)) apply(event)
          })
        }
        expect(rowsIn(scratch, table)).toEqual(rows)
        scratch.close()
      }),
      { numRuns: 40, seed },
    ))

  it('is decided for every category of streams', () => {
    const categories = Object.values(domain).flatMap((each) =>
      typeof each === 'object' && 'category' in each ? [each.category] : [],
    )
    expect([...publishers.keys()].sort()).toEqual(categories.toSorted())
  })
})

describe('access and credits', () => {
  const payments = decodedBy(domain.Payment)
  const productOf = decodedBy(domain.Product)
  const inStream = (events: Log, category: string, id: string) =>
    events.filter(({ stream }) => stream.startsWith(`${category}-${id}`))

  /** The units that the books of an account hold. */
  const unitsIn = (events: Log, account: string): bigint => {
    const { events: format, decider } = domain.Credits
    const state = inStream(events, 'credits', account)
      .map(decodedBy({ ...domain.Credits, events: format }))
      .reduce(decider.evolve, decider.initial)
    return state.status === 'absent' ? 0n : domain.unitsLeft(state.balance)
  }
  /** Whether anything entitles a customer to a product, asked of the whole log. */
  const hasAccess = (events: Log, account: string): boolean => {
    const [customerId = '', productId = ''] = account.split('/')
    const [product] = inStream(events, 'product', productId).map(productOf)
    const productType = product?.type === 'ProductCreated' ? product.data.productType : null
    if (productType === 'metered') return unitsIn(events, account) > 0n
    const byPayment = Map.groupBy(inStream(events, 'payment', 'pay_'), ({ stream }) => stream)
    return byPayment.values().some((own) => {
      const facts = own.map(payments)
      const [first] = facts
      const isSold =
        first?.type === 'PaymentOpened' && first.data.customerId === customerId && first.data.productId === productId
      const has = (type: string): boolean => facts.some((fact) => fact.type === type)
      return productType === 'one_time' && isSold && has('PaymentConfirmed') && !has('PaymentRefunded')
    })
  }

  it('give public events when they change, and only then', () =>
    forAnySales(({ events, feed }) => {
      const accounts = new Set(feed.map(({ resourceId }) => resourceId).filter((id) => /^cus_.*\/prod_/.test(id)))
      for (const account of accounts) {
        let [had, left] = [false, 0n]
        const expected = events.flatMap(({ position, type, stream }, index) => {
          if (!/^(product|payment|credits)-/.test(stream)) return []
          const [hadBefore, leftBefore] = [had, left]
          const soFar = events.slice(0, index + 1)
          had = hasAccess(soFar, account)
          left = unitsIn(soFar, account)
          const isEntry = stream.startsWith(`credits-${account}`)
          return [
            ...(isEntry && type === 'CreditsGranted' ? [`${position} credits.granted`] : []),
            ...(isEntry && type === 'CreditsConsumed' ? [`${position} credits.consumed`] : []),
            ...(leftBefore > 0n && left === 0n ? [`${position} credits.depleted`] : []),
            ...(hadBefore === had ? [] : [`${position} access.${had ? 'granted' : 'revoked'}`]),
          ]
        })
        const own = feed.filter(({ resourceId }) => resourceId === account)
        expect(own.map(({ position, type }) => `${position} ${type}`)).toEqual(expected)
      }
    }))
})

describe('a payment', () => {
  const factsOf = decodedBy(domain.Payment)
  const ofPayment = (made: Written, event: domain.RecordedEvent) =>
    typesOf(publishedBy(made, event)).filter((type) => type.startsWith('payment.'))

  it('is received in part as long as the checkout has not found its price covered', () =>
    forAnySales((made) => {
      for (const event of made.events.filter(({ type }) => type === 'PaymentCredited')) {
        const paymentId = event.stream.slice('payment-'.length)
        const isCovered = made.events.some(
          ({ position, type, data }) =>
            position < event.position && type === 'CheckoutSettled' && data.paymentId === paymentId,
        )
        expect(ofPayment(made, event)).toEqual(isCovered ? [] : ['payment.partially_received'])
      }
    }))

  it('is overpaid where anything is too much, and late where it came too late', () =>
    forAnySales((made) => {
      for (const event of made.events.filter(({ type }) => type === 'PaymentConfirmed')) {
        const fact = factsOf(event)
        if (fact.type !== 'PaymentConfirmed') throw new Error('it is confirmed')
        const { excess, overpaid, late } = fact.data
        expect(ofPayment(made, event)).toEqual([
          'payment.confirmed',
          ...(excess > 0n || overpaid > 0n ? ['payment.overpaid'] : []),
          ...(late ? ['payment.late'] : []),
        ])
      }
    }))
})

it('generated histories give every type of public event', async () => {
  const own = { seed: seed + 19 }
  const sales = fc.sample(anySales, { numRuns: 40, ...own })
  const histories = fc.sample(anyHistory, { numRuns: 600, ...own })
  // Several logs of several histories: in one log its few streams have all ended soon.
  const logs = Map.groupBy(histories.entries(), ([index]) => index % 10)
  const seen = new Set(typesOf((await written(sales.flat())).feed))
  for (const log of logs.values())
    for (const type of typesOf((await written(log.flatMap(([, steps]) => steps))).feed)) seen.add(type)
  const types = documented.map(({ type }) => type).filter((type) => !type.startsWith('subscription.'))
  expect([...new Set(types)].filter((type) => !seen.has(type))).toEqual([])
})
