import type { KeyedHash } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type { Vault } from '../../stores/vault/port.ts'

/** Email addresses are compared without surrounding space and in lower case. */
const normalizedEmail = (email: string): string => email.trim().toLowerCase()

/** Phone numbers are compared by their digits and a leading plus; a text without digits, as it is. */
const normalizedPhone = (phone: string): string => (/\d/.test(phone) ? phone.replace(/[^\d+]/g, '') : phone)

const scoped = ({ merchantId, environment }: Scope, text: string): string => `${merchantId}\n${environment}\n${text}`

type Hashes = Pick<Vault, 'keyedHash'>

/** The hash by which a customer's email is found and reserved, in one account and environment. */
export const emailHash = (vault: Hashes, scope: Scope, email: string): Promise<KeyedHash> =>
  vault.keyedHash('email', scoped(scope, normalizedEmail(email)))

export const phoneHash = (vault: Hashes, scope: Scope, phone: string): Promise<KeyedHash> =>
  vault.keyedHash('phone', scoped(scope, normalizedPhone(phone)))
