import {
  AuthorizationId,
  count,
  dayMs,
  type Environment,
  hourMs,
  isFrozen,
  type Migration,
  type MigrationState,
  Migrations,
  migrationFor,
  minuteMs,
  Subscription,
  SubscriptionId,
  type UnixMs,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated, type IsolationServices } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { payableId, payableReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'
import { endsSince, type FormerMandate, formerMandates } from './former.ts'

export type MigrationServices = IsolationServices & Pick<Services, 'vault' | 'networks' | 'freezing'>

/** The most subscriptions that are asked in one step of the worker, and the most mandates that it looks at. */
const [mostAsked, mostLookedAt] = [400, 5_000]
/** All former mandates are looked at again so much later: a swap that was dropped may have taken a request with it. */
const lookAgainMs = hourMs
/** A process that has read a migration as open asks for so long at most, and a wallet may take so long to enrol. */
const settleMs = 15 * minuteMs
/** What a canceled migration has asked for is taken back during this time. */
const withdrawMs = dayMs

type Worked = Promise<E.Either<ProcessFailure, boolean>>

/**
 * Asks the customers of former mandates for new ones while a migration moves them, takes back what is asked once none does, and
 * completes a migration that has no living mandate left to move. Returns whether others may be waiting. What it remembers is
 * where it goes on: a process that starts looks at all once more, and asks nobody twice.
 */
export const migrationWork = (services: MigrationServices, environment: Environment) => {
  const stateIn = rememberedStates(services.store, Migrations)
  let scan: AsyncGenerator<FormerMandate> | null = null
  let scanned: MigrationState | null = null
  let nextAt = 0
  let owners = new Set<string>()

  return async ({ closedAt }: LedgerHead): Worked => {
    const found = await stateIn(environment)
    if (E.isLeft(found)) return found
    const state = found.right
    if (!state.some((each) => isWorkedOn(each, closedAt))) return E.right(false)
    if (state !== scanned || (scan === null && closedAt >= nextAt)) {
      scan = formerMandates(services, environment)
      scanned = state
      owners = new Set()
    }
    if (scan === null) return E.right(false)
    const left = { asked: mostAsked, lookedAt: mostLookedAt }
    const items = wanted(services, state, scan, owners, left)
    const frozen = await services.freezing.now()
    if (E.isLeft(frozen)) return frozen
    const worked = await eachIsolated(services, environment, {
      loop: 'migrations',
      items,
      again: ({ id }) => itemOf(services, state, id),
      work: async (item) => {
        if (isFrozen(frozen.right, 'sales', item.merchantId) && item.does === 'ask') return E.right(undefined)
        left.asked -= 1
        return move(services, item, closedAt)
      },
    })
    if (E.isLeft(worked)) return worked
    if (left.asked <= 0 || left.lookedAt <= 0) return E.right(true)
    scan = null
    nextAt = closedAt + lookAgainMs
    return E.map(() => false)(await complete(services, environment, state, owners, closedAt))
  }
}

const isWorkedOn = ({ end }: Migration, now: UnixMs): boolean =>
  end === null || (end._tag === 'canceled' && now < end.at + withdrawMs)

type Item = {
  readonly merchantId: string
  readonly environment: Environment
  readonly id: SubscriptionId
  readonly does: 'ask' | 'withdraw'
}

/** What a migration wants of subscriptions. `owners` collects the merchants that have former mandates. */
async function* wanted(
  services: MigrationServices,
  state: MigrationState,
  former: AsyncGenerator<FormerMandate>,
  owners: Set<string>,
  left: { readonly asked: number; lookedAt: number },
): AsyncGenerator<Item> {
  while (left.asked > 0 && left.lookedAt > 0) {
    left.lookedAt -= 1
    const next = await former.next()
    if (next.done === true) return
    const { merchantId, row, standing } = next.value
    owners.add(merchantId)
    const item =
      standing === 'ending' || standing === 'leaving' ? null : await itemOf(services, state, row.subscriptionId)
    if (item !== null) yield item
  }
}

const itemOf = async (
  { readModels, networks }: MigrationServices,
  state: MigrationState,
  subscriptionId: string,
): Promise<Item | null> => {
  const found = await readModels.subscriptions.withId(subscriptionId)
  if (found === null) return null
  const { merchantId, environment, row } = found
  const id = decodeOrThrow(SubscriptionId, subscriptionId)
  const item = { merchantId, environment, id }
  const migration = migrationFor(state, merchantId)
  if (migration === null) return row.authorization.requested?.why === 'migration' ? { ...item, does: 'withdraw' } : null
  // Another contract was configured since: only a new migration asks for mandates in that.
  if (migration.contract !== networks[environment]?.mandateContract) return null
  return row.authorization.requested?.kind === 'mandate' ? null : { ...item, does: 'ask' }
}

const move = async (
  services: MigrationServices,
  { merchantId, environment, id, does }: Item,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const now = await stateOf(services.store)(Subscription, id)
  if (E.isLeft(now)) return now
  const { state, events } = now.right
  if (state.status === 'absent') return E.right(undefined)
  const cause = events.at(-1)?.id ?? id
  const named = derivedCommandId(cause, 'request migration')
  const authorizationId = await payableId(services, AuthorizationId, state.details.startedAt, named)
  const { mandateId } = state.authorization.mandate
  const reference = await payableReference(services, environment, authorizationId)
  const decide = Subscription.decider.decide(
    does === 'ask'
      ? { type: 'RequestMigration', authorizationId, reference, mandateId, at }
      : { type: 'WithdrawMigration', at },
  )
  const context = stepContext(scope, cause, `migration ${does}`, at)
  const done = await stepUnless(services.store)(['SubscriptionIsCanceled'], Subscription, id, context, decide)
  return E.map(() => undefined)(done)
}

/** Records the end of each migration whose subscribers have no former mandate any more. */
const complete = async (
  services: MigrationServices,
  environment: Environment,
  state: MigrationState,
  owners: ReadonlySet<string>,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  for (const { end, contract, merchantId, at: begun } of state) {
    const isLeft = merchantId === undefined ? owners.size > 0 : owners.has(merchantId)
    const isTarget = contract === services.networks[environment]?.mandateContract
    if (end !== null || isLeft || !isTarget || at < begun + settleMs) continue
    const of = merchantId === undefined ? {} : { merchantId }
    const { signed, ended } = await endsSince(services, environment, { at: begun, ...of })
    const scope = { merchantId: platform, environment }
    const context = stepContext(scope, `${environment} ${begun} ${merchantId ?? ''}`, 'complete migration', at)
    const completion = { type: 'CompleteMigration', signed: count(signed), ended: count(ended), at, ...of } as const
    const done = await step(services.store)(Migrations, environment, context, Migrations.decider.decide(completion))
    if (E.isLeft(done)) return done
  }
  return E.right(undefined)
}
