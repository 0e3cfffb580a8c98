import { fork } from 'node:child_process'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type * as t from 'io-ts'
import { type Environment, environmentOf } from './child-process.ts'
import type { HttpResponse } from './client.ts'
import { dieAtStep, goesOn, RequestProgress, stopUnbound } from './crash-points.ts'

const main = fileURLToPath(new URL('./killable-main.ts', import.meta.url))

/** A request with a key, which can be repeated. */
export type KeyedRequest = {
  readonly method: string
  readonly path: string
  /** Undefined without a body. */
  readonly body: string | undefined
  readonly key: string
}

/** A service process that can be killed or stopped at a step of a request. */
export type KillableService = {
  /**
   * Runs a request up to right before a step: the process died there, or holds back its answer, or answered because
   * there is no such step. `no ledger`: no ledger was reachable, for example because the process that served the node
   * has died.
   */
  readonly killAt: (request: KeyedRequest, step: number) => Promise<'died' | 'held back' | 'answered' | 'no ledger'>
  /** Stops the process when all is done and its key is not bound yet, until `goOn`. */
  readonly stopUnbound: (request: KeyedRequest) => Promise<{ readonly answer: Promise<HttpResponse> }>
  readonly goOn: () => void
  /** Sends a plain request. */
  readonly ask: (request: KeyedRequest) => Promise<HttpResponse>
  readonly kill: () => Promise<void>
}

/** Starts one beside another service, on its data directory. */
export const startKillable = async (
  dataDir: string,
  apiKey: string,
  environment: Environment = {},
): Promise<KillableService> => {
  const child = fork(main, {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
    env: await environmentOf(dataDir, environment),
  })
  const ended = new Promise<string | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const url = await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    ended.then((signal) => Promise.reject(new Error(`it did not start: ${signal}`))),
  ])
  const send = async (
    { method, path, body, key }: KeyedRequest,
    course: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> => {
    const headers = { 'x-api-key': apiKey, 'idempotency-key': key, ...course }
    const sent =
      body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body }
    const response = await fetch(`${url}${path}`, { method, ...sent })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  /** Waits for the progress of a request; call it before sending the request. */
  const told = <Is extends t.TypeOf<typeof RequestProgress>['is']>({ key }: KeyedRequest, is: Is) =>
    new Promise<Is>((resolve) => {
      const listen = (message: unknown) => {
        if (!RequestProgress.is(message) || message.key !== key || message.is !== is) return
        child.off('message', listen)
        resolve(is)
      }
      child.on('message', listen)
    })
  const killed = async () => {
    const signal = await ended
    if (signal !== 'SIGKILL') throw new Error(`it ended by itself: ${signal}`)
    return 'died' as const
  }
  const tooFar = ({ status, body }: HttpResponse): never => {
    throw new Error(`it was answered with ${status} ${body.code}, and did not come to that step`)
  }
  const bell = child.stdio[goesOn]
  let isStopped = false
  return {
    killAt: async (request, step) => {
      const heldBack = told(request, 'held back')
      const answer = send(request, { [dieAtStep]: String(step) })
      const answered = (given: HttpResponse) => {
        if (given.status === 503) return 'no ledger' as const
        return given.status === 200 ? ('answered' as const) : tooFar(given)
      }
      return Promise.race([heldBack, answer.then(answered, killed)])
    },
    stopUnbound: async (request) => {
      const stopped = told(request, 'stopped')
      const answer = send(request, { [stopUnbound]: 'yes' })
      await Promise.race([stopped, answer.then(tooFar)])
      isStopped = true
      return { answer }
    },
    goOn: () => {
      if (isStopped && bell instanceof Writable) bell.write('.')
      isStopped = false
    },
    ask: (request) => send(request),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
