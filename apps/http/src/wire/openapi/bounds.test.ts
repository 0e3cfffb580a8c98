import { longestTrialDays } from '@quittance/domain/values'
import type { Client } from '../../testing/client.ts'
import { memberClient, ownersSession } from '../../testing/members.ts'
import { type Service, startService } from '../../testing/service.ts'
import type { OpenApi } from './document.ts'
import { fieldProbes, type Schema } from './testing/bounds.ts'

let service: Service
let asOwner: Client
let document: OpenApi
beforeAll(async () => {
  service = await startService()
  // A new password ends all sessions before.
  asOwner = async (path, request) => memberClient(service, await ownersSession(service))(path, request)
  document = (await service.anyone('/openapi.json')).body
})
afterAll(() => service.close())

/** Judged after a request is read: by its product, by the interval of a schedule, or by the kind of a key. */
const judgedLater = ['trial_days', 'price_amount', 'price_amount_cents', 'threshold', 'reserve', 'scopes']
/** The sandbox would be busy for long. */
const tooLong = 'POST /sandbox/advance seconds maximum'

const resolve = (ref: string): Schema =>
  JSON.parse(JSON.stringify(document.components.schemas[ref.split('/').at(-1) ?? '']))

/** Every bounded field of a body, in the body of an example. */
const probes = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, deprecated }]) => {
      const json = JSON.parse(JSON.stringify(requestBody ?? {})).content?.['application/json']
      if (json === undefined || deprecated || path === '/sandbox/faults') return []
      return Object.entries(json.examples).flatMap(([example, given], index) => {
        const schema: Schema = json.schema.anyOf?.[index] ?? json.schema
        return fieldProbes(schema, resolve).map((probe) => ({
          name: `${method.toUpperCase()} ${path} ${probe.field} ${probe.bound}`,
          method: method.toUpperCase(),
          path: `${path.replaceAll(/\{\w+\}/g, 'x')}${path === '/checkout' ? `?type=${example}` : ''}`,
          body: Object(given).value,
          ...probe,
        }))
      })
    }),
  )

type Asked = ReturnType<typeof probes>[number]
/** What the service says of a body with this value in its field. */
const answerTo = ({ method, path, body, field }: Asked, value: unknown) =>
  (/^\/(member|api_keys)/.test(path) ? asOwner : service.api)(path, { method, body: { ...body, [field]: value } })
/** Whether the service reads it. It may refuse it later, for what it says. */
const isRead = async (asked: Asked): Promise<boolean> => {
  const { status, body } = await answerTo(asked, asked.within)
  return !(status === 400 && body.code === 'invalid_request' && body.param === asked.field)
}
const isRefused = async (asked: Asked): Promise<boolean> => {
  const { status, body } = await answerTo(asked, asked.beyond)
  return status === 400 && body.param === asked.field
}

describe('a bound of the reference', () => {
  it('is where the service begins to refuse', async () => {
    const all = probes().filter(({ field }) => !judgedLater.includes(field))
    expect(all.length).toBeGreaterThan(80)
    const wrong: Array<string> = []
    for (const each of all) {
      if (each.name !== tooLong && !(await isRead(each))) wrong.push(`${each.name} is refused`)
      if (!(await isRefused(each))) wrong.push(`beyond ${each.name} is not refused`)
    }
    expect(wrong).toEqual([])
  }, 60_000)

  it('of a trial and of a price is where the service begins to refuse', async () => {
    const plan = { name: 'P', type: 'subscription', recurring_period: 'month', currency_code: 'USD' }
    const statusOf = async (body: object) => (await service.api('/product', { body: { ...plan, ...body } })).status
    const { properties = {} } = resolve('NewProduct')
    const most = (field: string): number => {
      const schema = properties[field]
      return schema?.maximum ?? schema?.anyOf?.[0]?.maximum ?? 0
    }
    const price = { price_amount: 5 }
    expect(most('trial_days')).toBe(longestTrialDays)
    const answers = [
      await statusOf({ ...price, trial_days: most('trial_days') }),
      await statusOf({ ...price, trial_days: most('trial_days') + 1 }),
      await statusOf({ price_amount: most('price_amount') }),
      await statusOf({ price_amount: most('price_amount') + 1 }),
      await statusOf({ price_amount_cents: most('price_amount_cents') }),
      await statusOf({ price_amount_cents: most('price_amount_cents') + 1 }),
      await statusOf({ price_amount: 0 }),
    ]
    expect(answers).toEqual([200, 400, 200, 400, 200, 400, 400])
  })
})
