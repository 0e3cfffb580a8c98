import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../services/services.ts'
import type { FailureTag } from '../stores/setbacks/failures.ts'

/** Makes work on a merchant's streams of these categories fail while it `isOn`. */
export type MerchantTrouble = {
  readonly merchantId: string
  readonly streams: RegExp
  failure: FailureTag
  isOn: boolean
}

/** The services with one merchant's trouble; others are served as before. */
export const inTrouble = (services: Services, trouble: MerchantTrouble): Services => ({
  ...services,
  store: storeInTrouble(services.store, trouble),
  settlementOf: (merchantId, environment) =>
    trouble.isOn && merchantId === trouble.merchantId && trouble.streams.test('merchant-')
      ? failing(trouble.failure)
      : services.settlementOf(merchantId, environment),
  vault: {
    ...services.vault,
    erase: async (subject) => {
      const isOwn = (await services.readModels.customers.withId(subject))?.merchantId === trouble.merchantId
      if (trouble.isOn && isOwn && trouble.streams.test('vault-')) throw new Error('a test')
      await services.vault.erase(subject)
    },
  },
})

/** Fails reads of the merchant's streams and appends of its events. */
const storeInTrouble = (store: EventStore, trouble: MerchantTrouble): EventStore => ({
  ...store,
  readStream: (stream) => async () => {
    const read = await store.readStream(stream)()
    if (!trouble.isOn || !trouble.streams.test(stream) || E.isLeft(read)) return read
    const isOwn = read.right.events[0]?.metadata.merchantId === trouble.merchantId
    return isOwn ? failing(trouble.failure)() : read
  },
  append: (stream, head, events, alongside) => {
    const isOwn = events[0]?.context.merchantId === trouble.merchantId
    if (trouble.isOn && isOwn && trouble.streams.test(stream)) return failing(trouble.failure)
    return store.append(stream, head, events, alongside)
  },
})

/** A failure of this class, as a port passes it on; a defect is thrown. */
const failing = (failure: FailureTag) => async (): Promise<E.Either<never, never>> => {
  if (failure === 'Defect') throw new Error('a test')
  return JSON.parse(JSON.stringify(E.left({ _tag: failure, stream: 'a test', cause: 'a test' })))
}
