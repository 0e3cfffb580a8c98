import { decimalFromCents, PriceChange, Product, type ProductEvent, type ProductState } from '@quittance/domain'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { counted, inFiat, inWords, moment } from '../words.ts'
import { stream } from './streams.ts'

const words = (event: ProductEvent, state: ProductState): Told => {
  const currency = state.status === 'absent' ? null : state.details.price.currency
  switch (event.type) {
    case 'ProductCreated':
      return { what: `Product created at ${inFiat(event.data.price)}`, price: event.data.price }
    case 'ProductDetailsChanged':
      return { what: `Product changed: ${Object.keys(event.data).map(spelled).join(', ')}` }
    case 'ProductRepriced':
      return {
        what: `Price ${event.data.priceVersion}: ${decimalFromCents(event.data.cents)} ${currency ?? ''}`.trim(),
        why: 'it holds for new sales; subscriptions keep theirs',
        price: currency === null ? null : { currency, cents: event.data.cents },
      }
    case 'ProductArchived':
      return { what: 'Product archived: it is not sold any more' }
    case 'ProductRestored':
      return { what: 'Product restored: it is sold again' }
  }
}

/** `assetId` is `asset id` for people. */
const spelled = (field: string): string => field.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

export const productTeller = tellerOf(Product, words, namedStatus)

export const priceChangeTeller = tellerOf(
  PriceChange,
  (event, _, id): Told => {
    const own = (...types: ReadonlyArray<string>): Origin => ({ stream: stream.priceChange(id), types })
    switch (event.type) {
      case 'PriceChangeScheduled':
        return {
          what: `New price for subscribers from ${moment(event.data.effectiveAt)} on: ${inFiat(event.data.price)}`,
          why: `without consent ${event.data.withoutConsent === 'keep' ? 'the old price stays' : 'the subscription ends'}`,
          price: event.data.price,
          names: [event.data.productId],
        }
      case 'PriceChangeNoticed':
        return {
          what: `${counted(event.data.subscriptions, 'subscription')} noticed it`,
          follows: [own('PriceChangeScheduled')],
        }
      case 'PriceChangeCanceled':
        return {
          what: 'The new price was canceled',
          why: event.data.why === undefined ? null : inWords(event.data.why),
        }
      case 'PriceChangeWithdrawn':
        return { what: 'No subscription waits for the new price any more', follows: [own('PriceChangeCanceled')] }
    }
  },
  namedStatus,
)
