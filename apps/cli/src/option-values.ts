import { LedgerSequence, Text } from '@quittance/domain'
import type * as E from 'fp-ts/lib/Either.js'

/** Whether a text has 1 to so many characters, is not blank, and has no control characters. */
export const isPlainText = (text: string, mostCharacters: number): text is Text =>
  Text.is(text) && text.trim() !== '' && text.length <= mostCharacters && !/\p{Cc}/u.test(text)

/** Reads the number of a ledger, in digits only. */
export const readLedger = (text: string): E.Either<unknown, LedgerSequence> =>
  LedgerSequence.decode(/^[1-9][0-9]*$/.test(text) ? Number(text) : null)
