import { Advance, SandboxClock } from '@quittance/client/wire'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { HttpError, invalid } from '../wire/errors.ts'
import { type Route, route } from '../wire/route.ts'
import { FaultKnobs } from './fault-schema.ts'

/** Runs what is due, and says when the next thing is (Unix milliseconds); the clock is moved around it. */
export type Work = { readonly settle: () => Promise<void>; readonly nextDue: () => Promise<number | null> }

const longestMs = 10 * 366 * 24 * 60 * 60 * 1000

/** The sandbox's clock, and its fault knobs. Only where there is a sandbox. */
export const sandboxRoutes = (sandbox: Sandbox, work: Work): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/sandbox/clock',
    summary: "Tell the sandbox's time",
    auth: keyed('sandbox:read'),
    answer: SandboxClock,
    handler: async () => reading(sandbox.clock()),
  }),
  route({
    method: 'POST',
    path: '/sandbox/advance',
    summary: "Move the sandbox's clock, and do all that becomes due",
    auth: keyed('sandbox:write'),
    body: Advance,
    answer: SandboxClock,
    problems: ['target_in_the_past'],
    handler: async (_, body) => {
      const advanced = await sandbox.advance({ ...targetIn(body, sandbox.clock().now), ...work })()
      if (E.isLeft(advanced))
        throw new HttpError(400, 'target_in_the_past', 'The target lies before now', { param: 'to' })
      return reading(advanced.right)
    },
  }),
  route({
    method: 'GET',
    path: '/sandbox/faults',
    summary: 'Tell the fault knobs that are on, with what is left of them',
    auth: keyed('sandbox:read'),
    answer: FaultKnobs,
    handler: async () => sandbox.faults.present(),
  }),
  route({
    method: 'POST',
    path: '/sandbox/faults',
    summary: 'Set fault knobs, and turn off all others',
    auth: keyed('sandbox:write'),
    body: FaultKnobs,
    answer: FaultKnobs,
    handler: async (_, body) => {
      const set = sandbox.faults.set(body)
      if (E.isLeft(set)) throw invalid('deauthorise', `No such ${set.left.field} in the sandbox`)
      return set.right
    },
  }),
]

const reading = ({ now, ledger }: { readonly now: number; readonly ledger: number }) => ({
  now: new Date(now).toISOString(),
  ledger,
})

const targetIn = (
  { seconds, to }: t.TypeOf<typeof Advance>,
  now: number,
): { readonly seconds: number } | { readonly to: number } => {
  if (seconds !== null && to === null) return { seconds }
  if (to === null || seconds !== null) throw invalid('seconds', 'Give "seconds" or "to"')
  if (Date.parse(to) - now > longestMs) throw invalid('to', '"to" must be at most ten years ahead')
  return { to: Date.parse(to) }
}
