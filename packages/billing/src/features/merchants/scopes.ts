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
  'settlement',
] as const

/** A permission of a restricted key. */
export type KeyScope = `${(typeof scopedResources)[number]}:${'read' | 'write'}`

/** All permissions that a restricted key may have, such as `payments:read`. */
export const scopes: ReadonlyArray<KeyScope> = scopedResources.flatMap((resource) => [
  `${resource}:read` as const,
  `${resource}:write` as const,
])

/**
 * Reads comma-separated scopes, without duplicates and in the order of `scopes`. Left: the words that are not scopes.
 */
export const readScopes = (text: string): E.Either<ReadonlyArray<string>, ReadonlyArray<KeyScope>> => {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.filter((word) => !scopes.some((scope) => scope === word))
  return unknown.length > 0 ? E.left(unknown) : E.right(scopes.filter((scope) => words.includes(scope)))
}
