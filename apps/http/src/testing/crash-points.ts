import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { openDatabase } from '@quittance/event-store/sqlite'

/** The header of a request by which the process dies: at its n-th step, counted from 1. */
export const dieAtStep = 'x-die-at-step'

/** How many steps a request may take still; nothing for what no such request asked for, such as a worker's writes. */
const left = new AsyncLocalStorage<{ steps: number }>()

const step = (): void => {
  const count = left.getStore()
  if (count === undefined) return
  count.steps -= 1
  if (count.steps === 0) process.kill(process.pid, 'SIGKILL')
}

/** Takes a step before each call of a method that is one. */
const before = <Self extends object>(owner: Self, method: keyof Self, isStep: (self: Self) => boolean): void => {
  const inner: unknown = owner[method]
  if (typeof inner !== 'function') throw new Error(`${String(method)} is no method`)
  Object.defineProperty(owner, method, {
    value: function (this: Self, ...given: ReadonlyArray<unknown>): unknown {
      if (isStep(this)) step()
      return Reflect.apply(inner, this, given)
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

/**
 * Lets requests kill the process that they are sent to, right before whatever outlives it: before each commit to each
 * of its files, each message to a log on a server, and the answer. So a death comes between every two of them.
 */
export const setCrashPoints = (): void => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const statements: Statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  before(statements, 'run', isDurable)
  before(Duplex.prototype, 'write', (stream) => stream.constructor.name === 'ClientHttp2Stream')
  before(ServerResponse.prototype, 'writeHead', () => true)
  subscribe('http.server.request.start', (message) => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return
    const { request } = message
    if (!(request instanceof IncomingMessage)) return
    const asked = request.headers[dieAtStep]
    left.enterWith({ steps: asked === undefined ? Number.POSITIVE_INFINITY : Number(asked) })
  })
}
