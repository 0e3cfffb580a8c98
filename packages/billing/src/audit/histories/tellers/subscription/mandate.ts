import type { SubscriptionEvent, SubscriptionState } from '@quittance/domain'
import type { Told } from '../../told.ts'
import { inAsset, inWords, moment, short } from '../../words.ts'
import { assetIn, own } from './common.ts'

type MandateEvent = Extract<
  SubscriptionEvent,
  {
    readonly type:
      | 'MandateCancellationSent'
      | 'MandateEnded'
      | 'MandateGone'
      | 'AuthorizationRevoked'
      | 'AuthorizationRequested'
      | 'AuthorizationOffered'
      | 'AuthorizationWithdrawn'
      | 'MandateReplaced'
      | 'AllowanceSeen'
      | 'ExpiryAnnounced'
  }
>

/** What a subscription tells of what its customer has signed. */
export const mandateWords = (event: MandateEvent, state: SubscriptionState, id: string): Told => {
  const assetId = assetIn(state)
  switch (event.type) {
    case 'MandateCancellationSent':
      return {
        what: `The end of mandate ${short(event.data.mandateId)} was sent to the ledger`,
        why: 'it counts no more',
        follows: [own(id, 'SubscriptionCanceled', 'MandateReplaced')],
      }
    case 'MandateEnded':
      return {
        what: `Mandate ${short(event.data.mandateId)} ended on the ledger, by the ${event.data.by}`,
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        follows: [own(id, 'MandateCancellationSent')],
        root: 'ledger',
      }
    case 'MandateGone':
      return { what: `Mandate ${short(event.data.mandateId)} is gone`, why: 'the network was reset', root: 'ledger' }
    case 'AuthorizationRevoked':
      return {
        what: 'The customer ended the mandate on the ledger',
        why: 'it counts as a cancellation',
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        root: 'ledger',
      }
    case 'AuthorizationRequested':
      return {
        what:
          event.data.kind === 'mandate'
            ? 'The customer was asked for a new mandate'
            : 'The customer was asked for a new approval',
        why: inWords(event.data.why),
        names: [event.data.authorizationId],
        follows: [own(id, 'ChargeFailed', 'AuthorizationRevoked', 'SwapPending', 'PriceChangeAnnounced')],
      }
    case 'AuthorizationOffered':
      return {
        what: 'The customer was handed a mandate of another contract to sign',
        names: [event.data.authorizationId],
      }
    case 'AuthorizationWithdrawn':
      return { what: 'The customer is not asked for a new mandate any more', names: [event.data.authorizationId] }
    case 'MandateReplaced':
      return {
        what: `A new mandate counts: at most ${inAsset(event.data.mandate.cap, assetId)} a period, from wallet ${short(event.data.mandate.customer)}`,
        why: 'the customer has signed it, and the ledger shows it',
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        names: [event.data.authorizationId],
        follows: [own(id, 'AuthorizationRequested')],
        root: 'ledger',
      }
    case 'AllowanceSeen':
      return {
        what: `The ledger shows another approval: ${inAsset(event.data.approval.allowance, assetId)}, until ${moment(event.data.approval.expiresAt)}`,
        ledger: null,
        root: 'ledger',
      }
    case 'ExpiryAnnounced':
      return { what: `The customer was told that the approval runs out ${moment(event.data.expiresAt)}`, root: 'clock' }
  }
}
