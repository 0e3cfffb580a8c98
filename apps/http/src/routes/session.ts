import type { Billing } from '@quittance/billing'
import {
  EndedSession,
  type ErrorCode,
  Joining,
  PasskeyAnswer,
  PasskeyOptions,
  Recovery,
  Session,
  SessionEntry,
  SignIn,
} from '@quittance/client/wire'
import { isLoopbackHost } from '@quittance/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { memberOf, open, signedIn } from '../wire/auth.ts'
import { answerOf, type BillingTask } from '../wire/call.ts'
import { clientOf } from '../wire/client-address.ts'
import { HttpError } from '../wire/errors.ts'
import { giveMemberCookie, isFromOwnPage, sessionSecretOf, takeMemberCookie } from '../wire/member-cookie.ts'
import { type Route, route } from '../wire/route.ts'

const ofWriting = ['sign_in_refused', 'conflict', 'outcome_unknown'] as const satisfies ReadonlyArray<ErrorCode>

/** Gives the browser the session that a sign-in has opened, and shows it. */
const entering = (billing: Billing) => async (reply: FastifyReply, signIn: BillingTask<string>) => {
  const { sessions } = billing.team
  const secret = await answerOf(signIn)
  const member = await answerOf(() => sessions.find(secret))
  if (member === null) throw new HttpError(401, 'sign_in_refused', 'The session has ended at once: sign in again')
  giveMemberCookie(billing, reply, secret)
  return sessions.resource(member)
}

/** How members of a team sign in and out. */
export const sessionRoutes = (
  billing: Billing,
  { isSandbox }: { readonly isSandbox: boolean },
): ReadonlyArray<Route> => {
  const { signIn, sessions, members } = billing.team
  const enter = entering(billing)
  return [
    route({
      method: 'POST',
      path: '/session',
      summary: 'Sign in by email and password',
      auth: open,
      isBounded: true,
      body: SignIn,
      answer: Session,
      problems: [...ofWriting, 'code_needed', 'passkey_needed', 'too_many_sign_ins'],
      handler: ({ request }, body, reply) => enter(reply, () => signIn.byPassword(body, clientOf(request))),
    }),
    route({
      method: 'POST',
      path: '/session/passkey/options',
      summary: 'Ask for what a browser needs to sign in by a passkey',
      auth: open,
      isBounded: true,
      answer: PasskeyOptions,
      handler: async () => ({ object: 'passkey_options' as const, options: { ...(await signIn.passkeyOptions()) } }),
    }),
    route({
      method: 'POST',
      path: '/session/passkey',
      summary: 'Sign in by a passkey',
      auth: open,
      isBounded: true,
      body: PasskeyAnswer,
      answer: Session,
      problems: ofWriting,
      handler: (_, { credential }, reply) => enter(reply, () => signIn.byPasskey(credential)),
    }),
    route({
      method: 'POST',
      path: '/session/recover',
      summary: 'Set a new password by a recovery code, and sign in',
      auth: open,
      isBounded: true,
      body: Recovery,
      answer: Session,
      problems: [...ofWriting, 'too_many_sign_ins'],
      handler: ({ request }, { email, recovery_code, new_password }, reply) =>
        enter(reply, () =>
          signIn.byRecoveryCode({ email, recoveryCode: recovery_code, newPassword: new_password }, clientOf(request)),
        ),
    }),
    route({
      method: 'POST',
      path: '/session/join',
      summary: 'Accept an invitation to a team, and sign in',
      auth: open,
      isBounded: true,
      body: Joining,
      answer: Session,
      problems: [...ofWriting, 'invitation_invalid'],
      handler: (_, body, reply) => enter(reply, () => members.join(body)),
    }),
    route({
      method: 'GET',
      path: '/session/entry',
      summary: 'Ask how to come in, without being refused',
      auth: open,
      isBounded: true,
      answer: SessionEntry,
      handler: async ({ request }) => {
        const secret = sessionSecretOf(billing, request)
        const member = secret === null ? null : await answerOf(() => sessions.find(secret))
        return {
          object: 'session_entry' as const,
          is_signed_in: member !== null,
          is_at_the_sandbox: isSandbox && isAtTheMachine(billing, request),
        }
      },
    }),
    route({
      method: 'GET',
      path: '/session',
      summary: 'Show who is signed in',
      auth: signedIn,
      isBounded: true,
      answer: Session,
      handler: ({ request }) => sessions.resource(memberOf(request)),
    }),
    route({
      method: 'DELETE',
      path: '/session',
      summary: 'Sign out',
      auth: signedIn,
      isBounded: true,
      answer: EndedSession,
      problems: ['conflict', 'outcome_unknown'],
      handler: async ({ request }, _, reply) => {
        await answerOf(() => sessions.end(memberOf(request)))
        takeMemberCookie(billing, reply)
        return { object: 'session' as const, deleted: true as const }
      },
    }),
  ]
}

/** What a proxy says of whom it sends a request for. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Whether somebody sits at the machine of the sandbox: connected to it directly, under a name that is this machine for every
 * browser, and from no foreign page.
 */
const isAtTheMachine = (billing: Billing, request: FastifyRequest): boolean => {
  const { headers, hostname, socket } = request
  const isFromPage = (headers['sec-fetch-site'] ?? 'none') !== 'none' || headers.origin !== undefined
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return (
    isLoopbackHost(peer === '::1' ? '[::1]' : peer) &&
    isLoopbackHost(hostname) &&
    (!isFromPage || isFromOwnPage(billing, request)) &&
    forwarding.every((name) => headers[name] === undefined)
  )
}

/** In a sandbox the first visitor is the owner of the shop. */
export const sandboxSessionRoutes = (billing: Billing): ReadonlyArray<Route> => [
  route({
    method: 'POST',
    path: '/session/sandbox',
    summary: 'Sign in as the owner of the first shop of the sandbox, at its machine alone',
    auth: open,
    isBounded: true,
    answer: Session,
    problems: [...ofWriting, 'not_at_the_sandbox'],
    handler: ({ request }, _, reply) => {
      if (!isAtTheMachine(billing, request))
        throw new HttpError(403, 'not_at_the_sandbox', 'This works in a browser on the machine of the sandbox alone')
      return entering(billing)(reply, billing.team.members.enterSandbox)
    },
  }),
]
