import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { type IdGenerator, RandomIdGenerator, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { chosenSpanId } from '@quittance/billing'
import { samplerOf } from './sampler.ts'
import type { Tracing } from './tracing-setting.ts'

/** Random ids, but for the span of an append, whose id the log tells. */
const idsOf = (random: IdGenerator): IdGenerator => ({
  generateTraceId: () => random.generateTraceId(),
  generateSpanId: () => chosenSpanId(context.active()) ?? random.generateSpanId(),
})

/** Gives each span of this process to the processor, until closed. A process has one such collection at a time. */
export const collectSpans = (
  { sampling }: Pick<Tracing, 'sampling'>,
  spanProcessor: SpanProcessor,
): { readonly close: () => Promise<void> } => {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'quittance' }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    idGenerator: idsOf(new RandomIdGenerator()),
    spanProcessors: [spanProcessor],
  })
  const manager = new AsyncLocalStorageContextManager()
  context.setGlobalContextManager(manager.enable())
  trace.setGlobalTracerProvider(provider)
  return {
    close: async () => {
      trace.disable()
      context.disable()
      await provider.shutdown()
    },
  }
}
