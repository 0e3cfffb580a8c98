import type { AppendFailure, EventStore } from '@quittance/event-store'
import type { Cursor } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Plant } from '../stage.ts'

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

/** What a mandate pays first is known by the transaction that was announced: by none, where a process died before it was. */
const nameByAnnouncement: Plant = (services) => {
  const { checkouts, payments } = services.readModels
  const isNameless = (id: string): boolean => {
    const checkout = checkouts.withId(id)
    return checkout !== null && checkout.row.enrolment !== null && checkout.row.transactions.length === 0
  }
  const withKey: typeof payments.withKey = (key) => (isNameless(key) ? [] : payments.withKey(key))
  return { ...services, readModels: { ...services.readModels, payments: { ...payments, withKey } } }
}

/** A bug in how that which mandates have paid is named. */
export const namingBugs: Readonly<Record<string, Plant>> = {
  'the first payment of a mandate is booked as unexplained as well': nameByAnnouncement,
}

/** Bugs in how events are written and the ledger is followed. */
export const followingBugs: Readonly<Record<string, Plant>> = {
  'an append of unknown outcome is sent again with new bytes': appendingAgain('OutcomeUnknown'),
  'a conflict is answered by appending at the new head': appendingAgain('WrongExpectedRevision'),
  'the cursor moves before what was read is written': cursorFirst,
  'a key is claimed after the work': claimAfterTheWork,
}
