import type { LedgerSequence } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FeeStats } from '../../fee-stats.ts'
import type { AccountView, Balance, Holding, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'

/** An account as a node knows it: null when there is none, as of the newest ledger that the node has. */
export type AccountAt = { readonly view: AccountView | null; readonly asOf: LedgerSequence }

/** An account with the ledger that it was read from. */
export const viewAt = ({ view, asOf }: AccountAt): AccountView | null => view && { ...view, asOf }

/** What a node knows to be held, each in its place, all as of one ledger. */
export type HeldAt = { readonly balances: ReadonlyArray<Balance>; readonly asOf: LedgerSequence }

/** One node of a network, with what has to be known in order to compare it with others. */
export interface LedgerNode extends Omit<LedgerGateway, 'accountView' | 'balances' | 'feeStats'> {
  /** For logs and alarms. */
  readonly name: string
  /** The network that the node says it is of. */
  readonly passphrase: () => TaskEither<LedgerUnreachable, string>
  readonly account: (...question: Parameters<LedgerGateway['accountView']>) => TaskEither<LedgerUnreachable, AccountAt>
  /** Of 200 holdings at most: that is one question. */
  readonly held: (holdings: ReadonlyArray<Holding>) => TaskEither<LedgerUnreachable, HeldAt>
  readonly feeStats: () => TaskEither<LedgerUnreachable, FeeStats>
}
