import { WalletId } from '../shared/ids.ts'
import { KeyedHash, Sealed } from '../shared/sealed.ts'
import { accountOf } from '../testing/account.ts'
import { decoded, exampleId } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Customer, type CustomerCommand, type CustomerEvent, type CustomerRecord, type Wallet } from './index.ts'

const { given } = scenario(Customer.decider)
const record: CustomerRecord = {
  profile: decoded(Sealed, 'c2VhbGVk'),
  emailHash: decoded(KeyedHash, 'a'.repeat(64)),
  phoneHash: null,
}
const otherHash = decoded(KeyedHash, 'b'.repeat(64))
const otherProfile = decoded(Sealed, 'b3RoZXI=')
const wallet: Wallet = { walletId: exampleId(WalletId, 1), address: accountOf(7), metadata: null, via: 'payment' }

const create: CustomerCommand = { type: 'CreateCustomer', ...record }
const link: CustomerCommand = { type: 'LinkWallet', ...wallet }
const unlink: CustomerCommand = { type: 'UnlinkWallet', walletId: wallet.walletId }
const created: CustomerEvent = { type: 'CustomerCreated', data: record }
const linked: CustomerEvent = { type: 'WalletLinked', data: wallet }
const unlinked: CustomerEvent = { type: 'WalletUnlinked', data: { walletId: wallet.walletId } }
const deleted: CustomerEvent = { type: 'CustomerDeleted', data: {} }

describe('creating a customer', () => {
  it('records the sealed profile and the hashes', () => given([]).when(create).then([created]))
  it('records nothing when repeated', () => given([created]).when(create).then([]))
  it('rejects an id that has another record', () =>
    given([created])
      .when({ ...create, phoneHash: otherHash })
      .rejects({ _tag: 'CustomerAlreadyExists' }))
  it('rejects creating a deleted customer again', () =>
    given([created, deleted]).when(create).rejects({ _tag: 'CustomerIsDeleted' }))
})

describe('updating a customer', () => {
  it('records only what changed', () =>
    given([created])
      .when({ type: 'UpdateCustomer', profile: otherProfile, email: { hash: record.emailHash, revision: 7 } })
      .then([{ type: 'CustomerUpdated', data: { profile: otherProfile } }]))
  it('can remove the email', () =>
    given([created])
      .when({ type: 'UpdateCustomer', email: { hash: null, revision: 0 } })
      .then([{ type: 'CustomerUpdated', data: { emailHash: null } }]))
  it('records nothing when nothing changed', () =>
    given([created])
      .when({
        type: 'UpdateCustomer',
        profile: record.profile,
        email: { hash: record.emailHash, revision: 0 },
        phoneHash: null,
      })
      .then([]))
  it('records the claimed email', () =>
    given([created])
      .when({ type: 'UpdateCustomer', email: { hash: otherHash, revision: 0 } })
      .then([{ type: 'CustomerUpdated', data: { emailHash: otherHash } }]))
  it.each<CustomerEvent>([
    { type: 'EmailForfeited', data: { emailHash: otherHash } },
    { type: 'CustomerUpdated', data: { emailHash: null } },
  ])('rejects an email claim older than $type', (since) => {
    const change: CustomerCommand = { type: 'UpdateCustomer', email: { hash: otherHash, revision: 0 } }
    given([created, since]).when(change).rejects({ _tag: 'EmailClaimOutdated' })
    given([created, since])
      .when({ ...change, email: { hash: otherHash, revision: 1 } })
      .then([{ type: 'CustomerUpdated', data: { emailHash: otherHash } }])
  })
  it('keeps an email claim valid after another change', () =>
    given([created, { type: 'CustomerUpdated', data: { profile: otherProfile } }])
      .when({ type: 'UpdateCustomer', email: { hash: otherHash, revision: 0 } })
      .then([{ type: 'CustomerUpdated', data: { emailHash: otherHash } }]))
})

describe('linking a wallet', () => {
  it('records the address of a linked wallet', () => given([created]).when(link).then([linked]))
  it('records nothing for a linked address, under any id', () =>
    given([created, linked])
      .when({ ...link, walletId: exampleId(WalletId, 2) })
      .then([]))
  it('records once that the owner of a wallet that has paid proves it', () => {
    const prove: CustomerCommand = { ...link, walletId: exampleId(WalletId, 2), via: 'proof' }
    const proven: CustomerEvent = { type: 'WalletProven', data: { walletId: wallet.walletId } }
    given([created, linked]).when(prove).then([proven])
    given([created, linked, proven]).when(prove).then([])
    given([created, linked, proven]).when(link).then([])
  })
  it('rejects a wallet id that names another wallet', () =>
    given([created, linked])
      .when({ ...link, address: accountOf(8) })
      .rejects({ _tag: 'WalletIdTaken', walletId: wallet.walletId }))
  it('rejects a wallet id that was used before', () =>
    given([created, linked, unlinked]).when(link).rejects({ _tag: 'WalletIdTaken', walletId: wallet.walletId }))
  it('links an address again under a new id', () => {
    const again: Wallet = { ...wallet, walletId: exampleId(WalletId, 2) }
    given([created, linked, unlinked])
      .when({ type: 'LinkWallet', ...again })
      .then([{ type: 'WalletLinked', data: again }])
  })
})

describe('unlinking a wallet', () => {
  it('records that a wallet is unlinked', () => given([created, linked]).when(unlink).then([unlinked]))
  it('records nothing when repeated', () => given([created, linked, unlinked]).when(unlink).then([]))
  it('rejects unlinking an unknown wallet', () =>
    given([created]).when(unlink).rejects({ _tag: 'WalletNotFound', walletId: wallet.walletId }))
})

describe('deleting a customer', () => {
  it('deletes a customer', () => given([created, linked]).when({ type: 'DeleteCustomer' }).then([deleted]))
  it('records nothing when repeated', () => given([created, deleted]).when({ type: 'DeleteCustomer' }).then([]))
  it.each<CustomerCommand>([{ type: 'UpdateCustomer', phoneHash: otherHash }, link, unlink])(
    'makes every change impossible: $type',
    (command) => given([created, deleted]).when(command).rejects({ _tag: 'CustomerIsDeleted' }),
  )
})

describe('a customer that does not exist', () => {
  it.each<CustomerCommand>([
    { type: 'UpdateCustomer', phoneHash: otherHash },
    link,
    unlink,
    { type: 'DeleteCustomer' },
  ])('rejects $type for an unknown customer', (command) =>
    given([]).when(command).rejects({ _tag: 'CustomerNotFound' }),
  )
})

describe('forfeiting an email', () => {
  const forfeit: CustomerCommand = { type: 'ForfeitEmail', emailHash: otherHash }
  const forfeited: CustomerEvent = { type: 'EmailForfeited', data: { emailHash: otherHash } }

  it('fences the stream of a customer without the email', () => given([created]).when(forfeit).then([forfeited]))
  it('fences the stream of a customer that does not exist yet', () => given([]).when(forfeit).then([forfeited]))
  it('fences the stream of a deleted customer', () => given([created, deleted]).when(forfeit).then([forfeited]))
  it.each([[created, forfeited], [forfeited]])('records another fence when repeated', (...history) =>
    given(history).when(forfeit).then([forfeited]),
  )
  it('rejects the forfeit while the customer holds the email', () =>
    given([{ type: 'CustomerCreated', data: { ...record, emailHash: otherHash } }])
      .when(forfeit)
      .rejects({ _tag: 'EmailStillHeld', emailHash: otherHash }))
  it('rejects creating a customer in a fenced stream, so a late writer needs another id', () =>
    given([forfeited]).when(create).rejects({ _tag: 'CustomerIsAbandoned' }))
  it('leaves an existing customer unchanged', () => given([created, forfeited]).when(create).then([]))
  it.each<CustomerCommand>([
    { type: 'UpdateCustomer', phoneHash: otherHash },
    link,
    unlink,
    { type: 'DeleteCustomer' },
  ])('rejects $type for a fenced stream without a customer', (command) =>
    given([forfeited]).when(command).rejects({ _tag: 'CustomerNotFound' }),
  )
})
