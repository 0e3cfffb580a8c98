import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger, LedgerUnreachable, UnreadableLedger } from '../gateway.ts'
import { countOfTransactions, dividedLedger, type ToldTransaction } from './divided-ledger.ts'
import { extractLedger } from './extractor.ts'
import { ledgerFrame, opaqueLedger } from './opaque-ledger.ts'

type RawLedger = { readonly sequence: LedgerSequence; readonly metadataXdr: string }

/** Asks for that many transactions of a ledger, one by one. */
export type TellTransactions = (
  sequence: LedgerSequence,
  count: number,
) => Promise<E.Either<LedgerUnreachable, ReadonlyArray<ToldTransaction>>>

/** `through`: the last ledger that was fetched, null when there was none. A divided ledger comes alone. */
type Readable = { readonly ledgers: Iterable<ClosedLedger>; readonly through: LedgerSequence | null }

/**
 * The ledgers up to the first unreadable one, so that those before it are handled. An unreadable first ledger is divided into
 * its transactions, or else a failure. All but the first are decoded when the iteration reaches them, so that a batch takes only
 * the memory of its text.
 */
export const readableLedgers = async (
  [first, ...others]: ReadonlyArray<RawLedger>,
  networkPassphrase: string,
  tell: TellTransactions,
): Promise<E.Either<UnreadableLedger, Readable>> => {
  if (first === undefined) return E.right({ ledgers: [], through: null })
  const read = extractLedger(first.metadataXdr, networkPassphrase)
  if (E.isLeft(read)) return divided(first, read.left.cause, networkPassphrase, tell)
  const ledgers = {
    *[Symbol.iterator]() {
      yield read.right
      for (const { metadataXdr } of others) {
        const ledger = extractLedger(metadataXdr, networkPassphrase)
        if (E.isLeft(ledger)) return
        yield ledger.right
      }
    },
  }
  return E.right({ ledgers, through: others.at(-1)?.sequence ?? first.sequence })
}

const divided = async (
  { sequence, metadataXdr }: RawLedger,
  cause: string,
  networkPassphrase: string,
  tell: TellTransactions,
): Promise<E.Either<UnreadableLedger, Readable>> => {
  const failure: UnreadableLedger = { _tag: 'LedgerUnreadable', sequence, cause }
  const frame = ledgerFrame(metadataXdr)
  if (frame === null || frame.header.ledgerSeq !== sequence) return E.left(failure)
  const count = countOfTransactions(frame)
  const told = count === null ? E.right([]) : await tell(sequence, count)
  const ledger = E.isLeft(told) ? null : dividedLedger(frame, told.right, networkPassphrase, cause)
  if (ledger !== null) return E.right({ ledgers: [ledger], through: sequence })
  const opaque = opaqueLedger(frame, cause)
  return E.left(opaque === null ? failure : { ...failure, protocol: opaque.protocol, opaque })
}
