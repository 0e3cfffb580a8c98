import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import * as E from 'fp-ts/lib/Either.js'

const library = 'quittance'

/** Asked for anew each time, since a deployment may begin and end tracing. */
export const tracer = (): Tracer => trace.getTracer(library)

/** Whether anybody collects spans. Without, nothing is measured or read for them. */
export const isTracing = (): boolean => {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(library) !== undefined
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** Marks a span as failed. The reason is a tag of ours, never a message, which may hold what is nobody's business. */
export const failSpan = (span: Span, reason: string): void => {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Runs work in a span of its own. */
export const inSpan = async <A>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<A>,
  parent: Context = context.active(),
): Promise<A> => {
  if (!isTracing()) return work(noSpan)
  const span = tracer().startSpan(name, options, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (cause) {
    failSpan(span, cause instanceof Error ? cause.name : 'Defect')
    throw cause
  } finally {
    span.end()
  }
}

/** Adds facts to the span of what runs now. */
export const tellSpan = (attributes: () => Attributes): void => {
  const active = trace.getActiveSpan()
  if (active?.isRecording()) active.setAttributes(attributes())
}

type Failure = { readonly _tag: string }

/** As `inSpan`, for work that answers a failure. */
export const inSpanUnlessFailed = <L extends Failure, A>(
  name: string,
  options: SpanOptions,
  work: () => Promise<E.Either<L, A>>,
): Promise<E.Either<L, A>> =>
  inSpan(name, options, async (span) => {
    const done = await work()
    if (E.isLeft(done)) failSpan(span, done.left._tag)
    return done
  })

/**
 * Runs a process's work on one item in a trace of its own, linked to whatever caused it to run now. Work on many things
 * would otherwise end up in the trace of one request that happened to start it.
 */
export const inOwnTrace = <L extends Failure, A>(
  name: string,
  attributes: Attributes,
  work: () => Promise<E.Either<L, A>>,
): Promise<E.Either<L, A>> => {
  const cause = trace.getActiveSpan()?.spanContext()
  const links = cause === undefined ? [] : [{ context: cause }]
  return inSpanUnlessFailed(name, { root: true, links, attributes }, work)
}
