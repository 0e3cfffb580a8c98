import { CheckoutId, Customer, CustomerId, idBoundary, makeId, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import fc from 'fast-check'
import * as t from 'io-ts'
import { checkouts } from './checkouts.ts'
import { customers } from './customers.ts'
import { sqlite } from './dialect.ts'
import { type PageQuery, pageQuery } from './pages.ts'
import { payments } from './payments.ts'
import { products } from './products.ts'
import type { PageRequest, ReadModel } from './read-model.ts'
import { inlineProjections } from './read-models.ts'
import { sqliteReading } from './reading.ts'
import { type Table, table } from './table.ts'
import { tableName } from './table-rows.ts'
import { openLog } from './testing/log.ts'
import { inlineProjection, rowWriter } from './write-rows.ts'

const Sale = t.strict({ customer: t.string, status: t.string, key: t.string })
type Sale = t.TypeOf<typeof Sale>

const sales: ReadModel<Sale> = {
  name: 'sales',
  version: 1,
  category: 'sale',
  ids: CheckoutId,
  row: Sale,
  fold: (_, { data }) => ({ _tag: 'Some', value: right(Sale.decode(data)) }),
  columns: ({ customer, status, key }) => ({ listedUnder: customer, status, lookupKey: key }),
}

const openSales = () => {
  const log = openLog([inlineProjection(rowWriter(sales))])
  const rows = table(sqliteReading(log.store.reader), sales)
  const write = (id: string, data: Sale) => log.append(`sale-${id}`, [{ type: 'Sold', schemaVersion: 1, data }])
  return { rows, write, close: () => log.store.close() }
}

const testnet = { merchantId: 'mer_1', environment: 'testnet' as const }
const customer = fc.constantFrom('cus_1', 'cus_2')
const status = fc.constantFrom('open', 'completed')
const key = fc.constantFrom('sub_1', 'sub_2')
/** A sale made at one of a few moments, so that many share one. */
const anySale = fc.record({
  id: fc
    .tuple(fc.integer({ min: 0, max: 6 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([at, digest]) => makeId(CheckoutId, unixMs(at), digest)),
  sale: fc.record({ customer, status, key }),
})
const anySales = (most: number) => fc.uniqueArray(anySale, { maxLength: most, selector: ({ id }) => id })
const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
const anyMoment = fc.integer({ min: 0, max: 7 }).map(unixMs)
const anyFilters = fc.record({
  listedUnder: maybe(customer),
  status: maybe(status),
  lookupKey: maybe(key),
  createdFrom: maybe(anyMoment),
  createdBefore: maybe(anyMoment),
})
type Filters = (typeof anyFilters extends fc.Arbitrary<infer A> ? A : never) & Pick<PageRequest, 'alsoId'>

const requestOf = (filters: Filters, more: Partial<PageRequest>): PageRequest => ({
  ...testnet,
  limit: 3,
  ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
  ...more,
})

const madeAt = (id: string): number =>
  [0, 1, 2, 3, 4, 5, 6].findLast((at) => id >= idBoundary(CheckoutId, unixMs(at))) ?? -1

const keeps =
  ({ listedUnder, status, lookupKey, alsoId, createdFrom, createdBefore }: Filters) =>
  ({ id, sale }: { readonly id: string; readonly sale: Sale }): boolean =>
    (listedUnder === undefined || sale.customer === listedUnder) &&
    (status === undefined || sale.status === status) &&
    (lookupKey === undefined || sale.key === lookupKey || id === alsoId) &&
    (createdFrom === undefined || madeAt(id) >= createdFrom) &&
    (createdBefore === undefined || madeAt(id) < createdBefore)

/** Turns all pages one way; `between` runs before each further page. */
const walked = async (
  rows: Table<Sale>,
  filters: Filters,
  limit: number,
  direction: 'startingAfter' | 'endingBefore',
  between: () => Promise<void>,
): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  // Behind all ids: a walk towards the newer ones begins there.
  let cursor: string | undefined = direction === 'endingBefore' ? idBoundary(CheckoutId, unixMs(0)) : undefined
  for (;;) {
    const page = await rows.page(
      requestOf(filters, { limit, ...(cursor === undefined ? {} : { [direction]: cursor }) }),
    )
    const ids = page.rows.map(({ id }) => id)
    seen.push(...(direction === 'endingBefore' ? ids.toReversed() : ids))
    cursor = direction === 'endingBefore' ? ids.at(0) : ids.at(-1)
    if (!page.hasMore || cursor === undefined) return seen
    if (seen.length > 100) throw new Error('the pages never end')
    await between()
  }
}

describe('pages that are turned while rows come in', () => {
  it.each(['startingAfter', 'endingBefore'] as const)(
    'hold each row that was there once, in order: %s',
    async (way) => {
      await fc.assert(
        fc.asyncProperty(
          anySales(20),
          anySales(12),
          anyFilters,
          fc.integer({ min: 1, max: 4 }),
          async (first, later, filters, limit) => {
            const { rows, write, close } = openSales()
            for (const { id, sale } of first) await write(id, sale)
            const coming = later.filter(({ id }) => first.every((each) => each.id !== id))
            const ids = await walked(rows, filters, limit, way, async () => {
              for (const { id, sale } of coming.splice(0, 2)) await write(id, sale)
            })
            const kept = first.filter(keeps(filters)).map(({ id }) => String(id))
            const ordered = way === 'startingAfter' ? kept.sort().reverse() : kept.sort()
            expect(ids.filter((id) => kept.includes(id))).toEqual(ordered)
            expect(new Set(ids).size).toBe(ids.length)
            expect(ids.toSorted()).toEqual(way === 'startingAfter' ? ids.toReversed() : ids)
            close()
          },
        ),
        { numRuns: 150, seed: 20_261_120 },
      )
    },
  )

  it('are the same when nothing comes in, read from either end', async () => {
    await fc.assert(
      fc.asyncProperty(anySales(20), anyFilters, fc.integer({ min: 1, max: 4 }), async (all, filters, limit) => {
        const { rows, write, close } = openSales()
        for (const { id, sale } of all) await write(id, sale)
        const forward = await walked(rows, filters, limit, 'startingAfter', async () => undefined)
        const backward = await walked(rows, filters, limit, 'endingBefore', async () => undefined)
        const kept = all.filter(keeps(filters)).map(({ id }) => String(id))
        expect([forward, backward]).toEqual([kept.sort().toReversed(), kept])
        close()
      }),
      { numRuns: 80, seed: 20_261_120 },
    )
  })

  it('hold one more row at its place, whatever its look-up key is', async () => {
    const anyKeyed = fc.tuple(anySales(20), fc.nat(19), anyFilters, key, fc.integer({ min: 1, max: 4 }))
    await fc.assert(
      fc.asyncProperty(anyKeyed, async ([all, index, some, lookupKey, limit]) => {
        const { rows, write, close } = openSales()
        for (const { id, sale } of all) await write(id, sale)
        const filters = {
          ...some,
          lookupKey,
          alsoId: all[index]?.id ?? makeId(CheckoutId, unixMs(3), new Uint8Array(10)),
        }
        const forward = await walked(rows, filters, limit, 'startingAfter', async () => undefined)
        const backward = await walked(rows, filters, limit, 'endingBefore', async () => undefined)
        const kept = all.filter(keeps(filters)).map(({ id }) => String(id))
        expect([forward, backward]).toEqual([kept.sort().toReversed(), kept])
        close()
      }),
      { numRuns: 150, seed: 20_261_120 },
    )
  })

  it('hold no row of another merchant', async () => {
    const { rows, write, close } = openSales()
    const id = makeId(CheckoutId, unixMs(1), new Uint8Array(10))
    await write(id, { customer: 'cus_1', status: 'open', key: 'sub_1' })
    const page = (merchantId: string) => rows.page({ ...testnet, merchantId, lookupKey: 'sub_2', alsoId: id, limit: 1 })
    const ids = async (merchantId: string) => (await page(merchantId)).rows.map((row) => row.id)
    expect([await ids('mer_1'), await ids('mer_2')]).toEqual([[id], []])
    close()
  })
})

describe('when a row was created', () => {
  it('is what its id says, though another process has written it later', async () => {
    const log = openLog(inlineProjections)
    const id = makeId(CustomerId, unixMs(5), new Uint8Array(10))
    const record = { profile: null, emailHash: null, phoneHash: null }
    await log.give(Customer, id, { type: 'CreateCustomer', ...record }, { occurredAt: 9 })
    const rows = table(sqliteReading(log.store.reader), customers)
    const page = async (createdFrom: number) =>
      (await rows.page({ ...testnet, limit: 1, createdFrom: unixMs(createdFrom) })).rows
    expect([await page(5), await page(6)]).toMatchObject([[{ id, row: { createdAt: 5, updatedAt: 9 } }], []])
    log.store.close()
  })
})

describe('what a page costs', () => {
  const listed = [products, customers, checkouts, payments]
  const choice = (value: string) => [null, value]
  const queries: ReadonlyArray<PageQuery> = choice('cus_1').flatMap((listedUnder) =>
    choice('open').flatMap((status) =>
      choice('z').flatMap((start) =>
        [false, true].map((isBackward) => ({ listedUnder, status, lookupKey: null, start, isBackward })),
      ),
    ),
  )
  const planOf = (log: ReturnType<typeof openLog>, name: string, query: PageQuery): ReadonlyArray<string> => {
    const { sql, parameters } = pageQuery(sqlite, name, query)
    return log.store.reader
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters.map(() => 'x'))
      .map(({ detail }) => String(detail))
  }

  it.each(listed.map(({ name }) => name))('is one stretch of an index, in its order, however far down: %s', (name) => {
    const log = openLog(inlineProjections)
    const model = listed.find((each) => each.name === name) ?? products
    for (const query of queries) {
      const { listedUnder, status, start, isBackward } = query
      const columns = [
        'merchant_id=?',
        'environment=?',
        ...(listedUnder === null ? [] : ['listed_under=?']),
        ...(status === null ? [] : ['status=?']),
        ...(start === null ? [] : [isBackward ? 'id>?' : 'id<?']),
      ].join(' AND ')
      const [only, ...more] = planOf(log, tableName(model), query)
      expect({ query, more, uses: only?.replace(/^SEARCH \S+ USING INDEX \S+ /, '') }).toEqual({
        query,
        more: [],
        uses: `(${columns})`,
      })
    }
    log.store.close()
  })

  it('is what a look-up key leads to, where there is one, whatever else narrows it', () => {
    const log = openLog(inlineProjections)
    const name = tableName(payments)
    for (const query of queries) {
      const { start, isBackward } = query
      const stretch = start === null ? 'lookup_key=?' : `lookup_key=? AND id${isBackward ? '>' : '<'}?`
      expect({ query, plan: planOf(log, name, { ...query, lookupKey: 'sub_1' }) }).toEqual({
        query,
        plan: [`SEARCH ${name} USING INDEX ${name}_key (${stretch})`],
      })
    }
    log.store.close()
  })
})
