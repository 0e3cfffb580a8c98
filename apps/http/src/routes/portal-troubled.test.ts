import * as TE from 'fp-ts/lib/TaskEither.js'
import { openOperator } from '../testing/operator.ts'
import { quietApp } from '../testing/quiet-app.ts'
import { temporaryDirectory } from '../testing/service.ts'

const down = { _tag: 'StoreUnavailable', cause: 'a test' } as const
const visitor = {
  merchantId: 'mer_1',
  environment: 'testnet',
  customerId: 'cus_1',
  formToken: 'a token',
  returnUrl: null,
} as const
const view = {
  merchant: 'A Shop',
  seller: null,
  subscriptions: [],
  payments: [],
  wallets: [],
  canChangeEmail: false,
  more: { subscriptions: null, payments: null },
}
const id = 'sub_0000000000000000000000'

describe('the portal of a store that cannot answer', () => {
  const directory = temporaryDirectory()
  afterAll(() => directory.remove())

  /** Asks a service where nothing of a customer can be changed, and nothing be shown either if `isShown` is false. */
  const asked = async (isShown: boolean, path: string, form?: Record<string, string>) => {
    const { platform, close } = await openOperator(directory.path)
    const { billing } = platform
    const portal = {
      ...billing.portal,
      visitor: async () => visitor,
      view: () => (isShown ? TE.right(view) : TE.left(down)),
      change: () => TE.left(down),
    }
    const { server } = await quietApp({ ...platform, billing: { ...billing, portal } })
    try {
      const url = await server.listen({ port: 0, host: '127.0.0.1' })
      const headers = { cookie: 'quittance_portal=a' }
      const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
      const answer = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...sent })
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
    } finally {
      await server.close()
      await close()
    }
  }
  const problem = 'The store cannot answer: try again later'
  const html = 'text/html; charset=utf-8'
  const form = { action: 'cancel', form_token: visitor.formToken }

  it('shows on the portal page why a request failed', async () => {
    const { status, type, text } = await asked(true, `/portal/subscriptions/${id}`, form)
    expect([status, type]).toEqual([503, html])
    expect(text).toMatch(new RegExp(`data-testid="portal-problem">${problem}</p>.*Your payments`, 's'))
  })

  it.each([
    ['what is asked for', `/portal/subscriptions/${id}`, form],
    ['the page itself', '/portal', undefined],
  ])('answers with a page, not JSON, even when the portal can show nothing: %s', async (_, path, fields) => {
    const { status, type, text } = await asked(false, path, fields)
    expect([status, type]).toEqual([503, html])
    expect(text).toContain(`<p role="alert">${problem}</p>`)
  })
})
