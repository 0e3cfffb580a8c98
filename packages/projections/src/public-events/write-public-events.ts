import { createHash } from 'node:crypto'
import { count, EventId, makeId, positiveCount, type RecordedEvent, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { createListed, decodeRow } from '../table-rows.ts'
import { byId, type RowWriter, upsert } from '../write-rows.ts'
import { type Kept, type Recall, recallFrom } from './memory.ts'
import { PublicEventRow, placeOf, publicEventTable } from './public-event-row.ts'
import type { PublicEventDraft } from './publication.ts'
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
      const [category = ''] = event.stream.split('-', 1)
      const decide = publishers.get(category)
      if (decide === undefined) return
      const { drafts, kept } = decide(event, event.stream.slice(category.length + 1), recall)
      drafts.forEach((draft, ordinal) => {
        save(event, draft, ordinal)
      })
      keepAll(kept)
    }
  },
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
  return (event: RecordedEvent, { type, resourceId }: PublicEventDraft, ordinal: number): void => {
    const { merchantId, environment, occurredAt } = event.metadata
    // A resource has no public event before its own stream begins.
    const isFirst = event.revision === 0n && ordinal === 0 && event.stream.endsWith(`-${resourceId}`)
    const before = isFirst ? undefined : newest.get({ merchantId, environment, resourceId })
    const sequence = 1 + (before === undefined ? 0 : decodeRow(publicEventTable, before).row.sequence)
    const id = publicEventId(event, ordinal)
    const { stream } = event
    const revision = Number(event.revision)
    const row = {
      id,
      type,
      resourceId,
      sequence: positiveCount(sequence),
      stream,
      revision: count(revision),
      occurredAt: unixMs(occurredAt),
    }
    save.run({
      id: placeOf(event.position, ordinal),
      merchantId,
      environment,
      listedUnder: resourceId,
      status: type,
      lookupKey: id,
      dueAt: null,
      revision,
      body: JSON.stringify(PublicEventRow.encode(row)),
    })
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
  const ofNobody = { merchantId: '', environment: '', listedUnder: null, status: null, lookupKey: null, dueAt: null }
  return {
    recall: recallFrom((id) => {
      const row = read.get({ id })
      return row === undefined ? null : String(row.body)
    }),
    keepAll: (kept) => {
      for (const { name: id, text: body } of kept) {
        if (body === null) forget.run({ id })
        else save.run({ ...ofNobody, id, revision: 0, body })
      }
    },
  }
}
