import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { right } from '@quittance/domain/testing/outcomes'
import { read, sampleEvent } from '../../conformance/sample.ts'
import type { Alongside, EventStore } from '../../port.ts'
import { rowsOf } from '../../sql-program.ts'
import type { PostgresProjection } from '../projection.ts'
import { postgresEventStore } from '../store.ts'

/**
 * A process that writes to a shared log and prints a line for each answer. Arguments: the connection string, the schema
 * and a task:
 * 'storm', a name and a number of events: appends them, through failures, and prints 'acknowledged <id>' for each;
 * 'pause', a stream and an id: prints 'holding' inside the transaction of an append, waits there for a line, and prints
 * how the append ended;
 * or the moment at which it is killed, a stream and an id.
 */
const [connectionString = '', schema = '', task, name = '', detail = ''] = process.argv.slice(2)
const idleInTransaction = Number(process.env.IDLE_MS ?? 10_000)

// Synchronous, since this process may be killed at any moment.
const print = (line: string): void => void writeSync(1, `${line}\n`)

/** Waits inside the transaction of each append. */
const holding: PostgresProjection = {
  name: 'holding',
  version: 1,
  create: async () => undefined,
  apply: async () => {
    print('holding')
    await new Promise((resolve) => process.stdin.once('data', resolve))
  },
}

const store = await postgresEventStore({
  connectionString,
  schema,
  clock: Date.now,
  projections: task === 'pause' ? [holding] : [],
  timeouts: { idleInTransaction },
})

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const appendAndDie = async (): Promise<void> => {
  const { head } = await read(store, name)
  const dieNow: Alongside = function* () {
    yield* rowsOf('SELECT 1')()
    die()
  }
  right(await store.append(name, head, [sampleEvent(detail)], task === 'before commit' ? dieNow : undefined)())
  die()
}

/** Appends one event once, whatever happens to the server: resends what is unknown, waits where nothing works. */
const appendThrough = async (log: EventStore, stream: string, id: string): Promise<void> => {
  for (;;) {
    const slice = await log.readStream(stream)()
    if (slice._tag === 'Left') {
      await pause(20)
      continue
    }
    const { head } = slice.right
    for (;;) {
      const outcome = await log.append(stream, head, [sampleEvent(id)])()
      if (outcome._tag === 'Right') return
      if (outcome.left._tag === 'WrongExpectedRevision') break
      if (outcome.left._tag === 'AppendRefused') throw outcome.left.cause
      await pause(20)
    }
  }
}

const storm = async (): Promise<void> => {
  const count = Number(detail)
  const lane = async (first: number): Promise<void> => {
    for (let n = first; n < count; n += 8) {
      await appendThrough(store, `shared-${n % 5}`, `${name}-${n}`)
      print(`acknowledged ${name}-${n}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, first) => lane(first)))
}

const appendPaused = async (): Promise<void> => {
  const { head } = await read(store, name)
  const outcome = await store.append(name, head, [sampleEvent(detail)])()
  print(`outcome ${outcome._tag === 'Right' ? 'Appended' : outcome.left._tag}`)
  process.stdin.pause()
}

switch (task) {
  case 'storm':
    await storm()
    break
  case 'pause':
    await appendPaused()
    break
  default:
    await appendAndDie()
}
await store.close()
