import {
  AccountId,
  ContractId,
  type Environment,
  type RecordedEvent,
  Subscription,
  SubscriptionId,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { sql } from 'kysely'
import { given } from './compile.ts'
import { decodedBy } from './decode.ts'
import type { Dialect } from './dialect.ts'
import type { Found, ReadModel } from './read-model.ts'
import type { Reading } from './reading.ts'
import { decodeRow, tableName } from './table-rows.ts'

/** A mandate that has counted for a subscription. It lives until a ledger shows its end, at `endedAt`, or the network was reset. */
export const MandateRow = t.strict({
  subscriptionId: SubscriptionId,
  contract: ContractId,
  operator: AccountId,
  since: UnixMs,
  endedAt: t.union([t.null, UnixMs]),
})
export type MandateRow = t.TypeOf<typeof MandateRow>

const decode = decodedBy(Subscription)

const fold = (row: O.Option<MandateRow>, recorded: RecordedEvent): O.Option<MandateRow> => {
  const { type, data } = decode(recorded)
  if (type === 'MandateEnded' || type === 'AuthorizationRevoked')
    return O.map((known: MandateRow) => ({ ...known, endedAt: data.closedAt }))(row)
  if (type === 'MandateGone') return O.map((known: MandateRow) => ({ ...known, endedAt: data.at }))(row)
  const mandate = mandateIn(recorded)
  if (O.isSome(row) || mandate === null) return row
  const subscriptionId = SubscriptionId.decode(recorded.stream.slice(`${Subscription.category}-`.length))
  if (E.isLeft(subscriptionId)) return O.none
  const { contract, operator } = mandate
  const since = unixMs(recorded.metadata.occurredAt)
  return O.some({ subscriptionId: subscriptionId.right, contract, operator, since, endedAt: null })
}

/** The mandate that counts from an event on. */
const mandateIn = (recorded: RecordedEvent) => {
  if (recorded.type !== 'SubscriptionStarted' && recorded.type !== 'MandateReplaced') return null
  const { type, data } = decode(recorded)
  if (type === 'SubscriptionStarted') return data.details.mandate
  return type === 'MandateReplaced' ? data.mandate : null
}

const ends: ReadonlyArray<string> = ['MandateEnded', 'AuthorizationRevoked', 'MandateGone']

const idIn = (recorded: RecordedEvent): string | null => {
  if (!ends.includes(recorded.type)) return mandateIn(recorded)?.mandateId ?? null
  const { type, data } = decode(recorded)
  return type === 'MandateEnded' || type === 'AuthorizationRevoked' || type === 'MandateGone' ? data.mandateId : null
}

/** Living ones are found by contract and operator account, ended ones by the time of their end. */
export const mandates: ReadModel<MandateRow> = {
  name: 'mandates',
  version: 1,
  category: Subscription.category,
  row: MandateRow,
  rowOf: idIn,
  fold,
  columns: ({ contract, operator, endedAt }) => ({
    lookupKey: endedAt === null ? mandateKey({ contract, operator }) : null,
    dueAt: endedAt,
  }),
}

/** A contract and an operator account that living mandates name. */
export type MandatePlace = { readonly contract: ContractId; readonly operator: AccountId }

/** How many rows are read at once. */
const mandatesAtOnce = 100

const mandateKey = ({ contract, operator }: MandatePlace): string => `${contract} ${operator}`

/** What a key of living mandates names; null where it names nothing of the kind. */
const placeInKey = (key: string): MandatePlace | null => {
  const [contract, operator] = key.split(' ')
  return ContractId.is(contract) && AccountId.is(operator) ? { contract, operator } : null
}

/** Compiles the queries of mandates. */
export const compiledMandateQueries = ({ builder }: Dialect) => {
  const from = builder.selectFrom(tableName(mandates))
  const ofKey = from.where('lookup_key', '=', given<string>('lookupKey'))
  const inEnvironment = ofKey.where('environment', '=', given<string>('environment'))
  const after = inEnvironment.selectAll().where('id', '>', given<string>('lastId')).orderBy('id').limit(mandatesAtOnce)
  return {
    nextKey: from
      .select('lookup_key')
      .where('lookup_key', '>', given<string>('after'))
      .orderBy('lookup_key')
      .limit(1)
      .compile(),
    any: inEnvironment.select('id').limit(1).compile(),
    counted: inEnvironment.select(({ fn }) => fn.countAll().as('rows')).compile(),
    page: after.compile(),
    pageOfOne: after.where('merchant_id', '=', given<string>('merchantId')).compile(),
    ended: from
      .selectAll()
      .where('environment', '=', given<string>('environment'))
      .where('due_at', '>=', given<number>('since'))
      .where(sql`(due_at, id)`, '>', sql`(${given<number>('lastEnd')}, ${given<string>('lastId')})`)
      .orderBy('due_at')
      .orderBy('id')
      .limit(mandatesAtOnce)
      .compile(),
  }
}

/** Opens the queries of mandates. */
export const mandateQueries = (reading: Reading) => {
  const queries = compiledMandateQueries(reading.dialect)
  const nextKey = reading.prepare(queries.nextKey)
  const any = reading.prepare(queries.any)
  const counted = reading.prepare(queries.counted)
  const page = reading.prepare(queries.page)
  const pageOfOne = reading.prepare(queries.pageOfOne)
  const ended = reading.prepare(queries.ended)
  return {
    /** What living mandates of an environment name. It costs a look-up for each pair, however many mandates there are. */
    places: async (environment: Environment): Promise<ReadonlyArray<MandatePlace>> => {
      const places: Array<MandatePlace> = []
      for (let after = ''; ; ) {
        const key = (await nextKey.get({ after }))?.lookup_key
        if (typeof key !== 'string') return places
        after = key
        const place = placeInKey(key)
        if (place !== null && (await any.get({ lookupKey: key, environment })) !== undefined) places.push(place)
      }
    },
    count: async (environment: Environment, place: MandatePlace): Promise<number> =>
      Number((await counted.get({ lookupKey: mandateKey(place), environment }))?.rows ?? 0),
    /** The living mandates that name both, of one merchant or of all (null), by their ids; read as far as they are asked for. */
    living: async function* (
      environment: Environment,
      place: MandatePlace,
      merchantId: string | null,
    ): AsyncGenerator<Found<MandateRow>> {
      for (let lastId = ''; ; ) {
        const named = { lookupKey: mandateKey(place), environment, lastId }
        const rows = await (merchantId === null ? page.all(named) : pageOfOne.all({ ...named, merchantId }))
        for (const row of rows) yield decodeRow(mandates, row)
        const end = rows.at(-1)
        if (end === undefined || rows.length < mandatesAtOnce) return
        lastId = String(end.id)
      }
    },
    /** The mandates that have ended since a moment, in the order of their ends. */
    endedSince: async function* (environment: Environment, since: UnixMs): AsyncGenerator<Found<MandateRow>> {
      for (let [lastEnd, lastId]: [number, string] = [0, '']; ; ) {
        const rows = await ended.all({ environment, since, lastEnd, lastId })
        for (const row of rows) yield decodeRow(mandates, row)
        const end = rows.at(-1)
        if (end === undefined || rows.length < mandatesAtOnce) return
        lastEnd = Number(end.due_at)
        lastId = String(end.id)
      }
    },
  }
}
