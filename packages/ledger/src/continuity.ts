import { type ContractId, LedgerSequence } from '@quittance/domain'
import type { ClosedLedger, LedgerBatch, LedgerHead, WatchedAccounts } from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { Cursor, Halted } from './ingestion.ts'
import type { MandateFact } from './mandate.ts'
import type { Movement } from './movement.ts'
import { named } from './named.ts'

/** The ledger that closes next. */
export const after = (sequence: LedgerSequence): LedgerSequence => named(LedgerSequence, sequence + 1)

/** Why a ledger does not continue the cursor; null when it does. */
export const discontinuity = (
  cursor: Cursor | null,
  expected: LedgerSequence,
  ledger: Pick<ClosedLedger, 'sequence' | 'previousHash'>,
): Halted | null => {
  if (ledger.sequence !== expected) return { _tag: 'LedgerGap', expected, found: ledger.sequence }
  if (cursor === null || cursor.hash === null || cursor.hash === ledger.previousHash) return null
  return {
    _tag: 'ChainBroken',
    sequence: ledger.sequence,
    expectedPrevious: cursor.hash,
    foundPrevious: ledger.previousHash,
  }
}

/** How many ledgers a node may be late: of several behind one address, another may give the next response. */
export const ledgersLate = 20

/** A late node knows only ledgers that closed before the cursor's; one that closed later belongs to another history. */
export const wentBack = ({ sequence, closedAt }: Cursor, latest: LedgerHead): Halted | null => {
  const behind = sequence - latest.sequence
  if (behind <= 0 || (behind <= ledgersLate && latest.closedAt < closedAt)) return null
  return { _tag: 'LedgerWentBack', cursor: { sequence, closedAt }, latest }
}

/** A ledger as one node has it, and as the second node has it; null without a second node. */
export type PairedLedger = { readonly ledger: ClosedLedger; readonly twin: ClosedLedger | null }

/** The ledgers of a batch, each with its twin, up to the last one that both nodes have. */
export function* pairedLedgers({ ledgers, twin }: LedgerBatch): Generator<PairedLedger> {
  if (twin === null) {
    for (const ledger of ledgers) yield { ledger, twin: null }
    return
  }
  const twins = twin.ledgers[Symbol.iterator]()
  for (const ledger of ledgers) {
    const next = twins.next()
    if (next.done === true) return
    yield { ledger, twin: next.value }
  }
}

const textOf = (facts: ReadonlyArray<IncomingPayment | Movement | MandateFact>): string =>
  JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/**
 * In what the nodes of a batch disagree about one ledger; null where they agree. Outcomes are not compared: the
 * header's hash covers the results, but not the changes that hold incoming payments and movements.
 */
export const disagreement = (
  { node, twin: second }: LedgerBatch,
  { ledger, twin }: PairedLedger,
  incomingPayments: ReadonlyArray<IncomingPayment>,
  watched: WatchedAccounts,
  contracts: ReadonlySet<ContractId>,
): Halted | null => {
  if (second === null || twin === null) return null
  const nodes = [node, second.node] as const
  const { sequence } = ledger
  if (twin.hash !== ledger.hash) return { _tag: 'NodesDisagree', sequence, about: 'hash', nodes }
  if (textOf(twin.incomingPaymentsTo(watched)) !== textOf(incomingPayments))
    return { _tag: 'NodesDisagree', sequence, about: 'credits', nodes }
  if (textOf(twin.movementsOf(watched)) !== textOf(ledger.movementsOf(watched)))
    return { _tag: 'NodesDisagree', sequence, about: 'movements', nodes }
  if (textOf(twin.mandatesOf(contracts)) === textOf(ledger.mandatesOf(contracts))) return null
  return { _tag: 'NodesDisagree', sequence, about: 'mandates', nodes }
}
