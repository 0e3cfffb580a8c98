import fc from 'fast-check'
import type { CheckoutPage } from './checkout-page.ts'
import { renderNotFoundPage } from './not-found.ts'
import { renderCheckoutPage } from './render.ts'
import { openPage, quote, subscriptionPage } from './testing/pages.ts'
import { inEnglish, inGerman } from './testing/readers.ts'

/** The text of the element with a test id, which holds no elements. */
const textOf = (page: string, testId: string): string | undefined =>
  new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`).exec(page)?.[1]

const panelsShown = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/data-panel="(\w+)"( hidden)?/g)].flatMap(([, name = '', hidden]) => (hidden ? [] : [name]))

/** The elements and the names of their attributes, without any text or value. */
const skeleton = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<(\/?[a-z!][^\s>]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, tag, attributes = '']) => `${tag} ${attributes.replace(/="[^"]*"/g, '').trim()}`,
  )

describe('an open checkout', () => {
  it('an open checkout shows everything for a payment without the script', async () => {
    const page = await renderCheckoutPage(openPage)
    expect(textOf(page, 'amount')).toBe('12.5 USDC')
    expect(textOf(page, 'address')).toBe(quote.destination)
    expect(textOf(page, 'memo')).toBe(quote.memo)
    expect(textOf(page, 'issuer')).toBe('GC6GYKCMRBVXZQZLD4WV7QRJSA6Q4FJDJASMEC7776634JW3GSLZ7Q2W')
    expect(page).toContain('data-testid="price"><bdi>$12.50</bdi></p>')
    expect(page).toMatch(/data-testid="qr"[^>]*><svg /)
    expect(page).toContain(`href="${quote.sep7_uri.replaceAll('&', '&amp;')}"`)
    expect(page).toContain('<strong>The memo is required.</strong>')
    expect(panelsShown(page)).toEqual(['open'])
  })

  it('an open checkout shows the received amount, and asks for the rest', async () => {
    const page = await renderCheckoutPage({ ...openPage, quote: { ...quote, amount_received: '5', amount_due: '7.5' } })
    expect(textOf(page, 'amount')).toBe('7.5 USDC')
    expect(page).toMatch(/data-testid="received">Received 5 of 12.5 USDC</)
  })

  it('an open checkout without a price says so, and asks for no payment', async () => {
    const page = await renderCheckoutPage({ ...openPage, quote: null })
    expect(textOf(page, 'status')).toBe('Waiting for a price')
    expect(page).toContain('data-testid="no-quote"')
    expect(['amount', 'address', 'memo'].map((field) => textOf(page, field))).toEqual([undefined, undefined, undefined])
  })

  it('shows a price in the asset itself once, without an exchange', async () => {
    const page = await renderCheckoutPage({
      ...openPage,
      quote: {
        ...quote,
        asset_id: 'native',
        currency_code: 'XLM',
        currency_amount: '40',
        amount: '40',
        amount_due: '40',
      },
    })
    expect(page).toContain('data-testid="price"><bdi>40 XLM</bdi></p>')
    expect(page).not.toContain('data-testid="quote-timer"')
    expect(page).not.toContain('data-testid="issuer"')
  })

  it.each([
    { environment: 'testnet', isSandbox: true, badge: 'Sandbox: no real money', hasWallet: true },
    { environment: 'testnet', isSandbox: false, badge: 'Testnet: no real money', hasWallet: false },
    { environment: 'mainnet', isSandbox: false, badge: undefined, hasWallet: false },
  ] as const)(
    'names the network of a checkout, and offers test money in the sandbox only: %j',
    async ({ environment, isSandbox, badge, hasWallet }) => {
      const page = await renderCheckoutPage({ ...openPage, environment, isSandbox })
      expect(textOf(page, 'network-badge')).toBe(badge)
      expect(page.includes('data-testid="pay-with-sandbox-wallet"')).toBe(hasWallet)
      expect(page.includes('127.0.0.1')).toBe(hasWallet)
    },
  )
})

describe('a checkout that has ended', () => {
  const ended = { ...openPage, quote: null }

  it.each([
    { status: 'completed', line: 'Payment received' },
    { status: 'expired', line: 'This checkout has expired' },
    { status: 'failed', line: 'This checkout could not be completed' },
  ] as const)('shows the outcome of an ended checkout and no longer how to pay: $status', async ({ status, line }) => {
    const page = await renderCheckoutPage({ ...ended, status })
    expect(textOf(page, 'status')).toBe(line)
    expect(panelsShown(page)).toEqual([status])
    expect(textOf(page, 'address')).toBeUndefined()
  })

  it.each([
    ['underpaid', /^The full amount had not arrived/],
    ['wrong_asset', /^A payment arrived in a different asset/],
    ['authorization_failed', /^The authorisation that was signed/],
    ['product_unavailable', /^This product is no longer available/],
    ['constructor', /^The payment could not be applied/],
    [null, /^The payment could not be applied/],
  ])('tells why a checkout failed: %s', async (failureReason, words) =>
    expect(textOf(await renderCheckoutPage({ ...ended, status: 'failed', failureReason }), 'failure')).toMatch(words),
  )

  it('leads from an ended checkout back to the merchant', async () =>
    expect(await renderCheckoutPage({ ...ended, status: 'completed' })).toContain(
      `href="https://shop.example/thanks?order=1&amp;checkout_id=${openPage.checkoutId}"`,
    ))
})

describe('an open checkout of a subscription', () => {
  it('a subscription checkout shows the terms of one signature, and asks for no payment', async () => {
    const page = await renderCheckoutPage(subscriptionPage)
    expect(textOf(page, 'status')).toBe('Waiting for your signature')
    expect(textOf(page, 'mandate-now')).toBe('You pay nothing now. The first 14 days are free, until 4 December 2026.')
    expect(textOf(page, 'mandate-later')).toContain(
      'every month: each at the price of its day, never more than 13.75 USDC, and no sooner than a day after the one before',
    )
    expect(textOf(page, 'mandate-end')).toContain('You can end it at any time, with the seller or from your wallet.')
    expect(textOf(page, 'pay-with-sandbox-wallet')).toBe('Subscribe with a sandbox wallet')
    expect(page).toContain('<span class="quiet">every month</span>')
    expect(['amount', 'address', 'memo', 'open-wallet'].map((field) => textOf(page, field))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
  it('a subscription checkout asks for the subscriber before it asks for a signature', async () => {
    const page = await renderCheckoutPage({ ...subscriptionPage, needsCustomer: true })
    expect(page).toContain('data-testid="customer-form"')
    expect(page).not.toContain('data-testid="signing"')
  })
  it('a subscription checkout asks for the account of a wallet outside the sandbox', async () => {
    const page = await renderCheckoutPage({ ...subscriptionPage, isSandbox: false, sandbox: null })
    expect(page).toContain('data-testid="subscriber"')
    expect(textOf(page, 'pay-with-sandbox-wallet')).toBeUndefined()
  })
  it('tells that the subscription has begun', async () => {
    const page = await renderCheckoutPage({ ...subscriptionPage, status: 'completed', quote: null })
    expect(textOf(page, 'status')).toBe('Your subscription has begun')
    expect(page).toContain('Thank you. Your subscription with <bdi>Aurora Coffee</bdi> has begun.')
    expect(panelsShown(page)).toEqual(['completed'])
  })
})

describe("merchants' texts", () => {
  it("keeps the elements of the page, whatever merchants' texts hold", async () => {
    const plain = skeleton(await renderCheckoutPage(openPage))
    const piece = fc.constantFrom(
      '<script>',
      '</script>',
      '<!--',
      '"',
      "'",
      '>',
      '<img src=x onerror=alert(1)>',
      '&',
      '`',
      'ö',
    )
    const hostile = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (merchantName, productName, description) => {
        const page = await renderCheckoutPage({ ...openPage, merchantName, productName, description })
        expect(skeleton(page)).toEqual(plain)
      }),
      { numRuns: 40 },
    )
    const sellerOf = (text: string) => ({
      seller: { legalName: text, address: text, taxId: text, supportContact: text, logo: null },
      terms: { url: 'https://shop.example/terms', version: text },
    })
    const named = skeleton(await renderCheckoutPage({ ...openPage, ...sellerOf('x') }))
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        expect(skeleton(await renderCheckoutPage({ ...openPage, ...sellerOf(text) }))).toEqual(named)
      }),
      { numRuns: 40 },
    )
  })

  it('isolates the direction of every text that says who the merchant is, of 10,000 characters too', async () => {
    const text = `\u202e${'a'.repeat(10_000)}`
    const seller = { legalName: text, address: text, taxId: text, supportContact: text, logo: null }
    const terms = { url: 'https://shop.example/terms', version: text }
    const page = await renderCheckoutPage({ ...openPage, merchantName: text, seller, terms })
    const places = page.split('<body>')[1]?.split('<script')[0]?.split(text) ?? []
    expect(places).toHaveLength(12)
    for (const before of places.slice(0, -1)) expect(before).toMatch(/(dir="auto"[^<]*|<bdi)>(Return to )?$/)
  })

  it.each([
    ['help@shop.example', 'mailto:help%40shop.example'],
    ['https://shop.example/help', 'https://shop.example/help'],
    ['+49 40 123', null],
    ['javascript:alert(1)', null],
    ['a@b?cc=everybody@shop.example', null],
  ])('links the contact %s where a browser can follow it', async (supportContact, target) => {
    const page = await renderCheckoutPage({ ...openPage, seller: { ...openPage.seller, supportContact } })
    expect(/data-testid="support">Help: (?:<a href="([^"]*)")?/.exec(page)?.[1] ?? null).toBe(target)
  })

  it('shows the terms before anything to pay with, and how they are accepted', async () => {
    const terms = { url: 'https://shop.example/terms', version: '2026-11' }
    const paid = await renderCheckoutPage({ ...openPage, terms })
    expect(paid.indexOf('data-testid="terms">By paying you accept')).toBeGreaterThan(0)
    expect(paid.indexOf('data-testid="terms"')).toBeLessThan(paid.indexOf('data-testid="qr"'))
    expect(await renderCheckoutPage({ ...subscriptionPage, terms })).toContain('By signing you accept')
    expect(await renderCheckoutPage(openPage)).not.toContain('data-testid="terms"')
  })

  it('loads images over https only, four at most', async () => {
    const images = ['http://a.example/1', 'javascript:alert(1)', 'data:image/png;base64,AA', 'nothing', '//b.example/2']
    const good = [1, 2, 3, 4, 5].map((number) => `https://images.example/${number}"x`)
    const page = await renderCheckoutPage({ ...openPage, images: [...images, ...good] })
    expect([...page.matchAll(/<img src="([^"]*)"/g)].map(([, source]) => source)).toEqual(
      [1, 2, 3, 4].map((number) => `https://images.example/${number}%22x`),
    )
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'nothing'])(
    'never links to %s',
    async (redirectUrl) => {
      const page = await renderCheckoutPage({ ...openPage, quote: null, status: 'completed', redirectUrl })
      expect(page).not.toContain('data-testid="return-link"')
    },
  )

  it('opens nothing but a Stellar wallet', async () => {
    const page = await renderCheckoutPage({ ...openPage, quote: { ...quote, sep7_uri: 'javascript:alert(1)' } })
    expect(page).not.toContain('data-testid="open-wallet"')
  })
})

describe('every page', () => {
  const pages: ReadonlyArray<CheckoutPage> = [
    openPage,
    { ...openPage, images: ['https://images.example/1'], status: 'completed', quote: null },
  ]

  it.each(pages)('renders no inline script, style or handler, as the headers demand', async (page) => {
    const markup = await renderCheckoutPage(page)
    expect(markup).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    expect(
      [...markup.matchAll(/<script ([^>]*)>/g)].map(([, attributes]) => attributes?.replace(/\.[0-9a-f]{16}\./, '.')),
    ).toEqual(['type="module" src="/pay-assets/checkout.js"', 'type="application/json" id="checkout-data"'])
  })

  it('shows an unknown id without a script', () => {
    expect(textOf(renderNotFoundPage(inEnglish), 'not-found')).toBe('\n')
    expect(renderNotFoundPage(inEnglish)).not.toContain('<script')
  })
})

describe('an invoice or a new authorisation', () => {
  it.each([
    ['invoice', 'completed', openPage, 'Payment received'],
    ['invoice', 'failed', openPage, 'There is nothing to pay here any more'],
    ['authorization', 'completed', subscriptionPage, 'Your wallet has agreed'],
    ['authorization', 'failed', subscriptionPage, 'There is nothing to sign here any more'],
  ] as const)('tells the status of an invoice or authorisation: %s, %s', async (kind, status, shown, line) => {
    const page = await renderCheckoutPage({ ...shown, kind, status, quote: null })
    expect([textOf(page, 'status'), panelsShown(page)]).toEqual([line, [status]])
  })

  it.each([
    ['invoice', openPage, /from any wallet/],
    ['authorization', subscriptionPage, /Your wallet has to agree/],
  ] as const)('tells the purpose of an open page without a deadline: %s', async (kind, shown, lead) => {
    const page = await renderCheckoutPage({ ...shown, kind, expiresAt: '9999-01-01T00:00:00.000Z' })
    expect(textOf(page, 'lead')).toMatch(lead)
    expect(page).not.toContain('data-testid="deadline"')
    expect(page).not.toContain('9999')
  })
})

describe('a page for a reader of German', () => {
  const german = { reader: inGerman, isSandbox: false, sandbox: null }
  it('is German in its words, amounts and times, and leaves what merchants wrote', async () => {
    const page = await renderCheckoutPage({ ...openPage, ...german })
    expect(page).toContain('<html lang="de" dir="ltr">')
    expect(textOf(page, 'status')).toBe('Wartet auf Ihre Zahlung')
    expect(textOf(page, 'amount')).toBe('12,5 USDC')
    expect(page).toContain('data-value="12.5"')
    expect(textOf(page, 'product')).toBe('Tasting box')
    expect(textOf(page, 'deadline')).toBe('21. Nov. 2026, 10:00 UTC')
    expect(page).toContain('data-testid="lang-en">English</a>')
    expect(page).toMatch(/<link rel="modulepreload" href="\/pay-assets\/messages-de\./)
    expect(page).not.toContain('/pay-assets/messages-en.')
  })

  it('shows the terms of a subscription in German', async () => {
    const page = await renderCheckoutPage({ ...subscriptionPage, ...german })
    expect(textOf(page, 'mandate-now')).toBe(
      'Sie zahlen jetzt nichts. Die ersten 14 Tage sind kostenlos, bis zum 4. Dezember 2026.',
    )
    expect(textOf(page, 'mandate-later')).toBe(
      'Von da an wird jeden Monat eine Zahlung eingezogen: jede zum Preis ihres Tages, nie mehr als 13,75 USDC und frühestens einen Tag nach der vorigen.',
    )
  })
})
