import { type ContractId, LedgerSequence } from '@quittance/domain'
import type { Cursor, Halted } from './following.ts'
import type { ClosedLedger, LedgerBatch, LedgerHead, WatchedAccounts } from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { Movement } from './movement.ts'
import { named } from './named.ts'

/** The ledger that closes next. */
export const after = (sequence: LedgerSequence): LedgerSequence => named(LedgerSequence, sequence + 1)

/** Why a ledger does not follow the one handled before it; null when it does. `from` is the one that should come. */
export const discontinuity = (cursor: Cursor | null, from: LedgerSequence, ledger: ClosedLedger): Halted | null => {
  if (ledger.sequence !== from) return { _tag: 'LedgerGap', expected: from, found: ledger.sequence }
  if (cursor === null || cursor.hash === null || cursor.hash === ledger.previousHash) return null
  return {
    _tag: 'ChainBroken',
    sequence: ledger.sequence,
    expectedPrevious: cursor.hash,
    foundPrevious: ledger.previousHash,
  }
}

/** How many ledgers a node may be late: with several behind one address, the next answer may come from another. */
export const ledgersLate = 20

/** A node that is late knows only ledgers that closed before the cursor's; one that closed later is of another history. */
export const wentBack = ({ sequence, closedAt }: Cursor, latest: LedgerHead): Halted | null => {
  const behind = sequence - latest.sequence
  if (behind <= 0 || (behind <= ledgersLate && latest.closedAt < closedAt)) return null
  return { _tag: 'LedgerWentBack', cursor: { sequence, closedAt }, latest }
}

/** A ledger, and how a second node tells it; null where there is no second node. */
type Told = { readonly ledger: ClosedLedger; readonly twin: ClosedLedger | null }

/** The ledgers of a batch, each with its twin; they end where either node's do. */
export function* withTwins({ ledgers, twin }: LedgerBatch): Generator<Told> {
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

const textOf = (told: ReadonlyArray<IncomingPayment | Movement | MandateFact>): string =>
  JSON.stringify(told, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/**
 * Whether the nodes of a batch tell one ledger differently. Its credits and movements come from changes that no header names; its
 * outcomes are in the results that the header names, so that they are the same under one hash.
 */
export const disagreement = (
  { node, twin: second }: LedgerBatch,
  { ledger, twin }: Told,
  credits: ReadonlyArray<IncomingPayment>,
  watched: WatchedAccounts,
  contracts: ReadonlySet<ContractId>,
): Halted | null => {
  if (second === null || twin === null) return null
  const nodes = [node, second.node] as const
  const { sequence } = ledger
  if (twin.hash !== ledger.hash) return { _tag: 'NodesDisagree', sequence, about: 'hash', nodes }
  if (textOf(twin.creditsTo(watched)) !== textOf(credits))
    return { _tag: 'NodesDisagree', sequence, about: 'credits', nodes }
  if (textOf(twin.movementsOf(watched)) !== textOf(ledger.movementsOf(watched)))
    return { _tag: 'NodesDisagree', sequence, about: 'movements', nodes }
  if (textOf(twin.mandatesOf(contracts)) === textOf(ledger.mandatesOf(contracts))) return null
  return { _tag: 'NodesDisagree', sequence, about: 'mandates', nodes }
}
