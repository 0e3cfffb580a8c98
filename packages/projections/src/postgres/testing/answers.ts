import type { Environment } from '@quittance/domain'
import { unixMs } from '@quittance/domain'
import type { SqlRow } from '@quittance/event-store'
import type { PageRequest, ReadModel, Scope } from '../../read-model.ts'
import type { ReadModels } from '../../read-models.ts'
import type { Table } from '../../table.ts'

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']
const scopes: ReadonlyArray<Scope> = environments.flatMap((environment) =>
  ['mer_1', 'mer_2'].map((merchantId) => ({ merchantId, environment })),
)

const collected = async <A>(each: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: A[] = []
  for await (const one of each) all.push(one)
  return all
}

const distinct = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(all.map((each) => [JSON.stringify(each), each])).values(),
]
const texts = (rows: ReadonlyArray<SqlRow>, column: string): ReadonlyArray<string> =>
  distinct(rows.map((row) => row[column]).filter((value) => typeof value === 'string'))
const numbers = (rows: ReadonlyArray<SqlRow>, column: string): ReadonlyArray<number> =>
  distinct(rows.map((row) => row[column]).filter((value) => typeof value === 'number'))
/** At most so many, from all over the list. */
const some = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  all.filter((_, index) => index % Math.ceil(all.length / most) === 0)

/** Turns all pages one way, and gives each. */
const walked = async <Row>(
  table: Table<Row>,
  request: PageRequest,
  way: 'startingAfter' | 'endingBefore',
): Promise<ReadonlyArray<unknown>> => {
  const pages: unknown[] = []
  let cursor = way === 'startingAfter' ? undefined : ''
  for (;;) {
    const page = await table.page({ ...request, ...(cursor === undefined ? {} : { [way]: cursor }) })
    pages.push(page)
    cursor = (way === 'startingAfter' ? page.rows.at(-1) : page.rows.at(0))?.id
    if (!page.hasMore || cursor === undefined) return pages
  }
}

/** The filters that find something, in every combination. */
const requestsFor = (rows: ReadonlyArray<SqlRow>): ReadonlyArray<PageRequest> =>
  distinct(
    some(rows, 6).flatMap((row) =>
      scopes.flatMap((scope) =>
        [0, 1, 2, 3, 4, 5, 6, 7].map(
          (chosen): PageRequest => ({
            ...scope,
            limit: Math.max(2, Math.ceil(rows.length / 3)),
            ...(chosen & 1 && row.listed_under !== null ? { listedUnder: String(row.listed_under) } : {}),
            ...(chosen & 2 && row.status !== null ? { status: String(row.status) } : {}),
            ...(chosen & 4 && row.lookup_key !== null
              ? { lookupKey: String(row.lookup_key), alsoId: String(rows.at(-1)?.id) }
              : {}),
          }),
        ),
      ),
    ),
  )

/** What a table answers to all that can be asked of these rows. */
export const tableAnswers = async <Row>(
  model: ReadModel<Row>,
  table: Table<Row>,
  rows: ReadonlyArray<SqlRow>,
): Promise<ReadonlyArray<unknown>> => {
  const answers: unknown[] = [await table.all()]
  for (const id of [...some(texts(rows, 'id'), 20), 'of nobody']) answers.push(await table.withId(id))
  const keys = some(texts(rows, 'lookup_key'), 20)
  for (const key of keys) answers.push(await table.withKey(key))
  for (const under of some(texts(rows, 'listed_under'), 5))
    for (const key of some(keys, 5))
      for (const scope of scopes) answers.push(await table.withKeyUnder(scope, under, key))
  const moments = [-1, ...some(numbers(rows, 'due_at'), 5), Number.MAX_SAFE_INTEGER]
  for (const environment of environments)
    for (const [index, moment] of moments.entries()) {
      answers.push(await collected(table.due(environment, moment)), await table.nextDue(environment, moment))
      for (const until of moments.slice(index)) {
        answers.push(await table.countDue(environment, moment, until))
        // Those whose rows fall due at the same moment have no order.
        answers.push([...(await table.ownersDue(environment, moment, until))].sort())
      }
    }
  for (const status of texts(rows, 'status'))
    for (const scope of scopes) answers.push(await collected(table.ofStatus(scope, status)))
  for (const request of requestsFor(rows))
    for (const way of ['startingAfter', 'endingBefore'] as const) {
      answers.push(await walked(table, request, way))
      if (model.ids === undefined) continue
      const created = { createdFrom: unixMs(1), createdBefore: unixMs(1_700_000_000_000) }
      answers.push(await walked(table, { ...request, ...created }, way))
    }
  return answers
}

/** What the feed answers to all that can be asked of its rows. */
const feedAnswers = async (
  feed: ReadModels['publicEvents'],
  rows: ReadonlyArray<SqlRow>,
): Promise<ReadonlyArray<unknown>> => {
  const answers: unknown[] = []
  const walk = async (after: string | null): Promise<void> => {
    const events = await feed.next(after, 7)
    answers.push(events)
    const last = events.at(-1)
    if (last !== undefined) await walk(last.place)
  }
  await walk(null)
  for (const id of [...some(texts(rows, 'lookup_key'), 20), 'of nobody']) answers.push(await feed.withId(id))
  const events = await feed.next(null, 1_000)
  const types = some(distinct(events.map(({ type }) => type)), 6)
  const resources = some(distinct(events.map(({ resourceId }) => resourceId)), 6)
  for (const scope of scopes)
    for (const type of [null, ...types])
      for (const resourceId of [null, ...resources])
        for (const among of [null, [], types.slice(0, 3)]) {
          const turn = async (after: string | null): Promise<void> => {
            const page = await feed.page({ ...scope, type, resourceId, among, after, limit: 5 })
            answers.push(page)
            if (page.hasMore) await turn(page.publicEvents.at(-1)?.place ?? null)
          }
          await turn(null)
        }
  return answers
}

type Rows = Readonly<Record<string, ReadonlyArray<SqlRow>>>

/** What all queries that are not those of one table answer. */
export const otherAnswers = async (models: ReadModels, rows: Rows): Promise<unknown> => {
  const { mandates, lostRevenue, bookedFees, priceChangeProgress, customerFamily } = models
  const answers: unknown[] = []
  for (const environment of environments) {
    const places = await mandates.places(environment)
    answers.push(places)
    for (const place of places) {
      answers.push(await mandates.count(environment, place))
      for (const merchantId of [null, 'mer_1', 'mer_2'])
        answers.push(await collected(mandates.living(environment, place, merchantId)))
    }
    for (const since of [0, 1_800_000_000_000])
      answers.push(await collected(mandates.endedSince(environment, unixMs(since))))
    answers.push(await lostRevenue.totals(environment, null), await bookedFees.all(environment, unixMs(0)))
  }
  for (const scope of scopes) {
    answers.push(await lostRevenue.totals(scope.environment, scope.merchantId))
    answers.push(await bookedFees.of(scope, unixMs(0)))
    for (const id of some(texts(rows.price_change_subscriptions ?? [], 'listed_under'), 5))
      answers.push(await priceChangeProgress.of(scope, id))
  }
  const merged = [...texts(rows.customer_merges ?? [], 'id'), ...texts(rows.customer_merges ?? [], 'lookup_key')]
  for (const id of [...merged, 'cus_1']) {
    answers.push(await customerFamily.remaining(id), await customerFamily.allOf(id))
    for (const scope of scopes)
      for (const way of ['startingAfter', 'endingBefore'] as const) {
        const request = { ...scope, listedUnder: id, limit: 2 }
        answers.push(await walked(models.payments, request, way), await walked(models.checkouts, request, way))
        answers.push(await walked(models.access, request, way), await walked(models.subscriptions, request, way))
        const account = { ...scope, listedUnder: `${id}/prod_1`, limit: 2 }
        answers.push(await walked(models.creditTransactions, account, way))
      }
  }
  return { answers, feed: await feedAnswers(models.publicEvents, rows.announcements ?? []) }
}
