import type { LedgerSequence } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AccountView, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'

/** An account as a node knows it: null when there is none, as of the newest ledger that the node has. */
export type AccountAt = { readonly view: AccountView | null; readonly asOf: LedgerSequence }

/** One node of a network, with what has to be known in order to compare it with others. */
export interface LedgerNode extends Omit<LedgerGateway, 'accountView'> {
  /** For logs and alarms. */
  readonly name: string
  /** The network that the node says it is of. */
  readonly passphrase: () => TaskEither<LedgerUnreachable, string>
  readonly account: (...question: Parameters<LedgerGateway['accountView']>) => TaskEither<LedgerUnreachable, AccountAt>
}
