import { createHmac, type KeyObject } from 'node:crypto'

/** HMAC-SHA-256 as 64 hex digits. Purposes do not collide. */
export const hashUnder = (lookupKey: KeyObject, purpose: string, text: string): string =>
  createHmac('sha256', lookupKey).update(`${purpose}\0`).update(text).digest('hex')

/** The hash that chains the records of signatures. */
export const chainHash =
  (lookupKey: KeyObject) =>
  (text: string): string =>
    hashUnder(lookupKey, 'signing record', text)
