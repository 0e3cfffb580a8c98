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
import { someInTurn } from '../../kernel/checks-in-turn.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import { knownSender } from '../payments/misfit-rules.ts'
import { openingOf } from '../payments/open-exception.ts'
import { bookedFunding } from './booked-funding.ts'
import { ownAccounts } from './own-accounts.ts'

/**
 * Books an incoming payment that names no sale as funding, if it is the merchant's or the operator's own money. Returns
 * whether it is funding. What was booked before stays, however often the ledger is ingested and whatever was declared
 * since: funding never becomes an exception, and an exception never becomes funding.
 */
export const receiveFunding = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  scope: Scope,
  account: AccountId,
  incoming: IncomingPayment,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  if ((await bookedFunding(services.readModels, scope, incoming)) !== null) return E.right(true)
  if (await isException(services, scope, incoming)) return E.right(false)
  const reason = await knownReason(services, scope, account, incoming)
  if (reason === null) return bookAnnounced(services, scope, account, incoming)
  const context = stepContext(scope, incomingPaymentName(scope, incoming), 'funding', incoming.closedAt)
  const id = createdId(FundingId, context.at, context.commandId)
  const decide = Funding.decider.decide({ type: 'ReceiveFunding', ...receivedOf(reason, account, incoming) })
  const booked = await step(services.store)(Funding, id, context, decide)
  return E.map(() => true)(booked)
}

/** Whether the payment was recorded as an exception before. */
const isException = (
  { readModels }: Pick<Services, 'readModels'>,
  scope: Scope,
  incoming: IncomingPayment,
): Promise<boolean> => {
  const name = incomingPaymentName(scope, incoming)
  const idOf = (kind: 'unmatched' | 'dust') => openingOf(scope, name, kind, incoming.closedAt).id
  return someInTurn(
    ['unmatched', 'dust'] as const,
    async (kind) => (await readModels.exceptions.withId(idOf(kind))) !== null,
  )
}

/** The reason for which it is funding without an announcement; null if there is none. */
const knownReason = async (
  services: Pick<Services, 'readModels' | 'vault'>,
  scope: Scope,
  account: AccountId,
  incoming: IncomingPayment,
): Promise<FundingReason | null> => {
  if (incoming.origin?.kind === 'account_created') return 'opening'
  const sender = senderOf(incoming)
  if (sender === null || sender === account) return null
  const row = (await services.readModels.merchants.withId(scope.merchantId))?.row
  if (row?.fundingAccounts[scope.environment].includes(sender)) return 'declared'
  const isMerchants = row?.watched.some((each) => each.environment === scope.environment && each.account === sender)
  return isMerchants || (await ownAccounts(services, scope.environment)).has(sender) ? 'own_account' : null
}

/** The proven sender. A contract, or the claimant of a claimable balance, may bring someone else's money. */
const senderOf = (incoming: IncomingPayment): AccountId | null => knownSender(incoming)?.destination ?? null

/** Uses the first matching announcement that no other payment has used meanwhile. */
const bookAnnounced = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  account: AccountId,
  incoming: IncomingPayment,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const sender = senderOf(incoming)
  if (sender === null || sender === account) return E.right(false)
  const received = receivedOf('announced', account, incoming)
  const context = stepContext(scope, incomingPaymentName(scope, incoming), 'announced funding', incoming.closedAt)
  for await (const { id, row } of everyRow(
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

const receivedOf = (reason: FundingReason, account: AccountId, incoming: IncomingPayment): ReceivedFunding => {
  const { from, assetId, amount, transactionHash, operationIndex, ledger, closedAt, ordinal, origin } = incoming
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
