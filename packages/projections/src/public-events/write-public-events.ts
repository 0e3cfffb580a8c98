import { hash } from 'node:crypto'
import { count, EventId, makeId, positiveCount, type RecordedEvent, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { RowValues } from '../changed-rows.ts'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { createListed, decodeRow } from '../table-rows.ts'
import { byId, type RowWriter, upsert } from '../write-rows.ts'
import { type Recall, recallFrom } from './memory.ts'
import { PublicEventRow, placeOf, publicEventTable } from './public-event-row.ts'
import { nothing, type Publication, type PublicEventDraft } from './publication.ts'
import { publishers } from './publishers.ts'

/** Writes the public events that each event of the log gives. What they remember has rows of no merchant in the same table. */
export const publicEventWriter: RowWriter = {
  name: publicEventTable.name,
  version: publicEventTable.version,
  category: null,
  create: createListed,
  open: (database, table) => {
    const memory = openMemory(database, table)
    const { newest, save } = openFeed(database, table)
    return (event) => {
      const { drafts, kept } = publicationOf(event, recallFrom(memory.find))
      for (const [ordinal, draft] of drafts.entries()) {
        const before = isFirstOf(event, draft, ordinal) ? 0 : newest(event, draft)
        save(publicEventValues(event, draft, ordinal, before + 1))
      }
      for (const { name, text } of kept) memory.keep(name, text)
    }
  },
  openMany: (database, table) => {
    const memory = openMemory(database, table)
    const { newest, save } = openFeed(database, table)
    return (events) => {
      const known = new Map<string, string | null>()
      const changed = new Set<string>()
      const sequences = new Map<string, number>()
      const recall = recallFrom((name) => {
        const text = known.get(name) ?? (known.has(name) ? null : memory.find(name))
        known.set(name, text)
        return text
      })
      for (const event of events) {
        const { drafts, kept } = publicationOf(event, recall)
        for (const [ordinal, draft] of drafts.entries()) {
          const key = resourceKeyOf(event, draft)
          const before = isFirstOf(event, draft, ordinal) ? 0 : (sequences.get(key) ?? newest(event, draft))
          sequences.set(key, before + 1)
          save(publicEventValues(event, draft, ordinal, before + 1))
        }
        for (const { name, text } of kept) {
          known.set(name, text)
          changed.add(name)
        }
      }
      for (const name of changed) memory.keep(name, known.get(name) ?? null)
    }
  },
}

/** What an event makes public, and what it leaves to be remembered. */
export const publicationOf = (event: RecordedEvent, recall: Recall): Publication => {
  const [category = ''] = event.stream.split('-', 1)
  const decide = publishers.get(category)
  return decide === undefined ? nothing : decide(event, event.stream.slice(category.length + 1), recall)
}

/** The public events of a table: the sequence number of a resource's newest (0 without), and what writes one. */
const openFeed = (database: SqlDatabase, table: string) => {
  const save = prepare(database, upsert(table))
  const newest = prepare(
    database,
    sqlBuilder
      .selectFrom(table)
      .selectAll()
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('environment', '=', given<string>('environment'))
      .where('listed_under', '=', given<string>('resourceId'))
      .orderBy('id', 'desc')
      .limit(1),
  )
  return {
    newest: ({ metadata: { merchantId, environment } }: RecordedEvent, { resourceId }: PublicEventDraft): number => {
      const row = newest.get({ merchantId, environment, resourceId })
      return row === undefined ? 0 : decodeRow(publicEventTable, row).row.sequence
    },
    save: (values: RowValues): void => save.run(values),
  }
}

/** Distinguishes the resources of all merchants. */
const resourceKeyOf = (
  { metadata: { merchantId, environment } }: RecordedEvent,
  { resourceId }: PublicEventDraft,
): string => JSON.stringify([merchantId, environment, resourceId])

/** Whether it is the first of its resource, which has no public event before its own stream begins. */
export const isFirstOf = (event: RecordedEvent, { resourceId }: PublicEventDraft, ordinal: number): boolean =>
  event.revision === 0n && ordinal === 0 && event.stream.endsWith(`-${resourceId}`)

/** The row of the `ordinal`-th public event that an event gives. */
export const publicEventValues = (
  event: RecordedEvent,
  { type, resourceId }: PublicEventDraft,
  ordinal: number,
  sequence: number,
): RowValues => {
  const { merchantId, environment, occurredAt } = event.metadata
  const id = publicEventId(event, ordinal)
  const revision = Number(event.revision)
  const row = {
    id,
    type,
    resourceId,
    sequence: positiveCount(sequence),
    stream: event.stream,
    revision: count(revision),
    occurredAt: unixMs(occurredAt),
  }
  return {
    id: placeOf(event.position, ordinal),
    merchantId,
    environment,
    listedUnder: resourceId,
    status: type,
    lookupKey: id,
    dueAt: null,
    revision,
    body: JSON.stringify(PublicEventRow.encode(row)),
  }
}

const publicEventId = ({ id, metadata }: RecordedEvent, ordinal: number): EventId => {
  const digest = hash('sha256', `${id}\n${EventId.prefix}\n${ordinal}`, 'buffer')
  return makeId(EventId, unixMs(metadata.occurredAt), digest.subarray(0, 10))
}

/** What is remembered in a table, by its names; null forgets. */
const openMemory = (database: SqlDatabase, table: string) => {
  const read = prepare(database, byId(table))
  const save = prepare(database, upsert(table))
  const forget = prepare(database, sqlBuilder.deleteFrom(table).where('id', '=', given<string>('id')))
  return {
    find: (id: string): string | null => {
      const row = read.get({ id })
      return row === undefined ? null : String(row.body)
    },
    keep: (id: string, body: string | null): void => {
      if (body === null) forget.run({ id })
      else save.run(rememberedValues(id, body))
    },
  }
}

/** The row of something to remember, which is nobody's. */
export const rememberedValues = (id: string, body: string): RowValues => ({
  id,
  merchantId: '',
  environment: '',
  listedUnder: null,
  status: null,
  lookupKey: null,
  dueAt: null,
  revision: 0,
  body,
})
