import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RecordedEvent } from '@quittance/domain'
import { appendSomewhere, expectOneGaplessOrder, readLog } from '../../conformance/sample.ts'
import { type SqliteEventStore, sqliteEventStore } from '../store.ts'
import { startAppending, temporaryFile } from '../testing/process.ts'
import { verify } from '../verify.ts'
import { archiveLog } from './archive-log.ts'

const script = fileURLToPath(new URL('../testing/archiving-process.ts', import.meta.url))
const start = (...parameters: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, ['--no-warnings', script, ...parameters], { stdio: 'inherit' })
const ended = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })

const open = (path: string): SqliteEventStore => sqliteEventStore({ path, clock: Date.now, projections: [] })
const reading = async (path: string) => {
  const store = open(path)
  try {
    const log = await readLog(store)
    const streams = await Promise.all(
      [...new Set(log.map(({ stream }) => stream))].map((name) => store.readStream(name)()),
    )
    return { log, streams }
  } finally {
    store.close()
  }
}
const archive = (path: string, mostEvents: number) =>
  archiveLog({ path, before: Number.POSITIVE_INFINITY, clock: Date.now, mostEvents })

/** A repeatable random number in [0, 1). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('archiving that is killed', () => {
  let file: ReturnType<typeof temporaryFile>
  beforeEach(() => {
    file = temporaryFile()
  })
  afterEach(() => file.remove())

  it('before each change of a file or a transaction, no event is lost or doubled, and the next run ends it', async () => {
    const store = open(file.path)
    for (let n = 0; n < 1_300; n += 1) await appendSomewhere(store, `s-${n % 7}`, `event ${n}`)
    store.close()
    const whole = await reading(file.path)
    const place = join(dirname(file.path), 'killed')
    const path = join(place, 'log.db')
    let step = 0
    for (; ; step += 1) {
      rmSync(place, { recursive: true, force: true })
      mkdirSync(place)
      cpSync(file.path, path)
      const outcome = await ended(start(path, '650', String(step)))
      expect(await reading(path)).toEqual(whole)
      expect(await verify(path)).toMatchObject({ ok: true, events: 1_300, problems: [] })
      await archive(path, 650)
      expect(await reading(path)).toEqual(whole)
      expect(await verify(path)).toMatchObject({ ok: true, events: 1_300, problems: [] })
      expect(readdirSync(join(place, 'segments')).filter((name) => name.startsWith('.unfinished'))).toEqual([])
      if (outcome === 0) break
      expect(outcome).toBe('SIGKILL')
    }
    process.stdout.write(`archiving was killed before each of ${step} changes\n`)
    expect(step).toBeGreaterThan(30)
  }, 600_000)

  it('at random moments, while processes append and read, every acknowledged event is in the log once', async () => {
    const seed = Number(process.env.SEED ?? 51)
    const random = randomFrom(seed)
    const writers = ['one', 'two'].map((name) => startAppending(file.path, 'storm', name, '1500'))
    const store = open(file.path)
    for (let n = 0; n < 20; n += 1) await appendSomewhere(store, `shared-${n % 5}`, `own-${n}`)
    let before: ReadonlyArray<RecordedEvent> = []
    let isWriting = true
    const writing = Promise.all(writers.map((writer) => writer.ended)).finally(() => {
      isWriting = false
    })
    let kills = 0
    while (isWriting || kills < 30) {
      const archiving = start(file.path, '300', 'again')
      await pause(250 + 700 * random())
      archiving.kill('SIGKILL')
      expect(await ended(archiving)).toBe('SIGKILL')
      kills += 1
      const now = await readLog(store)
      expect(now.slice(0, before.length)).toEqual(before)
      before = now
      await appendSomewhere(store, `shared-${kills % 5}`, `between-${kills}`)
    }
    expect(await writing).toEqual([0, 0])
    await archive(file.path, 300)
    const log = await readLog(store)
    expectOneGaplessOrder(log)
    const ids = log.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(writers.flatMap((writer) => writer.acknowledged())))
    expect(ids.length).toBe(3_020 + kills)
    store.close()
    expect((await reading(file.path)).log).toEqual(log)
    expect(await verify(file.path)).toMatchObject({ ok: true, events: ids.length, problems: [] })
    const segments = readdirSync(join(dirname(file.path), 'segments')).filter((name) =>
      name.startsWith('events-'),
    ).length
    process.stdout.write(`seed ${seed}: ${kills} kills, ${ids.length} events, ${segments} segments\n`)
  }, 600_000)
})
