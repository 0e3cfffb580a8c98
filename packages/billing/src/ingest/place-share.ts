import type { Environment } from '@quittance/domain'
import type { IncomingPayment } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { NameTag } from '../features/book-lines/name-counter.ts'
import { chargeOf, placeCharge } from '../features/charges/place-charge.ts'
import { recordOutcomes } from '../features/outgoing/record-outcomes.ts'
import type { Raise } from '../features/outgoing/trouble.ts'
import { settlePaidByHand } from '../features/own-account/paid-by-hand.ts'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { severalAtOnce } from '../kernel/several-at-once.ts'
import { tellSpan } from '../kernel/tracing/spans.ts'
import { lookedUpOnce, type Owners } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Share } from '../stores/parked/share.ts'
import { receiveIncomingPayments } from './incoming-payments.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'
import { receiveMandates } from './mandates.ts'
import type { PlaceShare } from './parking/ingest.ts'
import { isOfOneTransaction } from './parking/shares-of.ts'
import { recover } from './recovery/recover.ts'
import { screen } from './screen.ts'
import type { IngestServices } from './services.ts'

/** How many charges of a ledger are placed side by side: few, since those of one customer may write to one stream. */
const chargesAtOnce = 4

type Placing = {
  readonly services: IngestServices
  readonly environment: Environment
  readonly ownerOf: Owners
  /** Names each movement of a merchant's account. */
  readonly explain: (share: Share) => Promise<E.Either<ProcessFailure, ReadonlyArray<NameTag>>>
  readonly count: (names: ReadonlyArray<NameTag>) => void
  readonly raise: Raise
}

/**
 * Places incoming payments, recovers transactions of ours that the log has lost, records the outcomes of those that it
 * knows and payments by hand, then names all movements.
 */
export const placeShare =
  ({ services, environment, ownerOf, explain, count, raise }: Placing): PlaceShare =>
  async (share) => {
    tellSpan(() => ({ 'quittance.ledger': share.sequence, 'quittance.transaction.hashes': hashesOf(share) }))
    const placed = await placeIncomingPayments(services, ownerOf)(share)
    if (E.isLeft(placed)) return placed
    for (const own of share.forgotten) {
      const recovered = await recover(services, share, own, share.mandates)
      if (E.isLeft(recovered)) return recovered
    }
    const held = { outcomesOf: () => share.outcomes, mandates: share.mandates }
    const recorded = await recordOutcomes({ services, raise }, environment, held)
    if (E.isLeft(recorded)) return recorded
    const settled = await settlePaidByHand(services, ownerOf, share)
    if (E.isLeft(settled)) return settled
    return E.map(count)(await explain(share))
  }

/** A flood brings thousands. */
const mostHashesTold = 20
const hashesOf = ({ credits, outcomes }: Share): Array<string> =>
  [...new Set([...credits, ...outcomes].map(({ transactionHash }) => transactionHash))].slice(0, mostHashesTold)

/**
 * What a screening stops is held. Places new mandates with their money, charges, then each other incoming payment in the ledger's order. Money that an account
 * received during its set-up is no sale.
 */
export const placeIncomingPayments =
  (services: IngestServices, owners: Owners) =>
  async (share: Share): Promise<E.Either<ProcessFailure, void>> => {
    const { sequence } = share
    const ownerOf = lookedUpOnce(owners)
    const screened = await screen(services, ownerOf, share)
    if (E.isLeft(screened)) return screened
    const { credits, mandates } = screened.right
    const received = await receiveMandates(services, ownerOf, { ...share, credits, mandates })
    if (E.isLeft(received)) return received
    // Each charge is the money of a payment of its own.
    const placed = new Set<IncomingPayment>(received.right)
    const charges = await severalAtOnce(credits, chargesAtOnce, async (credit) => {
      const owner = await ownerOf(credit.destination)
      const charged = chargeOf({ mandates }, credit)
      if (owner === null || sequence <= owner.setUpThrough || placed.has(credit) || charged === null)
        return E.right(undefined)
      const isPlaced = await placeCharge(services, owner, keptIncomingPayment(credit), charged)
      if (E.isRight(isPlaced) && isPlaced.right) placed.add(credit)
      return isPlaced
    })
    if (E.isLeft(charges)) return charges
    const others = await filterInTurn(credits, async (credit) => {
      const owner = await ownerOf(credit.destination)
      return owner !== null && sequence > owner.setUpThrough && !placed.has(credit)
    })
    if (!isOfOneTransaction(share)) return receiveIncomingPayments(services, share, others)
    for (const credit of others) {
      const received = await receiveIncomingPayments(services, share, [credit])
      if (E.isLeft(received)) return received
    }
    return E.right(undefined)
  }
