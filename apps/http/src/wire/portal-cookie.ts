import type { Billing, PortalVisit } from '@quittance/billing'
import type { FastifyRequest } from 'fastify'

const name = 'quittance_portal'

/**
 * The header that leaves a portal session with the browser, for as long as it lasts: no script reads it, and it comes
 * along when the visitor arrives from the merchant's site, but not with what another site sends. `isSecure`: https.
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

/** Whose portal session a browser shows; null where it shows none that goes on. */
export const visitorOf = ({ portal }: Billing, { headers }: FastifyRequest): PortalVisit | null => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const secret = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return secret === undefined ? null : portal.visitor(secret)
}
