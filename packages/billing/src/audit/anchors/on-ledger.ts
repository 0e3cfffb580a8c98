import type { LedgerSequence } from '@quittance/domain'
import { type LedgerGateway, type LedgerUnreachable, readEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Anchor } from './anchor.ts'

/** What a ledger says of an anchor that the log has in it. */
export type AnchorOnLedger =
  | { readonly _tag: 'confirmed' }
  /** The log has no ledger that holds it, or not yet. */
  | { readonly _tag: 'not_anchored' }
  /** The log has lost the transaction, or keeps the bytes of another one than the ledger lists. */
  | { readonly _tag: 'another_transaction' }
  /** The transaction carries another hash than that of the checkpoint. */
  | { readonly _tag: 'another_hash' }
  | { readonly _tag: 'another_ledger'; readonly ledger: LedgerSequence }
  | { readonly _tag: 'failed' }
  | { readonly _tag: 'not_on_ledger' }
  /** No node holds that ledger any more, or the network was begun anew. */
  | { readonly _tag: 'not_held' }

/**
 * Compares an anchor with the ledger. The hash that the ledger confirms covers the whole transaction, its memo too, so a node
 * cannot lie about that.
 */
export const compareWithLedger = async (
  { lookUp, networkPassphrase }: Pick<LedgerGateway, 'lookUp' | 'networkPassphrase'>,
  { hash, standing }: Anchor,
): Promise<E.Either<LedgerUnreachable, AnchorOnLedger>> => {
  if (standing._tag !== 'anchored') return E.right({ _tag: 'not_anchored' })
  const { transactionHash, ledger, closedAt, envelopeXdr } = standing
  const read = envelopeXdr === null ? null : E.toUnion(readEnvelope(envelopeXdr, networkPassphrase))
  if (read === null || '_tag' in read || read.transactionHash !== transactionHash)
    return E.right({ _tag: 'another_transaction' })
  const { memo } = read
  if (memo._tag !== 'hash' || memo.value !== hash) return E.right({ _tag: 'another_hash' })
  const found = await lookUp(transactionHash)()
  if (E.isLeft(found)) return found
  switch (found.right._tag) {
    case 'Succeeded': {
      const isThere = found.right.ledger === ledger && found.right.closedAt === closedAt
      return E.right(isThere ? { _tag: 'confirmed' } : { _tag: 'another_ledger', ledger: found.right.ledger })
    }
    case 'Failed':
      return E.right({ _tag: 'failed' })
    case 'NotFound': {
      const { oldest, latest } = found.right.range
      return E.right({ _tag: oldest <= ledger && ledger <= latest ? 'not_on_ledger' : 'not_held' })
    }
  }
}
