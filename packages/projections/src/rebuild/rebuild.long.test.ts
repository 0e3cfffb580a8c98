import { copyFileSync, writeFileSync } from 'node:fs'
import { openDatabase } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { inlineProjections, rowWriters } from '../read-models.ts'
import { anyHistory, write } from '../testing/any-history.ts'
import { openLog } from '../testing/log.ts'
import { type Child, startChild, temporaryFolder } from '../testing/process.ts'
import { allRows, rowsIn, tableOf, tablesLike } from '../testing/tables.ts'
import { modelNames, type RebuildFailure, rebuild } from './rebuild.ts'
import type { Progress, Rebuilt } from './rebuild-model.ts'

const table = tableOf('payments')

const everything = { log: null, models: null, compareOnly: false, onProgress: () => {} }

describe('rebuilding a log that is in use', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  const children: Array<Child> = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill()
  })
  const start = (...parameters: Parameters<typeof startChild>): Child => {
    const child = startChild(...parameters)
    children.push(child)
    return child
  }
  let files = 0
  let path = ''
  beforeEach(async () => {
    files += 1
    path = folder.path(`log-${files}.db`)
    const log = openLog(inlineProjections, path)
    await write(log, fc.sample(anyHistory, { numRuns: 8, seed: 20_261_101 }).flat())
    log.store.close()
  })
  const inFile = <A>(work: (database: ReturnType<typeof openDatabase>) => A, file = path): A => {
    const database = openDatabase(file, { durability: 'full' })
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const forge = (): void => inFile((database) => database.execute(`UPDATE ${table} SET status = 'forged'`))
  const done = (outcome: E.Either<RebuildFailure, ReadonlyArray<Rebuilt>>): ReadonlyArray<Rebuilt> => {
    if (E.isRight(outcome)) return outcome.right
    throw new Error(outcome.left._tag, { cause: outcome.left })
  }
  const differing = (rebuilt: ReadonlyArray<Rebuilt>) =>
    rebuilt.flatMap(({ model, differing: rows }) => (rows > 0 ? [model] : []))

  it('rebuilds all read models, or those that are named, and tells how far it is with all of them', async () => {
    const seen: Array<Progress & { readonly model: string }> = []
    const rebuilt = done(await rebuild({ ...everything, path, onProgress: (progress) => seen.push(progress) })())
    expect(rebuilt.map(({ model, switched }) => [model, switched])).toEqual(modelNames.map((name) => [name, true]))
    const events = rebuilt.reduce((sum, each) => sum + each.events, 0)
    const rows = rebuilt.reduce((sum, each) => sum + each.rows, 0)
    expect(seen.filter(({ all, done: count }) => all !== events || count > all)).toEqual([])
    expect([...new Set(seen.map(({ model }) => model))]).toEqual(modelNames)
    expect(seen.at(-1)).toEqual({ model: modelNames.at(-1), done: events, all: events, comparedRows: rows })
    const some = done(await rebuild({ ...everything, path, models: ['payments', 'merchants'] })())
    expect(some.map(({ model }) => model)).toEqual(['merchants', 'payments'])
  })

  it('heals a table while another process appends, whose every append succeeds', async () => {
    forge()
    const child = start('appending', path)
    expect(await child.line()).toBe('appending')
    const healing = done(await rebuild({ ...everything, path })())
    const again = done(await rebuild({ ...everything, path })())
    child.stop()
    const events = Number(await child.line())
    expect({ ended: await child.ended, healed: differing(healing), again: differing(again) }).toEqual({
      ended: 0,
      healed: ['payments'],
      again: [],
    })
    expect(again.every(({ switched }) => switched)).toBe(true)
    const after = inFile(allRows)
    const fresh = folder.path('fresh.db')
    inFile((database) => {
      for (const { name, version } of rowWriters) database.execute(`DROP TABLE ${name}_${version}`)
      database.execute('DELETE FROM inline_projections')
    })
    copyFileSync(path, fresh)
    const log = openLog(inlineProjections, fresh)
    expect([allRows(log.store.reader), log.store.logHead().position]).toEqual([after, events])
    log.store.close()
  })

  it('harms nothing where it is killed, wherever that is, and heals when it is started again', async () => {
    const healthy = inFile((database) => rowsIn(database, table))
    forge()
    const damaged = inFile((database) => rowsIn(database, table))
    const whole = folder.path('whole.db')
    copyFileSync(path, whole)
    const counting = start('rebuilding', whole, 'never')
    const runs = Number(await counting.line())
    expect([await counting.ended, runs > 20]).toEqual([0, true])
    // The last ones are the count of the rows, the switch, and what follows in its transaction.
    const moments = [2, 10, Math.floor(runs / 2), runs - 5, runs - 4, runs - 3, runs - 2, runs - 1, runs]
    for (const moment of moments) {
      const file = folder.path(`killed-${moment}.db`)
      copyFileSync(path, file)
      const child = start('rebuilding', file, String(moment))
      expect(await child.ended).toBe('SIGKILL')
      expect(inFile((database) => rowsIn(database, table), file)).toEqual(damaged)
      const [healed] = done(await rebuild({ ...everything, path: file, models: ['payments'] })())
      expect(healed).toMatchObject({ differing: healthy.length, switched: true })
      expect(inFile((database) => rowsIn(database, table), file)).toEqual(healthy)
      expect(inFile((database) => tablesLike(database, '%rebuilt%'), file)).toEqual([])
    }
  })

  it('is refused while another one is under way, and only then', async () => {
    const outcomes: Array<Promise<E.Either<RebuildFailure, ReadonlyArray<Rebuilt>>>> = []
    const first = rebuild({
      ...everything,
      path,
      onProgress: () => {
        if (outcomes.length === 0) outcomes.push(rebuild({ ...everything, path })())
      },
    })()
    done(await first)
    expect(await Promise.all(outcomes)).toEqual([E.left({ _tag: 'AlreadyRebuilding' })])
    done(await rebuild({ ...everything, path })())
  })

  it('says why it cannot begin: no log, a newer one, a file that is none', async () => {
    const outcome = async (file: string) => {
      const ended = await rebuild({ ...everything, path: file })()
      return E.isLeft(ended) ? ended.left._tag : 'done'
    }
    const [missing, other, torn] = [folder.path('missing.db'), folder.path('other.db'), folder.path('torn.db')]
    inFile((database) => database.execute('CREATE TABLE things (id TEXT)'), other)
    writeFileSync(torn, Buffer.alloc(8_192, 0xa5))
    inFile((database) => database.execute('PRAGMA user_version = 99'))
    const found = await Promise.all([missing, other, torn, path].map(outcome))
    expect(found).toEqual(['NothingToRebuild', 'NothingToRebuild', 'StoreUnavailable', 'NewerSchema'])
  })
})
