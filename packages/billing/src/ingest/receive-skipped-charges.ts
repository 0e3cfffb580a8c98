import type { Environment, LedgerSequence } from '@quittance/domain'
import { type IngestedLedger, receivedInLedger } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { chargeOf, placeCharge } from '../features/charges/place-charge.ts'
import { ownersIn } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { mandateContractsOf, type Network, type Services } from '../services/services.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'

/**
 * Places the charges of a skipped ledger, as if it were ingested now. Answers its facts about mandates; null if no node
 * holds them.
 */
export const receiveSkippedCharges = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault' | 'networks' | 'left'>,
  network: Network,
  environment: Environment,
  ledger: LedgerSequence,
): Promise<E.Either<ProcessFailure, IngestedLedger['mandates'] | null>> => {
  const ownerOf = ownersIn(services, environment)
  const watched = { has: async (account: Parameters<typeof ownerOf>[0]) => (await ownerOf(account)) !== null }
  const told = await receivedInLedger(
    network.gateway,
    watched,
    await mandateContractsOf(services, environment),
  )(ledger)()
  if (E.isLeft(told)) return told
  if (told.right === null) return E.right(null)
  const { incomingPayments, mandates } = told.right
  for (const credit of incomingPayments) {
    const owner = await ownerOf(credit.destination)
    const charged = chargeOf({ mandates }, credit)
    if (owner === null || charged === null) continue
    const placed = await placeCharge(services, owner, keptIncomingPayment(credit), charged)
    if (E.isLeft(placed)) return placed
  }
  return E.right(mandates)
}
