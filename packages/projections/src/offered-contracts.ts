import { Checkout, ContractId } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { ReadModel } from './read-model.ts'

/** A contract in which mandates were offered. Customers may sign there after it has ceased to be the configured one. */
export const OfferedContractRow = t.strict({ contract: ContractId })
export type OfferedContractRow = t.TypeOf<typeof OfferedContractRow>

/** A row for each contract in each environment. */
export const offeredContracts: ReadModel<OfferedContractRow> = {
  name: 'offered_contracts',
  version: 1,
  category: Checkout.category,
  row: OfferedContractRow,
  // Only the contract is decoded: mandates are offered too often to decode each event for it.
  rowOf: ({ type, data: { contract }, metadata: { environment } }) =>
    type === 'MandateOffered' && ContractId.is(contract) ? `${contract} ${environment}` : null,
  fold: (row, { data: { contract } }) => (O.isSome(row) || !ContractId.is(contract) ? row : O.some({ contract })),
  columns: () => ({}),
}
