import {
  type AccountId,
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
} from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../kernel/platform.ts'
import { step } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { ownersIn } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { mandateContractsOf, type Network, type Services } from '../services/services.ts'
import { placeOrPark } from './parking/ingest.ts'
import { sharesOf, skippedShareId } from './parking/shares-of.ts'
import { placeIncomingPayments } from './place-share.ts'
import type { IngestServices } from './services.ts'

/** A relayed transaction, for which sale, and the close time of the newest ledger when its payment was opened. */
type Sent = SubmittedTransaction & Scope & { readonly checkoutId: CheckoutId; readonly firstSentAt: UnixMs }

/** `dead`: it brings nothing more than what is in its checkout. */
type Outcome = 'dead' | 'awaited'

/**
 * The outcome of a payer's transaction. An included transaction is dead once its ledger was ingested and brought
 * nothing; in a skipped ledger, once its money was received from there. One that is not found is dead only on proof.
 * Where ledgers were skipped and no node has them any more, it is left to an operator, once, and stays awaited.
 */
export const payerTransactionOutcome = async (
  services: IngestServices,
  network: Network,
  ingestion: LedgerIngestionState,
  sent: Sent,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Outcome>> => {
  const { transactionHash, maxTime, firstSentAt } = sent
  const { gateway } = network
  const lookUp = await gateway.lookUp(transactionHash)()
  if (E.isLeft(lookUp)) return lookUp
  const found = lookUp.right
  switch (found._tag) {
    case 'Failed':
      return found.ledger > ingested.sequence
        ? E.right('awaited')
        : outcomeOfFailed(services, gateway, ingestion, sent, found.ledger, ingested)
    case 'Succeeded': {
      const { ledger } = found
      if (ledger > ingested.sequence) return E.right('awaited')
      return isAnySkipped(ingestion, ledger, ledger)
        ? receiveSkipped(services, network, sent, ledger, ingested)
        : E.right('dead')
    }
    case 'NotFound': {
      const proof = { maxTime, firstSentAt, highestLedgerSeen: ingested.sequence }
      if (isProvenDead(found, proof)) return E.right('dead')
      const isLost = ingested.closedAt > maxTime && isAnySkippedSince(ingestion, firstSentAt)
      return isLost ? leaveUncounted(services, sent, null, ingested) : E.right('awaited')
    }
  }
}

/**
 * Dead, unless only a fee bump failed, which nodes report as a failure of the inner transaction. The inner transaction
 * was never tried: it may still be included until its time is over and every ledger up to then was ingested.
 */
const outcomeOfFailed = async (
  services: Pick<Services, 'store'>,
  gateway: LedgerGateway,
  ingestion: LedgerIngestionState,
  sent: Sent,
  ledger: LedgerSequence,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Outcome>> => {
  const { transactionHash, maxTime, firstSentAt } = sent
  const held = await outcomesInLedger(gateway, transactionHash)(ledger)()
  if (E.isLeft(held)) return held
  const outcomes = held.right?.outcomes ?? []
  if (outcomes.some((each) => each._tag !== 'BumpFailed' || each.transactionHash === transactionHash))
    return E.right('dead')
  if (outcomes.length === 0 || ingested.closedAt <= maxTime) return E.right('awaited')
  return isAnySkippedSince(ingestion, firstSentAt) ? leaveUncounted(services, sent, null, ingested) : E.right('dead')
}

/** Receives the money of a transaction in a skipped ledger, for every merchant, as if the ledger were ingested now. */
const receiveSkipped = async (
  services: IngestServices,
  network: Network,
  sent: Sent,
  ledger: LedgerSequence,
  ingested: LedgerHead,
): Promise<E.Either<ProcessFailure, Outcome>> => {
  const ownerOf = ownersIn(services, sent.environment)
  const watched = { has: async (account: AccountId) => (await ownerOf(account)) !== null }
  const read = await receivedInLedger(
    network.gateway,
    watched,
    await mandateContractsOf(services, sent.environment),
  )(ledger)()
  if (E.isLeft(read)) return read
  if (read.right === null) return leaveUncounted(services, sent, ledger, ingested)
  const isOfIt = ({ transactionHash, innerHash }: { transactionHash: string; innerHash?: string | null }) =>
    [transactionHash, innerHash].includes(sent.transactionHash)
  const incomingPayments = read.right.incomingPayments.filter(isOfIt)
  const mandates = read.right.mandates.filter(isOfIt)
  const brought = {
    id: skippedShareId(sent.transactionHash),
    sequence: ledger,
    incomingPayments,
    mandates,
    movements: [],
    forgotten: [],
  }
  const shares = await sharesOf(services, sent.environment, ownerOf, { ...brought, outcomesOf: () => [] })
  const received = await placeOrPark(services, sent.environment, placeIncomingPayments(services, ownerOf))(shares)
  if (E.isLeft(received)) return received
  return E.right((await services.parked.isWaiting(sent.environment, sent.merchantId)) ? 'awaited' : 'dead')
}

const leaveUncounted = async (
  { store }: Pick<Services, 'store'>,
  { environment, transactionHash, checkoutId, paymentId }: Sent,
  includedIn: LedgerSequence | null,
  { closedAt }: LedgerHead,
): Promise<E.Either<ProcessFailure, Outcome>> => {
  const scope = { merchantId: platform, environment }
  const context = stepContext(scope, `${environment}/${transactionHash}`, 'leave uncounted', closedAt)
  const transaction = { transactionHash, checkoutId, paymentId, includedIn }
  const decide = LedgerIngestion.decider.decide({ type: 'LeaveUncounted', ...transaction })
  const left = await step(store)(LedgerIngestion, environment, context, decide)
  return E.map((): Outcome => 'awaited')(left)
}
