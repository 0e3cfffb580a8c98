import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger, LedgerUnreadable } from '../gateway.ts'
import { extractLedger } from './extractor.ts'

type RawLedger = { readonly sequence: LedgerSequence; readonly metadataXdr: string }

/**
 * The ledgers up to the first that cannot be read, so that it keeps none before it from being handled. It is a failure
 * once it comes first.
 */
export const readableLedgers = (
  ledgers: ReadonlyArray<RawLedger>,
  networkPassphrase: string,
): E.Either<LedgerUnreadable, ReadonlyArray<ClosedLedger>> => {
  const readable: Array<ClosedLedger> = []
  for (const { sequence, metadataXdr } of ledgers) {
    const ledger = extractLedger(metadataXdr, networkPassphrase)
    if (E.isRight(ledger)) readable.push(ledger.right)
    else if (readable.length > 0) break
    else return E.left({ _tag: 'LedgerUnreadable', sequence, cause: ledger.left.cause })
  }
  return E.right(readable)
}
