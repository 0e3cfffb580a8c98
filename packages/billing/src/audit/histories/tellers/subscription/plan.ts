import type { SubscriptionEvent } from '@quittance/domain'
import type { Told } from '../../told.ts'
import { inFiat, inWords, moment } from '../../words.ts'
import { stream } from '../streams.ts'
import { own } from './common.ts'

type PlanEvent = Extract<
  SubscriptionEvent,
  {
    readonly type:
      | 'ProductSwapped'
      | 'SwapPending'
      | 'SwapDropped'
      | 'PriceChangeAnnounced'
      | 'PriceChangeAccepted'
      | 'PriceChanged'
      | 'PriceChangeRefused'
      | 'PriceChangeDropped'
  }
>

/** What a subscription tells of its plan and price. */
export const planWords = (event: PlanEvent, id: string): Told => {
  switch (event.type) {
    case 'ProductSwapped':
      return {
        what: `The plan is another one from the next charge on: ${inFiat(event.data.terms.price)}`,
        price: event.data.terms.price,
        names: [event.data.terms.productId],
        follows: [own(id, 'SwapPending', 'MandateReplaced')],
      }
    case 'SwapPending':
      return {
        what: `Another plan waits for the customer's signature: ${inFiat(event.data.terms.price)}`,
        why: 'the mandate does not allow it',
        price: event.data.terms.price,
        names: [event.data.terms.productId, event.data.authorizationId],
      }
    case 'SwapDropped':
      return { what: 'The other plan that waited was dropped' }
    case 'PriceChangeAnnounced': {
      const { notice } = event.data
      return {
        what: `The customer was told of a new price from ${moment(notice.effectiveAt)} on: ${inFiat(notice.price)}`,
        why: notice.needsConsent ? 'it exceeds what the mandate allows, so the customer has to sign' : null,
        price: notice.price,
        names: [notice.priceChangeId],
        follows: [{ stream: stream.priceChange(notice.priceChangeId), types: ['PriceChangeScheduled'] }],
      }
    }
    case 'PriceChangeAccepted':
      return {
        what: 'The customer accepted the new price',
        why: 'a mandate was signed that allows it',
        names: [event.data.priceChangeId],
        follows: [own(id, 'MandateReplaced')],
      }
    case 'PriceChanged':
      return {
        what: `The price is ${inFiat(event.data.terms.price)} from the next charge on`,
        price: event.data.terms.price,
        names: [event.data.priceChangeId],
        follows: [own(id, 'PriceChangeAnnounced', 'PriceChangeAccepted')],
        root: 'clock',
      }
    case 'PriceChangeRefused':
      return {
        what:
          event.data.outcome === 'keep'
            ? 'The old price stays'
            : 'The subscription ends, since the new price was not accepted',
        why: 'the customer did not sign for the new price in time',
        names: [event.data.priceChangeId],
        follows: [own(id, 'PriceChangeAnnounced')],
        root: 'clock',
      }
    case 'PriceChangeDropped':
      return {
        what: 'The new price that was announced will not count',
        why: inWords(event.data.why),
        names: [event.data.priceChangeId],
        follows: [
          own(id, 'ProductSwapped', 'SubscriptionCanceled'),
          { stream: stream.priceChange(event.data.priceChangeId), types: ['PriceChangeCanceled'] },
        ],
      }
  }
}
