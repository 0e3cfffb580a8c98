import { AccountId } from '@quittance/domain'
import type { IncomingPayment, MandateFact } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { chargeOf } from '../features/charges/place-charge.ts'
import type { Owners } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import type { Share } from '../stores/parked/share.ts'
import { receiveApproval, receiveMandateEnd, receiveReplacement } from './authorizations.ts'
import { type CreatedMandate, receiveMandate } from './enrolments.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'
import type { IngestServices } from './services.ts'

/**
 * Places a ledger's facts about mandates in their order. A mandate concerns the merchant whose account it pays. Charges
 * are placed with their money. Answers the incoming payments that the creation of mandates brought and that were placed
 * here.
 */
export const receiveMandates = async (
  services: IngestServices,
  ownerOf: Owners,
  share: Scope & Pick<Share, 'credits' | 'mandates'>,
): Promise<E.Either<ProcessFailure, ReadonlySet<IncomingPayment>>> => {
  const placed = new Set<IncomingPayment>()
  for (const fact of share.mandates) {
    const owner = 'payee' in fact && AccountId.is(fact.payee) ? await ownerOf(fact.payee) : null
    if (owner?.merchantId !== share.merchantId) {
      const heard = await hear(services, share, fact)
      if (E.isLeft(heard)) return heard
      continue
    }
    const first = fact._tag === 'MandateCreated' ? firstCreditOf(share, fact) : null
    const received = await receive(services, owner, fact, first)
    if (E.isLeft(received)) return received
    if (first !== null) placed.add(first)
  }
  return E.right(placed)
}

/** Only an approval for another merchant's mandate concerns this merchant. */
const hear = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  { merchantId, environment }: Scope,
  fact: MandateFact,
): Promise<E.Either<ProcessFailure, void>> =>
  fact._tag === 'MandateCreated' || fact._tag === 'AllowanceRenewed'
    ? receiveApproval(services, { merchantId, environment }, fact)
    : E.right(undefined)

const receive = async (
  services: IngestServices,
  scope: Scope,
  fact: MandateFact,
  first: IncomingPayment | null,
): Promise<E.Either<ProcessFailure, void>> => {
  switch (fact._tag) {
    case 'MandateCreated': {
      const credit = first === null ? null : { ...keptIncomingPayment(first), mandateId: fact.mandate }
      const received = await receiveMandate(services, scope, fact, credit)
      if (E.isLeft(received)) return received
      const replaced = await receiveReplacement(services, scope, fact)
      return E.isLeft(replaced) ? replaced : receiveApproval(services, scope, fact)
    }
    case 'AllowanceRenewed':
      return receiveApproval(services, scope, fact)
    case 'MandateCancelled':
      return receiveMandateEnd(services, scope, fact)
    case 'MandateCharged':
    case 'ChargesAnswered':
      return E.right(undefined)
  }
}

/** The money of the first charge, which a mandate's creation makes under the same reference. */
const firstCreditOf = (
  ledger: Pick<Share, 'credits' | 'mandates'>,
  { contract, mandate, transactionHash, record, firstAmount }: CreatedMandate,
): IncomingPayment | null =>
  firstAmount === 0n
    ? null
    : (ledger.credits.find((credit) => {
        if (credit.transactionHash !== transactionHash) return false
        const charged = chargeOf(ledger, credit)
        return charged?.contract === contract && charged.mandate === mandate && charged.reference === record.reference
      }) ?? null)
