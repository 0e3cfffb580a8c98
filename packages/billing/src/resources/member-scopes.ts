import type { ApiKey, MemberRole } from '@quittance/domain'
import { type KeyScope, scopes } from './scopes.ts'

const reading: ReadonlyArray<KeyScope> = scopes.filter((scope) => scope.endsWith(':read'))

const byRole: Readonly<Record<MemberRole, ReadonlyArray<KeyScope>>> = {
  owner: scopes,
  admin: scopes,
  developer: [...reading, 'webhooks:write'],
  support: [...reading, 'customers:write', 'checkouts:write', 'refunds:write', 'subscriptions:write'],
  viewer: reading,
}

/** What a role may do, in the order of `scopes`. */
export const scopesOfRole = (role: MemberRole): ReadonlyArray<KeyScope> =>
  scopes.filter((scope) => byRole[role].includes(scope))

/** Whether a role may do whatever a secret key may. */
export const actsAsSecretKey = (role: MemberRole): boolean => role === 'owner' || role === 'admin'

/**
 * What a key that a member has made may do as long as they have a role; null if the role may not have such a key. Owners and
 * admins have any; developers have app tokens of the testnet, within their role.
 */
export const keyScopesFor = (
  role: MemberRole,
  {
    kind,
    environment,
    scopes: named,
  }: Pick<ApiKey, 'kind' | 'environment'> & { readonly scopes: ReadonlyArray<string> },
): ReadonlyArray<string> | null => {
  if (actsAsSecretKey(role)) return named
  if (role !== 'developer' || kind !== 'app' || environment !== 'testnet') return null
  const own: ReadonlyArray<string> = scopesOfRole(role)
  return named.filter((scope) => own.includes(scope))
}
