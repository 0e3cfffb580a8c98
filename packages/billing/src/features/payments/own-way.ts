import {
  type AccountId,
  type AssetId,
  type ExceptionDetails,
  ExceptionId,
  type IncomingPaymentKind,
  type MuxedId,
  RefundId,
  type Stroops,
  type UndecidedReason,
  type UnknownLumens,
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
 * The account that itself sent the money: by a payment, by a path, by creating our account or by merging into it; or that a
 * mandate has collected from. Its owner has signed that. Of all else, and of what was recorded before it was kept how
 * money came, `from` may be somebody who holds nothing of it: a contract, or who put aside what another has claimed.
 */
export const knownSender = ({
  from,
  origin,
  mandateId,
}: Pick<ExceptionDetails, 'from' | 'origin' | 'mandateId'>): Sender | null => {
  if (mandateId !== undefined) return { destination: from, destinationMuxedId: null }
  if (origin === undefined || origin.fromContract !== null) return null
  return !sentByItself.has(origin.kind) ? null : { destination: from, destinationMuxedId: origin.fromMuxedId }
}

const sentByItself: ReadonlySet<IncomingPaymentKind> = new Set([
  'payment',
  'path_payment',
  'account_created',
  'account_merged',
])

/** Where an exception goes without anyone's asking. A return still has to fit its destination. */
export type OwnWay =
  | { readonly _tag: 'accept' }
  | ({ readonly _tag: 'return' } & Sender)
  | { readonly _tag: 'leave'; readonly reason: UndecidedReason }

/**
 * What the rules say of an exception that nobody has decided. `isOurs` tells the accounts that we watch: what one of them
 * sent would come back as another exception, and so for ever; neither does a return go back. `unknownLumens`: what becomes
 * of XLM that names nothing of ours, which the merchant may have sent to fund the account.
 */
export const ownWay = (
  details: ExceptionDetails,
  isOurs: (account: AccountId) => boolean,
  unknownLumens: UnknownLumens,
): OwnWay => {
  const leave = (reason: UndecidedReason): OwnWay => ({ _tag: 'leave', reason })
  if (details.kind === 'unexplained') return leave('not_returnable')
  if (details.kind === 'dust' || isDust(details)) return { _tag: 'accept' }
  if (isReturn(details)) return leave('is_return')
  const sender = knownSender(details)
  if (sender === null) return leave('sender_unknown')
  if (isOurs(sender.destination)) return leave('sender_is_ours')
  return isUnknownLumens(details) && unknownLumens === 'wait' ? leave('unknown_lumens') : { _tag: 'return', ...sender }
}

/** XLM without a memo, or with one that names nothing of ours. */
export const isUnknownLumens = ({ kind, assetId }: Pick<ExceptionDetails, 'kind' | 'assetId'>): boolean =>
  kind === 'unmatched' && assetId === 'native'

/** By its memo: that of a return (SEP-29's kind, or a refund's or an exception's id, of whatever service like this one). */
const isReturn = ({ memo }: ExceptionDetails): boolean =>
  memo !== undefined && (memo.type === 'return' || ExceptionId.is(memo.value) || RefundId.is(memo.value))
