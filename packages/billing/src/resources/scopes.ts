/**
 * The scopes of API keys.
 *
 * @module @quittance/billing/scopes
 */

import * as E from 'fp-ts/lib/Either.js'

/** The resources that a restricted key's permissions cover. */
export const scopedResources = [
  'products',
  'customers',
  'checkouts',
  'payments',
  'refunds',
  'payouts',
  'subscriptions',
  'webhooks',
  'access',
  'events',
  'exceptions',
  'approvals',
  'settlement',
  'merchant',
] as const

/** Resources that one permission covers. */
export type Family = (typeof scopedResources)[number]

/**
 * The permission to send refunds and returned exceptions to an address that nobody has proven or registered. Such a request
 * needs the permission for refunds or exceptions as well.
 */
export const anyDestination = 'destinations:write'

/** A permission of a restricted key. */
export type KeyScope = `${Family}:${'read' | 'write'}` | typeof anyDestination

/** Whether somebody may read a family of resources. */
export type Reads = (family: Family) => boolean

/** May read every family of resources. */
export const readsAll: Reads = () => true
/** May read none. */
export const readsNothing: Reads = () => false

/** What a credential may read: a secret key everything, an app token what its scopes name. */
export const readsOf = ({
  kind,
  scopes,
}: {
  readonly kind: 'secret' | 'app'
  readonly scopes: ReadonlyArray<string>
}): Reads => (kind === 'secret' ? readsAll : (family) => scopes.includes(`${family}:read`))

/** All permissions that a restricted key may have, such as `payments:read`. */
export const scopes: ReadonlyArray<KeyScope> = [
  ...scopedResources.flatMap((resource) => [`${resource}:read` as const, `${resource}:write` as const]),
  anyDestination,
]

/**
 * Reads comma-separated scopes, without duplicates and in the order of `scopes`. Left: the words that are not scopes.
 */
export const readScopes = (text: string): E.Either<ReadonlyArray<string>, ReadonlyArray<KeyScope>> => {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.filter((word) => !scopes.some((scope) => scope === word))
  return unknown.length > 0 ? E.left(unknown) : E.right(scopes.filter((scope) => words.includes(scope)))
}
