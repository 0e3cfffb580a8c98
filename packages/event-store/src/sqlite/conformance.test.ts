import type { StoreUnderTest, Tampering } from '../conformance/adapter.ts'
import type { SqlDatabase } from '../sql.ts'
import { reportEventStore } from '../testing/reported-suite.ts'
import { openDatabase } from './database.ts'
import { sqliteEventStore } from './store.ts'
import { startAppending, temporaryFile } from './testing/process.ts'
import { verify } from './verify.ts'

/** Flips the lowest bit of the middle character. */
const flipped = (text: string): string => {
  const middle = Math.floor(text.length / 2)
  return text.slice(0, middle) + String.fromCharCode(text.charCodeAt(middle) ^ 1) + text.slice(middle + 1)
}

const tamper = (sql: SqlDatabase, change: Tampering): void => {
  switch (change._tag) {
    case 'flipByte': {
      const position = Number(change.position)
      const value = sql.prepare(`SELECT ${change.field} AS value FROM events WHERE position = ?`).get(position)?.value
      const other = typeof value === 'number' ? value ^ 64 : flipped(String(value))
      sql.prepare(`UPDATE events SET ${change.field} = ? WHERE position = ?`).run(other, position)
      return
    }
    case 'dropEvent':
      sql.prepare('DELETE FROM events WHERE position = ?').run(change.position)
      return
    case 'swapEvents': {
      const move = sql.prepare('UPDATE events SET position = ? WHERE position = ?')
      move.run(-1, change.position)
      move.run(change.position, change.other)
      move.run(change.other, -1)
      return
    }
    case 'cutTail':
      sql.prepare('DELETE FROM events WHERE position > ?').run(change.after)
  }
}

const withConnection = (path: string, work: (sql: SqlDatabase) => void): void => {
  const sql = openDatabase(path, { durability: 'full' })
  work(sql)
  sql.close()
}

const fresh = async (): Promise<StoreUnderTest> => {
  const { path, remove } = temporaryFile()
  const open = () => sqliteEventStore({ path, clock: Date.now, projections: [] })
  const store = open()
  const others: { readonly close: () => void }[] = []
  return {
    store,
    another: () => {
      const other = open()
      others.push(other)
      return other
    },
    fillDisk: () => {
      const pages = Number(store.writer.prepare('PRAGMA page_count').get()?.page_count)
      store.writer.execute(`PRAGMA max_page_count = ${pages + 60}`)
      return () => store.writer.execute('PRAGMA max_page_count = 1000000')
    },
    tamper: (change) => withConnection(path, (sql) => tamper(sql, change)),
    findProblems: async (expected) =>
      (await verify(path, { expected })).problems.map(({ stream, revision }) => ({ stream, revision })),
    logHead: store.logHead,
    killedAppend: async (moment, stream, id) => {
      expect(await startAppending(path, moment, stream, id).ended).toBe('SIGKILL')
    },
    dispose: async () => {
      for (const other of others) other.close()
      store.close()
      remove()
    },
  }
}

reportEventStore('SQLite', fresh)
