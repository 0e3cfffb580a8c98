import { CheckoutId, entryOf, groupsOf, hasSeen, type IncomingPayment } from '@quittance/domain'
import type { IncomingPayment as LedgerIncomingPayment, MandateFact } from '@quittance/ledger'
import { incomingPaymentKey } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { chargeOf } from '../features/charges/place-charge.ts'
import { bookedFunding } from '../features/funding/booked-funding.ts'
import { openException } from '../features/payments/open-exception.ts'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { isIn } from '../kernel/load.ts'
import { rememberedSessions } from '../kernel/remembered-sessions.ts'
import { isInMerchantsCustody } from '../services/custody.ts'
import type { Owners } from '../services/owners.ts'
import { sessionNamed } from '../services/payable-named.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Share } from '../stores/parked/share.ts'
import type { CreatedMandate } from './enrolments.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'
import type { IngestServices } from './services.ts'
import { memoOf } from './unnamed-payments.ts'

type Screened = Pick<Share, 'credits' | 'mandates'>

/**
 * Holds what came from somebody whom a screening lists: each sender's payments become exceptions that only the operator
 * decides about, and a mandate of theirs does not count. Answers the rest. A share whose senders nobody can be asked about
 * fails, and is parked until then. What was placed, or held, before a crash stays so, whatever the list says by now.
 */
export const screen = async (
  services: IngestServices,
  ownerOf: Owners,
  share: Share,
): Promise<E.Either<ProcessFailure, Screened>> => {
  const { credits, mandates, sequence } = share
  const arrived = await filterInTurn(credits, async (credit) => {
    const owner = await ownerOf(credit.destination)
    return owner !== null && sequence > owner.setUpThrough && !isCharge(share, credit)
  })
  const given = mandates.filter(isGiven)
  if (arrived.length === 0 && given.length === 0) return E.right({ credits, mandates })
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const known = (await isAnyHeld(services, share))
    ? await filterInTurn(arrived, (each) => isHeldAlready(services, share, each))
    : []
  const held = new Set(known.flatMap(addressesOf))
  const addresses = [...arrived.flatMap(addressesOf), ...given.map(({ customer }) => customer)]
  const asked = [...new Set(addresses)].filter((address) => !held.has(address))
  const listed = services.screening.isOn ? await services.screening.listed(asked)() : E.right(new Set<string>())
  if (E.isLeft(listed)) return listed
  for (const address of listed.right) {
    const isPlaced = await isPlacedAlready(services, share, arrived, given, address)
    if (E.isLeft(isPlaced)) return isPlaced
    if (!isPlaced.right) held.add(address)
  }
  if (held.size === 0) return E.right({ credits, mandates })
  const isHeld = (credit: LedgerIncomingPayment) => addressesOf(credit).some((address) => held.has(address))
  const stopped = arrived.filter(isHeld)
  const opened = await hold(services, share, stopped)
  if (E.isLeft(opened)) return opened
  const gone = new Set(stopped)
  return E.right({
    credits: credits.filter((credit) => !gone.has(credit)),
    mandates: mandates.filter((fact) => !(isGiven(fact) && held.has(fact.customer))),
  })
}

/** A mandate, or a further approval of one, that a customer has signed. */
type Given = Extract<MandateFact, { readonly _tag: 'MandateCreated' | 'AllowanceRenewed' }>
const isGiven = (fact: MandateFact): fact is Given => fact._tag === 'MandateCreated' || fact._tag === 'AllowanceRenewed'

/** Money that we have collected was screened before; the first of a mandate comes with the customer's own signature. */
const isCharge = (share: Screened, credit: LedgerIncomingPayment): boolean =>
  chargeOf(share, credit) !== null && mandateOf(share, credit) === null

const addressesOf = ({ from, fromContract }: LedgerIncomingPayment): ReadonlyArray<string> =>
  fromContract === null ? [from] : [from, fromContract]

/** Whether the merchant has money that was ever held: nearly none has, and then nothing is looked up. */
const isAnyHeld = async (
  { readModels }: Pick<IngestServices, 'readModels'>,
  { merchantId, environment }: Share,
): Promise<boolean> =>
  (await readModels.exceptions.page({ merchantId, environment, listedUnder: 'screened', limit: 1 })).rows.length > 0

const isHeldAlready = async (
  { readModels }: Pick<IngestServices, 'readModels'>,
  share: Share,
  credit: LedgerIncomingPayment,
): Promise<boolean> =>
  (await readModels.exceptions.withKey(incomingPaymentKey(credit))).some(
    (found) => isIn(share, found) && found.row.details.kind === 'screened',
  )

/** Whether anything of an address in this ledger was placed before. */
const isPlacedAlready = async (
  services: IngestServices,
  share: Share,
  arrived: ReadonlyArray<LedgerIncomingPayment>,
  given: ReadonlyArray<Given>,
  address: string,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { readModels, awaitingRate } = services
  for (const credit of arrived.filter((each) => addressesOf(each).includes(address))) {
    const incoming = keptIncomingPayment(credit)
    if ((await readModels.exceptions.withKey(incomingPaymentKey(credit))).some((found) => isIn(share, found)))
      return E.right(true)
    if ((await bookedFunding(readModels, share, incoming)) !== null) return E.right(true)
    const waits = (await awaitingRate.of(share.environment)).some((each) => isSame(each.incoming, incoming))
    if (waits) return E.right(true)
    const session = await sessionOf(services, share, credit)
    if (E.isLeft(session)) return session
    if (session.right !== null && hasSeen(session.right.state, incoming)) return E.right(true)
  }
  for (const fact of given) {
    if (fact._tag !== 'MandateCreated' || fact.customer !== address) continue
    const named = await sessionNamed(services, fact.record.reference)
    if (E.isLeft(named)) return named
    if (named.right === null) continue
    const session = await rememberedSessions(services.store, named.right).read(named.right)
    if (E.isLeft(session)) return session
    const { state } = session.right
    if (state.status !== 'absent' && state.enrolment?.transactionHash === fact.transactionHash) return E.right(true)
  }
  return E.right(false)
}

const isSame = (one: IncomingPayment, other: IncomingPayment): boolean =>
  incomingPaymentKey(one) === incomingPaymentKey(other)

/** The session that the memo names or, of a mandate's first money, the mandate; null if there is none. */
const sessionOf = async (services: IngestServices, share: Screened, credit: LedgerIncomingPayment) => {
  const name = mandateOf(share, credit)?.record.reference ?? (credit.memo._tag === 'text' ? credit.memo.value : null)
  const named = name === null ? E.right(null) : await sessionNamed(services, name)
  if (E.isLeft(named)) return named
  if (named.right === null) return E.right(null)
  const session = await rememberedSessions(services.store, named.right).read(named.right)
  if (E.isLeft(session)) return session
  const { state } = session.right
  return E.right(state.status === 'absent' ? null : { id: named.right, state })
}

/** The new mandate that has brought the money, as its first. */
const mandateOf = (share: Screened, credit: LedgerIncomingPayment): CreatedMandate | null => {
  const charged = chargeOf(share, credit)
  const created = share.mandates.filter((fact) => fact._tag === 'MandateCreated')
  return (
    created.find(
      ({ contract, mandate, transactionHash }) =>
        transactionHash === credit.transactionHash && contract === charged?.contract && mandate === charged.mandate,
    ) ?? null
  )
}

/** What the domain records of it; with the mandate, since its customer has signed for the money. */
const keptBy =
  (share: Screened) =>
  (credit: LedgerIncomingPayment): IncomingPayment => {
    const created = mandateOf(share, credit)
    const kept = keptIncomingPayment(credit)
    return created === null ? kept : { ...kept, mandateId: created.mandate }
  }

/** Opens the exceptions: one for each payment of a sender or, of many in one ledger, for all of them. */
const hold = async (
  services: IngestServices,
  share: Share,
  stopped: ReadonlyArray<LedgerIncomingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { merchantId, environment } = share
  const scope = { merchantId, environment }
  for (const ofSender of Map.groupBy(stopped, ({ from, destination, memo }) =>
    JSON.stringify([from, destination, memo]),
  ).values()) {
    const [first] = ofSender
    if (first === undefined) continue
    const session = await sessionOf(services, share, first)
    if (E.isLeft(session)) return session
    const isHere = session.right?.state.details.destination === first.destination
    if (!isHere && (await isInMerchantsCustody(services.readModels, environment, first.destination))) continue
    const checkoutId = isHere && CheckoutId.is(session.right?.id) ? session.right.id : null
    const where = { checkoutId, paymentId: null, account: first.destination, ...memoOf(first) }
    for (const group of groupsOf(ofSender.map(keptBy(share))))
      for (const incoming of entryOf(group)) {
        const opened = await openException(services, scope, { kind: 'screened', incoming, ...where })
        if (E.isLeft(opened)) return opened
      }
  }
  return E.right(undefined)
}
