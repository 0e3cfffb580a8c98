import { WalletId } from '../shared/ids.ts'
import { KeyedHash, Sealed } from '../shared/sealed.ts'
import { accountOf } from '../testing/account.ts'
import { decoded, exampleId } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import {
  Customer,
  type CustomerCommand,
  type CustomerEvent,
  type CustomerRecord,
  type CustomerState,
  type Wallet,
} from './index.ts'

const record: CustomerRecord = {
  profile: decoded(Sealed, 'c2VhbGVk'),
  emailHash: decoded(KeyedHash, 'a'.repeat(64)),
  phoneHash: null,
}
const otherHash = decoded(KeyedHash, 'b'.repeat(64))
const wallet: Wallet = { walletId: exampleId(WalletId, 1), address: accountOf(7), metadata: null, via: 'payment' }
const created: CustomerEvent = { type: 'CustomerCreated', data: record }
const linked: CustomerEvent = { type: 'WalletLinked', data: wallet }
const histories: Readonly<Record<CustomerState['status'], ReadonlyArray<CustomerEvent>>> = {
  absent: [],
  abandoned: [{ type: 'EmailForfeited', data: { emailHash: otherHash } }],
  active: [created, linked],
  deleted: [created, linked, { type: 'CustomerDeleted', data: {} }],
}
const commands: ReadonlyArray<CustomerCommand> = [
  { type: 'CreateCustomer', ...record },
  { type: 'UpdateCustomer', email: { hash: otherHash, revision: 0 } },
  { type: 'LinkWallet', ...wallet, walletId: exampleId(WalletId, 2), address: accountOf(8) },
  { type: 'UnlinkWallet', walletId: wallet.walletId },
  { type: 'DeleteCustomer' },
  { type: 'ForfeitEmail', emailHash: otherHash },
]
const nobody = {
  UpdateCustomer: 'CustomerNotFound',
  LinkWallet: 'CustomerNotFound',
  UnlinkWallet: 'CustomerNotFound',
  DeleteCustomer: 'CustomerNotFound',
  ForfeitEmail: 'EmailForfeited',
}
const expected: Outcomes<CustomerState['status'], CustomerCommand['type']> = {
  absent: { ...nobody, CreateCustomer: 'CustomerCreated' },
  abandoned: { ...nobody, CreateCustomer: 'CustomerIsAbandoned' },
  active: {
    CreateCustomer: 'nothing',
    UpdateCustomer: 'CustomerUpdated',
    LinkWallet: 'WalletLinked',
    UnlinkWallet: 'WalletUnlinked',
    DeleteCustomer: 'CustomerDeleted',
    ForfeitEmail: 'EmailForfeited',
  },
  deleted: {
    CreateCustomer: 'CustomerIsDeleted',
    UpdateCustomer: 'CustomerIsDeleted',
    LinkWallet: 'CustomerIsDeleted',
    UnlinkWallet: 'CustomerIsDeleted',
    DeleteCustomer: 'nothing',
    ForfeitEmail: 'EmailForfeited',
  },
}

describe('a customer of any status', () => {
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Customer.decider, histories, commands)).toEqual(expected))
})
