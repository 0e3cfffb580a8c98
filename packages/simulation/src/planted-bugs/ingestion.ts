import { filterInTurn } from '@quittance/billing/testing/internals'
import type { AppendFailure, EventStore, SqlAnswer } from '@quittance/event-store'
import type { Cursor } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** After this failure, appends again with new event ids at the stream's current head. */
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

/** Advances the cursor before anything up to it is written. */
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

/** Writes nothing. */
function* noProgram(): Generator<never, void, SqlAnswer> {}

/** Stores an idempotency key after the work instead of with it. */
const claimAfterTheWork: PlantedBug = (services) => ({
  ...services,
  claims: {
    ...services.claims,
    open: async (request) => {
      const claim = await services.claims.open(request)
      return E.isLeft(claim) ? claim : E.right({ ...claim.right, alongside: noProgram })
    },
  },
})

/**
 * Recognizes a mandate's first payment only by the submitted transaction, which is missing where a process died before
 * recording it.
 */
const nameBySubmission: PlantedBug = (services) => {
  const { checkouts, payments, incomingPayments } = services.readModels
  const isNameless = async (paymentId: string): Promise<boolean> => {
    const details = (await payments.withId(paymentId))?.row.details
    const checkout = details === undefined ? null : await checkouts.withId(details.checkoutId)
    return checkout !== null && checkout.row.enrolment !== null && checkout.row.transactions.length === 0
  }
  const withKey: typeof incomingPayments.withKey = async (key) =>
    filterInTurn(await incomingPayments.withKey(key), async ({ row }) => !(await isNameless(row.paymentId)))
  const readModels = { ...services.readModels, incomingPayments: { ...incomingPayments, withKey } }
  return { ...services, readModels }
}

/** Knows the names only of sessions that are there when a process starts. */
const namesOfStart: PlantedBug = (services) => {
  const { checkoutReferences } = services.readModels
  const atStart = checkoutReferences.all().then((all) => new Set(all.map(({ id }) => id)))
  const withId: typeof checkoutReferences.withId = async (name) => {
    const found = await checkoutReferences.withId(name)
    return (await atStart).has(name) ? found : null
  }
  const readModels = { ...services.readModels, checkoutReferences: { ...checkoutReferences, withId } }
  return { ...services, readModels }
}

/** A bug in finding the sessions of payments. */
export const lookUpBugs: Readonly<Record<string, PlantedBug>> = {
  'a process knows only the sessions of its start': namesOfStart,
}

/** A bug in recognizing payments of mandates. */
export const namingBugs: Readonly<Record<string, PlantedBug>> = {
  'the first payment of a mandate is booked as unexplained as well': nameBySubmission,
}

/** Bugs in writing events and in ingestion. */
export const ingestionBugs: Readonly<Record<string, PlantedBug>> = {
  'an append of unknown outcome is sent again with new bytes': appendingAgain('OutcomeUnknown'),
  'a conflict is answered by appending at the new head': appendingAgain('WrongExpectedRevision'),
  'the cursor moves before what was read is written': cursorFirst,
  'a key is claimed after the work': claimAfterTheWork,
}
