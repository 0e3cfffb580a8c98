import { gone, type Problems } from './problem.ts'

export const teamProblems = {
  SignInRefused: () => [401, 'sign_in_refused', 'The email, the password, the code or the passkey is wrong'],
  SecondFactorNeeded: ({ factor }) =>
    factor === 'code'
      ? [401, 'code_needed', 'Send the code of your authenticator app as well', 'code']
      : [401, 'passkey_needed', 'Sign in with your passkey'],
  TooManySignIns: () => [429, 'too_many_sign_ins', 'Too many tries to sign in: wait a while'],
  InvitationInvalid: () => [400, 'invitation_invalid', 'The invitation is unknown, used or expired', 'token'],
  MemberEmailTaken: () => [409, 'email_taken', 'A member of this or another team has this email', 'email'],
  MemberNotFound: () => gone('member'),
  LastOwner: () => [409, 'last_owner', 'The team needs another owner first'],
  TeamFull: ({ most }) => [409, 'team_full', `A team has at most ${most} members`],
  TotpNotBegun: () => [409, 'totp_is_on', 'An authenticator app is set up: turn it off first'],
  WrongCode: () => [400, 'code_invalid', 'The code is wrong or expired', 'code'],
  PasskeyRefused: () => [
    400,
    'passkey_refused',
    'The passkey is not one for this member and this request',
    'credential',
  ],
  PasskeyNotFound: () => gone('passkey'),
  KeyNotFound: () => gone('key'),
  KeyBeyondRole: () => [
    403,
    'scope_missing',
    'Your role may not have this key: owners and admins make any; developers app tokens of the testnet, with the scopes of their role',
  ],
  ReplacementUnlike: () => [
    403,
    'key_of_another',
    'The key is of the operator or of another person: make one of your own, and revoke this one',
  ],
  ApiKeyIsReplaced: () => [409, 'key_ended', 'Another key has taken its place already'],
  ApiKeyIsRevoked: () => [409, 'key_ended', 'The key is revoked'],
  ProvisionFailed: () => [
    503,
    'ledger_unavailable',
    'The settlement account of this network could not be set up: try again later',
  ],
} satisfies Partial<Problems>
