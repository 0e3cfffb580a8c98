import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { type EventStore, type Head, noEvents } from '@quittance/event-store'
import { inlineProjections } from '../../read-models.ts'
import type { Log } from '../../testing/any-history.ts'
import { openLog } from '../../testing/log.ts'

/** A log on SQLite with all read models, as a history leaves it. Its streams belong to two merchants. */
export const onSqlite = async (history: (log: Log) => Promise<void>) => {
  const log = openLog(inlineProjections)
  const merchantOf = (id: string) => ({ merchantId: id.includes('2') ? 'mer_2' : 'mer_1' })
  await history({
    ...log,
    give: (aggregate, id, command, writing) => log.give(aggregate, id, command, { ...writing, ...merchantOf(id) }),
    occur: (aggregate, id, event, writing) => log.occur(aggregate, id, event, { ...writing, ...merchantOf(id) }),
  })
  return { store: log.store, events: await everyEvent(log.store) }
}

export const everyEvent = async (store: EventStore): Promise<ReadonlyArray<RecordedEvent>> => {
  const events: RecordedEvent[] = []
  for await (const event of store.readAll(0n)) events.push(event)
  return events
}

/** Events that were appended at once. */
type Appended = { readonly stream: string; readonly commandId: string; readonly events: RecordedEvent[] }

/** Appends the same events in the same order, several streams at once. */
export const appendTo = async (store: EventStore, events: ReadonlyArray<RecordedEvent>): Promise<void> => {
  const appends: Appended[] = []
  for (const event of events) {
    const { stream, metadata } = event
    const last = appends.at(-1)
    if (last?.stream === stream && last.commandId === metadata.commandId) last.events.push(event)
    else appends.push({ stream, commandId: metadata.commandId, events: [event] })
  }
  const heads = new Map<string, Head>()
  const append = async ({ stream, events: appended }: Appended): Promise<void> => {
    const fresh = appended.map(({ id, type, schemaVersion, data, metadata: { hash: _, ...context } }) => ({
      id,
      type,
      schemaVersion,
      data,
      context,
    }))
    heads.set(stream, right(await store.append(stream, heads.get(stream) ?? noEvents, fresh)()).head)
  }
  let together: Appended[] = []
  for (const each of appends) {
    if (together.length === 8 || together.some(({ stream }) => stream === each.stream)) {
      await Promise.all(together.map(append))
      together = []
    }
    together.push(each)
  }
  await Promise.all(together.map(append))
}
