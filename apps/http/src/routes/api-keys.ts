import type { Billing } from '@quittance/billing'
import { readScopes } from '@quittance/billing/scopes'
import {
  ApiKey,
  ApiKeyStatus,
  ApiKeyWithSecret,
  id,
  KeyReplacement,
  listOf,
  NewApiKey,
  optional,
  says,
} from '@quittance/client/wire'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { environmentOf, memberOf, recentlySignedIn, signedIn } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { invalid } from '../wire/errors.ts'
import { answerPage, page } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

const ofWriting = ['conflict', 'outcome_unknown', 'scope_missing'] as const
const params = { id: id('key_') }
const hourMs = 3_600_000
const usualOverlapHours = 24

/** The scopes that a key is to have: none for a secret key. Throws 400 for what is none. */
const scopesIn = (kind: 'secret' | 'app', wanted: ReadonlyArray<string> | null): ReadonlyArray<string> => {
  if (kind === 'secret') {
    if (wanted === null) return []
    throw invalid('scopes', 'A secret key may do everything: leave "scopes" out')
  }
  if (wanted === null) throw invalid('scopes', 'An app token needs "scopes"')
  const read = readScopes(wanted.join())
  if (E.isLeft(read)) throw invalid('scopes', `Not a scope: ${read.left.map((word) => `"${word}"`).join(', ')}`)
  return read.right
}

/**
 * Keys and app tokens, for members. Changes need a recent sign-in, since a key outlives the session that makes it; a key
 * cannot make keys.
 */
export const apiKeyRoutes = ({ team: { keys } }: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/api_keys',
    summary: 'List API keys and app tokens',
    auth: signedIn,
    isBounded: true,
    query: t.type({ ...page, status: says('Only those with this status.', optional(ApiKeyStatus)) }),
    answer: listOf(ApiKey),
    handler: ({ request, query: { status, ...query } }) => {
      const scope = { merchantId: memberOf(request).merchantId, environment: environmentOf(request) }
      return answerPage('/api_keys', scope, query, {
        list: (asked) => keys.list({ ...asked, ...(status === null ? {} : { status }) }),
        retrieve: keys.retrieve,
      })
    },
  }),
  route({
    method: 'POST',
    path: '/api_keys',
    summary: 'Make an API key or an app token',
    auth: recentlySignedIn,
    isBounded: true,
    body: NewApiKey,
    answer: ApiKeyWithSecret,
    problems: [...ofWriting, 'network_not_configured', 'ledger_unavailable'],
    handler: ({ request }, { kind, name, scopes }) => {
      const wanted = { name, scopes: scopesIn(kind, scopes) }
      return answerOf(() => keys.make(memberOf(request), environmentOf(request), wanted))
    },
  }),
  route({
    method: 'POST',
    path: '/api_keys/:id/replace',
    summary: 'Make a key that takes the place of one of yours',
    auth: recentlySignedIn,
    isBounded: true,
    params,
    body: KeyReplacement,
    answer: ApiKeyWithSecret,
    problems: [...ofWriting, 'not_found', 'key_of_another', 'key_ended'],
    handler: ({ request, param }, { overlap_hours }) => {
      const overlapMs = (overlap_hours ?? usualOverlapHours) * hourMs
      return answerOf(() => keys.replace(memberOf(request), environmentOf(request), param('id'), overlapMs))
    },
  }),
  route({
    method: 'POST',
    path: '/api_keys/:id/revoke',
    summary: 'Revoke a key, at once and for good',
    auth: recentlySignedIn,
    isBounded: true,
    params,
    answer: ApiKey,
    problems: [...ofWriting, 'not_found'],
    handler: ({ request, param }) =>
      answerOf(() => keys.revoke(memberOf(request), environmentOf(request), param('id'))),
  }),
]
