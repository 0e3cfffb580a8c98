import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Alongside, changesOf, type EventStore, noEvents, type SqlDatabase } from '@quittance/event-store'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { claimingFirst } from './claiming-first.ts'

const unknown = { _tag: 'OutcomeUnknown', cause: 'a test' } as const

describe('a write alongside an append to a remote log', () => {
  let folder: string
  let database: SqlDatabase
  /** What was written when the log was asked to append, and what it was given to write alongside. */
  let asked: Array<{ readonly claims: number; readonly alongside: unknown }>
  let store: EventStore
  const claims = (): number => database.prepare('SELECT * FROM claims').all().length
  const claim = (key: string): Alongside =>
    function* () {
      yield* changesOf('INSERT INTO claims VALUES (?)', key)()
    }
  const append = (alongside?: Alongside) => store.append('thing-1', noEvents, [], alongside)()
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-claiming-'))
    database = openDatabase(join(folder, 'claims.db'), { durability: 'full' })
    database.execute('CREATE TABLE claims (key TEXT PRIMARY KEY) STRICT')
    asked = []
    const log: Pick<EventStore, 'append'> = {
      append: (_stream, _head, _events, alongside) => {
        asked.push({ claims: claims(), alongside })
        return TE.left(unknown)
      },
    }
    const unread = (): never => {
      throw new Error('nothing is read here')
    }
    store = claimingFirst({ readStream: unread, readAll: unread, subscribe: unread, ...log }, sqlitePrograms(database))
  })
  afterEach(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })

  it('comes before the append, and stays whatever its outcome', async () => {
    expect(await append(claim('a'))).toEqual(E.left(unknown))
    expect({ asked, claims: claims() }).toEqual({ asked: [{ claims: 1, alongside: undefined }], claims: 1 })
  })

  it('happens once for all appends of a command', async () => {
    const alongside = claim('a')
    for (let n = 0; n < 3; n++) expect(await append(alongside)).toEqual(E.left(unknown))
    expect(claims()).toBe(1)
  })

  it('is left out when there is none', async () => {
    expect(await append()).toEqual(E.left(unknown))
    expect(asked).toEqual([{ claims: 0, alongside: undefined }])
  })

  it('refuses the append when it throws, leaves nothing behind, and is tried again with the next append', async () => {
    const cause = new RangeError('taken')
    let isTaken = true
    const alongside: Alongside = function* () {
      yield* claim('a')()
      if (isTaken) throw cause
    }
    expect(await append(alongside)).toEqual(E.left({ _tag: 'AppendRefused', cause }))
    expect({ asked, claims: claims() }).toEqual({ asked: [], claims: 0 })
    isTaken = false
    expect(await append(alongside)).toEqual(E.left(unknown))
    expect(claims()).toBe(1)
  })

  it('prevents the append when the file cannot be written', async () => {
    database.execute('PRAGMA query_only = ON')
    expect(await append(claim('a'))).toMatchObject({ left: { _tag: 'StoreUnavailable' } })
    expect(asked).toEqual([])
  })
})
