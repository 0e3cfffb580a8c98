import type { ErrorCode, JsonSchema } from '@quittance/client/wire'
import type { Auth } from '../auth.ts'

/** The credentials of a route in the reference. */
type Security = {
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly description?: string
  readonly problems: ReadonlyArray<ErrorCode>
}

export const securityOf = (auth: Auth): Security => {
  switch (auth.kind) {
    case 'none':
      return { security: [], problems: [] }
    case 'key':
      return {
        ...(auth.scope === null
          ? {
              security: [{ key: [] }, { session: [] }],
              description: 'Takes your key in `x-api-key`, and no app token.',
            }
          : {
              security: [{ key: [] }, { appToken: [] }, { session: [] }],
              description: `Takes your key in \`x-api-key\`. An app token in its place needs the scope ${[auth.scope, ...(auth.also ?? [])].map((each) => `\`${each}\``).join(' and ')}.`,
            }),
        problems: [
          'two_credentials',
          'unauthorized',
          'invalid_api_key',
          'invalid_app_token',
          'invalid_session',
          'scope_missing',
        ],
      }
    case 'member':
      return {
        security: [{ session: [] }],
        ...(auth.needs === 'owner' ? { description: 'Takes the session of an owner of the team.' } : {}),
        problems: [
          'unauthorized',
          'invalid_session',
          ...(auth.needs === 'owner' ? (['owner_needed'] as const) : []),
          ...(auth.needs === 'recent' ? (['sign_in_again'] as const) : []),
        ],
      }
    case 'portal':
      return { security: [{ portal: [] }], problems: [] }
  }
}

export const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  key: {
    ...{ type: 'apiKey', in: 'header', name: 'x-api-key' },
    description: 'A secret key. It determines the environment: `sk_test_…` or `sk_live_…`.',
  },
  appToken: {
    ...{ type: 'apiKey', in: 'header', name: 'x-app-token' },
    description: 'A restricted key, which may do what its scopes say.',
  },
  session: {
    ...{ type: 'apiKey', in: 'header', name: 'x-session-token' },
    description:
      'The session of a member of the team, which their role bounds. Browsers send it as a cookie. `x-environment` names the network: `testnet` (by default) or `mainnet`.',
  },
  portal: {
    type: 'apiKey',
    in: 'cookie',
    name: 'quittance_portal',
    description: 'The session that a portal link opens.',
  },
}
