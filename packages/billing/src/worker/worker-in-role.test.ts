import { sqliteEventStore, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { fencedStore, RoleLost } from '../kernel/fence.ts'
import { type Roles, roles } from '../stores/roles.ts'
import {
  notesIn,
  type OpenDatabase,
  pass,
  prepareDatabase,
  type RoleProcess,
  roleProcess,
  writeNote,
} from '../stores/testing/role-processes.ts'
import { present } from '../testing/outcomes.ts'
import { openStoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { type LoopReport, runWorker } from './run.ts'
import type { StepFailure, Worker } from './worker.ts'
import { workerInRole } from './worker-in-role.ts'

const name = 'worker/testnet'
const leaseMs = 6_000
const elsewhere = E.left({ _tag: 'HeldElsewhere', role: name })
const done = E.right(undefined)
const never = 1e9

type Step = () => Promise<E.Either<StepFailure, void>>

/** A worker whose steps do only this. */
const working = (step: Step, troubles: Worker['troubles'] = () => []): Worker => ({
  step,
  troubles,
  nextDue: async () => null,
  halted: () => null,
  named: () => {
    throw new Error('nothing is named here')
  },
  protocol: () => null,
  contractLives: () => new Map(),
})

describe('a worker that several processes have', () => {
  let database: OpenDatabase
  let shared: RoleProcess
  beforeEach(async () => {
    const store = sqliteEventStore({ path: ':memory:', clock: Date.now, projections: [], durability: 'full' })
    database = { store, sql: sqlitePrograms(store.writer), close: async () => store.close() }
    await prepareDatabase(database)
    shared = roleProcess(database)
  })
  afterEach(() => database.close())

  /** The worker of a process, of which each step writes the process's name, unless it does something else. */
  const inProcess = (process: string, step: Step = writing(process), renewedEachMs = never) =>
    present(workerInRole(() => working(step), roles(shared.plain, process, leaseMs), 'testnet', renewedEachMs))
  const writing =
    (note: string): Step =>
    async () => {
      await shared.sql.run(writeNote(note, name))
      return done
    }
  const written = async () => (await notesIn(shared.sql)).map(({ note }) => note)
  const anotherTakes = async () => {
    await pass(shared.plain, leaseMs)
    return present(await roles(shared.plain, 'another', leaseMs).take(name))
  }

  it('is null where the environment has no network', () =>
    expect(workerInRole(() => null, roles(shared.plain, 'one'), 'mainnet')).toBeNull())

  it('steps in one of them, until its role has ended', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    expect([await one.step(), await other.step(), await one.step()]).toEqual([done, elsewhere, done])
    await pass(shared.plain, leaseMs)
    expect([await other.step(), await one.step()]).toEqual([done, elsewhere])
    expect(await written()).toEqual(['one', 'one', 'other'])
  })

  it('keeps its role as long as it steps', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    for (let steps = 0; steps < 10; steps += 1) {
      expect([await one.step(), await other.step()]).toEqual([done, elsewhere])
      await pass(shared.plain, leaseMs - 1)
    }
  })

  it('keeps its role during a step that lasts longer than a lease', async () => {
    const another = roles(shared.plain, 'another', leaseMs)
    const untilIn = async () =>
      shared.sql.run(function* () {
        return (yield { text: 'SELECT until FROM worker_roles', parameters: [] }).rows[0]?.until
      })
    const one = inProcess(
      'one',
      async () => {
        for (let leases = 0; leases < 3; leases += 1) {
          await pass(shared.plain, leaseMs - 1)
          const before = await untilIn()
          while ((await untilIn()) === before) await new Promise((resolve) => setTimeout(resolve, 1))
          expect(await another.take(name)).toBeNull()
        }
        return writing('one')()
      },
      1,
    )
    expect(await one.step()).toEqual(done)
    expect(await written()).toEqual(['one'])
  })

  it('steps in another process at once where one does not reach the ledger, which looks again later', async () => {
    const failed = E.left({ _tag: 'LedgerUnreachable', cause: 'no answer' } as const)
    const open = (awayMs: number) =>
      present(
        workerInRole(
          () => working(async () => failed),
          roles(shared.plain, `away for ${awayMs} ms`, leaseMs),
          'testnet',
          never,
          awayMs,
        ),
      )
    const [long, short, other] = [open(never), open(0), inProcess('other')]
    expect([await long.step(), await long.step()]).toEqual([failed, failed])
    expect([await short.step(), await short.step()]).toEqual([failed, failed])
    expect([await other.step(), await short.step(), await long.step()]).toEqual([done, elsewhere, failed])
    expect(await written()).toEqual(['other'])
  })

  it('stops by RoleLost once its role is lost in a step, which then writes nothing', async () => {
    const one = inProcess('one', async () => {
      await writing('before')()
      await anotherTakes()
      return writing('after')()
    })
    expect(await one.step()).toEqual(E.left({ _tag: 'RoleLost', role: name }))
    expect(await written()).toEqual(['before'])
    expect(await one.step()).toEqual(elsewhere)
  })

  it('answers what the step answers, and rejects with what it throws', async () => {
    const busy = E.left({ _tag: 'StoreUnavailable', cause: null } as const)
    const bug = new Error('a bug')
    const answers: Array<() => E.Either<StepFailure, void>> = [
      () => busy,
      () => {
        throw bug
      },
    ]
    const one = inProcess('one', async () => answers.shift()?.() ?? done)
    expect(await one.step()).toEqual(busy)
    await expect(one.step()).rejects.toBe(bug)
    expect(await one.step()).toEqual(done)
  })

  it('never takes two steps at once', async () => {
    let [underWay, most] = [0, 0]
    const one = inProcess('one', async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await writing('one')()
      underWay -= 1
      return done
    })
    await Promise.all([one.step(), one.step(), one.step()])
    expect([most, (await written()).length]).toEqual([1, 3])
  })

  it('forgets what it found once another process is at work, and goes on with a new worker', async () => {
    let opened = 0
    const worker = present(
      workerInRole(
        () => {
          opened += 1
          const own = opened
          return working(writing(`worker ${own}`), () => (own === 1 ? [{ _tag: 'NetworkReset' }] : []))
        },
        roles(shared.plain, 'one', leaseMs),
        'testnet',
        never,
      ),
    )
    await worker.step()
    await worker.step()
    expect(worker.troubles()).toEqual([{ _tag: 'NetworkReset' }])
    const role = await anotherTakes()
    expect(await worker.step()).toEqual(elsewhere)
    expect(worker.troubles()).toEqual([])
    await roles(shared.plain, 'another', leaseMs).release(role)
    await worker.step()
    expect([await written(), opened]).toEqual([['worker 1', 'worker 1', 'worker 2'], 2])
  })

  it('stands down after the step under way: another takes over at once, and this one never again', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    const step = one.step()
    await one.standDown()
    expect([await step, await other.step()]).toEqual([done, done])
    await pass(shared.plain, leaseMs)
    expect(await one.step()).toEqual(elsewhere)
  })

  it('leaves the role of another alone when it stands down', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    await one.step()
    await pass(shared.plain, leaseMs)
    await other.step()
    await one.standDown()
    expect([await one.step(), await other.step()]).toEqual([elsewhere, done])
  })

  it('hands over to a process that stands by when its loop ends, without the end of a lease', async () => {
    const reports: Array<LoopReport> = []
    const [first, second] = [new AbortController(), new AbortController()]
    const began = Promise.withResolvers<void>()
    const tookOver = Promise.withResolvers<void>()
    const one = inProcess('one', async () => {
      began.resolve()
      return writing('one')()
    })
    const other = inProcess('other', async () => {
      tookOver.resolve()
      return writing('other')()
    })
    const running = runWorker(one, first.signal)
    await began.promise
    const standsBy = Promise.withResolvers<void>()
    const standing = runWorker(other, second.signal, (report) => {
      reports.push(report)
      standsBy.resolve()
    })
    await standsBy.promise
    first.abort()
    await running
    await tookOver.promise
    second.abort()
    await standing
    expect(reports.slice(0, 2)).toEqual([{ _tag: 'StandsBy' }, { _tag: 'Continues' }])
    expect(new Set(await written())).toEqual(new Set(['one', 'other']))
  })

  it('ends its loop although the database is gone', async () => {
    const stop = new AbortController()
    const one = inProcess('one', async () => {
      stop.abort()
      return done
    })
    const standDown = () => Promise.reject(new RoleLost(name))
    await runWorker({ step: one.step, standDown }, stop.signal)
  })
})

describe('the worker of a shop', () => {
  it('records nothing against anybody in a step whose role is lost, and finishes in the next one', async () => {
    const shop = await openStoreFront({}, undefined, fencedStore)
    const { services, platform, network } = shop
    const { id } = await shop.sell()
    const memo = await shop.memoOf(id)
    let isLost = true
    const inMemory: Roles = {
      take: async () => ({ name, epoch: 1 }),
      renew: async () => true,
      release: async () => undefined,
      fence: () =>
        // biome-ignore lint/correctness/useYield: it needs no database
        function* () {
          if (isLost) throw new RoleLost(name)
        },
    }
    const worker = present(workerInRole(() => platform.worker, inMemory, 'testnet'))
    shop.payer.pay({ to: shop.account, asset: network.usdc.assetId, parts: [units(10)], memo })
    network.wait(10_000)
    const before = await platform.logEnd()
    expect(await worker.step()).toEqual(E.left({ _tag: 'RoleLost', role: name }))
    expect([await platform.logEnd(), await services.setbacks.counts('testnet')]).toEqual([before, []])
    expect(platform.alarms).toEqual([])
    isLost = false
    expect(await worker.step()).toEqual(done)
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    await shop.close()
  })
})
