import {
  type CheckoutId,
  isAnySkipped,
  isAnySkippedSince,
  LedgerIngestion,
  type LedgerIngestionState,
  type LedgerSequence,
  type SubmittedTransaction,
  type UnixMs,
} from '@quittance/domain'
import {
  isProvenDead,
  type LedgerGateway,
  type LedgerHead,
  outcomesInLedger,
  receivedInLedger,
  type WatchedAccounts,
} from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { step } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { stepContext } from '../kernel/step-context.ts'
import { ownersIn } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { mandateContractsOf, type Network, type Services } from '../services/services.ts'
import { placeOrPark } from './parking/ingest.ts'
import { sharesOf } from './parking/shares-of.ts'
import { placeCredits } from './place-share.ts'

/** A relayed transaction, for which sale, and the close time of the newest ledger when its payment was opened. */
type Sent = SubmittedTransaction & Scope & { readonly checkoutId: CheckoutId; readonly firstSentAt: UnixMs }

/** `dead`: it brings nothing any more, beyond what is in its checkout. */
export type Fate = 'dead' | 'awaited'

/**
 * What became of a transaction. Included: dead once the ledger that holds it was ingested and credited nothing; in a ledger
 * that was skipped, only once what it brought was received from there. Not found: only on proof. Where ledgers were
 * skipped and no node can tell any more, it is left to a person, once, and stays awaited.
 */
export const fateOf = async (
  services: Services,
  network: Network,
  following: LedgerIngestionState,
  sent: Sent,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Fate>> => {
  const { transactionHash, maxTime, firstSentAt } = sent
  const { gateway } = network
  const lookUp = await gateway.lookUp(transactionHash)()
  if (E.isLeft(lookUp)) return lookUp
  const found = lookUp.right
  switch (found._tag) {
    case 'Failed':
      return found.ledger > ingested.sequence
        ? E.right('awaited')
        : fateOfFailed(services, gateway, following, sent, found.ledger, ingested)
    case 'Succeeded': {
      const { ledger } = found
      if (ledger > ingested.sequence) return E.right('awaited')
      return isAnySkipped(following, ledger, ledger)
        ? receiveSkipped(services, network, sent, ledger, ingested)
        : E.right('dead')
    }
    case 'NotFound': {
      const proof = { maxTime, firstSentAt, highestLedgerSeen: ingested.sequence }
      if (isProvenDead(found, proof)) return E.right('dead')
      const isLost = ingested.closedAt > maxTime && isAnySkippedSince(following, firstSentAt)
      return isLost ? leaveUncounted(services, sent, null, ingested) : E.right('awaited')
    }
  }
}

/**
 * Dead, unless what failed there is a fee bump by itself, of which nodes say that the transaction inside failed: that was
 * never tried, and may still come, until its time is over and every ledger was ingested.
 */
const fateOfFailed = async (
  services: Services,
  gateway: LedgerGateway,
  following: LedgerIngestionState,
  sent: Sent,
  ledger: LedgerSequence,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Fate>> => {
  const { transactionHash, maxTime, firstSentAt } = sent
  const told = await outcomesInLedger(gateway, transactionHash)(ledger)()
  if (E.isLeft(told)) return told
  const outcomes = told.right?.outcomes ?? []
  if (outcomes.some((each) => each._tag !== 'BumpFailed' || each.transactionHash === transactionHash))
    return E.right('dead')
  if (outcomes.length === 0 || ingested.closedAt <= maxTime) return E.right('awaited')
  return isAnySkippedSince(following, firstSentAt) ? leaveUncounted(services, sent, null, ingested) : E.right('dead')
}

/** Receives what a transaction brought in a skipped ledger, whoever's it is, as if that ledger were ingested now. */
const receiveSkipped = async (
  services: Services,
  network: Network,
  sent: Sent,
  ledger: LedgerSequence,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Fate>> => {
  const ownerOf = ownersIn(services, sent.environment)
  const watched: WatchedAccounts = { has: (account) => ownerOf(account) !== null }
  const told = await receivedInLedger(network.gateway, watched, mandateContractsOf(network))(ledger)()
  if (E.isLeft(told)) return told
  if (told.right === null) return leaveUncounted(services, sent, ledger, ingested)
  const isOfIt = ({ transactionHash, innerHash }: { transactionHash: string; innerHash?: string | null }) =>
    [transactionHash, innerHash].includes(sent.transactionHash)
  const incomingPayments = told.right.incomingPayments.filter(isOfIt)
  const mandates = told.right.mandates.filter(isOfIt)
  const brought = { id: `skipped ${sent.transactionHash}`, sequence: ledger, incomingPayments, mandates, movements: [] }
  const shares = sharesOf(services, sent.environment, ownerOf, { ...brought, outcomesOf: () => [] })
  const received = await placeOrPark(services, sent.environment, placeCredits(services, ownerOf))(shares)
  return E.map((): Fate => (services.parked.isWaiting(sent.environment, sent.merchantId) ? 'awaited' : 'dead'))(
    received,
  )
}

const leaveUncounted = async (
  { store }: Services,
  { environment, transactionHash, checkoutId, paymentId }: Sent,
  includedIn: LedgerSequence | null,
  { closedAt }: LedgerHead,
): Promise<E.Either<ProcessFailure, Fate>> => {
  const scope = { merchantId: platform, environment }
  const context = stepContext(scope, `${environment}/${transactionHash}`, 'leave uncounted', closedAt)
  const transaction = { transactionHash, checkoutId, paymentId, includedIn }
  const decide = LedgerIngestion.decider.decide({ type: 'LeaveUncounted', ...transaction })
  const left = await step(store)(LedgerIngestion, environment, context, decide)
  return E.map((): Fate => 'awaited')(left)
}
