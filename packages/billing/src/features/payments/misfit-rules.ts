import {
  type AccountId,
  type ExceptionDetails,
  ExceptionId,
  type IncomingPaymentKind,
  type MuxedId,
  RefundId,
  type UndecidedReason,
  type UnknownLumens,
} from '@quittance/domain'
import { BASE_FEE } from '@quittance/ledger'
import { isRefundReference } from '../../services/reference.ts'

/** Ten times the fee of sending money back, in stroops of XLM: what is worth less is dust. */
export const lumensOfDust = BASE_FEE * 10n

type Amount = Pick<ExceptionDetails, 'assetId' | 'amount' | 'sum'>

/**
 * Not worth returning. `limit` is how much of the asset is no dust any more; without one, only XLM can be compared with a
 * fee. A sum is dust if each of its payments is.
 */
export const isDust = (
  { assetId, amount, sum }: Amount,
  limit: bigint | null = assetId === 'native' ? lumensOfDust : null,
): boolean => {
  const largest = sum === undefined || sum.largest > amount ? amount : sum.largest
  return largest === 0n || (limit !== null && largest < limit)
}

/** The sender, where money may go back to. */
export type Sender = { readonly destination: AccountId; readonly destinationMuxedId: MuxedId | null }

/**
 * The account that itself sent the money, by a payment, by a path payment, by creating our account or by merging into it, or
 * that a mandate has collected from: its owner has signed for that. In every other case, and where the origin was not
 * recorded yet, `from` may own nothing of the money: it may be a contract, or the creator of a claimable balance.
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

/** What becomes of an exception automatically. A return still has to fit its destination. */
export type OwnWay =
  | { readonly _tag: 'accept' }
  | ({ readonly _tag: 'return' } & Sender)
  | { readonly _tag: 'leave'; readonly reason: UndecidedReason }

/**
 * Applies the rules to an exception that nobody has decided. `isOurs` finds the accounts that we watch: money returned to one
 * of them would become another exception there, and so on for ever. A return is not returned either. `unknownLumens` says
 * what to do with XLM that names nothing of ours, which the merchant may have sent to fund the account. `dustLimit` is as
 * in `isDust`.
 */
export const ownWay = async (
  details: ExceptionDetails,
  isOurs: (account: AccountId) => Promise<boolean>,
  unknownLumens: UnknownLumens,
  dustLimit: bigint | null,
): Promise<OwnWay> => {
  const leave = (reason: UndecidedReason): OwnWay => ({ _tag: 'leave', reason })
  if (details.kind === 'unexplained') return leave('not_returnable')
  if (details.kind === 'dust' || isDust(details, dustLimit)) return { _tag: 'accept' }
  if (isReturn(details)) return leave('is_return')
  const sender = knownSender(details)
  if (sender === null) return leave('sender_unknown')
  if (await isOurs(sender.destination)) return leave('sender_is_ours')
  return isUnknownLumens(details) && unknownLumens === 'wait' ? leave('unknown_lumens') : { _tag: 'return', ...sender }
}

/** XLM without a memo, or with one that names nothing of ours. */
export const isUnknownLumens = ({ kind, assetId }: Pick<ExceptionDetails, 'kind' | 'assetId'>): boolean =>
  kind === 'unmatched' && assetId === 'native'

/** Recognizes a return by its memo: a return hash, or that of a refund or a return of any service like this one. */
export const isReturn = ({ memo }: Pick<ExceptionDetails, 'memo'>): boolean =>
  memo !== undefined &&
  (memo.type === 'return' || ExceptionId.is(memo.value) || RefundId.is(memo.value) || isRefundReference(memo.value))
