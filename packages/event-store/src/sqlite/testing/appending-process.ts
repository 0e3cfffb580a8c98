import { writeSync } from 'node:fs'
import { right } from '@quittance/domain/testing/outcomes'
import { appendSomewhere, read, sampleEvent } from '../../conformance/sample.ts'
import type { Alongside } from '../../port.ts'
import { rowsOf } from '../../sql-program.ts'
import { sqliteEventStore } from '../store.ts'

/**
 * A process that writes to a shared file and prints 'acknowledged <id>' for each answer.
 * Arguments: the file; then 'storm', a name and a number of events; or the moment at which it is killed, a stream and
 * an id.
 */
const [path = '', task, name = '', detail = ''] = process.argv.slice(2)
const store = sqliteEventStore({ path, clock: Date.now, projections: [] })

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const appendAndDie = async (moment: string | undefined): Promise<void> => {
  const { head } = await read(store, name)
  const dieNow: Alongside = function* () {
    yield* rowsOf('SELECT 1')()
    die()
  }
  const alongside = moment === 'before commit' ? dieNow : undefined
  right(await store.append(name, head, [sampleEvent(detail)], alongside)())
  die()
}

const storm = async (): Promise<void> => {
  const write = async (n: number): Promise<void> => {
    await appendSomewhere(store, `shared-${n % 5}`, `${name}-${n}`)
    // Synchronous, since this process may be killed at any moment.
    writeSync(1, `acknowledged ${name}-${n}\n`)
  }
  const count = Number(detail)
  for (let first = 0; first < count; first += 8) {
    await Promise.all(Array.from({ length: Math.min(8, count - first) }, (_, n) => write(first + n)))
  }
}

await (task === 'storm' ? storm() : appendAndDie(task))
store.close()
