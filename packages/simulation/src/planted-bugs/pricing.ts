import type { Network } from '@quittance/billing'
import { Checkout, dayMs, unixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

type Appended = Parameters<EventStore['append']>[2][number]

/** Gives the quote of a price again for a day. */
const rememberQuotes: PlantedBug = (services) => {
  const { testnet } = services.networks
  if (testnet === null) return services
  const remembered = new Map<string, { readonly at: number; readonly quoted: ReturnType<Network['quote']> }>()
  const quote: Network['quote'] = (price, asset, at) => async () => {
    const key = `${asset.assetId} ${price._tag === 'fiat' ? price.cents : price.stroops}`
    const known = remembered.get(key)
    if (known !== undefined && at < known.at + dayMs) return known.quoted()
    const quoted = await testnet.quote(price, asset, at)()
    if (E.isRight(quoted)) remembered.set(key, { at, quoted: async () => quoted })
    return quoted
  }
  return { ...services, networks: { ...services.networks, testnet: { ...testnet, quote } } }
}

/** Lets quotes hold for a day. */
const prolongQuotes: PlantedBug = (services) => {
  const { store } = services
  const append: EventStore['append'] = (stream, head, events, alongside) =>
    store.append(stream, head, stream.startsWith(`${Checkout.category}-`) ? events.map(prolonged) : events, alongside)
  return { ...services, store: { ...store, append } }
}

const prolonged = (event: Appended): Appended => {
  const decoded = Checkout.events.decodeEvent(event)
  if (E.isLeft(decoded) || decoded.right.type !== 'QuoteIssued') return event
  const { type, data } = decoded.right
  return {
    ...event,
    ...Checkout.events.encodeEvent({ type, data: { ...data, validUntil: unixMs(data.validFrom + dayMs) } }),
  }
}

/** A bug in the lifetime of quotes. */
export const quoteBugs: Readonly<Record<string, PlantedBug>> = {
  'a quote holds for a day': prolongQuotes,
}

/** Bugs in prices. */
export const pricingBugs: Readonly<Record<string, PlantedBug>> = {
  'a quote is given again for a day': rememberQuotes,
  ...quoteBugs,
}
