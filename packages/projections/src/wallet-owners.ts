import { AccountId, Customer, CustomerId, WalletId } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** The customer that a wallet was linked to. Whether the customer still has it, and has proven it, is the customer's to say. */
export const WalletOwnerRow = t.strict({ customerId: CustomerId, address: AccountId })
export type WalletOwnerRow = t.TypeOf<typeof WalletOwnerRow>

const decode = decodedBy(Customer)

/** Found by the address: all customers that it was linked to. */
export const walletOwners: ReadModel<WalletOwnerRow> = {
  name: 'wallet_owners',
  version: 1,
  category: Customer.category,
  row: WalletOwnerRow,
  ids: WalletId,
  rowOf: (recorded) => {
    const event = recorded.type === 'WalletLinked' ? decode(recorded) : null
    return event?.type === 'WalletLinked' ? event.data.walletId : null
  },
  fold: (row, recorded) => {
    const event = decode(recorded)
    const customerId = recorded.stream.slice(`${Customer.category}-`.length)
    if (O.isSome(row) || event.type !== 'WalletLinked' || !CustomerId.is(customerId)) return row
    return O.some({ customerId, address: event.data.address })
  },
  columns: ({ address }) => ({ lookupKey: address }),
}
