import type { Environment, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'

/**
 * What must never be otherwise, whatever happens. Whoever adds one adds a check and a test that sees it violated.
 * `one_confirmed_payment` a checkout has at most one, renewals apart; `one_confirmed_renewal` a period of a subscription has
 * at most one; `charged_within_cap` a mandate was charged no more for a period than was signed; `refunded_once` a payment has at most one settled refund, of no more
 * than was paid; `one_live_transaction` an intent stands in at most one transaction that may be, or is, in a ledger;
 * `changes_named` every change of a balance has a name in the log; `due_items_move` what has ended or is due is worked
 * off; `rows_folded` a row of a read model is what its stream folds to; `hash_chains` an event follows the one before it.
 */
export const InvariantName = t.keyof(
  {
    one_confirmed_payment: null,
    one_confirmed_renewal: null,
    charged_within_cap: null,
    refunded_once: null,
    one_live_transaction: null,
    changes_named: null,
    due_items_move: null,
    rows_folded: null,
    hash_chains: null,
  },
  'InvariantName',
)
export type InvariantName = t.TypeOf<typeof InvariantName>

/** What is violated, in words. */
export type Breach = { readonly invariant: InvariantName; readonly detail: string }

/** A breach of what is about `subject`: a stream, a change of a balance, or what is due. */
export type Violation = Breach & {
  readonly environment: Environment
  readonly subject: string
  readonly foundAt: UnixMs
}
