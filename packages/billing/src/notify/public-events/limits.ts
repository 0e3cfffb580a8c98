import { Limits, unixMs } from '@quittance/domain'
import { fold } from '../../kernel/fold.ts'
import { type LimitsResource, limitsResource } from '../../resources/limits.ts'
import { fromStream, type Renderer } from './as-of.ts'

/** Renders the limits right after one was changed. */
export const renderLimits: Renderer<LimitsResource> = fromStream((publicEvent, events) => {
  const state = fold(Limits, events)
  const changedAt = Math.max(...state.limits.map(({ setAt }) => setAt))
  return limitsResource(publicEvent, state, unixMs(changedAt), null)
})
