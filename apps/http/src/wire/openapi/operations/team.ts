import type { Section } from './words.ts'

const email = 'ada@example.com'
const credential = { id: 'dGVzdA', type: 'public-key', response: {} }

export const sessions: Section = {
  tag: 'Sessions',
  description: "How the members of a merchant's team sign in. A session is a cookie, or `x-session-token`.",
  operations: {
    'POST /session': {
      name: 'signIn',
      description:
        'Answers the same for an unknown email as for a wrong password. Sets the cookie of the session, which ends 12 hours after its last use, and after 7 days.',
      examples: { password: { email, password: 'correct horse battery staple' } },
    },
    'POST /session/passkey/options': {
      name: 'requestPasskeySignIn',
      description: 'The authenticator knows whose passkey it has, so nobody is named.',
    },
    'POST /session/passkey': {
      name: 'signInByPasskey',
      description: 'Takes what the browser answers to the options, and sets the cookie of the session.',
      examples: { passkey: { credential } },
    },
    'POST /session/recover': {
      name: 'recoverMember',
      description: 'Uses the code up, turns the authenticator app off, and ends all other sessions of the member.',
      examples: {
        code: { email, recovery_code: '7K2M-9XQP-4TRW-8HBD', new_password: 'correct horse battery staple' },
      },
    },
    'POST /session/join': {
      name: 'joinTeam',
      description: 'Takes the token of an invitation, which works once, and sets the cookie of the session.',
      examples: { link: { token: 'text', name: 'Ada King', password: 'correct horse battery staple' } },
    },
    'POST /session/sandbox': {
      name: 'enterSandbox',
      description: 'Only a direct connection from the machine itself counts, and no page of another site.',
    },
    'GET /session/entry': {
      name: 'retrieveSessionEntry',
      description: 'For a page that opens: whether somebody is signed in, and whether the sandbox would let them in.',
    },
    'GET /session': {
      name: 'retrieveSession',
      description: 'Shows the member, the merchant, and what the member may do.',
    },
    'DELETE /session': { name: 'signOut', description: 'Ends the session at once.' },
  },
}

export const apiKeys: Section = {
  tag: 'API keys',
  description: 'API keys and app tokens, which members make and revoke. Keys themselves cannot.',
  operations: {
    'GET /api_keys': {
      name: 'listApiKeys',
      description: 'Newest first, those of the operator and revoked ones too, and no secrets.',
    },
    'POST /api_keys': {
      name: 'makeApiKey',
      description:
        'Answers the key, this once. It stands for the member who makes it where a second person is asked for, may never do more than they, and ends when they leave the team. Owners and admins make any; developers app tokens of the testnet.',
      examples: {
        secret: { kind: 'secret', name: 'Shop' },
        app: { kind: 'app', name: 'Reports', scopes: ['payments:read', 'subscriptions:read'] },
      },
    },
    'POST /api_keys/:id/replace': {
      name: 'replaceApiKey',
      description:
        'Answers a key with the same rights, this once. The present one ends after the overlap. Only a key that stands for the same person is replaced.',
      examples: { day: { overlap_hours: 24 }, now: { overlap_hours: 0 } },
    },
    'POST /api_keys/:id/revoke': {
      name: 'revokeApiKey',
      description: 'Owners and admins revoke any key, developers those that they have made.',
    },
  },
}

export const members: Section = {
  tag: 'Team',
  description: 'The members of the team, and what each signs in with.',
  operations: {
    'GET /members': { name: 'listMembers', description: 'Lists all at once, those who are invited as well.' },
    'POST /members': {
      name: 'inviteMember',
      description: 'Answers the link of the invitation, which works once within seven days. Send it to the member.',
      examples: { support: { email: 'grace@example.com', role: 'support' } },
    },
    'POST /members/:id': {
      name: 'changeMember',
      description: 'Counts at once, also in sessions that are open. The last owner stays one.',
      examples: { viewer: { role: 'viewer' } },
    },
    'DELETE /members/:id': {
      name: 'removeMember',
      description: 'Ends their sessions at once, and forgets their name, email and secrets. The last owner stays.',
    },
    'GET /member': { name: 'retrieveOwnMember', description: 'Shows no secrets.' },
    'POST /member/password': {
      name: 'changePassword',
      description: 'Sets the cookie of a new session.',
      examples: { password: { new_password: 'correct horse battery staple' } },
    },
    'POST /member/totp': {
      name: 'beginTotp',
      description: 'The secret counts once a code of it is confirmed.',
    },
    'POST /member/totp/confirm': {
      name: 'confirmTotp',
      description: 'From then on, a password needs a code as well.',
      examples: { code: { code: '123456' } },
    },
    'DELETE /member/totp': { name: 'endTotp', description: 'Changes nothing where none is set up.' },
    'POST /member/passkeys/options': {
      name: 'requestPasskey',
      description: 'Made for the host of the public address alone.',
    },
    'POST /member/passkeys': {
      name: 'addPasskey',
      description: 'Takes what the browser answers to the options. From then on, a password alone is not enough.',
      examples: { passkey: { name: 'Phone', credential } },
    },
    'DELETE /member/passkeys/:id': { name: 'removePasskey', description: 'It signs nobody in any more.' },
    'POST /member/recovery_codes': {
      name: 'makeRecoveryCodes',
      description: 'Shows ten codes, once. Each sets a new password, without anything else.',
    },
  },
}
