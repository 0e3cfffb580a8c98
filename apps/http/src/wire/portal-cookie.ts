import type { Billing, PortalVisit } from '@quittance/billing'
import type { FastifyRequest } from 'fastify'

const name = 'quittance_portal'

/**
 * The header that sets the cookie of a portal session for its lifetime: hidden from scripts, sent when the visitor
 * arrives from the merchant's site, but not with requests that other sites make. `isSecure`: https.
 */
export const portalCookie = (secret: string, isSecure: boolean, maxAgeSeconds: number): string =>
  [
    `${name}=${secret}`,
    'Path=/portal',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')

/** The visitor of a browser's portal session; null without a current one. */
export const visitorOf = async ({ portal }: Billing, { headers }: FastifyRequest): Promise<PortalVisit | null> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const secret = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return secret === undefined ? null : portal.visitor(secret)
}
