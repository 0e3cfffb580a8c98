import type * as t from 'io-ts'
import { brandedString } from './branded.ts'

/** A mandate in its contract: 64 lower-case hex digits, known before anyone has signed. */
export const MandateId = brandedString<{ readonly MandateId: symbol }>('MandateId', (text) =>
  /^[0-9a-f]{64}$/.test(text),
)
export type MandateId = t.TypeOf<typeof MandateId>
