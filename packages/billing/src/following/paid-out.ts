import { type AccountId, AssetId, type Stroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from '../decode.ts'
import type { Services } from '../services.ts'
import { everyRow } from './every-row.ts'

const native = decodeOrThrow(AssetId, 'native')

/** Something that has left an account. */
type Paid = { readonly account: AccountId; readonly assetId: AssetId; readonly amount: Stroops }

/** All that a merchant's transactions have moved: what its intents wanted, and the fees that ledgers took, from whomever. */
export function* paidOut({ readModels }: Pick<Services, 'readModels'>, scope: Scope): Generator<Paid> {
  for (const { row } of everyRow(readModels.intents.page, scope)) {
    const { source: account, action } = row.details
    // Where it has a code, its operation failed and moved nothing.
    if (row.place !== null && row.code === null) yield { account, assetId: action.assetId, amount: action.amount }
  }
  for (const { row } of everyRow(readModels.ledgerTransactions.page, scope))
    for (const { feeSource: account, feeCharged: amount } of row.fees) yield { account, assetId: native, amount }
}
