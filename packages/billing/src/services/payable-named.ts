import { AuthorizationId, Reference } from '@quittance/domain'
import type { Found, SubscriptionNameRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { SessionId } from '../kernel/session-kinds.ts'
import type { Services } from './services.ts'

type Lookups = Pick<Services, 'readModels' | 'caughtUp'>

/** The session that a text on a ledger names: by its reference or, as in earlier versions, by its id. */
export const sessionIn = async ({ checkoutReferences, invoiceReferences }: Services['readModels'], name: string) => {
  if (SessionId.is(name)) return name
  if (!Reference.is(name)) return null
  return ((await checkoutReferences.withId(name)) ?? (await invoiceReferences.withId(name)))?.row.sessionId ?? null
}

/** As `sessionIn`, by all that the log holds. Names never change, so a known one needs no waiting. */
export const sessionNamed = async (
  { readModels, caughtUp }: Lookups,
  name: string,
): Promise<E.Either<StoreUnavailable, SessionId | null>> => {
  const known = await sessionIn(readModels, name)
  if (known !== null || !Reference.is(name)) return E.right(known)
  const caught = await caughtUp.withLog()
  return E.isLeft(caught) ? caught : E.right(await sessionIn(readModels, name))
}

/** The request for an authorization that a mandate's reference names. */
export const requestNamed = async (
  { readModels: { subscriptionNames }, caughtUp }: Lookups,
  name: string,
): Promise<E.Either<StoreUnavailable, (Found<SubscriptionNameRow> & { readonly id: AuthorizationId }) | null>> => {
  if (!AuthorizationId.is(name) && !Reference.is(name)) return E.right(null)
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const found = (await subscriptionNames.withId(name)) ?? (await subscriptionNames.withKey(name))[0] ?? null
  return E.right(found === null ? null : { ...found, id: decodeOrThrow(AuthorizationId, found.id) })
}
