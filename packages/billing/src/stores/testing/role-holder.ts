import { writeSync } from 'node:fs'
import { type Alongside, changesOf, noEvents, rowsOf } from '@quittance/event-store'
import { postgresEventStore, postgresPrograms } from '@quittance/event-store/postgres'
import * as E from 'fp-ts/lib/Either.js'
import { fencedSql, fencedStore } from '../../kernel/fence.ts'
import { inRole } from '../../services/in-role.ts'
import { roles } from '../roles.ts'
import { noteEvent, writeNote } from './role-processes.ts'

/**
 * A process that takes a role, and stops itself by SIGSTOP in the middle of its work. Once it is woken, it prints what
 * became of each thing that it then tried to write, and of the work. Arguments: the connection string, the schema, the role
 * and where it stops: 'between transactions', or 'within an append' behind the fence.
 */
const [connectionString = '', schema = '', name = '', where] = process.argv.slice(2)
const leaseMs = Number(process.env.LEASE_MS)
const skewMs = Number(process.env.SKEW_MS)
const timeouts = { idleInTransaction: Number(process.env.IDLE_MS ?? 10_000) }

// The clock of this process is wrong.
const rightNow = Date.now
Date.now = () => rightNow() + skewMs

const print = (line: string): void => void writeSync(1, `${line}\n`)
const stop = (): void => {
  print('stops')
  process.kill(process.pid, 'SIGSTOP')
  print('woken')
}
const stopsWithin: Alongside = function* () {
  yield* rowsOf('SELECT 1')()
  stop()
}

const log = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [], timeouts })
const programs = await postgresPrograms({ connectionString, schema, timeouts })
const [store, sql] = [fencedStore(log), fencedSql(programs)]

const append = async (id: string, alongside?: Alongside): Promise<string> => {
  const done = await store.append(`note-${id}`, noEvents, [noteEvent(id)], alongside)()
  if (E.isRight(done)) return 'written'
  // As every writer does: it sends the same events again.
  if (done.left._tag === 'OutcomeUnknown') return append(id, alongside)
  return done.left._tag === 'AppendRefused' ? String(done.left.cause) : done.left._tag
}
const written = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'written',
    (cause: unknown) => String(cause),
  )

const role = inRole(roles(programs, `process ${process.pid}`, leaseMs), name, { renewedEachMs: leaseMs / 3 })
const worked = await role.run(async () => {
  print(`before: ${await append('before')}`)
  if (where === 'within an append') print(`held: ${await append('held', stopsWithin)}`)
  else stop()
  print(`append: ${await append('after')}`)
  print(`append alongside: ${await append('alongside', writeNote('alongside', name))}`)
  print(`program: ${await written(sql.run(writeNote('program', name)))}`)
  print(`statement: ${await written(sql.run(changesOf("INSERT INTO written (note, epoch) VALUES ('statement', 0)")))}`)
  await sql.run(writeNote('last', name))
})
print(`step: ${E.isLeft(worked) ? worked.left._tag : 'done'}`)
await log.close()
await programs.close()
