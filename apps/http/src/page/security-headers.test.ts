import { pageSecurityHeaders } from './security-headers.ts'
import { openPage } from './testing/pages.ts'

const policy = (page: Parameters<typeof pageSecurityHeaders>[0]) =>
  pageSecurityHeaders(page)['content-security-policy']?.split('; ')

describe('the headers of the page', () => {
  it('lets the page load from, talk to and be framed by its own server only', () => {
    const { 'content-security-policy': _policy, ...others } = pageSecurityHeaders(null)
    expect(policy({ ...openPage, isSandbox: false, sandbox: null })).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src https: data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(others).toEqual({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cache-control': 'no-store',
    })
  })

  it('lets a page on which is paid speak with a wallet in a window, and with one on a cable', () =>
    expect(pageSecurityHeaders(openPage)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(self)',
    }))

  it('lets forms target their own server only', () =>
    expect(pageSecurityHeaders(null, { hasForms: true })['content-security-policy']).toContain(
      "; form-action 'self'; ",
    ))

  it('lets a page that can be paid talk to the relay of wallets, where one is configured', () => {
    const walletConnect = { projectId: 'ab'.repeat(16), relayUrl: 'wss://relay.example/v2' }
    const page = { ...openPage, isSandbox: false, sandbox: null, walletConnect }
    expect(policy(page)).toContain("connect-src 'self' wss://relay.example")
    expect(policy({ ...page, quote: null })).toContain("connect-src 'self'")
    expect(policy({ ...openPage, walletConnect })).toContain(
      "connect-src 'self' http://127.0.0.1:8000 http://127.0.0.1:8001",
    )
  })

  it("lets a sandbox's page talk to the sandbox's network", () =>
    expect(policy(openPage)).toContain("connect-src 'self' http://127.0.0.1:8000 http://127.0.0.1:8001"))
})
