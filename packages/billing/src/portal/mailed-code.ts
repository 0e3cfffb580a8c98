import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../stores/vault/port.ts'

/** Digits and letters without those that look alike (Crockford). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lookAlikes: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const codeLength = 8

/**
 * The code of an id, such as `7K2M-9XQP`: 40 bits. It is derived by a key of the vault, so that it survives a restart and
 * no file shows it.
 */
export const codeOf = async (vault: Vault, id: string): Promise<string> => {
  const bytes = Buffer.from(await vault.keyedHash('mailed code', id), 'hex')
  // A whole number of letters in a byte: none is more likely than others.
  const code = [...bytes.subarray(0, codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** Whether a person has typed the code, in whatever case, and with or without spaces and hyphens. */
export const isCodeOf = async (vault: Vault, id: string, typed: string): Promise<boolean> => {
  const [expected, given] = [await codeOf(vault, id), typed].map((text) => Buffer.from(plain(text)))
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(given, expected)
}

const plain = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[OIL]/g, (letter) => lookAlikes[letter] ?? letter)
