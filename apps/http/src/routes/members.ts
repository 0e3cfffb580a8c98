import type { Billing } from '@quittance/billing'
import {
  ChangedMember,
  DeletedMember,
  Invitation,
  id,
  listOf,
  Member,
  NewMember,
  NewPasskey,
  NewPassword,
  OwnMember,
  PasskeyOptions,
  RecoveryCodes,
  says,
  Totp,
  TotpCode,
  text,
} from '@quittance/client/wire'
import type { FastifyRequest } from 'fastify'
import { memberOf, owner, recentlySignedIn, signedIn } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { giveMemberCookie } from '../wire/member-cookie.ts'
import { type Route, route } from '../wire/route.ts'

const ofWriting = ['conflict', 'outcome_unknown', 'not_found'] as const
const actorIn = (request: FastifyRequest) => {
  const { memberId, merchantId } = memberOf(request)
  return { actor: memberId, merchantId }
}

/** The team of a merchant, for its owners. */
export const memberRoutes = ({ team: { members } }: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/members',
    summary: 'List the members of the team',
    auth: owner,
    isBounded: true,
    answer: listOf(Member),
    handler: async ({ request }) => ({
      object: 'list' as const,
      data: await answerOf(() => members.list(memberOf(request).merchantId)),
      has_more: false,
      url: '/members',
    }),
  }),
  route({
    method: 'POST',
    path: '/members',
    summary: 'Invite somebody to the team',
    auth: owner,
    isBounded: true,
    body: NewMember,
    answer: Invitation,
    problems: [...ofWriting, 'email_taken', 'team_full'],
    handler: ({ request }, body) => answerOf(() => members.inviteByMember(memberOf(request), body)),
  }),
  route({
    method: 'POST',
    path: '/members/:id',
    summary: 'Give a member another role',
    auth: owner,
    isBounded: true,
    params: { id: id('mem_') },
    body: ChangedMember,
    answer: Member,
    problems: [...ofWriting, 'last_owner'],
    handler: ({ request, param }, { role }) => answerOf(() => members.changeRole(actorIn(request), param('id'), role)),
  }),
  route({
    method: 'DELETE',
    path: '/members/:id',
    summary: 'Remove a member from the team',
    auth: owner,
    isBounded: true,
    params: { id: id('mem_') },
    answer: DeletedMember,
    problems: [...ofWriting, 'last_owner'],
    handler: async ({ request, param }) => {
      await answerOf(() => members.remove(actorIn(request), param('id')))
      return { id: param('id'), object: 'member' as const, deleted: true as const }
    },
  }),
]

/** What members sign in with. Changes need a recent sign-in, so that a session which was left open takes nothing over. */
export const ownMemberRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { own } = billing.team
  const shown = (request: FastifyRequest) => answerOf(() => own.show(memberOf(request)))
  return [
    route({
      method: 'GET',
      path: '/member',
      summary: 'Show what you sign in with',
      auth: signedIn,
      isBounded: true,
      answer: OwnMember,
      problems: ['not_found'],
      handler: ({ request }) => shown(request),
    }),
    route({
      method: 'POST',
      path: '/member/password',
      summary: 'Set a new password, and end all other sessions',
      auth: recentlySignedIn,
      isBounded: true,
      body: NewPassword,
      answer: OwnMember,
      problems: [...ofWriting, 'sign_in_refused'],
      handler: async ({ request }, { new_password }, reply) => {
        giveMemberCookie(billing, reply, await answerOf(() => own.changePassword(memberOf(request), new_password)))
        return shown(request)
      },
    }),
    route({
      method: 'POST',
      path: '/member/totp',
      summary: 'Begin to set up an authenticator app',
      auth: recentlySignedIn,
      isBounded: true,
      answer: Totp,
      problems: ['totp_is_on'],
      handler: ({ request }) => answerOf(() => own.beginTotp(memberOf(request))),
    }),
    route({
      method: 'POST',
      path: '/member/totp/confirm',
      summary: 'Turn the authenticator app on by a code that it shows',
      auth: recentlySignedIn,
      isBounded: true,
      body: TotpCode,
      answer: OwnMember,
      problems: [...ofWriting, 'code_invalid'],
      handler: async ({ request }, { code }) => {
        await answerOf(() => own.confirmTotp(memberOf(request), code))
        return shown(request)
      },
    }),
    route({
      method: 'DELETE',
      path: '/member/totp',
      summary: 'Turn the authenticator app off',
      auth: recentlySignedIn,
      isBounded: true,
      answer: OwnMember,
      problems: ofWriting,
      handler: async ({ request }) => {
        await answerOf(() => own.endTotp(memberOf(request)))
        return shown(request)
      },
    }),
    route({
      method: 'POST',
      path: '/member/passkeys/options',
      summary: 'Ask for what a browser needs to make a passkey',
      auth: recentlySignedIn,
      isBounded: true,
      answer: PasskeyOptions,
      problems: ['not_found'],
      handler: async ({ request }) => ({
        object: 'passkey_options' as const,
        options: { ...(await answerOf(() => own.passkeyOptions(memberOf(request)))) },
      }),
    }),
    route({
      method: 'POST',
      path: '/member/passkeys',
      summary: 'Add a passkey',
      auth: recentlySignedIn,
      isBounded: true,
      body: NewPasskey,
      answer: OwnMember,
      problems: [...ofWriting, 'passkey_refused'],
      handler: async ({ request }, { name, credential }) => {
        await answerOf(() => own.addPasskey(memberOf(request), name, credential))
        return shown(request)
      },
    }),
    route({
      method: 'DELETE',
      path: '/member/passkeys/:id',
      summary: 'Remove a passkey',
      auth: recentlySignedIn,
      isBounded: true,
      params: { id: says('Its id by WebAuthn.', text(1_400)) },
      answer: OwnMember,
      problems: ofWriting,
      handler: async ({ request, param }) => {
        await answerOf(() => own.removePasskey(memberOf(request), param('id')))
        return shown(request)
      },
    }),
    route({
      method: 'POST',
      path: '/member/recovery_codes',
      summary: 'Make new recovery codes in place of the former ones',
      auth: recentlySignedIn,
      isBounded: true,
      answer: RecoveryCodes,
      problems: ofWriting,
      handler: ({ request }) => answerOf(() => own.makeRecoveryCodes(memberOf(request))),
    }),
  ]
}
