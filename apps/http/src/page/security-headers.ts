import type { CheckoutPage } from './checkout-page.ts'

const originsOf = (page: CheckoutPage | null): ReadonlyArray<string> => {
  const sandbox = page?.sandbox ?? null
  if (sandbox === null) return []
  return [...new Set([new URL(sandbox.rpcUrl).origin, new URL(sandbox.friendbotUrl).origin])]
}

/**
 * The headers of a page; null is the page for what is not there. Scripts and styles come from this server only, none
 * is inline, nothing may frame the page, and where the payer goes next learns nothing from the referrer. Pages are not
 * stored: what they ask for changes with the rate. A sandbox's page may also talk to the sandbox's network. `hasForms`: it
 * may send forms to its own server.
 */
export const pageSecurityHeaders = (
  page: CheckoutPage | null,
  { hasForms = false }: { readonly hasForms?: boolean } = {},
): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src https: data:',
    ["connect-src 'self'", ...originsOf(page)].join(' '),
    "base-uri 'none'",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
})
