import { setImmediate as letOthersWork } from 'node:timers/promises'
import {
  type Count,
  defaultPolicy,
  type Environment,
  Freezes,
  Merchant,
  type MerchantRejection,
  type MerchantState,
  type Policy,
  Subscription,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MerchantNotFound } from '../../features/settlement-account/change-assets.ts'
import { fold } from '../../kernel/fold.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import { policiesOf, stopsOf } from './circumstances.ts'
import { type Compared, compare } from './compare.ts'
import { type Figures, noFigures, sumOf } from './figures.ts'
import { type OtherPriceRefused, otherPrices } from './other-prices.ts'

/**
 * What another policy would have made of an environment's subscriptions, from `from` on and before `to`, which is at most now.
 * `policy`: what is different; the rest stays as it was at each moment. `prices`: what products cost instead, in the currencies of
 * their prices, `since` a moment or from the beginning on. `longestPauseDays`: when a pause ends by itself; 0 for no pauses at all.
 * `merchantId`: null for all merchants.
 */
export type WhatIfRequest = {
  readonly environment: Environment
  readonly merchantId: string | null
  readonly policy: Partial<Policy>
  readonly prices?: ReadonlyArray<{
    readonly productId: string
    readonly amount: string
    readonly since: UnixMs | null
  }>
  readonly longestPauseDays?: Count | null
  readonly from: UnixMs
  readonly to: UnixMs
  readonly onProgress?: (done: number, all: number) => void
}

/** A subscription that stands in no sum: from `revision` on its record is not reproduced, or its simulation came to no end. */
export type LeftOut = {
  readonly merchantId: string
  readonly subscriptionId: string
  readonly revision: bigint | null
  readonly why: 'no_command' | 'not_due' | 'stuck'
}

/**
 * `subscriptions` that began before the end; of them `reproduced` are compared, and `otherwise` would have lived otherwise.
 * `ends` of charges that the simulation counts, `assumed` of them after the nearest recorded one; `without`: acts of
 * people that came to nothing. `control`: what the simulation makes of the recorded policies by its own clock.
 */
export type WhatIfReport = {
  readonly from: UnixMs
  readonly to: UnixMs
  readonly subscriptions: number
  readonly reproduced: number
  readonly otherwise: number
  readonly ends: number
  readonly assumed: number
  readonly without: number
  readonly recorded: Figures
  readonly changed: Figures
  readonly control: Figures
  readonly leftOut: ReadonlyArray<LeftOut>
}

export type WhatIfFailure =
  | StoreUnavailable
  | MerchantNotFound
  | Extract<MerchantRejection, { readonly _tag: 'DunningScheduleInvalid' }>
  | OtherPriceRefused

/** Replays recorded subscriptions under another policy. It reads streams and the list of subscriptions, and has nothing to write by. */
export type WhatIf = (request: WhatIfRequest) => TE.TaskEither<WhatIfFailure, WhatIfReport>

/** What a replay may touch: it reads. */
export type WhatIfServices = Pick<Services, 'caughtUp' | 'clock'> & {
  readonly store: Pick<EventStore, 'readStream'>
  readonly readModels: {
    readonly merchants: Pick<Services['readModels']['merchants'], 'all'>
    readonly subscriptions: Pick<Services['readModels']['subscriptions'], 'page'>
  }
}

const atOnce = 50

export const whatIf =
  (services: WhatIfServices): WhatIf =>
  (request) =>
  async () => {
    const { store, readModels, caughtUp, clock } = services
    const { environment, merchantId, policy, from, onProgress } = request
    const to = unixMs(Math.min(request.to, clock.now(environment)))
    const caught = await caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const merchants = (await readModels.merchants.all()).filter(({ id }) => merchantId === null || id === merchantId)
    if (merchantId !== null && merchants.length === 0) return E.left({ _tag: 'MerchantNotFound' })
    const begun = await begunBefore(services, environment, merchants, to)
    const frozen = await store.readStream(`${Freezes.category}-${platform}`)()
    if (E.isLeft(frozen)) return frozen

    const prices = await otherPrices(store, request, merchants)
    if (E.isLeft(prices)) return prices
    const rules = { from, prices: prices.right, longestPauseDays: request.longestPauseDays ?? null }
    const changed = (before: Policy): Policy => ({ ...before, ...policy })
    const leftOut: Array<LeftOut> = []
    const all = begun.reduce((sum, { subscriptions }) => sum + subscriptions.length, 0)
    let sums = nothingYet
    let done = 0
    for (const { id, subscriptions } of begun) {
      const merchant = await store.readStream(`${Merchant.category}-${id}`)()
      if (E.isLeft(merchant)) return merchant
      const refused = refusalOf(fold(Merchant, merchant.right.events), changed)
      if (refused !== null) return E.left(refused)
      const question = {
        policies: policiesOf(merchant.right.events),
        stoppedAt: stopsOf(frozen.right.events, id),
        ...{ changed, rules, from, to },
      }
      for (const subscriptionId of subscriptions) {
        const stream = await store.readStream(`${Subscription.category}-${subscriptionId}`)()
        if (E.isLeft(stream)) return stream
        const compared = compare(stream.right.events, question)
        if (E.isRight(compared)) sums = add(sums, compared.right)
        else {
          const failed = compared.left
          const isStuck = failed._tag === 'Stuck'
          const [revision, why] = isStuck ? [null, 'stuck' as const] : [failed.revision, failed.why]
          leftOut.push({ merchantId: id, subscriptionId, revision, why })
        }
        done += 1
        onProgress?.(done, all)
        if (done % atOnce === 0) await letOthersWork()
      }
    }
    return E.right({ from, to, subscriptions: all, ...sums, leftOut })
  }

const nothingYet = {
  ...{ reproduced: 0, otherwise: 0, ends: 0, assumed: 0, without: 0 },
  ...{ recorded: noFigures, changed: noFigures, control: noFigures },
}

const add = (sums: typeof nothingYet, each: Compared): typeof nothingYet => ({
  reproduced: sums.reproduced + 1,
  otherwise: sums.otherwise + (each.isOtherwise ? 1 : 0),
  ends: sums.ends + each.ends,
  assumed: sums.assumed + each.assumed,
  without: sums.without + each.without,
  recorded: sumOf(sums.recorded, each.recorded),
  changed: sumOf(sums.changed, each.changed),
  control: sumOf(sums.control, each.control),
})

type Begun = { readonly id: string; readonly subscriptions: ReadonlyArray<string> }

/** The subscriptions of each merchant that began before a moment. */
const begunBefore = async (
  { readModels }: WhatIfServices,
  environment: Environment,
  merchants: ReadonlyArray<{ readonly id: string }>,
  to: UnixMs,
): Promise<ReadonlyArray<Begun>> => {
  const begun: Array<Begun> = []
  for (const { id: merchantId } of merchants) {
    const subscriptions: Array<string> = []
    for await (const { id, row } of everyRow(readModels.subscriptions.page, { merchantId, environment })) {
      if (row.details.startedAt < to) subscriptions.push(id)
    }
    begun.push({ id: merchantId, subscriptions })
  }
  return begun
}

/** Why a merchant could not set such a policy; null where it could. */
const refusalOf = (
  merchant: MerchantState,
  changed: (policy: Policy) => Policy,
): Extract<MerchantRejection, { readonly _tag: 'DunningScheduleInvalid' }> | null => {
  const before = merchant.status === 'absent' ? defaultPolicy : merchant.policy
  const set = Merchant.decider.decide({ type: 'SetPolicy', policy: changed(before) })(merchant)
  return E.isLeft(set) && set.left._tag === 'DunningScheduleInvalid' ? set.left : null
}
