import {
  type Alongside,
  changesOf,
  type EventStore,
  noEvents,
  rowsOf,
  type SqlProgram,
  type SqlRun,
} from '@quittance/event-store'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { fencedSql, fencedStore, whileHolding } from './fence.ts'

const guard: SqlProgram<void> = function* () {
  yield* rowsOf('the fence')()
}

/** The statements of a program that is answered with no rows. */
const statementsOf = (program: SqlProgram<unknown>): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const steps = program()
  for (let step = steps.next(); step.done !== true; step = steps.next({ rows: [], changes: 0 }))
    texts.push(step.value.text)
  return texts
}

describe('a fenced log', () => {
  let asked: Array<Alongside | undefined> = []
  const unread = (): never => {
    throw new Error('nothing is read here')
  }
  const store: EventStore = fencedStore({
    readStream: unread,
    readAll: unread,
    subscribe: unread,
    append: (_stream, _head, _events, alongside) => async () => {
      asked.push(alongside)
      return E.left({ _tag: 'OutcomeUnknown', cause: 'a test' })
    },
  })
  const append = (alongside?: Alongside) => store.append('thing-1', noEvents, [], alongside)()
  const beside: Alongside = function* () {
    yield* rowsOf('beside')()
  }
  beforeEach(() => {
    asked = []
  })

  it('passes what goes alongside as it is, outside of a role', async () => {
    await append(beside)
    await append()
    expect(asked).toEqual([beside, undefined])
    expect(asked[0]).toBe(beside)
  })

  it('writes behind the fence what goes alongside, in a role', async () => {
    await whileHolding(guard, async () => {
      await append(beside)
      await append()
    })
    expect(asked.map((each) => each && statementsOf(each))).toEqual([['the fence', 'beside'], ['the fence']])
  })

  it('guards an append by the role in which it is sent, not by that in which it was prepared', async () => {
    const prepared = store.append('thing-1', noEvents, [])
    await whileHolding(guard, prepared)
    await whileHolding(guard, async () => store.append('thing-1', noEvents, [])).then((later) => later())
    expect(asked.map((each) => each && statementsOf(each))).toEqual([['the fence'], undefined])
  })
})

describe('a fenced database', () => {
  let ran: Array<{ readonly program: SqlProgram<unknown>; readonly options: SqlRun | undefined }> = []
  const run = async <A>(program: SqlProgram<A>, options?: SqlRun): Promise<A> => {
    ran.push({ program, options })
    const steps = program()
    let step = steps.next()
    while (step.done !== true) step = steps.next({ rows: [], changes: 7 })
    return step.value
  }
  const database = openDatabase(':memory:', { durability: 'full' })
  const sql = fencedSql({ dialect: sqlitePrograms(database).dialect, run })
  beforeEach(() => {
    ran = []
  })
  afterAll(() => database.close())
  const shown = () => ran.map(({ program, options }) => [statementsOf(program), program.isLone === true, options])

  it('runs each program as it is, outside of a role', async () => {
    const program = changesOf('UPDATE things')
    expect(await sql.run(program, { durability: 'soon' })).toBe(7)
    expect(ran).toEqual([{ program, options: { durability: 'soon' } }])
    expect(ran[0]?.program).toBe(program)
  })

  it('runs a program behind the fence in one transaction, in a role, and answers what it answers', async () => {
    const program: SqlProgram<string> = function* () {
      yield* rowsOf('SELECT 1')()
      return 'done'
    }
    expect(await whileHolding(guard, () => sql.run(program, { durability: 'soon' }))).toBe('done')
    expect(shown()).toEqual([[['the fence', 'SELECT 1'], false, { durability: 'soon' }]])
  })

  it.each(['UPDATE things', 'INSERT INTO things SELECT 1', 'DELETE FROM things', 'WITH a AS (DELETE FROM b) SELECT 1'])(
    'runs a lone statement behind the fence, in a role: %s',
    async (text) => {
      expect(await whileHolding(guard, () => sql.run(changesOf(text)))).toBe(7)
      expect(shown()).toEqual([[['the fence', text], false, undefined]])
    },
  )

  it.each(['SELECT 1', '\n  select 1'])('leaves a lone SELECT alone, in a role too: %j', async (text) => {
    await whileHolding(guard, () => sql.run(rowsOf(text)))
    expect(shown()).toEqual([[[text], true, undefined]])
  })

  it('tells the role of each work that goes on beside other work', async () => {
    const write = async (text: string): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      await sql.run(changesOf(text))
    }
    const another: SqlProgram<void> = function* () {
      yield* rowsOf('another fence')()
    }
    await Promise.all([
      whileHolding(another, () => write('UPDATE a')),
      whileHolding(guard, () => write('UPDATE b')),
      write('UPDATE c'),
    ])
    expect(ran.map(({ program }) => statementsOf(program))).toEqual([
      ['another fence', 'UPDATE a'],
      ['the fence', 'UPDATE b'],
      ['UPDATE c'],
    ])
  })
})
