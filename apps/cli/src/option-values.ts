import { LedgerSequence } from '@quittance/domain'
import type * as E from 'fp-ts/lib/Either.js'

/** Reads the number of a ledger, in digits only. */
export const readLedger = (text: string): E.Either<unknown, LedgerSequence> =>
  LedgerSequence.decode(/^[1-9][0-9]*$/.test(text) ? Number(text) : null)
