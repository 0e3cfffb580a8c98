import type { LedgerSequence } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FeeStats } from '../../fee-stats.ts'
import type { AccountView, Balance, Holding, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { NetworkProtocol } from '../../protocol.ts'

/** An account as of a node's newest ledger; null when there is none. */
export type AccountAt = { readonly view: AccountView | null; readonly asOf: LedgerSequence }

/** An account with the ledger that it was read from. */
export const viewAt = ({ view, asOf }: AccountAt): AccountView | null => view && { ...view, asOf }

/** Balances in the order of their holdings, all as of one ledger. */
export type HeldAt = { readonly balances: ReadonlyArray<Balance>; readonly asOf: LedgerSequence }

/** One node of a network, with what comparing it with others takes. */
export interface LedgerNode extends Omit<LedgerGateway, 'accountView' | 'balances' | 'feeStats'> {
  /** For logs and alarms. */
  readonly name: string
  /** The network that the node states. */
  readonly passphrase: () => TaskEither<LedgerUnreachable, string>
  /** The network's protocol, and what the node could run. */
  readonly protocol: () => TaskEither<LedgerUnreachable, NetworkProtocol>
  readonly account: (...request: Parameters<LedgerGateway['accountView']>) => TaskEither<LedgerUnreachable, AccountAt>
  /** Of at most 200 holdings. */
  readonly held: (holdings: ReadonlyArray<Holding>) => TaskEither<LedgerUnreachable, HeldAt>
  readonly feeStats: () => TaskEither<LedgerUnreachable, FeeStats>
}
