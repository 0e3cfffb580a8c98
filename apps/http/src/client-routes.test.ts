import { createClient } from '@quittance/client'
import { declaredRoutes } from './testing/declared-routes.ts'
import { openOperator } from './testing/operator.ts'
import { temporaryDirectory } from './testing/service.ts'

/** For people, browsers and wallets. */
const pages = [
  'GET /',
  'GET /dashboard',
  'GET /dashboard/*',
  'GET /dashboard/assets/:',
  'GET /docs',
  'GET /openapi.json',
  'GET /pay/:',
  'GET /pay/:/qr.svg',
  'GET /pay/:/receipt',
  'GET /pay/:/receipt.pdf',
  'GET /receipts/:',
  'GET /receipts/:/receipt.pdf',
  'GET /portal',
  'GET /portal/:',
  'GET /portal/email',
  'GET /portal/entry',
  'GET /portal/entry/code',
  'GET /quickstart',
  'GET /sandbox/inbox',
  'GET /sandbox/inbox/:',
  'POST /portal/email',
  'POST /portal/email/confirm',
  'POST /portal/entry/code',
  'POST /portal/entry/email',
  'POST /portal/subscriptions/:',
  'GET /.well-known/stellar.toml',
  'GET /.well-known/transparency-keys',
  'GET /transparency/checkpoint',
  'GET /transparency/tile/*',
]
/** The same under another name. */
const isAlias = (route: string): boolean => /^\w+ \/(products|payments)\b/.test(route)

/** Calls every function in `face` with ids, and with an object where a body or a query goes. */
const callAll = async (face: object): Promise<void> => {
  for (const member of Object.values(face)) {
    if (typeof member !== 'function') await callAll(member)
    else {
      const called: unknown = Reflect.apply(member, null, ['id', 'id', {}])
      if (called instanceof Promise) await called.catch(() => null)
      else if (hasRecords(called))
        await called[Symbol.asyncIterator]()
          .next()
          .catch(() => null)
      else if (typeof called === 'object' && called !== null) await callAll(called)
      else throw new Error(`neither a call, a list nor calls: ${member}`)
    }
  }
}

const hasRecords = (called: unknown): called is AsyncIterable<unknown> =>
  typeof called === 'object' && called !== null && Symbol.asyncIterator in called

it('the client has a method for every route of the service, and for no others', async () => {
  const directory = temporaryDirectory()
  const operator = await openOperator(directory.path)
  try {
    const declared = (await declaredRoutes(operator))
      .map(({ method, url }) => `${method} ${url.replace(/:\w+/g, ':')}`)
      .filter((route) => !route.startsWith('HEAD ') && !/\.(css|js|svg|woff2|ico)$/.test(route))
      .filter((route) => !isAlias(route) && !pages.includes(route))

    const called = new Set<string>()
    const fetch = async (url: string, { method }: RequestInit): Promise<Response> => {
      called.add(`${method} ${new URL(url).pathname.replace(/\/id\b/g, '/:')}`)
      return Response.json({ error: 'No', code: 'not_found' }, { status: 404 })
    }
    await callAll(createClient({ baseUrl: 'http://service.example', fetch }))
    expect([...called].sort()).toEqual([...new Set(declared)].sort())
  } finally {
    await operator.close()
    directory.remove()
  }
})
