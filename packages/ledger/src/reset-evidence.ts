import { minuteMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { LedgerGateway, LedgerHead } from './gateway.ts'
import type { Cursor, Halted } from './ingestion.ts'

/** A ledger that shows another history than the one that was ingested, and what about it shows that. */
export type OtherHistory = {
  readonly evidence: 'ledger_went_back' | 'other_hash'
  readonly found: LedgerHead
}

/**
 * So much later a ledger of the same number closes in a network that was begun anew. Where a node has forged the ingested
 * ledger, the true one closed about then.
 */
const leastLaterMs = 5 * minuteMs

/**
 * Whether a halt shows that another history has taken the place of the ingested one, as after a reset of the network: all
 * nodes that answer are at a lower ledger that closed later, or have another ledger under the number of the last ingested
 * one, which closed later. A node that is merely late shows neither.
 */
export const otherHistory = async (
  gateway: Pick<LedgerGateway, 'readLedgers'>,
  cursor: Cursor,
  halted: Halted,
): Promise<OtherHistory | null> => {
  if (halted._tag === 'LedgerWentBack') {
    const { latest } = halted
    return latest.closedAt > cursor.closedAt ? { evidence: 'ledger_went_back', found: latest } : null
  }
  if (halted._tag !== 'ChainBroken' || cursor.hash === null) return null
  const read = await gateway.readLedgers(cursor.sequence, 1, null)()
  if (E.isLeft(read)) return null
  const [own] = read.right.ledgers
  const [twin = own] = read.right.twin?.ledgers ?? []
  if (own === undefined || twin === undefined || own.sequence !== cursor.sequence) return null
  if (own.hash === cursor.hash || twin.hash === cursor.hash) return null
  if (own.closedAt < cursor.closedAt + leastLaterMs) return null
  return { evidence: 'other_hash', found: { sequence: own.sequence, closedAt: own.closedAt } }
}
