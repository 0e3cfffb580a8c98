import { assetCode, Freezes, Limits, Merchant, type MerchantEvent, OutflowApproval } from '@quittance/domain'
import { namedStatus, type Told, tellerOf } from '../told.ts'
import { counted, inAsset, inWords, moment, short } from '../words.ts'

const dollars = (amount: bigint | null): string =>
  amount === null ? 'none' : `${amount / 100n}.${(amount % 100n).toString().padStart(2, '0')} USD`

const words = ({ type, data }: MerchantEvent): Told => {
  switch (type) {
    case 'MerchantCreated':
      return { what: 'Merchant created' }
    case 'SettlementAccountSet':
      return {
        what: `Settlement account on ${data.environment}: ${short(data.account)}`,
        why: data.custody === undefined ? null : "the account is the merchant's own, and the service only watches it",
      }
    case 'AssetsAccepted':
      return {
        what: `Accepted on ${data.environment}: ${data.assets.map(({ assetId }) => assetCode(assetId)).join(', ')}; by default ${assetCode(data.defaultAsset)}`,
      }
    case 'FundingAccountsDeclared':
      return { what: `${counted(data.accounts.length, 'funding account')} declared on ${data.environment}` }
    case 'SettlementBooksClosed':
      return {
        what: `The books of account ${short(data.account)} closed, and began anew`,
        why: 'the network was reset',
      }
    case 'SetUpCompleted':
      return {
        what: `Account ${short(data.account)} is set up: it holds ${data.trusted.map(assetCode).join(', ') || 'lumens alone'}`,
        ledger: data.ledger,
        root: 'ledger',
      }
    case 'SetUpRequested':
      return {
        what: `The account on ${data.environment} is set up anew`,
        why: 'it lacks something that it had',
        root: 'ledger',
      }
    case 'SponsorshipSet':
      return { what: `Reserves on ${data.environment} are kept by the ${data.isSponsored ? 'operator' : 'merchant'}` }
    case 'OperatorAccountSet':
      return {
        what: `New mandates on ${data.environment} are charged by ${data.account === null ? "the service's account" : short(data.account)}`,
      }
    case 'PolicySet':
      return {
        what: `Policy set: retries after ${data.dunningScheduleHours.join(', ')} hours, then ${data.afterRetries === 'cancel' ? 'canceled' : 'overdue'}; ${counted(data.accessGraceDays, 'day')} of grace`,
      }
    case 'ProfileSet':
      return { what: `Profile on ${data.environment} changed` }
    case 'LogoSet':
      return { what: `Logo on ${data.environment} ${data.logo === null ? 'removed' : 'changed'}` }
    case 'PlatformFeeSet':
      return {
        what: `The operator's fee on ${data.environment}: ${data.fee.basisPoints / 100} %${data.fee.fixed.map(({ assetId, amount }) => ` and ${inAsset(amount, assetId)}`).join('')}, from ${moment(data.from)} on`,
        why: data.reason,
      }
    case 'ApiKeyCreated':
      return {
        what: `API key ${data.keyId} created for ${data.environment}${data.kind === 'app' ? `, for ${data.scopes.join(', ')}` : ''}`,
        names: [data.keyId],
      }
    case 'ApiKeyReplaced':
      return {
        what: `API key ${data.keyId} replaced by ${data.by}; both hold until ${moment(data.validUntil)}`,
        names: [data.keyId, data.by],
      }
    case 'ApiKeyRevoked':
      return { what: `API key ${data.keyId} revoked`, names: [data.keyId] }
    case 'MerchantLeft':
      return { what: 'The merchant left for another installation', why: data.reason }
    case 'MerchantArrived':
      return { what: 'The merchant came from another installation' }
  }
}

export const merchantTeller = tellerOf(Merchant, words, () => null)

export const freezesTeller = tellerOf(
  Freezes,
  ({ type, data }): Told => {
    const names = data.merchantId === undefined ? [] : [data.merchantId]
    switch (type) {
      case 'Frozen':
        return { what: `Frozen: ${data.scope}`, why: data.reason, names }
      case 'Unfrozen':
        return { what: `Not frozen any more: ${data.scope}`, why: data.reason, names }
      case 'MerchantClosingBegun':
        return { what: `The merchant closes; refunds until ${moment(data.refundsUntil)}`, why: data.reason, names }
    }
  },
  () => null,
)

export const limitsTeller = tellerOf(
  Limits,
  ({ type, data }): Told => {
    switch (type) {
      case 'LimitSet':
        return {
          what: `Limit of 24 hours for ${inWords(data.scope)}, set by the ${data.setter}: ${dollars(data.amount)}, from ${moment(data.effectiveAt)} on`,
        }
      case 'OutflowCounted':
        return {
          what: `${data.subject} counts for the limits, with ${data.value === null ? 'an unknown value' : dollars(data.value)}`,
          names: [data.subject],
        }
      case 'ApprovalNeeded':
        return {
          what: `${data.outflow.subject} needs an approval`,
          why: inWords(data.cause),
          names: [data.outflow.subject],
        }
    }
  },
  () => null,
)

export const approvalTeller = tellerOf(
  OutflowApproval,
  (event, state): Told => {
    const subject = state.status === 'absent' ? [] : [state.details.subject]
    switch (event.type) {
      case 'ApprovalRequested':
        return {
          what: `A second person has to approve ${inAsset(event.data.amount, event.data.assetId)} to ${short(event.data.destination)}, until ${moment(event.data.expiresAt)}`,
          why: inWords(event.data.cause),
          amount: { stroops: event.data.amount, assetId: event.data.assetId },
          names: subject,
          follows: [
            { stream: `refund-${event.data.subject}`, types: ['RefundRequested'] },
            { stream: `payout-${event.data.subject}`, types: ['PayoutRequested'] },
          ],
        }
      case 'ApprovalGranted':
        return { what: `Approved by ${event.data.by}`, why: event.data.note, names: subject }
      case 'ApprovalRejected':
        return { what: `Rejected by ${event.data.by}`, why: event.data.note, names: subject }
      case 'ApprovalExpired':
        return { what: 'Nobody approved it in time', names: subject, root: 'clock' }
      case 'ApprovalWithdrawn':
        return { what: 'The approval is not needed any more', names: subject }
    }
  },
  namedStatus,
)
