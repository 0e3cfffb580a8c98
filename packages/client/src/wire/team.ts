import { Environment } from '@quittance/domain/values'
import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { createdAt, isDeleted, objectOf } from './fields.ts'
import { count, email, id, oneOf, such, text, timestamp } from './values.ts'

const role = oneOf('owner', 'admin', 'developer', 'support', 'viewer')
const memberName = text(100)

/** Long rather than varied: a sentence is a good password. */
const newPassword = such(text(1_000), (input) => [...input].length >= 12, 'a password of 12 to 1,000 characters', {
  type: 'string',
  minLength: 12,
  maxLength: 1_000,
})
const password = text(1_000)
const shortCode = text(50)

/** What a member knows. */
export const SignIn = t.type(
  {
    email: says('The email of the member.', email),
    password: says('Their password.', password),
    code: says('The code of their authenticator app, if they have set one up.', optional(shortCode)),
  },
  'SignIn',
)

/** A recovery code in place of all else. */
export const Recovery = t.type(
  {
    email: says('The email of the member.', email),
    recovery_code: says('One of their recovery codes, which is used up.', shortCode),
    new_password: says('The password that they have from now on.', newPassword),
  },
  'Recovery',
)

/** An invitation that somebody accepts. */
export const Joining = t.type(
  {
    token: says('What is behind `#` in the link of the invitation.', text(200)),
    name: says('What others in the team see.', memberName),
    password: says('The password of the new member.', newPassword),
  },
  'Joining',
)

/** What a browser answers for a passkey. */
export const PasskeyAnswer = t.type(
  { credential: says('The answer of the browser, as JSON of WebAuthn.', t.UnknownRecord) },
  'PasskeyAnswer',
)

/** A passkey to add. */
export const NewPasskey = t.type(
  { ...PasskeyAnswer.props, name: says('What the member calls it.', text(100)) },
  'NewPasskey',
)

/** What a browser is asked for a passkey with. */
export const PasskeyOptions = t.type(
  {
    object: objectOf('passkey_options'),
    options: says('For `navigator.credentials`, as JSON of WebAuthn. Good for five minutes.', t.UnknownRecord),
  },
  'PasskeyOptions',
)
export type PasskeyOptions = t.TypeOf<typeof PasskeyOptions>

/** Who is signed in, and what they may do. The session itself is in a cookie that no script reads. */
export const Session = t.type(
  {
    object: objectOf('session'),
    member: says(
      'Who is signed in.',
      t.type(
        {
          id: id('mem_'),
          email: says('Their email.', t.string),
          name: says('Null if they have none.', orNull(t.string)),
          role: says('What they are in the team.', role),
        },
        'SessionMember',
      ),
    ),
    merchant_id: says('Whose team it is.', id('mer_')),
    merchant_name: says('The name of that merchant.', t.string),
    scopes: says('What they may do, as scopes of app tokens.', t.readonlyArray(t.string)),
    environments: says('The networks that `x-environment` may name.', t.readonlyArray(Environment)),
    expires_at: says('When it ends, unless it is used before.', timestamp),
  },
  'Session',
)
export type Session = t.TypeOf<typeof Session>

/** What a visitor who opens a page may do, without a sign-in. */
export const SessionEntry = t.type(
  {
    object: objectOf('session_entry'),
    is_signed_in: says('Whether they have a session that is not over.', t.boolean),
    is_at_the_sandbox: says('Whether they may sign in by `POST /session/sandbox`.', t.boolean),
  },
  'SessionEntry',
)
export type SessionEntry = t.TypeOf<typeof SessionEntry>

/** The session is over. */
export const EndedSession = t.type({ object: objectOf('session'), deleted: isDeleted }, 'EndedSession')

/** A member of the team. */
export const Member = t.type(
  {
    id: id('mem_'),
    object: objectOf('member'),
    email: says('Null where their account is kept elsewhere.', orNull(t.string)),
    name: says('Null before they have joined.', orNull(t.string)),
    role: says('What they are in the team.', role),
    status: says('`invited` until they have joined.', oneOf('invited', 'active')),
    has_second_factor: says('Whether they have an authenticator app or a passkey.', t.boolean),
    created_at: says('When they were invited.', timestamp),
  },
  'Member',
)
export type Member = t.TypeOf<typeof Member>

/** Whom to invite. */
export const NewMember = t.type(
  {
    email: says('No other member of the service may have it.', email),
    role: says('What they will be in the team.', role),
  },
  'NewMember',
)

/** Another role. */
export const ChangedMember = t.type({ role: says('What they are from now on.', role) }, 'ChangedMember')

/** An invitation to the team. */
export const Invitation = t.type(
  {
    object: objectOf('invitation'),
    member_id: id('mem_'),
    email: says('Who is invited.', t.string),
    role: says('What they will be in the team.', role),
    url: says('The link to send them, shown once: whoever has it joins as this member.', t.string),
    expires_at: says('Until when the link is good: seven days.', timestamp),
  },
  'Invitation',
)
export type Invitation = t.TypeOf<typeof Invitation>

/** A member who was removed. */
export const DeletedMember = t.type({ id: id('mem_'), object: objectOf('member'), deleted: isDeleted }, 'DeletedMember')

/** What the caller has set up to sign in with. */
export const OwnMember = t.type(
  {
    id: id('mem_'),
    object: objectOf('own_member'),
    email: says('Their email.', t.string),
    name: says('Null if they have none.', orNull(t.string)),
    role: says('What they are in the team.', role),
    has_password: says('Whether they can sign in by a password.', t.boolean),
    totp_is_on: says('Whether a password needs the code of an authenticator app.', t.boolean),
    passkeys: says(
      'Their passkeys.',
      t.readonlyArray(
        t.type(
          {
            id: says('Its id by WebAuthn.', t.string),
            name: says('What they call it.', t.string),
            created_at: createdAt,
            last_used_at: says('Null if it never was.', orNull(timestamp)),
          },
          'Passkey',
        ),
      ),
    ),
    recovery_codes_left: says('How many were not used yet.', count),
  },
  'OwnMember',
)
export type OwnMember = t.TypeOf<typeof OwnMember>

/** A password in place of the present one. */
export const NewPassword = t.type({ new_password: says('The new password.', newPassword) }, 'NewPassword')

/** A secret for an authenticator app. */
export const Totp = t.type(
  {
    object: objectOf('totp'),
    secret: says('In base 32, to be typed. Shown once.', t.string),
    uri: says('The same as an `otpauth` address, for a QR code.', t.string),
  },
  'Totp',
)
export type Totp = t.TypeOf<typeof Totp>

/** A code that the app shows. */
export const TotpCode = t.type({ code: says('The code that the app shows now.', shortCode) }, 'TotpCode')

/** Codes for whoever has lost all else. */
export const RecoveryCodes = t.type(
  {
    object: objectOf('recovery_codes'),
    codes: says('Each works once. Shown once; earlier ones are worthless.', t.readonlyArray(t.string)),
  },
  'RecoveryCodes',
)
export type RecoveryCodes = t.TypeOf<typeof RecoveryCodes>
