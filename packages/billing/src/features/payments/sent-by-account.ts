import {
  type AccountId,
  type IncomingPayment,
  type IncomingPaymentKind,
  type MuxedId,
  type Stroops,
  stroops,
} from '@quittance/domain'
import { isDust } from './misfit-rules.ts'

/** Nobody can say where the money came from: the caller names a destination. */
export type SenderUnknown = { readonly _tag: 'SenderUnknown' }

const sentByItself: ReadonlySet<IncomingPaymentKind> = new Set([
  'payment',
  'path_payment',
  'account_created',
  'account_merged',
  'contract_transfer',
])

/**
 * Whether the sender that an incoming payment names has sent it itself. For a contract call or a claimable balance, the
 * named sender only submitted the transaction or created the balance, and may own none of the money. What was recorded
 * before the origin was kept counts as sent.
 */
const isSentByAccount = ({ origin, sum }: IncomingPayment): boolean =>
  sum?.senders !== 'several' &&
  (origin === undefined || (sentByItself.has(origin.kind) && origin.fromContract === null))

/** Whether one account has sent all of it. A stranger may add the last stroop to somebody else's purchase. */
export const isSentByOneAccount = (accepted: ReadonlyArray<IncomingPayment>): boolean =>
  accepted.every((incoming) => isSameSender(incoming, accepted[0]) && isSentByAccount(incoming))

/** Many customers of an exchange share its account, and differ by the number of their muxed address. */
const isSameSender = (one: IncomingPayment, other: IncomingPayment | undefined): boolean =>
  senderOf(one) === (other && senderOf(other))
const senderOf = ({ from, origin, sum }: IncomingPayment): string =>
  sum?.senders === 'several' ? 'several' : `${from} ${origin?.fromMuxedId ?? ''}`

/** An account, and what it has sent. */
export type SoleSender = { readonly account: AccountId; readonly amount: Stroops }

/**
 * The account that has sent all of it, apart from senders whose whole share is dust: who adds a stroop to somebody else's
 * purchase does not hide its sender. Null if nobody can say. `dustLimit` is as in `isDust`.
 */
export const soleSender = (accepted: ReadonlyArray<IncomingPayment>, dustLimit: bigint | null): SoleSender | null => {
  const shares = [...Map.groupBy(accepted, senderOf).values()]
  const counted = shares.length === 1 ? shares : shares.filter((share) => !isDustShare(share, dustLimit))
  const [share = [], ...others] = counted
  const [first] = share
  return first === undefined || others.length > 0 || !share.every(isSentByAccount)
    ? null
    : { account: first.from, amount: totalOf(share) }
}

/** Of what several senders sent together, the largest part counts, as for exceptions. */
const isDustShare = (share: ReadonlyArray<IncomingPayment>, dustLimit: bigint | null): boolean =>
  share.every(({ assetId, amount, sum }) =>
    sum?.senders === 'several'
      ? isDust({ assetId, amount, sum }, dustLimit)
      : isDust({ assetId, amount: totalOf(share) }, dustLimit),
  )

const totalOf = (share: ReadonlyArray<IncomingPayment>): Stroops =>
  stroops(share.reduce((sum, { amount }) => sum + amount, 0n))

/**
 * The number inside the muxed address from which an account has sent the most; null if it paid without one, or did not pay.
 * A refund to that account goes to that number.
 */
export const muxedIdOf = (accepted: ReadonlyArray<IncomingPayment>, account: AccountId): MuxedId | null => {
  const shares = [
    ...Map.groupBy(
      accepted.filter(({ from }) => from === account),
      senderOf,
    ).values(),
  ]
  const [largest] = shares.toSorted((one, other) => (totalOf(one) < totalOf(other) ? 1 : -1))
  return largest?.at(-1)?.origin?.fromMuxedId ?? null
}
