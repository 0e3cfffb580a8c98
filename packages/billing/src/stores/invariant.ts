import type { Environment, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'

/**
 * The rules that must hold at all times. A new one needs a check, and a test that sees it violated.
 * `one_confirmed_payment`: a checkout has at most one, apart from renewals. `one_confirmed_renewal`: a period of a
 * subscription has at most one. `charged_within_cap`: the charges of a period stay within the signed cap. `refunded_once`: a
 * payment has at most one settled refund, of no more than was paid. `platform_fee_agreed`: a payment owes the
 * operator what its terms say, of its price alone. `one_live_transaction`: an intent is in at most one
 * transaction that is or may get into a ledger. `changes_named`: every change of a balance has a name in the log.
 * `due_items_move`: ended and due items are worked off. `rows_folded`: a row of a read model equals the fold of its stream.
 * `hash_chains`: each event follows the one before it.
 */
export const InvariantName = t.keyof(
  {
    one_confirmed_payment: null,
    one_confirmed_renewal: null,
    charged_within_cap: null,
    refunded_once: null,
    platform_fee_agreed: null,
    one_live_transaction: null,
    changes_named: null,
    due_items_move: null,
    rows_folded: null,
    hash_chains: null,
  },
  'InvariantName',
)
export type InvariantName = t.TypeOf<typeof InvariantName>

export type Breach = { readonly invariant: InvariantName; readonly detail: string }

/** A breach about a `subject`: a stream, a change of a balance, or a due item. */
export type Violation = Breach & {
  readonly environment: Environment
  readonly subject: string
  readonly foundAt: UnixMs
}
