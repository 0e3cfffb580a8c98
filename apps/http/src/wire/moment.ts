import type { Billing, Readable } from '@quittance/billing'
import { moment, optional, says } from '@quittance/client/wire'
import type { UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { problemOf } from './problems.ts'

/** The query parameters of what can be asked of another moment. */
export const momentQuery = {
  at: says('The moment to answer for: what was true then. Left out: now.', optional(moment)),
  known_at: says('By what was known at this moment. Left out: by all that is known now.', optional(moment)),
}

type AskedMoment = { readonly at: UnixMs | null; readonly known_at: UnixMs | null }

/** Whether a moment is asked for, and not how things are now. */
export const isOfPast = ({ at, known_at }: AskedMoment): boolean => at !== null || known_at !== null

/** What answers for the moment of a query. */
export type AtMoment<Face> = (asked: AskedMoment) => Face

export const atMoment =
  <Face>(billing: Billing, face: (readable: Readable) => Face): AtMoment<Face> =>
  (asked) =>
    face(readableAt(billing, asked))

/** What answers for the moment of a query. Throws 400 for what nobody can know yet. */
export const readableAt = (billing: Billing, asked: AskedMoment): Readable => {
  if (!isOfPast(asked)) return billing
  const then = billing.asOf({ at: asked.at, knownAt: asked.known_at })
  if (E.isRight(then)) return then.right
  throw problemOf(then.left, {})
}
