import type * as t from 'io-ts'
import { brandedString } from './branded.ts'

/** Personal data as base64 of its ciphertext. It is sealed and opened elsewhere, under a key per customer. */
export const Sealed = brandedString<{ readonly Sealed: symbol }>(
  'Sealed',
  (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
)
export type Sealed = t.TypeOf<typeof Sealed>

/** The keyed hash of a value by which it is looked up: 64 lower-case hex digits. */
export const KeyedHash = brandedString<{ readonly KeyedHash: symbol }>('KeyedHash', (text) =>
  /^[0-9a-f]{64}$/.test(text),
)
export type KeyedHash = t.TypeOf<typeof KeyedHash>
