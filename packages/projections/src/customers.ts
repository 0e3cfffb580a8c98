import {
  Customer,
  CustomerId,
  CustomerRecord,
  type CustomerState,
  type RecordedEvent,
  UnixMs,
  unixMs,
  Wallet,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import { foldRow } from './read-model.ts'
import type { StateReadModel } from './state-model.ts'

/** A customer. The profile is sealed here as it is in the log: erasing its key reaches every copy. */
export const CustomerRow = t.strict({
  record: CustomerRecord,
  wallets: t.readonlyArray(t.strict({ wallet: Wallet, linkedAt: UnixMs })),
  status: t.keyof({ living: null, deleted: null }),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type CustomerRow = t.TypeOf<typeof CustomerRow>

const decode = decodedBy(Customer)

const fold = (row: O.Option<CustomerRow>, recorded: RecordedEvent): O.Option<CustomerRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: (row: CustomerRow) => Partial<CustomerRow>) =>
    O.map((known: CustomerRow) => ({ ...known, ...change(known), updatedAt: at }))(row)
  switch (event.type) {
    case 'CustomerCreated':
      return O.some({
        record: event.data,
        wallets: [],
        status: 'living',
        createdAt: createdAt(recorded),
        updatedAt: at,
      })
    case 'CustomerUpdated':
      return patch(({ record }) => ({ record: { ...record, ...event.data } }))
    case 'WalletLinked':
      return patch(({ wallets }) => ({ wallets: [...wallets, { wallet: event.data, linkedAt: at }] }))
    case 'WalletProven':
      return patch(({ wallets }) => ({
        wallets: wallets.map((linked) =>
          linked.wallet.walletId === event.data.walletId
            ? { ...linked, wallet: { ...linked.wallet, via: 'proof' as const } }
            : linked,
        ),
      }))
    case 'WalletUnlinked':
      return patch(({ wallets }) => ({
        wallets: wallets.filter(({ wallet }) => wallet.walletId !== event.data.walletId),
      }))
    case 'CustomerDeleted':
      return patch(() => ({
        record: { profile: null, emailHash: null, phoneHash: null },
        wallets: [],
        status: 'deleted',
      }))
    case 'EmailForfeited':
      return row
  }
}

/**
 * Found by the keyed hash of the phone number, which several may share. A deleted customer stays due, so that its key is
 * destroyed whatever a crash has interrupted.
 */
export const customers: StateReadModel<CustomerState, CustomerRow> = {
  name: 'customers',
  version: 3,
  category: Customer.category,
  ids: CustomerId,
  row: CustomerRow,
  fold,
  // A wallet's row needs the moment of its link, which the state does not hold.
  ofState: (_, events) => foldRow(customers, events),
  columns: ({ status, record, updatedAt }) => ({
    status,
    lookupKey: record.phoneHash,
    dueAt: status === 'deleted' ? updatedAt : null,
  }),
}
