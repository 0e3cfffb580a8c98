import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { authenticate } from '../wire/call.ts'
import { decodeBody, described } from '../wire/decode.ts'
import { HttpError, invalid } from '../wire/errors.ts'
import type { RouteContext } from './route.ts'

/** Runs what is due, and says when the next thing is (Unix milliseconds); the clock is moved around it. */
export type Work = { readonly settle: () => Promise<void>; readonly nextDue: () => Promise<number | null> }

const longestSeconds = 10 * 366 * 24 * 60 * 60
const seconds = described(
  t.refinement(t.number, (number) => Number.isSafeInteger(number) && number >= 0 && number <= longestSeconds),
  'a whole number of seconds, at most ten years',
)
const AdvanceBody = t.union([t.type({ seconds }), t.type({ to: t.string })])

/** The sandbox's clock. Only where there is a sandbox. */
export const sandboxRoutes = ({ server, billing }: RouteContext, sandbox: Sandbox, work: Work): void => {
  const reading = ({ now, ledger }: { readonly now: number; readonly ledger: number }) => ({
    data: { now: new Date(now).toISOString(), ledger },
  })
  server.get('/sandbox/clock', async (request) => {
    authenticate(billing, request)
    return reading(sandbox.clock())
  })
  server.post('/sandbox/advance', async (request) => {
    authenticate(billing, request)
    const body = decodeBody(AdvanceBody, request.body)
    const target = 'seconds' in body ? { seconds: body.seconds } : { to: readMoment(body.to, sandbox.clock().now) }
    const advanced = await sandbox.advance({ ...target, ...work })()
    if (E.isLeft(advanced))
      throw new HttpError(400, 'target_in_the_past', 'The target lies before now', { param: 'to' })
    return reading(advanced.right)
  })
}

const readMoment = (text: string, now: number): number => {
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment) || moment - now > longestSeconds * 1000) {
    throw invalid('to', '"to" must be an ISO 8601 time, at most ten years ahead')
  }
  return moment
}
