import { randomBytes } from 'node:crypto'
import type { KeyedHash } from '@quittance/domain'
import type { Vault } from '../stores/vault/port.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const howMany = 10
/** 80 bits: whoever has one needs no password. */
const length = 16

const newCode = (): string => {
  const letters = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

/** Codes for a member who has lost everything else; each works once. */
export const newRecoveryCodes = (): ReadonlyArray<string> => Array.from({ length: howMany }, newCode)

/** Of a code as a person has typed it, in whatever case, and with or without hyphens. */
export const recoveryHash = (vault: Pick<Vault, 'keyedHash'>, memberId: string, code: string): Promise<KeyedHash> =>
  vault.keyedHash('recovery code', `${memberId}\n${code.toUpperCase().replaceAll(/[\s-]/g, '')}`)
