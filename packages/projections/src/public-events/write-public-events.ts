import { createHash } from 'node:crypto'
import { count, EventId, makeId, positiveCount, type RecordedEvent, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { createListed, decodeRow } from '../table-rows.ts'
import { byId, type RowValues, type RowWriter, upsert } from '../write-rows.ts'
import { type Kept, type Recall, recallFrom } from './memory.ts'
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
    const { recall, keepAll } = openMemory(database, table)
    const save = saver(database, table)
    return (event) => {
      const { drafts, kept } = publicationOf(event, recall)
      drafts.forEach((draft, ordinal) => {
        save(event, draft, ordinal)
      })
      keepAll(kept)
    }
  },
}

/** What an event makes public, and what it leaves to be remembered. */
export const publicationOf = (event: RecordedEvent, recall: Recall): Publication => {
  const [category = ''] = event.stream.split('-', 1)
  const decide = publishers.get(category)
  return decide === undefined ? nothing : decide(event, event.stream.slice(category.length + 1), recall)
}

/** Gives each the next sequence number of its resource. */
const saver = (database: SqlDatabase, table: string) => {
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
  return (event: RecordedEvent, draft: PublicEventDraft, ordinal: number): void => {
    const { merchantId, environment } = event.metadata
    const before = isFirstOf(event, draft, ordinal)
      ? undefined
      : newest.get({ merchantId, environment, resourceId: draft.resourceId })
    const sequence = 1 + (before === undefined ? 0 : decodeRow(publicEventTable, before).row.sequence)
    save.run(publicEventValues(event, draft, ordinal, sequence))
  }
}

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
  const digest = createHash('sha256').update(`${id}\n${EventId.prefix}\n${ordinal}`).digest()
  return makeId(EventId, unixMs(metadata.occurredAt), digest.subarray(0, 10))
}

const openMemory = (
  database: SqlDatabase,
  table: string,
): { readonly recall: Recall; readonly keepAll: (kept: ReadonlyArray<Kept>) => void } => {
  const read = prepare(database, byId(table))
  const save = prepare(database, upsert(table))
  const forget = prepare(database, sqlBuilder.deleteFrom(table).where('id', '=', given<string>('id')))
  return {
    recall: recallFrom((id) => {
      const row = read.get({ id })
      return row === undefined ? null : String(row.body)
    }),
    keepAll: (kept) => {
      for (const { name: id, text: body } of kept) {
        if (body === null) forget.run({ id })
        else save.run(rememberedValues(id, body))
      }
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
