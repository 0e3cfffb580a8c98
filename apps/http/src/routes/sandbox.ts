import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decodeBody, described, optional } from '../wire/decode.ts'
import { HttpError, invalid } from '../wire/errors.ts'
import { keyed, type RouteContext } from './route.ts'

/** Runs what is due, and says when the next thing is (Unix milliseconds); the clock is moved around it. */
export type Work = { readonly settle: () => Promise<void>; readonly nextDue: () => Promise<number | null> }

const longestSeconds = 10 * 366 * 24 * 60 * 60
const seconds = described(
  t.refinement(t.number, (number) => Number.isSafeInteger(number) && number >= 0 && number <= longestSeconds),
  'a whole number of seconds, at most ten years',
)
const moment = described(
  t.refinement(t.string, (text) => isoTime.test(text) && !Number.isNaN(Date.parse(text))),
  'an ISO 8601 time with its zone, such as 2026-11-20T10:00:00Z',
)
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/
const AdvanceBody = t.type({ seconds: optional(seconds), to: optional(moment) })

/** The sandbox's clock. Only where there is a sandbox. */
export const sandboxRoutes = ({ server }: Pick<RouteContext, 'server'>, sandbox: Sandbox, work: Work): void => {
  const reading = ({ now, ledger }: { readonly now: number; readonly ledger: number }) => ({
    data: { now: new Date(now).toISOString(), ledger },
  })
  server.get('/sandbox/clock', keyed, async () => reading(sandbox.clock()))
  server.post('/sandbox/advance', keyed, async (request) => {
    const advanced = await sandbox.advance({ ...targetIn(request.body, sandbox.clock().now), ...work })()
    if (E.isLeft(advanced))
      throw new HttpError(400, 'target_in_the_past', 'The target lies before now', { param: 'to' })
    return reading(advanced.right)
  })
}

const targetIn = (body: unknown, now: number): { readonly seconds: number } | { readonly to: number } => {
  const { seconds, to } = decodeBody(AdvanceBody, body)
  if (seconds !== null && to === null) return { seconds }
  if (to === null || seconds !== null) throw invalid('seconds', 'Give "seconds" or "to"')
  if (Date.parse(to) - now > longestSeconds * 1000) throw invalid('to', '"to" must be at most ten years ahead')
  return { to: Date.parse(to) }
}
