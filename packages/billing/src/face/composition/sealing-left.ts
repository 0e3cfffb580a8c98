import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { findInTurn } from '../../kernel/checks-in-turn.ts'
import type { LeftMerchants } from '../../stores/left-merchants.ts'

/** An event about a merchant that has left the installation is not written. */
class MerchantIsGone extends Error {
  override readonly name = 'MerchantIsGone'
}

/**
 * A store that appends nothing about a merchant that has left: what is appended here would be missing where the merchant is now.
 * Whoever acts for merchants passes over those that have left before; this is for what does not.
 */
export const sealingLeft = (store: EventStore, left: LeftMerchants): EventStore => ({
  ...store,
  append: (stream, head, events, alongside) => async () => {
    try {
      const gone = await findInTurn(events, ({ context }) => left.has(context.merchantId))
      if (gone !== undefined) throw new MerchantIsGone(`${gone.context.merchantId} has left this installation`)
    } catch (cause) {
      return E.left({ _tag: 'StoreUnavailable', cause })
    }
    return store.append(stream, head, events, alongside)()
  },
})
