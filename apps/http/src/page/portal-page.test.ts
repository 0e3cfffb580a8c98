import type { PortalPlace, PortalSubscription, PortalView } from '@quittance/billing'
import { renderPortal } from './portal-page.ts'
import { month, newest, view, visit } from './testing/portal.ts'
import { inEnglish } from './testing/readers.ts'

const revoked = { ...month.authorization, status: 'revoked' as const, update_url: 'http://pay.test/pay/auth_1' }
const asked = { ...month.authorization, update_url: 'http://pay.test/pay/auth_1' }
const rendered = (...subscriptions: ReadonlyArray<Partial<PortalSubscription>>): string =>
  renderPortal(
    inEnglish,
    { ...view, subscriptions: subscriptions.map((change) => ({ ...month, ...change })) },
    visit,
    newest,
  )

const outlook = (markup: string): string =>
  /data-testid="outlook">(.*?)<\/p>/s.exec(markup)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
const offered = (markup: string) =>
  [...markup.matchAll(/name="action" value="(\w+)"|data-testid="(invoice|authorize)"/g)].map(
    ([, one, two]) => one ?? two,
  )

type Change = {
  readonly purpose: PortalView['payments'][number]['purpose']
  readonly period?: true
  readonly subject?: null
}
const invoice_url = 'http://pay.test/pay/inv_1'
const ended = { status: 'canceled', canceled_at: '2026-11-20T10:00:00.000Z' } as const

describe('a subscription in the portal', () => {
  it.each([
    ['a new price and its date', {}, '2 March 2027 or later: €20.00 every month.'],
    ['what it takes to keep going', { needs_consent: true }, 'sign for that; otherwise the present price stays.'],
    [
      'how it ends without a signature',
      { needs_consent: true, without_consent: 'cancel' as const },
      'otherwise it ends with the period that is paid for.',
    ],
    ['nothing more to sign for', { needs_consent: true, accepted_at: '2027-01-05T10:00:00.000Z' }, 'every month.'],
  ])('shows %s', (_, changed, expected) => {
    const pending_price_change = {
      id: 'prc_0AbCdEfGhIjKlMnOpQrStU',
      price_amount_cents: 2_000,
      currency_code: 'EUR',
      asset_id: 'native',
      effective_at: '2027-03-02T10:00:00.000Z',
      needs_consent: false,
      accepted_at: null,
      without_consent: 'keep' as const,
      ...changed,
    }
    const shown = /data-testid="new-price">(.*?)<\/p>/s.exec(rendered({ pending_price_change }))?.[1]
    expect(shown?.replaceAll(/<[^>]*>/g, '')).toMatch(new RegExp(`${expected}$`))
    expect(rendered({})).not.toContain('new-price')
  })

  it.each<[string, Partial<PortalSubscription>, string, ReadonlyArray<string>]>([
    ['active', {}, 'Next payment on 20 December 2026.', ['pause', 'change_wallet', 'cancel']],
    ['to end', { cancel_at_period_end: true }, 'Paid until 20 December 2026. It ends then, and nothing more', ['keep']],
    ['to end since the wallet ended it', { cancel_at_period_end: true, authorization: revoked }, 'Paid', ['authorize']],
    [
      'in a trial',
      { status: 'trialing' },
      'Free until 20 December 2026, then €12.50 every month.',
      ['pause', 'change_wallet', 'cancel'],
    ],
    [
      'past due',
      { status: 'past_due' },
      'The last payment could not be collected. It is tried again on',
      ['change_wallet', 'cancel'],
    ],
    [
      'past due for good',
      { status: 'past_due', next_renewal_at: null },
      'The last payment could not',
      ['change_wallet', 'cancel'],
    ],
    [
      'overdue',
      { status: 'overdue', invoice_url },
      'The last payment could not be',
      ['invoice', 'change_wallet', 'cancel'],
    ],
    ['paused', { status: 'paused' }, 'Nothing is charged until you resume it.', ['resume', 'change_wallet', 'cancel']],
    [
      'being resumed',
      { status: 'paused', resuming: true },
      'It goes on as soon as the payment',
      ['change_wallet', 'cancel'],
    ],
    ['paused, and to end', { status: 'paused', cancel_at_period_end: true }, 'It ends on 20 December 2026', ['keep']],
    [
      'open to another wallet',
      { changingWallet: true, authorization: asked },
      'Next',
      ['authorize', 'pause', 'cancel'],
    ],
    ['over', { ...ended, authorization: revoked }, 'Ended on 20 November 2026.', []],
  ])('shows the outlook and the possible actions of a subscription that is %s', (_, change, says, offers) => {
    const markup = rendered(change)
    expect(outlook(markup)).toMatch(new RegExp(`^${says.replaceAll('.', '\\.')}`))
    expect(offered(markup)).toEqual(offers)
  })

  it.each([
    ['what is due is collected', 'past_due', 'What is due is collected then.'],
    ['what is due is collected', 'overdue', 'What is due is collected then.'],
    ['nothing is paid', 'active', 'You pay nothing by that.'],
  ] as const)('tells that %s by signing again while a subscription is %s', (_, status, says) =>
    expect(rendered({ status, authorization: revoked })).toContain(`before more can be collected. ${says}</p>`),
  )

  it('says that the present wallet pays until another one signs', () =>
    expect(rendered({ changingWallet: true, authorization: asked })).toContain('Until then the present one pays.</p>'))

  it('says that nothing changes until the customer has signed a new contract', () =>
    expect(rendered({ moving: true, authorization: asked })).toContain(
      'Nothing changes until you sign the new one.</p>',
    ))

  it('lists a subscription last once it is over', () => {
    const markup = rendered({ ...ended, product: 'An old one' }, { product: 'A new one' })
    expect(markup.indexOf('A new one')).toBeLessThan(markup.indexOf('An old one'))
  })

  it('puts the token of the visit in each form, and nowhere else', () => {
    const markup = rendered({})
    const tokens = markup.match(/a token/g)?.length
    expect(tokens).toBe(markup.match(/name="form_token" value="a token"/g)?.length)
    expect(tokens).toBe(markup.match(/<form/g)?.length)
  })

  it('shows product names as text', () =>
    expect(rendered({ product: '<script>1</script>' })).not.toContain('<script>1'))
})

it('the portal shows the price of a failed payment', () => {
  const payment = {
    amount: '0 USDC',
    amount_cents: 1250,
    currency_code: 'EUR',
    transaction_hash: null,
    receipt_url: null,
    at: '2026-11-20',
    id: 'pay_1',
    subject: 'A book club',
    purpose: 'renewal' as const,
    period: null,
  }
  const payments = [{ ...payment, status: 'failed' as const }]
  expect(renderPortal(inEnglish, { ...view, payments }, visit, newest)).toContain(
    '<td><bdi>€12.50</bdi></td><td>failed</td>',
  )
})

it.each([
  ['of a renewal', { purpose: 'renewal', period: true }, 'A book club', 'Renewal, 20 Nov 2026 to 20 Dec 2026'],
  ['of a renewal that is being recorded', { purpose: 'renewal' }, 'A book club', 'Renewal'],
  ['of an invoice', { purpose: 'invoice', period: true }, 'A book club', 'Invoice, 20 Nov 2026 to 20 Dec 2026'],
  ['that a subscription began with', { purpose: 'first_payment' }, 'A book club', 'First payment'],
  ['of something sold once', { purpose: 'sale' }, 'A book club', ''],
  ['of what has no name', { purpose: 'sale', subject: null }, 'Payment', ''],
] as const)('the portal tells the purpose of a payment %s', (_, { period, ...change }: Change, name, part) => {
  const payment = {
    id: 'pay_1',
    amount: '12.5 USDC',
    amount_cents: 1250,
    currency_code: 'EUR',
    status: 'confirmed' as const,
    transaction_hash: null,
    receipt_url: null,
    at: '2026-11-20T10:00:00.000Z',
    subject: 'A book club',
    period: period ? { start: '2026-11-20T10:00:00.000Z', end: '2026-12-20T10:00:00.000Z' } : null,
    ...change,
  }
  const markup = renderPortal(inEnglish, { ...view, payments: [payment] }, visit, newest)
  const [, shownName, shownPart = ''] =
    /<td><span dir="auto">(.*?)<\/span>(?:<span class="payment-part quiet">(.*?)<\/span>)?<time/.exec(markup) ?? []
  expect([shownName, shownPart]).toEqual([name, part])
})

it('each list of the portal links to older and to the newest entries, and leaves the other list in place', () => {
  const linksOf = (place: PortalPlace, more: PortalPlace) =>
    [...renderPortal(inEnglish, { ...view, more }, visit, place).matchAll(/<a href="(\/portal[^"]*)"/g)].map(
      ([, href]) => href?.replaceAll('&amp;', '&'),
    )
  expect(linksOf(newest, newest)).toEqual([])
  expect(linksOf(newest, { subscriptions: 'sub_1', payments: 'pay_1' })).toEqual([
    '/portal?subscriptions_after=sub_1',
    '/portal?payments_after=pay_1',
  ])
  expect(linksOf({ subscriptions: 'sub_1', payments: 'pay_1' }, { subscriptions: null, payments: 'pay_2' })).toEqual([
    '/portal?payments_after=pay_1',
    '/portal?subscriptions_after=sub_1',
    '/portal?subscriptions_after=sub_1&payments_after=pay_2',
  ])
})
