import type { CallOptions, Connection } from '../connection.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type ChangedMember,
  DeletedMember,
  EndedSession,
  Invitation,
  type Joining,
  listOf,
  Member,
  type NewMember,
  type NewPasskey,
  type NewPassword,
  OwnMember,
  type PasskeyAnswer,
  PasskeyOptions,
  type Recovery,
  RecoveryCodes,
  Session,
  SessionEntry,
  type SignIn,
  Totp,
  type TotpCode,
} from '../wire/index.ts'

/** Signing in as a member of a merchant's team. The service sets a cookie, which browsers send by themselves. */
export const sessionOf = ({ ask }: Connection) => {
  const enter = (path: ReadonlyArray<string>, body: unknown, options?: CallOptions): Promise<Session> =>
    ask({ method: 'POST', path: ['session', ...path], body, answer: data(Session), isPublic: true }, options)
  return {
    /** Rejects with `code_needed` or `passkey_needed` if the password is right and not enough. */
    signIn: (body: RequestBody<typeof SignIn>, options?: CallOptions) => enter([], body, options),
    passkeyOptions: (options?: CallOptions): Promise<PasskeyOptions> =>
      ask(
        { method: 'POST', path: ['session', 'passkey', 'options'], answer: data(PasskeyOptions), isPublic: true },
        options,
      ),
    signInByPasskey: (body: RequestBody<typeof PasskeyAnswer>, options?: CallOptions) =>
      enter(['passkey'], body, options),
    recover: (body: RequestBody<typeof Recovery>, options?: CallOptions) => enter(['recover'], body, options),
    join: (body: RequestBody<typeof Joining>, options?: CallOptions) => enter(['join'], body, options),
    /** At the machine of a sandbox alone. */
    enterSandbox: (options?: CallOptions) => enter(['sandbox'], undefined, options),
    retrieve: (options?: CallOptions): Promise<Session> =>
      ask({ method: 'GET', path: ['session'], answer: data(Session) }, options),
    /** Never refused. */
    entry: (options?: CallOptions): Promise<SessionEntry> =>
      ask({ method: 'GET', path: ['session', 'entry'], answer: data(SessionEntry), isPublic: true }, options),
    signOut: async (options?: CallOptions): Promise<void> => {
      await ask({ method: 'DELETE', path: ['session'], answer: data(EndedSession) }, options)
    },
  }
}

/** The members of the team, for owners. */
export const membersOf = ({ ask }: Connection) => ({
  list: async (options?: CallOptions): Promise<ReadonlyArray<Member>> =>
    (await ask({ method: 'GET', path: ['members'], answer: data(listOf(Member)) }, options)).data,
  invite: (body: RequestBody<typeof NewMember>, options?: CallOptions): Promise<Invitation> =>
    ask({ method: 'POST', path: ['members'], body, answer: data(Invitation) }, options),
  changeRole: (id: string, body: RequestBody<typeof ChangedMember>, options?: CallOptions): Promise<Member> =>
    ask({ method: 'POST', path: ['members', id], body, answer: data(Member) }, options),
  remove: async (id: string, options?: CallOptions): Promise<void> => {
    await ask({ method: 'DELETE', path: ['members', id], answer: data(DeletedMember) }, options)
  },
})

/** What the caller signs in with. Changes reject with `sign_in_again` 15 minutes after the sign-in. */
export const ownMemberOf = ({ ask }: Connection) => {
  const own = (method: 'POST' | 'DELETE', path: ReadonlyArray<string>, body?: unknown, options?: CallOptions) =>
    ask({ method, path: ['member', ...path], body, answer: data(OwnMember) }, options)
  return {
    retrieve: (options?: CallOptions): Promise<OwnMember> =>
      ask({ method: 'GET', path: ['member'], answer: data(OwnMember) }, options),
    /** Ends all other sessions. */
    changePassword: (body: RequestBody<typeof NewPassword>, options?: CallOptions) =>
      own('POST', ['password'], body, options),
    beginTotp: (options?: CallOptions): Promise<Totp> =>
      ask({ method: 'POST', path: ['member', 'totp'], answer: data(Totp) }, options),
    confirmTotp: (body: RequestBody<typeof TotpCode>, options?: CallOptions) =>
      own('POST', ['totp', 'confirm'], body, options),
    endTotp: (options?: CallOptions) => own('DELETE', ['totp'], undefined, options),
    passkeyOptions: (options?: CallOptions): Promise<PasskeyOptions> =>
      ask({ method: 'POST', path: ['member', 'passkeys', 'options'], answer: data(PasskeyOptions) }, options),
    addPasskey: (body: RequestBody<typeof NewPasskey>, options?: CallOptions) =>
      own('POST', ['passkeys'], body, options),
    removePasskey: (id: string, options?: CallOptions) => own('DELETE', ['passkeys', id], undefined, options),
    makeRecoveryCodes: (options?: CallOptions): Promise<RecoveryCodes> =>
      ask({ method: 'POST', path: ['member', 'recovery_codes'], answer: data(RecoveryCodes) }, options),
  }
}
