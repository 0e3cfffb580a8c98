import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type {
  CreateCustomer,
  CustomerCommand,
  ForfeitEmail,
  LinkWallet,
  UnlinkWallet,
  UpdateCustomer,
} from './commands.ts'
import type { CustomerEvent } from './events.ts'
import type { CustomerRejection } from './rejections.ts'
import type { CustomerState } from './state.ts'

type Decision = E.Either<CustomerRejection, ReadonlyArray<CustomerEvent>>
type Active = Extract<CustomerState, { readonly status: 'active' }>

const create = ({ profile, emailHash, phoneHash }: CreateCustomer, state: CustomerState): Decision => {
  const record = { profile, emailHash, phoneHash }
  switch (state.status) {
    case 'absent':
      return E.right([{ type: 'CustomerCreated', data: record }])
    case 'active':
      return isSame(state.record, record) ? nothing : E.left({ _tag: 'CustomerAlreadyExists' })
    case 'abandoned':
      return E.left({ _tag: 'CustomerIsAbandoned' })
    case 'deleted':
      return E.left({ _tag: 'CustomerIsDeleted' })
  }
}

const update = ({ profile, email, phoneHash }: UpdateCustomer, { record, emailRevision }: Active): Decision => {
  const isNewEmail = email !== undefined && email.hash !== record.emailHash
  if (isNewEmail && email.revision !== emailRevision) return E.left({ _tag: 'EmailClaimOutdated' })
  const data = {
    ...(profile !== undefined && profile !== record.profile && { profile }),
    ...(isNewEmail && { emailHash: email.hash }),
    ...(phoneHash !== undefined && phoneHash !== record.phoneHash && { phoneHash }),
  }
  return Object.keys(data).length === 0 ? nothing : E.right([{ type: 'CustomerUpdated', data }])
}

/** A wallet that was linked by a payment and is proven later stays the same wallet. */
const linkWallet = (command: LinkWallet, { wallets, unlinked }: Active): Decision => {
  const { walletId, address, metadata, via } = command
  const known = wallets.find((wallet) => wallet.address === address)
  if (known !== undefined)
    return via === 'proof' && known.via === 'payment'
      ? E.right([{ type: 'WalletProven', data: { walletId: known.walletId } }])
      : nothing
  if (wallets.some((wallet) => wallet.walletId === walletId) || unlinked.includes(walletId)) {
    return E.left({ _tag: 'WalletIdTaken', walletId })
  }
  return E.right([{ type: 'WalletLinked', data: { walletId, address, metadata, via } }])
}

const unlinkWallet = ({ walletId }: UnlinkWallet, { wallets, unlinked }: Active): Decision => {
  if (unlinked.includes(walletId)) return nothing
  if (wallets.every((wallet) => wallet.walletId !== walletId)) return E.left({ _tag: 'WalletNotFound', walletId })
  return E.right([{ type: 'WalletUnlinked', data: { walletId } }])
}

/**
 * Whoever does not hold the email forfeits it, an absent or deleted customer too. Repeating it records it again, since
 * the fence is the new revision itself: it has to stand behind every write that was under way.
 */
const forfeitEmail = ({ emailHash }: ForfeitEmail, state: CustomerState): Decision =>
  state.status === 'active' && state.record.emailHash === emailHash
    ? E.left({ _tag: 'EmailStillHeld', emailHash })
    : E.right([{ type: 'EmailForfeited', data: { emailHash } }])

const change = (
  command: Exclude<CustomerCommand, CreateCustomer | ForfeitEmail>,
  state: Exclude<CustomerState, { readonly status: 'absent' | 'abandoned' }>,
): Decision => {
  if (state.status === 'deleted') {
    return command.type === 'DeleteCustomer' ? nothing : E.left({ _tag: 'CustomerIsDeleted' })
  }
  switch (command.type) {
    case 'UpdateCustomer':
      return update(command, state)
    case 'LinkWallet':
      return linkWallet(command, state)
    case 'UnlinkWallet':
      return unlinkWallet(command, state)
    case 'DeleteCustomer':
      return E.right([{ type: 'CustomerDeleted', data: {} }])
  }
}

export const decide =
  (command: CustomerCommand) =>
  (state: CustomerState): Decision => {
    if (command.type === 'CreateCustomer') return create(command, state)
    if (command.type === 'ForfeitEmail') return forfeitEmail(command, state)
    return state.status === 'absent' || state.status === 'abandoned'
      ? E.left({ _tag: 'CustomerNotFound' })
      : change(command, state)
  }
