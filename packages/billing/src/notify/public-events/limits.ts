import { Limits, unixMs } from '@quittance/domain'
import { fold } from '../../kernel/fold.ts'
import { type LimitsResource, limitsResource } from '../../resources/limits.ts'
import type { Services } from '../../services/services.ts'
import { fromStream, type Renderer } from './as-of.ts'

/** Renders the limits right after one was changed. */
export const renderLimits = (services: Pick<Services, 'store'>): Renderer<LimitsResource> =>
  fromStream(services)((publicEvent, events) => {
    const state = fold(Limits, events)
    const changedAt = Math.max(...state.limits.map(({ setAt }) => setAt))
    return limitsResource(publicEvent, state, unixMs(changedAt), null)
  })
