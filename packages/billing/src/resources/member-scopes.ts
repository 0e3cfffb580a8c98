import type { MemberRole } from '@quittance/domain'
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
