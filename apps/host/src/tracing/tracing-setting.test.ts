import type { ConfigProblem } from '../settings.ts'
import { tracingIn } from './tracing-setting.ts'

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const read = (variables: Readonly<Record<string, string>>) => {
  const problems: Array<ConfigProblem> = []
  const tracing = tracingIn(variables, { complain: (...found) => problems.push(...found) })
  return { tracing, problems }
}
const sent = { url: 'http://collector:4318/v1/traces', gatheredMs: 5_000 }

describe('the standard variables of OpenTelemetry', () => {
  it.each([
    ['no endpoint', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['a sampler alone', { OTEL_TRACES_SAMPLER: 'always_on' }],
    ['the SDK disabled', { ...collector, OTEL_SDK_DISABLED: 'true' }],
    ['no exporter of traces', { ...collector, OTEL_TRACES_EXPORTER: 'none' }],
  ])('leave tracing off with %s', (_, variables) => {
    expect(read(variables)).toEqual({ tracing: null, problems: [] })
  })

  it.each([
    ['unset', {}, { kind: 'all' }],
    ['always_on', { OTEL_TRACES_SAMPLER: 'always_on' }, { kind: 'all' }],
    ['parentbased_always_off', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { kind: 'none' }],
    ['traceidratio without a share', { OTEL_TRACES_SAMPLER: 'traceidratio' }, { kind: 'share', share: 1 }],
    [
      'parentbased_traceidratio',
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { kind: 'share', share: 0.25 },
    ],
  ])('choose what is kept: %s', (_, variables, sampling) => {
    expect(read({ ...collector, ...variables })).toEqual({ tracing: { ...sent, sampling }, problems: [] })
  })

  it('post traces to their own endpoint as it is named, and to the common one below /v1/traces', () => {
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in', OTEL_BSP_SCHEDULE_DELAY: '250' }
    expect(read({ ...collector, ...own }).tracing).toMatchObject({ url: 'https://traces.example/in', gatheredMs: 250 })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }).tracing).toMatchObject({ url: sent.url })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ])('are refused where the service cannot do what they ask: %s=%s', (variable, value) => {
    const { problems } = read({ ...collector, [variable]: value })
    expect(problems).toEqual([{ variable, expected: expect.stringMatching(/./) }])
  })
})
