import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { readSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import Database from 'better-sqlite3'
import * as t from 'io-ts'
import pg from 'pg'

/** The header that kills the process before the n-th step of its request, counted from 1. */
export const dieAtStep = 'x-die-at-step'
/** The header that stops the process right before the key of its request is bound. */
export const stopUnbound = 'x-stop-unbound'
/** The pipe from which a stopped process reads the byte that releases it. A signal could arrive before it stops. */
export const goesOn = 4

/** The progress of a request, by its key. */
export const RequestProgress = t.strict({ key: t.string, is: t.union([t.literal('stopped'), t.literal('held back')]) })

type Course = { readonly key: string; readonly stopsUnbound: boolean; stepsLeft: number }

/** How far a request may go; absent for other work, such as that of a worker. */
const courses = new AsyncLocalStorage<Course>()

/** The course of the request, if this is its last step. */
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

/** A key is bound by a separate write. */
const isBinding = (source: string, inTransaction: boolean): boolean =>
  source.startsWith('INSERT INTO idempotency_claims') && !inTransaction

const stopUnlessBound = (source: string, inTransaction: boolean): void => {
  const course = courses.getStore()
  if (!course?.stopsUnbound || !isBinding(source, inTransaction)) return
  tell({ key: course.key, is: 'stopped' })
  readSync(goesOn, Buffer.alloc(1))
}

const heldBack = new WeakSet<ServerResponse>()

/** Holds back the answer of a process that must die first. */
const isHeldBack = (response: ServerResponse, [status]: ReadonlyArray<unknown>): boolean => {
  if (heldBack.has(response)) return true
  // A request without a ledger has not come so far: it is answered and repeated.
  if (status === 503) return false
  const course = endedHere()
  if (course === null) return false
  heldBack.add(response)
  tell({ key: course.key, is: 'held back' })
  return true
}

/** Runs `look` before each call of a method, which is skipped where `look` says so. */
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

/** The driver's statements. */
type Statement = {
  readonly source: string
  readonly readonly: boolean
  readonly database: { readonly inTransaction: boolean }
  readonly run: unknown
}

/** Whether a statement changes a file durably: a commit, or a write of its own. Uses of keys do not count. */
const isDurable = ({ source, readonly, database }: Statement): boolean =>
  source === 'COMMIT' ||
  (!readonly && !database.inTransaction && !source.startsWith('BEGIN') && !source.includes('key_use'))

/** The text of what the driver of PostgreSQL is asked to send. */
const sentText = ([query]: ReadonlyArray<unknown>): string =>
  typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query)

/** The connections to PostgreSQL whose transaction is open. */
const inTransaction = new WeakSet<pg.Client>()

const stepInDatabase = (client: pg.Client, text: string): void => {
  const isWithin = inTransaction.has(client)
  stopUnlessBound(text, isWithin)
  if (text.startsWith('BEGIN')) inTransaction.add(client)
  if (text === 'COMMIT' || text === 'ROLLBACK') inTransaction.delete(client)
  const isWrite = /^(INSERT|UPDATE|DELETE|SELECT append_1)\b/.test(text) && !text.includes('key_use')
  if (text === 'COMMIT' || (isWrite && !isWithin)) stepDurably()
}

/** Whether a message changes the log on the server; reads do not count. */
const isAppend = (stream: Duplex): boolean =>
  stream.constructor.name === 'ClientHttp2Stream' &&
  'sentHeaders' in stream &&
  String(Reflect.get(Object(stream.sentHeaders), ':path')).endsWith('Append')

/**
 * Lets a request kill or stop its process right before each durable step: each commit to a file or a database, and
 * each append to a remote log. So a death can come between any two of them. The last step is the answer, which is held back until the
 * process dies.
 */
export const setCrashPoints = (): void => {
  const database = new Database(':memory:')
  const statements: Statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  before(statements, 'run', (statement) => {
    stopUnlessBound(statement.source, statement.database.inTransaction)
    if (isDurable(statement)) stepDurably()
    return false
  })
  before(pg.Client.prototype, 'query', (client, given) => {
    stepInDatabase(client, sentText(given))
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
