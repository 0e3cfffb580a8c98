import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger, LedgerUnreadable } from '../gateway.ts'
import { extractLedger } from './extractor.ts'

type RawLedger = { readonly sequence: LedgerSequence; readonly metadataXdr: string }

/**
 * The ledgers up to the first unreadable one, so that those before it are handled. An unreadable first ledger is a
 * failure. All but the first are decoded when the iteration reaches them, so that a batch takes only the memory of its
 * text.
 */
export const readableLedgers = (
  [first, ...others]: ReadonlyArray<RawLedger>,
  networkPassphrase: string,
): E.Either<LedgerUnreadable, Iterable<ClosedLedger>> => {
  if (first === undefined) return E.right([])
  const read = extractLedger(first.metadataXdr, networkPassphrase)
  if (E.isLeft(read)) return E.left({ _tag: 'LedgerUnreadable', sequence: first.sequence, cause: read.left.cause })
  return E.right({
    *[Symbol.iterator]() {
      yield read.right
      for (const { metadataXdr } of others) {
        const ledger = extractLedger(metadataXdr, networkPassphrase)
        if (E.isLeft(ledger)) return
        yield ledger.right
      }
    },
  })
}
