import type { Settings, Variables } from '../settings.ts'

/** Which traces are kept: all, none, or a share of them, chosen by their ids. */
export type Sampling =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'share'; readonly share: number }

export type Tracing = {
  /** Where batches of spans are posted. */
  readonly url: string
  /** How long spans are gathered before they are posted. */
  readonly gatheredMs: number
  readonly sampling: Sampling
}

const samplings: Readonly<Record<string, 'all' | 'none' | 'share'>> = {
  always_on: 'all',
  always_off: 'none',
  traceidratio: 'share',
  parentbased_always_on: 'all',
  parentbased_always_off: 'none',
  parentbased_traceidratio: 'share',
}

/**
 * The standard variables of OpenTelemetry; null where no endpoint is named, or tracing is switched off. The library that
 * sends spans reads the others itself: headers, timeouts, certificates, the name of the service.
 */
export const tracingIn = (variables: Variables, { complain }: Pick<Settings, 'complain'>): Tracing | null => {
  const textOf = (name: string): string => (variables[`OTEL_${name}`] ?? '').trim()
  const isNamed = textOf('EXPORTER_OTLP_ENDPOINT') !== '' || textOf('EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
  if (!isNamed || textOf('SDK_DISABLED').toLowerCase() === 'true' || textOf('TRACES_EXPORTER') === 'none') return null
  const expect = (name: string, expected: string, isMet: (value: string) => boolean): void => {
    const value = textOf(name)
    if (value !== '' && !isMet(value)) complain({ variable: `OTEL_${name}`, expected })
  }
  const isHttp = (value: string) => /^https?:\/\/[^/]/.test(value) && URL.canParse(value)
  expect('EXPORTER_OTLP_ENDPOINT', 'an http(s) address', isHttp)
  expect('EXPORTER_OTLP_TRACES_ENDPOINT', 'an http(s) address', isHttp)
  expect('EXPORTER_OTLP_PROTOCOL', 'http/json or unset', (value) => value === 'http/json')
  expect('EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json or unset', (value) => value === 'http/json')
  expect('TRACES_EXPORTER', 'otlp, none or unset', (value) => value === 'otlp')
  expect('TRACES_SAMPLER', Object.keys(samplings).join(', '), (value) => Object.hasOwn(samplings, value))
  expect('TRACES_SAMPLER_ARG', 'a share from 0 to 1', (value) => shareIn(value) !== null)
  const isDelay = (value: string) => /^\d{1,6}$/.test(value) && Number(value) > 0
  expect('BSP_SCHEDULE_DELAY', 'milliseconds, from 1 to 999999', isDelay)
  const ofTraces = textOf('EXPORTER_OTLP_TRACES_ENDPOINT')
  const url = ofTraces === '' ? `${textOf('EXPORTER_OTLP_ENDPOINT').replace(/\/+$/, '')}/v1/traces` : ofTraces
  const gathered = textOf('BSP_SCHEDULE_DELAY')
  const sent = { url, gatheredMs: gathered === '' ? 5_000 : Number(gathered) }
  const kind = samplings[textOf('TRACES_SAMPLER')] ?? 'all'
  if (kind !== 'share') return { ...sent, sampling: { kind } }
  return { ...sent, sampling: { kind, share: shareIn(textOf('TRACES_SAMPLER_ARG')) ?? 1 } }
}

const shareIn = (text: string): number | null => {
  const share = Number(text)
  return /^\d*\.?\d+$/.test(text) && share <= 1 ? share : null
}
