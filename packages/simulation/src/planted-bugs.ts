import { LedgerSequence, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { AppendFailure, EventStore } from '@quittance/event-store'
import type { Cursor, TransactionLookUp } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Plant } from './stage.ts'

/** Appends once more after this failure, with other event ids and at whatever head the stream has by then. */
const appendingAgain =
  (after: AppendFailure['_tag']): Plant =>
  (services) => {
    const { store, freshId } = services
    const append: EventStore['append'] = (stream, head, events, alongside) => async () => {
      const outcome = await store.append(stream, head, events, alongside)()
      if (E.isRight(outcome) || outcome.left._tag !== after) return outcome
      const now = await store.readStream(stream)()
      if (E.isLeft(now)) return now
      return store.append(
        stream,
        now.right.head,
        events.map((event) => ({ ...event, id: freshId() })),
        alongside,
      )()
    }
    return { ...services, store: { ...store, append } }
  }

/** The cursor stands behind what was read before anything of it is written. */
const cursorFirst: Plant = (services) => {
  const { cursors, networks } = services
  const { testnet } = networks
  if (testnet === null) return services
  let known: Cursor | null = null
  const cursor = cursors.of('testnet')
  const load = () =>
    pipe(
      cursor.load(),
      TE.map((loaded) => {
        known = loaded
        return loaded
      }),
    )
  const readLedgers: typeof testnet.gateway.readLedgers = (from, limit, after) =>
    pipe(
      testnet.gateway.readLedgers(from, limit, after),
      TE.chainFirst(({ ledgers }) => {
        const last = [...ledgers].at(-1)
        return last === undefined ? TE.right(true) : cursor.advance(known, last)
      }),
    )
  return {
    ...services,
    cursors: { ...cursors, of: () => ({ ...cursor, load }) },
    networks: { ...networks, testnet: { ...testnet, gateway: { ...testnet.gateway, readLedgers } } },
  }
}

/** A node that does not answer is taken for one that knows that a transaction is dead. */
const failureOnTimeOut: Plant = (services) => {
  const { testnet } = services.networks
  if (testnet === null) return services
  const [oldest, latest] = [1, 4_294_967_295].map((sequence) => decoded(LedgerSequence, sequence))
  if (oldest === undefined || latest === undefined) return services
  const range = { oldest, latest, oldestClosedAt: unixMs(0), latestClosedAt: unixMs(253_402_300_799_000) }
  const lookUp: typeof testnet.gateway.lookUp = (hash) =>
    pipe(
      testnet.gateway.lookUp(hash),
      TE.orElse(() => TE.right<never, TransactionLookUp>({ _tag: 'NotFound', range })),
    )
  return {
    ...services,
    networks: { ...services.networks, testnet: { ...testnet, gateway: { ...testnet.gateway, lookUp } } },
  }
}

/** An idempotency key is written down once the work is done, and not with it. */
const claimAfterTheWork: Plant = (services) => ({
  ...services,
  claims: {
    ...services.claims,
    open: (request) =>
      pipe(
        services.claims.open(request),
        E.map((claim) => ({ ...claim, alongside: () => undefined })),
      ),
  },
})

/** Bugs of which every one has to be found. */
export const plantedBugs: Readonly<Record<string, Plant>> = {
  'an append of unknown outcome is sent again with new bytes': appendingAgain('OutcomeUnknown'),
  'a conflict is answered by appending at the new head': appendingAgain('WrongExpectedRevision'),
  'the cursor moves before what was read is written': cursorFirst,
  'a time-out is taken for a failure': failureOnTimeOut,
  'a key is claimed after the work': claimAfterTheWork,
}
