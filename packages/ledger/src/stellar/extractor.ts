import { LedgerSequence, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger } from '../gateway.ts'
import { named } from '../named.ts'
import { decodeCloseMeta } from './close-meta.ts'
import { creditsOf } from './credits/credits.ts'

/** Why a closed ledger could not be read. `cause` is for the log. */
export type UnreadableMeta = { readonly _tag: 'UnreadableMeta'; readonly cause: string }

/**
 * Reads a closed ledger from its base64 `LedgerCloseMeta`.
 * Its work does not depend on how many accounts are watched: each destination is looked up in the set.
 * Errors: `UnreadableMeta` for anything malformed, contradictory or of another network.
 */
export const extractLedger = (metaXdr: string, networkPassphrase: string): E.Either<UnreadableMeta, ClosedLedger> =>
  E.tryCatch(
    () => {
      const { header, hash, transactions } = decodeCloseMeta(metaXdr, networkPassphrase)
      const head = {
        sequence: named(LedgerSequence, header.ledgerSeq),
        closedAt: closedAtOf(header.scpValue.closeTime),
      }
      return {
        ...head,
        hash,
        previousHash: header.previousLedgerHash.toString(),
        creditsTo: (watched) => transactions.flatMap((transaction) => creditsOf(transaction, head, watched)),
      }
    },
    (thrown) => ({ _tag: 'UnreadableMeta', cause: String(thrown) }),
  )

const closedAtOf = (seconds: bigint): UnixMs => unixMs(Number(seconds) * 1000)
