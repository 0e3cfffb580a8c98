import { postgres } from '../dialect.ts'
import {
  compiledMandateQueries,
  type MandatePlace,
  mandateKey,
  type mandateQueries,
  mandates,
  mandatesAtOnce,
  placeInKey,
} from '../mandates.ts'
import { decodeRow } from '../table-rows.ts'
import type { Asynchronous } from './asynchronous.ts'
import { type PostgresReading, prepare } from './prepare.ts'

export const postgresMandateQueries = (reading: PostgresReading): Asynchronous<ReturnType<typeof mandateQueries>> => {
  const queries = compiledMandateQueries(postgres)
  const nextKey = prepare(reading, queries.nextKey)
  const any = prepare(reading, queries.any)
  const counted = prepare(reading, queries.counted)
  const page = prepare(reading, queries.page)
  const pageOfOne = prepare(reading, queries.pageOfOne)
  const ended = prepare(reading, queries.ended)
  return {
    places: async (environment) => {
      const places: Array<MandatePlace> = []
      for (let after = ''; ; ) {
        const key = (await nextKey.get({ after }))?.lookup_key
        if (typeof key !== 'string') return places
        after = key
        const place = placeInKey(key)
        if (place !== null && (await any.get({ lookupKey: key, environment })) !== undefined) places.push(place)
      }
    },
    count: async (environment, place) =>
      Number((await counted.get({ lookupKey: mandateKey(place), environment }))?.rows ?? 0),
    living: async function* (environment, place, merchantId) {
      for (let lastId = ''; ; ) {
        const named = { lookupKey: mandateKey(place), environment, lastId }
        const rows = await (merchantId === null ? page.all(named) : pageOfOne.all({ ...named, merchantId }))
        for (const row of rows) yield decodeRow(mandates, row)
        const end = rows.at(-1)
        if (end === undefined || rows.length < mandatesAtOnce) return
        lastId = String(end.id)
      }
    },
    endedSince: async function* (environment, since) {
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
