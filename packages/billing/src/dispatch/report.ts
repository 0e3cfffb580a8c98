import {
  AccountId,
  AnchorId,
  ContractId,
  type Environment,
  Intent,
  MandateEndId,
  PaymentId,
  PayoutId,
  RefundId,
  ReturnId,
  SetUpId,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { reportToPayment } from '../features/charges/report.ts'
import { reportToException } from '../features/exceptions/report.ts'
import { dueBy, intentsAtOnce, type Outgoing } from '../features/outgoing/outgoing.ts'
import type { Reporter, ReporterServices } from '../features/outgoing/reporter.ts'
import { reportToPayout } from '../features/payouts/end.ts'
import { reportToRefund } from '../features/refunds/end.ts'
import { fold } from '../kernel/fold.ts'
import { step } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'

/** The reporter for an owner, by the kind of its id. Without one, the end stays on the to-do list. */
const reporterOf = (owner: string): Reporter | null => {
  if (RefundId.is(owner)) return reportToRefund
  if (ReturnId.is(owner)) return reportToException
  if (PayoutId.is(owner)) return reportToPayout
  if ([MandateEndId, SetUpId, AccountId, ContractId, AnchorId].some((kind) => kind.is(owner))) return reportNothing
  return PaymentId.is(owner) ? reportToPayment : null
}

/**
 * Ingestion records the end of a mandate from the contract's event. The ledger itself shows what is set up, which keys have
 * weight, how long a contract lives, and what is anchored. What failed is retried without a report, or by a person.
 */
const reportNothing: Reporter = () => TE.right(true)

/** Reports each ended intent of an environment to its owner. Reporting again records nothing. */
export const reportEnds = async (
  outgoing: Pick<Outgoing, 'services' | 'ingested'>,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, ingested } = outgoing
  const { intents } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'reports',
    items: ended(intents.due(environment, dueBy(outgoing, environment))),
    again: ({ id }) => intents.withId(id),
    work: async (due) => {
      const reporter = reporterOf(due.row.details.owner)
      return reporter === null ? E.right(undefined) : report(services, reporter, due, ingested.closedAt)
    },
    atOnce: intentsAtOnce,
  })
}

/** The list holds ended intents before waiting ones. */
async function* ended(due: AsyncIterable<Found<IntentRow>>): AsyncGenerator<Found<IntentRow>> {
  for await (const intent of due) {
    if (intent.row.status === 'waiting') return
    yield intent
  }
}

const report = async (
  services: ReporterServices,
  reporter: Reporter,
  { id, merchantId, environment }: Found<IntentRow>,
  at: LedgerHead['closedAt'],
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const stream = await services.store.readStream(`${Intent.category}-${id}`)()
  if (E.isLeft(stream)) return stream
  const intent = fold(Intent, stream.right.events)
  if (intent.status === 'absent' || intent.status === 'waiting' || intent.status === 'attached')
    return E.right(undefined)
  const reported = await reporter(services, scope, intent.details, intent.end, at)()
  if (E.isLeft(reported)) return reported
  if (!reported.right) return E.right(undefined)
  const context = stepContext(scope, `${environment}/${id}`, 'report', at)
  const decide = Intent.decider.decide({ type: 'ReportIntent' })
  return E.map(() => undefined)(await step(services.store)(Intent, id, context, decide))
}
