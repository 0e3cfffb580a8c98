import { createHash } from 'node:crypto'
import { count, EventId, makeId, positiveCount, type RecordedEvent, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { createListed, decodeRow } from '../table-rows.ts'
import { byId, type RowWriter, upsert } from '../write-rows.ts'
import { AnnouncementRow, announcementTable, placeOf } from './announcement-row.ts'
import { type Kept, type Recall, recallFrom } from './memory.ts'
import { tellers } from './tellers.ts'
import type { Told } from './told.ts'

/** Writes what each event of the log tells; what is to be remembered stands among it, in rows of no merchant. */
export const announcementWriter: RowWriter = {
  name: announcementTable.name,
  version: announcementTable.version,
  category: null,
  create: createListed,
  open: (database, table) => {
    const { recall, keepAll } = openMemory(database, table)
    const announce = announcer(database, table)
    return (event) => {
      const [category = ''] = event.stream.split('-', 1)
      const decide = tellers.get(category)
      if (decide === undefined) return
      const { told, kept } = decide(event, event.stream.slice(category.length + 1), recall)
      told.forEach((each, ordinal) => {
        announce(event, each, ordinal)
      })
      keepAll(kept)
    }
  },
}

/** Each gets the next number of its resource. */
const announcer = (database: SqlDatabase, table: string) => {
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
  return (event: RecordedEvent, { type, resourceId }: Told, ordinal: number): void => {
    const { merchantId, environment, occurredAt } = event.metadata
    // Nothing is told of a thing before its own stream begins.
    const isFirst = event.revision === 0n && ordinal === 0 && event.stream.endsWith(`-${resourceId}`)
    const before = isFirst ? undefined : newest.get({ merchantId, environment, resourceId })
    const sequence = 1 + (before === undefined ? 0 : decodeRow(announcementTable, before).row.sequence)
    const id = announcementId(event, ordinal)
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
      body: JSON.stringify(AnnouncementRow.encode(row)),
    })
  }
}

const announcementId = ({ id, metadata }: RecordedEvent, ordinal: number): EventId => {
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
