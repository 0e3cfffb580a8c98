import type { Billing } from '@quittance/billing'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The prefix has browsers refuse the cookie from other hosts of the domain; it needs https. */
const nameIn = (isSecure: boolean): string => (isSecure ? '__Host-quittance_session' : 'quittance_session')

const lastsSeconds = 7 * 24 * 60 * 60

const setCookie = (reply: FastifyReply, isSecure: boolean, value: string, seconds: number): void => {
  const parts = [`${nameIn(isSecure)}=${value}`, 'Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict']
  reply.header('set-cookie', [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')).header('cache-control', 'no-store')
}

const isSecure = ({ team }: Billing, { protocol }: FastifyRequest): boolean => team.isSecure() || protocol === 'https'

export const giveMemberCookie = (billing: Billing, reply: FastifyReply, secret: string): void =>
  setCookie(reply, isSecure(billing, reply.request), secret, lastsSeconds)

export const takeMemberCookie = (billing: Billing, reply: FastifyReply): void =>
  setCookie(reply, isSecure(billing, reply.request), '', 0)

/** Whether a page of the service itself sends a request, as browsers say: other pages cannot. */
export const isFromOwnPage = ({ team }: Billing, { headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || (headers.origin !== undefined && team.isOwnOrigin(headers.origin))

/** The secret of a browser's session. What changes something counts only if a page of the service itself sends it. */
const fromCookie = (billing: Billing, request: FastifyRequest): string | null => {
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (!isSafe && !isFromOwnPage(billing, request)) return null
  const name = nameIn(isSecure(billing, request))
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null
}

/** What `x-session-token` says; null without it. */
export const sessionTokenOf = ({ headers }: FastifyRequest): string | null => {
  const token = headers['x-session-token']
  return typeof token === 'string' && token !== '' ? token : null
}

/** The secret of a member's session, in `x-session-token` or in the cookie; null without one. */
export const sessionSecretOf = (billing: Billing, request: FastifyRequest): string | null =>
  sessionTokenOf(request) ?? fromCookie(billing, request)
