import { Limits } from '@quittance/domain'
import { decodedBy, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { limitsId } from '../../features/limits/admit.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** What refunds and payouts were worth when they were requested. */
export type RecordedValues = {
  /** In hundredths of a US dollar; null where nothing was recorded: the merchant had no limits, or nobody knew a rate. */
  readonly of: (scope: Scope, subject: string) => Promise<E.Either<StoreUnavailable, bigint | null>>
}

const decode = decodedBy(Limits)

/** Reads the limits of each merchant once. */
export const recordedValues = (store: Services['store']): RecordedValues => {
  const known = new Map<string, ReadonlyMap<string, bigint>>()
  const read = async (id: string): Promise<E.Either<StoreUnavailable, ReadonlyMap<string, bigint>>> => {
    const limits = await stateOf(store)(Limits, id)
    if (E.isLeft(limits)) return limits
    const values = new Map<string, bigint>()
    for (const recorded of limits.right.events) {
      const { type, data } = decode(recorded)
      const outflow = type === 'OutflowCounted' ? data : type === 'ApprovalNeeded' ? data.outflow : null
      if (outflow !== null && outflow.value !== null) values.set(outflow.subject, outflow.value)
    }
    known.set(id, values)
    return E.right(values)
  }
  return {
    of: async (scope, subject) => {
      const id = limitsId(scope)
      const values = known.get(id) ?? (await read(id))
      if (!('_tag' in values)) return E.right(values.get(subject) ?? null)
      return E.isLeft(values) ? values : E.right(values.right.get(subject) ?? null)
    },
  }
}
