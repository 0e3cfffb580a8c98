import type { Services } from '@quittance/billing'
import { FreezeScope } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { inTime } from './in-time.ts'

/** A freeze as operators see it. `merchant_id`: null for all merchants. */
export type ShownFreeze = {
  readonly scope: FreezeScope
  readonly merchant_id: string | null
  readonly by: string
  readonly reason: string
  readonly at: string
}

/** What the operator has frozen: it does not make the service unready. `unknown`: the log does not answer. */
export type FreezesReadiness = {
  readonly status: 'none' | 'frozen' | 'unknown'
  readonly freezes: ReadonlyArray<ShownFreeze>
}

const answerWithinMs = 800

export const freezesReadiness = (freezing: Services['freezing']): (() => Promise<FreezesReadiness>) => {
  const nowInTime = inTime(freezing.now, answerWithinMs)
  return async () => {
    const found = await nowInTime()
    if (found === null || E.isLeft(found)) return { status: 'unknown', freezes: [] }
    const freezes = found.right.inForce.map(({ scope, merchantId, by, reason, at }) => ({
      scope,
      merchant_id: merchantId ?? null,
      by,
      reason,
      at: new Date(at).toISOString(),
    }))
    return { status: freezes.length === 0 ? 'none' : 'frozen', freezes }
  }
}

/** How many freezes of each scope there are, of all merchants and of single ones. */
export const freezeCounts = ({ freezes }: FreezesReadiness) =>
  Object.keys(FreezeScope.keys).flatMap((scope) =>
    (['all', 'merchant'] as const).map((of) => ({
      scope,
      of,
      count: freezes.filter((each) => each.scope === scope && (each.merchant_id === null) === (of === 'all')).length,
    })),
  )
