import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { readSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as t from 'io-ts'

/** The header of a request before whose n-th step, counted from 1, its process is to die. */
export const dieAtStep = 'x-die-at-step'
/** The header of a request before whose key is bound, after all that it does, its process is to stop. */
export const stopUnbound = 'x-stop-unbound'
/** The pipe from which a process that has stopped reads the byte that lets it go on; a signal could come before it stops. */
export const goesOn = 4

/** What a process tells of a request, by its key. */
export const RequestProgress = t.strict({ key: t.string, is: t.union([t.literal('stopped'), t.literal('held back')]) })

type Course = { readonly key: string; readonly stopsUnbound: boolean; stepsLeft: number }

/** How far a request may go; nothing for what no such request asked for, such as a worker's writes. */
const courses = new AsyncLocalStorage<Course>()

/** The course of the request whose last step this is. */
const endedHere = (): Course | null => {
  const course = courses.getStore()
  if (course === undefined) return null
  course.stepsLeft -= 1
  return course.stepsLeft === 0 ? course : null
}

const tell = (told: t.TypeOf<typeof RequestProgress>): void => void process.send?.(told)

const stepDurably = (): void => {
  if (endedHere() !== null) process.kill(process.pid, 'SIGKILL')
}

/** A key is bound by a write of its own. */
const isBinding = ({ source, database }: Statement): boolean =>
  source.startsWith('INSERT INTO idempotency_claims') && !database.inTransaction

const stopUnlessBound = (statement: Statement): void => {
  const course = courses.getStore()
  if (!course?.stopsUnbound || !isBinding(statement)) return
  tell({ key: course.key, is: 'stopped' })
  readSync(goesOn, Buffer.alloc(1))
}

const heldBack = new WeakSet<ServerResponse>()

/** An answer that its process shall not live to give waits for the death that another request brings. */
const isHeldBack = (response: ServerResponse, [status]: ReadonlyArray<unknown>): boolean => {
  if (heldBack.has(response)) return true
  // What a ledger's silence keeps from being done has not come so far: it is answered, and asked for again.
  if (status === 503) return false
  const course = endedHere()
  if (course === null) return false
  heldBack.add(response)
  tell({ key: course.key, is: 'held back' })
  return true
}

/** Looks at each call of a method before it is made; where `look` says so, it is not made at all. */
const before = <Self extends object>(
  owner: Self,
  method: keyof Self,
  look: (self: Self, given: ReadonlyArray<unknown>) => boolean,
): void => {
  const inner: unknown = owner[method]
  if (typeof inner !== 'function') throw new Error(`${String(method)} is no method`)
  Object.defineProperty(owner, method, {
    value: function (this: Self, ...given: ReadonlyArray<unknown>): unknown {
      return look(this, given) ? this : Reflect.apply(inner, this, given)
    },
  })
}

/** What the driver's statements say of themselves. */
type Statement = {
  readonly source: string
  readonly readonly: boolean
  readonly database: { readonly inTransaction: boolean }
  readonly run: unknown
}

/** Whether the files are another after it than before: a commit, or a write of its own. When a key was used is no matter. */
const isDurable = ({ source, readonly, database }: Statement): boolean =>
  source === 'COMMIT' ||
  (!readonly && !database.inTransaction && !source.startsWith('BEGIN') && !source.includes('key_use'))

/** Whether a message is to make the log on a server another: what is read outlives nothing. */
const isAppend = (stream: Duplex): boolean =>
  stream.constructor.name === 'ClientHttp2Stream' &&
  'sentHeaders' in stream &&
  String(Reflect.get(Object(stream.sentHeaders), ':path')).endsWith('Append')

/**
 * Lets requests kill or stop the process that they are sent to, right before whatever outlives it: before each commit to
 * each of its files, and each append to a log on a server. So a death comes between every two of them. The last step is
 * the answer, which is held back until the process dies.
 */
export const setCrashPoints = (): void => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const statements: Statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  before(statements, 'run', (statement) => {
    stopUnlessBound(statement)
    if (isDurable(statement)) stepDurably()
    return false
  })
  before(Duplex.prototype, 'write', (stream) => {
    if (isAppend(stream)) stepDurably()
    return false
  })
  before(ServerResponse.prototype, 'writeHead', isHeldBack)
  before(ServerResponse.prototype, 'end', (response) => heldBack.has(response))
  subscribe('http.server.request.start', (message) => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return
    const { request } = message
    if (!(request instanceof IncomingMessage)) return
    const { headers } = request
    courses.enterWith({
      key: String(headers['idempotency-key']),
      stopsUnbound: stopUnbound in headers,
      stepsLeft: Number(headers[dieAtStep] ?? Number.POSITIVE_INFINITY),
    })
  })
}
