import { memberClient, ownersSession } from '../../testing/members.ts'
import { type Operator, openOperator } from '../../testing/operator.ts'
import { type Service, startService } from '../../testing/service.ts'
import type { OpenApi } from './document.ts'
import { exampleRequests } from './testing/example-requests.ts'
import { type ExampleShop, openExampleShop } from './testing/example-shop.ts'

let service: Service
let operator: Operator
let shop: ExampleShop
let document: OpenApi
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir)
  shop = await openExampleShop(service, operator)
  document = (await service.anyone('/openapi.json')).body
})
afterAll(async () => {
  await operator.close()
  await service.close()
})

type Body = { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
type Media = { readonly examples: Readonly<Record<string, { readonly value: Readonly<Record<string, string>> }>> }

const bodyOf = (operation: string): Body => {
  const [method = '', path = ''] = operation.split(' ')
  return JSON.parse(JSON.stringify(document.paths[path]?.[method.toLowerCase()]?.requestBody))
}

/** What may be replaced: what no example can hold, since it is made by the service, or by a wallet. */
const standsIn = /7nQe4Cw0XbDq1yLZs5Tt0u$|^AAAA|^GA7Q|^[A-Z0-9]{4}(-[A-Z0-9]{4})+$|^123456$|^text$/

const sent = async (operation: string, name: string, type: string, value: Media['examples'][string]['value']) => {
  const [method = ''] = operation.split(' ')
  const {
    path,
    instead = {},
    cookie,
    appToken,
    session,
  } = (await exampleRequests[operation]?.(shop, name)) ?? { path: '' }
  for (const field of Object.keys(instead)) if (field !== 'credential') expect(value[field]).toMatch(standsIn)
  const body = Array.isArray(value) ? value : { ...value, ...instead }
  if (type === 'application/x-www-form-urlencoded') {
    const headers = cookie === undefined ? {} : { cookie }
    const fields = new URLSearchParams(Object.entries(body))
    return (await fetch(`${service.url}${path}`, { method, redirect: 'manual', headers, body: fields })).status
  }
  if (appToken !== undefined)
    return (await service.anyone(path, { method, body, headers: { 'x-app-token': appToken } })).status
  if (session !== undefined) return (await memberClient(service, session)(path, { method, body })).status
  const { status, body: answer } = await service.api(path, { method, body })
  return status === 200 ? status : answer
}

it('every operation with a body has examples, and no other', () => {
  const withBody = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, deprecated }]) =>
      requestBody === undefined || deprecated ? [] : [`${method.toUpperCase()} ${path}`],
    ),
  )
  expect(Object.keys(exampleRequests).sort()).toEqual(withBody.sort())
  const without = withBody.filter((operation) =>
    Object.values(bodyOf(operation).content).some(({ examples }) => Object.keys(examples).length === 0),
  )
  expect(without).toEqual([])
})

it.each(Object.keys(exampleRequests))('the service accepts every example of %s', async (operation) => {
  const [[type, { examples }] = ['', { examples: {} }]] = Object.entries(bodyOf(operation).content)
  for (const [name, { value }] of Object.entries(examples)) {
    const status = await sent(operation, name, type, value)
    expect({ name, status }).toEqual({ name, status: status === 303 && type !== 'application/json' ? 303 : 200 })
  }
})

it('a body is needed just where the reference says so', async () => {
  const operations = Object.keys(exampleRequests).filter(
    (operation) => 'application/json' in bodyOf(operation).content && bodyOf(operation).required,
  )
  const refused = await Promise.all(
    operations.map(async (operation) => {
      const [method = '', path = ''] = operation.split(' ')
      const query = path === '/checkout' ? '?type=direct' : ''
      const client = /^\/(member|api_keys)/.test(path)
        ? memberClient(service, await ownersSession(service))
        : service.api
      const { status, body } = await client(`${path.replaceAll(/\{\w+\}/g, 'x')}${query}`, { method })
      return { operation, status, code: body.code }
    }),
  )
  expect(refused).toEqual(operations.map((operation) => ({ operation, status: 400, code: 'invalid_request' })))
  const [customer, subscription] = [await shop.customer(), await shop.subscription()]
  for (const path of [`/customers/${customer}/portal`, `/subscriptions/${subscription}/cancel`])
    expect((await service.api(path, { method: 'POST' })).status).toBe(200)
})
