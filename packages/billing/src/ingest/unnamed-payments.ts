import { type AccountId, entryOf, groupsOf, type IncomingPayment, ReceivedMemo } from '@quittance/domain'
import type { IncomingPayment as LedgerIncomingPayment } from '@quittance/ledger'
import { incomingPaymentKey, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { bookedFunding } from '../features/funding/booked-funding.ts'
import { receiveFunding } from '../features/funding/receive-funding.ts'
import { isDust, isReturn } from '../features/payments/misfit-rules.ts'
import { type Misfit, openException } from '../features/payments/open-exception.ts'
import { someInTurn } from '../kernel/checks-in-turn.ts'
import { isIn } from '../kernel/load.ts'
import { isInMerchantsCustody } from '../services/custody.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'
import type { IngestServices } from './services.ts'

type Kept = ReadonlyMap<IncomingPayment, LedgerIncomingPayment>

/** Books payments of one ledger to one account that name no sale: they are funding, or few exceptions for all others. */
export const receiveUnnamed = async (
  services: IngestServices,
  scope: Scope,
  account: AccountId,
  received: ReadonlyArray<LedgerIncomingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  // Money to a merchant's own account that names no sale is not ours to handle.
  if (await isInMerchantsCustody(services.readModels, scope.environment, account)) return E.right(undefined)
  const others = await withoutFunding(services, scope, account, received)
  if (E.isLeft(others)) return others
  const kept: Kept = others.right
  const groups = groupsOf([...kept.keys()], undefined, (each) => (isReturn(memoOf(kept.get(each))) ? 'return' : ''))
  // A sum comes first: once it is there, nothing of this ledger becomes funding any more.
  for (const group of groups.toSorted((one, other) => other.length - one.length)) {
    const memo = commonMemo(group.map((each) => kept.get(each)))
    for (const incoming of entryOf(group)) {
      const kind = isDust(incoming) ? ('dust' as const) : ('unmatched' as const)
      const misfit = { kind, incoming, checkoutId: null, paymentId: null, account, ...memo }
      const opened = await openException(services, scope, misfit)
      if (E.isLeft(opened)) return opened
    }
  }
  return E.right(undefined)
}

const withoutFunding = async (
  services: IngestServices,
  scope: Scope,
  account: AccountId,
  received: ReadonlyArray<LedgerIncomingPayment>,
): Promise<E.Either<ProcessFailure, Kept>> => {
  const { readModels } = services
  const isRecorded = await someInTurn(received, async (each) =>
    (await readModels.exceptions.withKey(incomingPaymentKey(each))).some(
      (found) => isIn(scope, found) && found.row.details.sum !== undefined,
    ),
  )
  const others = new Map<IncomingPayment, LedgerIncomingPayment>()
  for (const each of received) {
    const incoming = keptIncomingPayment(each)
    const isFunding = isRecorded
      ? E.right((await bookedFunding(readModels, scope, incoming)) !== null)
      : await receiveFunding(services, scope, account, incoming)
    if (E.isLeft(isFunding)) return isFunding
    if (!isFunding.right) others.set(incoming, each)
  }
  return E.right(others)
}

/** The memo of a payment, as far as the domain records it. */
export const memoOf = (received: LedgerIncomingPayment | undefined): Pick<Misfit, 'memo'> => {
  if (received === undefined || received.memo._tag === 'none') return {}
  const { _tag: type, value } = received.memo
  const kept = ReceivedMemo.decode({ type, value })
  return E.isRight(kept) ? { memo: kept.right } : {}
}

/** The memo of the first payment, if it is that of all, or if all are returns. */
const commonMemo = (of: ReadonlyArray<LedgerIncomingPayment | undefined>): Pick<Misfit, 'memo'> => {
  const memos = of.map(memoOf)
  const [first = {}] = memos
  const isOne = memos.every(({ memo }) => memo?.type === first.memo?.type && memo?.value === first.memo?.value)
  return isOne || memos.every(isReturn) ? first : {}
}
