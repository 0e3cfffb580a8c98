import {
  type AccountId,
  Funding,
  FundingId,
  type FundingReason,
  type IncomingPayment,
  isAsAnnounced,
  type ReceivedFunding,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type ExecuteFailure, step, stepUnless } from '../../kernel/execute.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import { openingOf } from '../payments/open-exception.ts'
import { knownSender } from '../payments/own-way.ts'
import { bookedFunding } from './booked-funding.ts'
import { ownAccounts } from './own-accounts.ts'

/**
 * Books a credit that names no sale as funding, where it is the merchant's or the operator's own money. Answers whether it
 * is funding. What was booked before stays so, however often the ledger is ingested and whatever was declared since: funding
 * never becomes an exception, and an exception never becomes funding.
 */
export const receiveFunding = async (
  services: Services,
  scope: Scope,
  account: AccountId,
  credit: IncomingPayment,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  if (bookedFunding(services.readModels, scope, credit) !== null) return E.right(true)
  if (isException(services, scope, credit)) return E.right(false)
  const reason = knownReason(services, scope, account, credit)
  if (reason === null) return bookAnnounced(services, scope, account, credit)
  const context = stepContext(scope, incomingPaymentName(scope, credit), 'funding', credit.closedAt)
  const id = createdId(FundingId, context.at, context.commandId)
  const decide = Funding.decider.decide({ type: 'ReceiveFunding', ...receivedOf(reason, account, credit) })
  const booked = await step(services.store)(Funding, id, context, decide)
  return E.map(() => true)(booked)
}

/** Whether the credit was ingested before as money that does not fit. */
const isException = ({ readModels }: Services, scope: Scope, credit: IncomingPayment): boolean => {
  const name = incomingPaymentName(scope, credit)
  const idOf = (kind: 'unmatched' | 'dust') => openingOf(scope, name, kind, credit.closedAt).id
  return (['unmatched', 'dust'] as const).some((kind) => readModels.exceptions.withId(idOf(kind)) !== null)
}

/** Why it is funding that nobody has to announce; null where nothing says so. */
const knownReason = (
  services: Services,
  scope: Scope,
  account: AccountId,
  credit: IncomingPayment,
): FundingReason | null => {
  if (credit.origin?.kind === 'account_created') return 'opening'
  const sender = senderOf(credit)
  if (sender === null || sender === account) return null
  const row = services.readModels.merchants.withId(scope.merchantId)?.row
  if (row?.fundingAccounts[scope.environment].includes(sender)) return 'declared'
  const isMerchants = row?.watched.some((each) => each.environment === scope.environment && each.account === sender)
  return isMerchants || ownAccounts(services, scope.environment).has(sender) ? 'own_account' : null
}

/** Who is proven to have sent it. A contract, or whoever claims a balance, may bring money that is not theirs. */
const senderOf = (credit: IncomingPayment): AccountId | null => knownSender(credit)?.destination ?? null

/** Uses the first announcement that it fits. One that another payment has used meanwhile is passed over. */
const bookAnnounced = async (
  services: Services,
  scope: Scope,
  account: AccountId,
  credit: IncomingPayment,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const sender = senderOf(credit)
  if (sender === null || sender === account) return E.right(false)
  const received = receivedOf('announced', account, credit)
  const context = stepContext(scope, incomingPaymentName(scope, credit), 'announced funding', credit.closedAt)
  for (const { id, row } of everyRow(
    (page) => services.readModels.fundings.page({ ...page, status: 'announced' }),
    scope,
  )) {
    if (row.status !== 'announced' || !isAsAnnounced(row.announcement, received)) continue
    const decide = Funding.decider.decide({ type: 'ReceiveFunding', ...received })
    const fundingId = decodeOrThrow(FundingId, id)
    const expected = ['FundingAlreadyReceived', 'FundingUnlikeAnnouncement'] as const
    const used = await stepUnless(services.store)(expected, Funding, fundingId, context, decide)
    if (E.isLeft(used)) return used
    if (used.right !== null) return E.right(true)
  }
  return E.right(false)
}

const receivedOf = (reason: FundingReason, account: AccountId, credit: IncomingPayment): ReceivedFunding => {
  const { from, assetId, amount, transactionHash, operationIndex, ledger, closedAt, ordinal, origin } = credit
  return {
    reason,
    account,
    from,
    assetId,
    amount,
    transactionHash,
    operationIndex,
    ledger,
    closedAt,
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(origin === undefined ? {} : { origin }),
  }
}
