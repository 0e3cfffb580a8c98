import {
  type AccountId,
  type AssetId,
  type ExceptionDetails,
  ExceptionId,
  type MuxedId,
  RefundId,
  type Stroops,
  type UndecidedReason,
} from '@quittance/domain'
import { BASE_FEE } from '@quittance/ledger'

/** What goes back only where it is worth ten times what that costs. Of other assets, nobody can say so without a rate. */
const dustBelow = BASE_FEE * 10n

/** Not worth returning. */
export const isDust = ({ assetId, amount }: { readonly assetId: AssetId; readonly amount: Stroops }): boolean =>
  amount === 0n || (assetId === 'native' && amount < dustBelow)

/** Who sent it, as far as that is known to be where it may go back. */
export type Sender = { readonly destination: AccountId; readonly destinationMuxedId: MuxedId | null }

/**
 * The account that itself sent a payment, be it by a path, or that a mandate has collected from: its owner has signed that. Of all else, and of what was recorded before it was kept how
 * money came, `from` may be somebody who holds nothing of it: a contract, an exchange that made an account, who put aside
 * what another has claimed.
 */
export const knownSender = ({
  from,
  origin,
  mandateId,
}: Pick<ExceptionDetails, 'from' | 'origin' | 'mandateId'>): Sender | null => {
  if (mandateId !== undefined) return { destination: from, destinationMuxedId: null }
  if (origin === undefined || origin.fromContract !== null) return null
  if (origin.kind !== 'payment' && origin.kind !== 'path_payment') return null
  return { destination: from, destinationMuxedId: origin.fromMuxedId }
}

/** Where an exception goes without anyone's asking. A return still has to fit its destination. */
export type OwnWay =
  | { readonly _tag: 'accept' }
  | ({ readonly _tag: 'return' } & Sender)
  | { readonly _tag: 'leave'; readonly reason: UndecidedReason }

/**
 * What the rules say of an exception that nobody has decided. `isOurs` tells the accounts that we watch: what one of them
 * sent would come back as another exception, and so for ever; neither does a return go back.
 */
export const ownWay = (details: ExceptionDetails, isOurs: (account: AccountId) => boolean): OwnWay => {
  const leave = (reason: UndecidedReason): OwnWay => ({ _tag: 'leave', reason })
  if (details.kind === 'unexplained') return leave('not_returnable')
  if (details.kind === 'dust' || isDust(details)) return { _tag: 'accept' }
  if (isReturn(details)) return leave('is_return')
  const sender = knownSender(details)
  if (sender === null) return leave('sender_unknown')
  return isOurs(sender.destination) ? leave('sender_is_ours') : { _tag: 'return', ...sender }
}

/** By its memo: that of a return (SEP-29's kind, or a refund's or an exception's id, of whatever service like this one). */
const isReturn = ({ memo }: ExceptionDetails): boolean =>
  memo !== undefined && (memo.type === 'return' || ExceptionId.is(memo.value) || RefundId.is(memo.value))
