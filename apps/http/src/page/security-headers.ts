import type { CheckoutPage } from './checkout-page.ts'

const originsOf = (page: CheckoutPage | null): ReadonlyArray<string> => {
  if (page === null) return []
  const { sandbox, walletConnect } = page
  if (sandbox !== null) return [...new Set([new URL(sandbox.rpcUrl).origin, new URL(sandbox.friendbotUrl).origin])]
  return walletConnect === null || page.quote === null ? [] : [new URL(walletConnect.relayUrl).origin]
}

/**
 * The headers of a page; null for pages without a checkout. Scripts and styles come from this server only and are never
 * inline, no site may frame the page, links send no referrer, and pages are not stored because quotes change. A sandbox
 * page may also reach the sandbox's network, and a page that can be paid on the relay of wallets, where one is configured. A page that is paid on may open a wallet's window and a hardware wallet: with
 * `same-origin` the window could not answer. `hasForms`: the page may send forms to its own server;
 * `hasFrames`: it frames pages of it.
 */
export const pageSecurityHeaders = (
  page: CheckoutPage | null,
  { hasForms = false, hasFrames = false }: { readonly hasForms?: boolean; readonly hasFrames?: boolean } = {},
): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src https: data:',
    ["connect-src 'self'", ...originsOf(page)].join(' '),
    ...(hasFrames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': page === null ? 'same-origin' : 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(), usb=${page === null ? '()' : '(self)'}`,
  'cache-control': 'no-store',
})
