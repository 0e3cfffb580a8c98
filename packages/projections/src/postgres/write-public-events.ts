import type { RecordedEvent } from '@quittance/domain'
import type { PostgresSql } from '@quittance/event-store/postgres'
import * as E from 'fp-ts/lib/Either.js'
import type { RowValues } from '../changed-rows.ts'
import { recallFrom } from '../public-events/memory.ts'
import { publicEventTable } from '../public-events/public-event-row.ts'
import type { Publication, PublicEventDraft } from '../public-events/publication.ts'
import { isFirstOf, publicationOf, publicEventValues, rememberedValues } from '../public-events/write-public-events.ts'
import { decodeRow, searched } from '../table-rows.ts'
import { createTable, rowsWithIds, saveRows } from './rows.ts'
import type { PostgresRowWriter } from './write-rows.ts'

/** Writes the public events that each event of the log gives. */
export const publicEventWriter: PostgresRowWriter = {
  name: publicEventTable.name,
  version: publicEventTable.version,
  category: null,
  create: (sql, table) => createTable(sql, table, searched),
  apply: async (sql, table, events) => {
    const { drafts, kept } = await publications(sql, table, events)
    const announced = await numbered(sql, table, drafts)
    const remembered = [...kept].flatMap(([name, text]) => (text === null ? [] : [rememberedValues(name, text)]))
    const forgotten = [...kept].flatMap(([name, text]) => (text === null ? [name] : []))
    await saveRows(sql, table, [...announced, ...remembered])
    if (forgotten.length > 0) await sql.query(`DELETE FROM ${table} WHERE id = ANY($1::text[])`, [forgotten])
  },
}

type Draft = { readonly event: RecordedEvent; readonly draft: PublicEventDraft; readonly ordinal: number }
/** Texts by their names; null is remembered of none. */
type Remembered = Map<string, string | null>

/** What events make public, and what they leave to be remembered. */
const publications = async (
  sql: PostgresSql,
  table: string,
  events: ReadonlyArray<RecordedEvent>,
): Promise<{ readonly drafts: ReadonlyArray<Draft>; readonly kept: Remembered }> => {
  const known: Remembered = new Map()
  const kept: Remembered = new Map()
  const drafts: Draft[] = []
  for (let next = 0; next < events.length; ) {
    const event = events[next]
    if (event === undefined) break
    const { unread, publication } = attempted(event, known)
    if (unread.length > 0) {
      // One look-up for all that the rest is seen to ask for. What an answer makes it ask for is found by the next.
      await readInto(known, sql, table, askedBy(events.slice(next), known))
      continue
    }
    if (E.isLeft(publication)) throw publication.left
    for (const [ordinal, draft] of publication.right.drafts.entries()) drafts.push({ event, draft, ordinal })
    for (const { name, text } of publication.right.kept) for (const memory of [known, kept]) memory.set(name, text)
    next += 1
  }
  return { drafts, kept }
}

/** What an event makes public, or the defect that it meets: to be believed if nothing that it asks for is unread. */
type Attempt = { readonly publication: E.Either<unknown, Publication>; readonly unread: ReadonlyArray<string> }

const attempted = (event: RecordedEvent, known: Remembered): Attempt => {
  const unread: string[] = []
  const recall = recallFrom((name) => {
    const text = known.get(name)
    if (text === undefined) unread.push(name)
    return text ?? null
  })
  const publication = E.tryCatch(
    () => publicationOf(event, recall),
    (cause) => cause,
  )
  return { publication, unread }
}

/** What events ask for and is not known, as far as can be seen without it. */
const askedBy = (events: ReadonlyArray<RecordedEvent>, known: Remembered): ReadonlyArray<string> => {
  const supposed = new Map(known)
  const asked = new Set<string>()
  for (const event of events) {
    const { publication, unread } = attempted(event, supposed)
    for (const name of unread) asked.add(name)
    if (E.isRight(publication)) for (const { name, text } of publication.right.kept) supposed.set(name, text)
  }
  return [...asked]
}

const readInto = async (
  known: Remembered,
  sql: PostgresSql,
  table: string,
  names: ReadonlyArray<string>,
): Promise<void> => {
  for (const name of names) known.set(name, null)
  for (const { id, body } of await rowsWithIds(sql, table, names)) known.set(String(id), String(body))
}

const newestOfEach = (table: string) => `
  SELECT asked.place, newest.* FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
    AS asked(merchant_id, environment, listed_under, place)
  CROSS JOIN LATERAL (
    SELECT id, merchant_id, environment, body FROM ${table} AS known
    WHERE known.merchant_id = asked.merchant_id AND known.environment = asked.environment
      AND known.listed_under = asked.listed_under
    ORDER BY known.id DESC LIMIT 1
  ) AS newest`

/** Gives each public event the next sequence number of its resource. */
const numbered = async (
  sql: PostgresSql,
  table: string,
  drafts: ReadonlyArray<Draft>,
): Promise<ReadonlyArray<RowValues>> => {
  const resources = new Map<string, readonly [merchantId: string, environment: string, resourceId: string]>()
  const sequences = new Map<string, number>()
  for (const { event, draft, ordinal } of drafts) {
    const resource = resourceOf(event, draft)
    if (isFirstOf(event, draft, ordinal)) sequences.set(keyOf(resource), 0)
    else if (!sequences.has(keyOf(resource))) resources.set(keyOf(resource), resource)
  }
  const asked = [...resources.values()]
  const columns = [asked.map(([merchantId]) => merchantId), asked.map(([, environment]) => environment)]
  const newest =
    asked.length === 0 ? [] : (await sql.query(newestOfEach(table), [...columns, asked.map(([, , id]) => id)])).rows
  for (const row of newest) {
    const resource = asked[Number(row.place) - 1]
    if (resource !== undefined) sequences.set(keyOf(resource), decodeRow(publicEventTable, row).row.sequence)
  }
  return drafts.map(({ event, draft, ordinal }) => {
    const key = keyOf(resourceOf(event, draft))
    const sequence = 1 + (isFirstOf(event, draft, ordinal) ? 0 : (sequences.get(key) ?? 0))
    sequences.set(key, sequence)
    return publicEventValues(event, draft, ordinal, sequence)
  })
}

const resourceOf = ({ metadata }: RecordedEvent, { resourceId }: PublicEventDraft) =>
  [metadata.merchantId, metadata.environment, resourceId] as const
const keyOf = (resource: ReadonlyArray<string>): string => JSON.stringify(resource)
