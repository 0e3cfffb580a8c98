import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parse } from 'yaml'
import { type Service, startService } from '../testing/service.ts'

const root = new URL('../../../../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const Rules = t.type({
  groups: t.array(
    t.type({
      rules: t.array(
        t.type({
          alert: t.string,
          expr: t.string,
          labels: t.type({ severity: t.keyof({ page: null, ticket: null }) }),
          annotations: t.type({ summary: t.string }),
        }),
      ),
    }),
  ),
})
const Panel = t.intersection([
  t.type({ id: t.number, type: t.string }),
  t.partial({ targets: t.array(t.type({ expr: t.string })) }),
])
const Dashboard = t.type({ panels: t.array(Panel) })

const decoded = <A>(codec: t.Decoder<unknown, A>, found: unknown): A => {
  const read = codec.decode(found)
  if (E.isLeft(read)) throw new Error('it has another shape')
  return read.right
}

const rules = decoded(Rules, parse(textOf('deploy/prometheus/alerts.yaml'))).groups.flatMap((group) => group.rules)
const { panels } = decoded(Dashboard, JSON.parse(textOf('deploy/grafana/quittance.json')))

/** The metrics that an expression names, without the texts in it. */
const metricsIn = (expression: string): ReadonlyArray<string> =>
  expression.replace(/"[^"]*"/g, '').match(/\b(quittance|nodejs|process)_\w+/g) ?? []

describe('what watches the service', () => {
  let service: Service
  let exported: ReadonlySet<string>
  beforeAll(async () => {
    service = await startService()
    const text = await (await fetch(service.metricsUrl)).text()
    const made = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    exported = new Set(made)
  })
  afterAll(() => service.close())

  it.each(rules.map(({ alert, expr }) => [alert, expr]))('the alert %s names metrics that it exports', (_, expr) => {
    const names = metricsIn(expr)
    expect(names.length > 0 || expr.includes('up{')).toBe(true)
    expect(names.filter((name) => !exported.has(name))).toEqual([])
  })

  it('the runbook names each part of the answer of /ready', async () => {
    const answer: unknown = await (await fetch(new URL('/ready', service.metricsUrl))).json()
    const { status: _, ...parts } = decoded(t.UnknownRecord, answer)
    const runbook = textOf('docs/runbook.md')
    expect(Object.keys(parts).filter((part) => !new RegExp(`\\| \`${part}\\b`).test(runbook))).toEqual([])
  })

  it('the dashboard names metrics that it exports, in each panel', () => {
    const shown = panels.filter(({ type }) => type !== 'row')
    expect(shown.length).toBeGreaterThan(20)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets = [] } of shown) {
      const names = targets.flatMap(({ expr }) => metricsIn(expr))
      expect(names).not.toEqual([])
      expect(names.filter((name) => !exported.has(name))).toEqual([])
    }
  })
})

it('no two alerts have one name', () => expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length))
