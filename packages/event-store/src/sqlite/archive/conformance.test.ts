import type { StoreUnderTest } from '../../conformance/adapter.ts'
import type { EventStore } from '../../port.ts'
import { reportEventStore } from '../../testing/reported-suite.ts'
import { sqliteEventStore } from '../store.ts'
import { startAppending, temporaryFile } from '../testing/process.ts'
import { verify } from '../verify.ts'
import { archiveLog } from './archive-log.ts'

/** A log that is archived, but for its last event, all the time while the suite reads and appends. */
const fresh = async (): Promise<StoreUnderTest> => {
  const { path, remove } = temporaryFile()
  const opened: { readonly close: () => void }[] = []
  let archiving: Promise<unknown> | null = null
  const archive = (): Promise<unknown> => {
    archiving ??= archiveLog({ path, before: Number.POSITIVE_INFINITY, clock: Date.now, mostEvents: 20 }).finally(
      () => {
        archiving = null
      },
    )
    return archiving
  }
  const open = (): EventStore => {
    const store = sqliteEventStore({ path, clock: Date.now, projections: [] })
    opened.push(store)
    return {
      ...store,
      append: (...append) => {
        const appending = store.append(...append)
        return async () => {
          const appended = await appending()
          void archive()
          return appended
        }
      },
    }
  }
  return {
    store: open(),
    another: open,
    killedAppend: async (moment, stream, id) => {
      await archive()
      expect(await startAppending(path, moment, stream, id).ended).toBe('SIGKILL')
    },
    dispose: async () => {
      await archive()
      expect(await verify(path)).toMatchObject({ ok: true, problems: [] })
      for (const store of opened) store.close()
      remove()
    },
  }
}

reportEventStore('SQLite, archived meanwhile', fresh, ['fillDisk', 'findProblems', 'logHead', 'tamper'])
