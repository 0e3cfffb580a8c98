import type { Environment } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Found, PageRequest, ReadModel } from './read-model.ts'
import { sqliteReading } from './reading.ts'
import { table } from './table.ts'
import { openLog } from './testing/log.ts'
import { inlineProjection, rowWriter } from './write-rows.ts'

const orNull = t.union([t.string, t.null])
const Thing = t.strict({
  customer: orNull,
  status: t.string,
  key: orNull,
  due: t.union([t.number, t.null]),
  times: t.number,
})
type Thing = t.TypeOf<typeof Thing>

const things: ReadModel<Thing> = {
  name: 'things',
  version: 1,
  category: 'thing',
  row: Thing,
  fold: (before, { data }) => {
    if (data.ignored === true) return before
    const times = O.isSome(before) ? before.value.times + 1 : 1
    return O.some(right(Thing.decode({ ...data, times })))
  },
  columns: ({ customer, status, key, due }) => ({ listedUnder: customer, status, lookupKey: key, dueAt: due }),
}

const noThing = { customer: null, status: 'new', key: null, due: null }
const changed = (data: Partial<Omit<Thing, 'times'>> & { ignored?: boolean } = {}) => ({
  type: 'Changed',
  schemaVersion: 1,
  data: { ...noThing, ...data },
})

const openThings = () => {
  const log = openLog([inlineProjection(rowWriter(things))])
  return { ...log, rows: table(sqliteReading(log.store.reader), things) }
}
const idsOf = async (
  rows: AsyncIterable<Found<Thing>> | Promise<ReadonlyArray<Found<Thing>>>,
): Promise<ReadonlyArray<string>> => {
  const ids: string[] = []
  for await (const { id } of await rows) ids.push(id)
  return ids
}
const testnet = { merchantId: 'mer_1', environment: 'testnet' as const }

describe('the rows of a read model', () => {
  it('are what the fold makes of each stream, with the scope of its first event', async () => {
    const { append, rows, store } = openThings()
    await append('thing-a', [changed(), changed({ status: 'old' })])
    await append('thing-b', [changed()], { merchantId: 'mer_2', environment: 'mainnet' })
    await append('other-c', [changed()])
    expect(await rows.all()).toEqual([
      { id: 'a', ...testnet, row: { ...noThing, status: 'old', times: 2 } },
      { id: 'b', merchantId: 'mer_2', environment: 'mainnet', row: { ...noThing, times: 1 } },
    ])
    store.close()
  })

  it('are none for a stream whose events make no row', async () => {
    const { append, rows, store } = openThings()
    await append('thing-a', [changed({ ignored: true }), changed({ ignored: true })])
    expect(await rows.all()).toEqual([])
    await append('thing-a', [changed()])
    expect(await idsOf(rows.all())).toEqual(['a'])
    store.close()
  })

  it('have seen every event once, even when one is applied again', async () => {
    const { append, read, rows, store } = openThings()
    await append('thing-a', [changed(), changed({ status: 'old' })])
    const apply = inlineProjection(rowWriter(things)).prepare(store.writer)
    const [, second] = (await read('thing-a')).events
    if (second === undefined) throw new Error('two events were written')
    apply(second)
    expect((await rows.all()).map(({ row }) => row.times)).toEqual([2])
    store.close()
  })

  it('are found by their key, the oldest first, whosever they are', async () => {
    const { append, rows, store } = openThings()
    await append('thing-b', [changed({ key: 'x' })])
    await append('thing-a', [changed({ key: 'x' })], { merchantId: 'mer_2' })
    await append('thing-c', [changed({ key: 'y' })])
    expect([await idsOf(rows.withKey('x')), await idsOf(rows.withKey('z'))]).toEqual([['a', 'b'], []])
    await append('thing-a', [changed()])
    expect(await idsOf(rows.withKey('x'))).toEqual(['b'])
    store.close()
  })

  it('are found by customer and key within one scope only', async () => {
    const { append, rows, store } = openThings()
    const mine = changed({ customer: 'cus_1', key: 'x' })
    await append('thing-a', [mine])
    await append('thing-b', [mine], { merchantId: 'mer_2' })
    await append('thing-c', [mine], { environment: 'mainnet' })
    await append('thing-d', [changed({ customer: 'cus_2', key: 'x' })])
    await append('thing-e', [changed({ customer: 'cus_1', key: 'y' })])
    expect(await idsOf(rows.withKeyUnder(testnet, 'cus_1', 'x'))).toEqual(['a'])
    store.close()
  })
})

describe('what is due', () => {
  it('is all that has fallen due in one environment, the longest overdue first', async () => {
    const { append, rows, store } = openThings()
    const dues = [...Array.from({ length: 250 }, (_, n) => n % 7), null, 8]
    for (const [n, due] of dues.entries()) await append(`thing-${String(n).padStart(3, '0')}`, [changed({ due })])
    await append('thing-main', [changed({ due: 1 })], { environment: 'mainnet' })
    const expected = [...dues.entries()]
      .flatMap(([n, due]) => (due === null || due > 7 ? [] : [{ id: String(n).padStart(3, '0'), due }]))
      .sort((one, other) => one.due - other.due || (one.id < other.id ? -1 : 1))
    expect(await idsOf(rows.due('testnet', 7))).toEqual(expected.map(({ id }) => id))
    expect(await idsOf(rows.due('testnet', -1))).toEqual([])
    expect(await idsOf(rows.due('mainnet', 7))).toEqual(['main'])
    store.close()
  })

  it('is met once, though rows change while it is worked off', async () => {
    const { append, rows, store } = openThings()
    const ids = Array.from({ length: 230 }, (_, n) => String(n).padStart(3, '0'))
    for (const id of ids) await append(`thing-${id}`, [changed({ due: 1 })])
    const met: Array<string> = []
    for await (const { id } of rows.due('testnet', 1)) {
      met.push(id)
      if (met.length % 2 === 0) await append(`thing-${id}`, [changed({ due: null })])
    }
    expect(met).toEqual(ids)
    store.close()
  })

  it('comes next at the first moment after a given one', async () => {
    const { append, rows, store } = openThings()
    expect(await rows.nextDue('testnet', 0)).toBeNull()
    for (const due of [3, 5]) await append(`thing-${due}`, [changed({ due })])
    await append('thing-main', [changed({ due: 4 })], { environment: 'mainnet' })
    const next = await Promise.all([2, 3, 4, 5].map((after) => rows.nextDue('testnet', after)))
    expect(next).toEqual([3, 5, 5, null])
    store.close()
  })
})

describe('pages', () => {
  const anyThing = fc.record({
    merchantId: fc.constantFrom('mer_1', 'mer_2'),
    environment: fc.constantFrom<Environment>('testnet', 'mainnet'),
    customer: fc.constantFrom(null, 'cus_1', 'cus_2'),
    status: fc.constantFrom('new', 'old'),
  })
  const filter = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
  const anyRequest = fc.record({
    listedUnder: filter(fc.constantFrom('cus_1', 'cus_2')),
    status: filter(fc.constantFrom('new', 'old')),
    limit: fc.integer({ min: 1, max: 6 }),
    cursor: filter(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 30 }))),
  })
  const idOf = (n: number): string => String(n).padStart(3, '0')
  const requestOf = ({
    listedUnder,
    status,
    limit,
    cursor,
  }: typeof anyRequest extends fc.Arbitrary<infer A> ? A : never): PageRequest => ({
    ...testnet,
    limit,
    ...(listedUnder === undefined ? {} : { listedUnder }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { [cursor[0] ? 'startingAfter' : 'endingBefore']: idOf(cursor[1]) }),
  })

  it('are those rows of a scope that the filters keep, next to the cursor, the newest first', async () => {
    const anyPages = fc.tuple(
      fc.array(anyThing, { maxLength: 30 }),
      fc.array(anyRequest, { minLength: 5, maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(anyPages, async ([written, requests]) => {
        const { append, rows, store } = openThings()
        for (const [n, { merchantId, environment, ...thing }] of written.entries())
          await append(`thing-${idOf(n)}`, [changed(thing)], { merchantId, environment })
        for (const each of requests) {
          const request = requestOf(each)
          const kept = written
            .map((thing, n) => ({ ...thing, id: idOf(n) }))
            .filter(({ merchantId, environment }) => merchantId === 'mer_1' && environment === 'testnet')
            .filter(({ customer }) => request.listedUnder === undefined || customer === request.listedUnder)
            .filter(({ status }) => request.status === undefined || status === request.status)
            .map(({ id }) => id)
            .reverse()
          const { startingAfter, endingBefore, limit } = request
          const after = kept.filter((id) => startingAfter === undefined || id < startingAfter)
          const before = kept.filter((id) => endingBefore !== undefined && id > endingBefore)
          const [reachable, expected] =
            endingBefore === undefined ? [after, after.slice(0, limit)] : [before, before.slice(-limit)]
          const page = await rows.page(request)
          expect([page.rows.map(({ id }) => id), page.hasMore]).toEqual([expected, reachable.length > limit])
        }
        store.close()
      }),
      { numRuns: 40, seed: 20_261_101 },
    )
  })

  it('hold every row once when they are turned, while newer rows come in', async () => {
    const { append, rows, store } = openThings()
    for (let n = 0; n < 25; n++) await append(`thing-${idOf(n)}`, [changed()])
    const seen: Array<string> = []
    for (let newer = 100; ; newer++) {
      const last = seen.at(-1)
      const page = await rows.page({ ...testnet, limit: 4, ...(last === undefined ? {} : { startingAfter: last }) })
      seen.push(...page.rows.map(({ id }) => id))
      if (!page.hasMore) break
      await append(`thing-${idOf(newer)}`, [changed()])
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => idOf(24 - n)))
    store.close()
  })
})
