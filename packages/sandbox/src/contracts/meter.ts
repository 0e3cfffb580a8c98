import { hostError } from './host-error.ts'
import { maxHostCalls } from './settings.ts'

/** Counts taken while a call runs, which `cost.ts` prices afterwards. `accesses` are storage accesses. */
export type Counts = {
  readonly hostCalls: number
  readonly wasmFrames: number
  readonly accesses: number
  readonly signatures: number
}

export interface Meter {
  readonly count: (what: keyof Counts) => void
  readonly counts: () => Counts
}

export const meter = (): Meter => {
  const counts = { hostCalls: 0, wasmFrames: 0, accesses: 0, signatures: 0 }
  return {
    count: (what) => {
      counts[what] += 1
      if (counts.hostCalls > maxHostCalls) throw hostError('budget', 'exceededLimit', 'too many calls of the host')
    },
    counts: () => counts,
  }
}
