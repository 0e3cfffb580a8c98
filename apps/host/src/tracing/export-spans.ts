import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { inTime } from '../in-time.ts'
import type { OperatorLog } from '../operator-log.ts'
import { collectSpans } from './collect-spans.ts'
import type { Tracing } from './tracing-setting.ts'

/** The last spans are sent at the end, but a silent collector does not hold up a stop for longer. */
const lastSpansMs = 2_000

/**
 * Sends spans to the collector that the standard variables name, in batches beside the work. While it does not answer,
 * spans are lost and nothing waits. This module alone loads the SDK, so it is imported only where tracing is on.
 */
export const exportSpans = (
  tracing: Tracing,
  log: Pick<OperatorLog, 'warn'>,
): { readonly close: () => Promise<void> } => {
  const tell = eachNew((reason) => log.warn({ reason }, 'traces: trouble'))
  const ignore = (): void => undefined
  diag.setLogger(
    { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const exporter = new OTLPTraceExporter({ url: tracing.url })
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: tracing.gatheredMs })
  const { close } = collectSpans(tracing, processor)
  const closeInTime = inTime(close, lastSpansMs)
  return {
    close: async () => {
      await closeInTime()
      diag.disable()
    },
  }
}

/** A collector that is away would be told of with every batch. */
const eachNew = (tell: (reason: string) => void): ((message: string) => void) => {
  let last: string | null = null
  return (message) => {
    const reason = reasonIn(message)
    if (reason !== last) tell(reason)
    last = reason
  }
}

const longestReason = 200

/** Errors come as JSON with stacks: only the message is told. */
const reasonIn = (message: string): string => {
  const told = /"message":"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message
  return told.slice(0, longestReason)
}
