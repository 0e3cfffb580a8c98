import type { AppendFailure, EventStore } from '@quittance/event-store'
import type { Cursor } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** Appends once more after this failure, with other event ids and at whatever head the stream has by then. */
const appendingAgain =
  (after: AppendFailure['_tag']): PlantedBug =>
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
const cursorFirst: PlantedBug = (services) => {
  const { cursors, networks } = services
  const { testnet } = networks
  if (testnet === null) return services
  let known: Cursor | null = null
  const cursor = cursors.of('testnet')
  const load: typeof cursor.load = () => async () => {
    const loaded = await cursor.load()()
    if (E.isRight(loaded)) known = loaded.right
    return loaded
  }
  const readLedgers: typeof testnet.gateway.readLedgers = (from, limit, after) => async () => {
    const read = await testnet.gateway.readLedgers(from, limit, after)()
    const last = E.isRight(read) ? [...read.right.ledgers].at(-1) : undefined
    const advanced = last === undefined ? null : await cursor.advance(known, last)()
    return advanced !== null && E.isLeft(advanced) ? advanced : read
  }
  return {
    ...services,
    cursors: { ...cursors, of: () => ({ ...cursor, load }) },
    networks: { ...networks, testnet: { ...testnet, gateway: { ...testnet.gateway, readLedgers } } },
  }
}

/** An idempotency key is written down once the work is done, and not with it. */
const claimAfterTheWork: PlantedBug = (services) => ({
  ...services,
  claims: {
    ...services.claims,
    open: (request) => {
      const claim = services.claims.open(request)
      return E.isLeft(claim) ? claim : E.right({ ...claim.right, alongside: () => undefined })
    },
  },
})

/** What a mandate pays first is known by the transaction that was announced: by none, where a process died before it was. */
const nameBySubmission: PlantedBug = (services) => {
  const { checkouts, payments } = services.readModels
  const isNameless = (id: string): boolean => {
    const checkout = checkouts.withId(id)
    return checkout !== null && checkout.row.enrolment !== null && checkout.row.transactions.length === 0
  }
  const withKey: typeof payments.withKey = (key) => (isNameless(key) ? [] : payments.withKey(key))
  return { ...services, readModels: { ...services.readModels, payments: { ...payments, withKey } } }
}

/** A bug in how that which mandates have paid is named. */
export const namingBugs: Readonly<Record<string, PlantedBug>> = {
  'the first payment of a mandate is booked as unexplained as well': nameBySubmission,
}

/** Bugs in how events are written and the ledger is followed. */
export const ingestionBugs: Readonly<Record<string, PlantedBug>> = {
  'an append of unknown outcome is sent again with new bytes': appendingAgain('OutcomeUnknown'),
  'a conflict is answered by appending at the new head': appendingAgain('WrongExpectedRevision'),
  'the cursor moves before what was read is written': cursorFirst,
  'a key is claimed after the work': claimAfterTheWork,
}
