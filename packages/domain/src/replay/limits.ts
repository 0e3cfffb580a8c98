import type { Limits, LimitsCommand } from '../limits/index.ts'
import type { UnixMs } from '../shared/units.ts'
import type { Behind } from './behind.ts'

/** When a person has accepted a restored log is recorded elsewhere: never, just now, or since one of the limits was set. */
export const behindLimits: Behind<typeof Limits> = ({ limits }, { type, data }) => {
  const since = (at: UnixMs): ReadonlyArray<UnixMs | null> => [null, at, ...limits.map(({ setAt }) => setAt)]
  switch (type) {
    case 'LimitSet': {
      const { setter, scope, amount, setAt: at, by } = data
      return since(at).map((acceptedAt) => ({ type: 'SetLimit', setter, scope, amount, at, by, acceptedAt }))
    }
    case 'OutflowCounted':
      return since(data.at).flatMap((acceptedAt): ReadonlyArray<LimitsCommand> => {
        const { requester } = data
        const counted: LimitsCommand = { type: 'CountOutflow', ...data, acceptedAt }
        if (requester === null) return [counted]
        const admitted = { type: 'AdmitOutflow' as const, ...data, requester, acceptedAt }
        return [counted, { ...admitted, mayWait: true }, { ...admitted, mayWait: false }]
      })
    case 'ApprovalNeeded':
      return since(data.outflow.at).map((acceptedAt) => ({
        type: 'AdmitOutflow',
        ...data.outflow,
        mayWait: true,
        acceptedAt,
      }))
  }
}
