import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Sampling } from './tracing-setting.ts'

/**
 * Spans of this process follow their parents. A parent that is elsewhere is always one that the log names, whose process
 * decided by the trace's id: so does this one, and a trace is kept whole by every process with the same share.
 */
export const samplerOf = (sampling: Sampling): Sampler => {
  const root = rootOf(sampling)
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root })
}

const rootOf = (sampling: Sampling): Sampler => {
  switch (sampling.kind) {
    case 'all':
      return new AlwaysOnSampler()
    case 'none':
      return new AlwaysOffSampler()
    case 'share':
      return new TraceIdRatioBasedSampler(sampling.share)
  }
}
