import { isLoopbackHost, minuteMs, type UnixMs, unixMs } from '@quittance/domain'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Account, Passkey } from './account.ts'
import { type TeamServices, teamTime } from './services.ts'

/** Loaded by the first ceremony: most services have none. */
const webAuthn = () => import('@simplewebauthn/server')

const challengeMs = 5 * minuteMs
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const isTransport = (name: string): name is AuthenticatorTransport => transportNames.some((each) => each === name)

/** Where passkeys count. No browser has them for a loopback address by number, so such a service has them as `localhost`. */
const placeOf = (publicUrl: string): { readonly id: string; readonly origin: string } => {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (!isLoopbackHost(hostname)) return { id: hostname, origin }
  return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
}

/** What a browser has answered: JSON of WebAuthn. */
export type BrowserAnswer = Readonly<Record<string, unknown>>

const ofCredential = { id: t.string, rawId: t.string, type: t.literal('public-key') }
/** The parts that count of an answer to a challenge, and of a new passkey. Nothing here asks for extensions. */
const Assertion = t.type({
  ...ofCredential,
  response: t.type({ clientDataJSON: t.string, authenticatorData: t.string, signature: t.string }),
})
const Attestation = t.type({
  ...ofCredential,
  response: t.intersection([
    t.type({ clientDataJSON: t.string, attestationObject: t.string }),
    t.partial({ transports: t.array(t.string) }),
  ]),
})

const withoutExtensions = <A>(answer: A) => ({ ...answer, clientExtensionResults: {} })

/** The library throws for whatever is wrong with an answer. */
const orNull = async <A>(verified: () => Promise<A>): Promise<A | null> => {
  try {
    return await verified()
  } catch {
    return null
  }
}

export const passkeyCeremonies = ({ members: { challenges }, publicUrl }: TeamServices) => {
  const kept = async (challenge: string, purpose: string): Promise<void> =>
    challenges.add(challenge, purpose, unixMs(teamTime() + challengeMs))
  const expected = (purpose: string) => {
    const { id, origin } = placeOf(publicUrl())
    return {
      expectedChallenge: (challenge: string) => challenges.spend(challenge, purpose, teamTime()),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    }
  }
  return {
    /** Names nobody, so that it tells nobody who has a passkey: the authenticator knows whose it is. */
    optionsToSignIn: async (): Promise<object> => {
      const { generateAuthenticationOptions } = await webAuthn()
      const options = await generateAuthenticationOptions({
        rpID: placeOf(publicUrl()).id,
        userVerification: 'required',
      })
      await kept(options.challenge, 'sign in')
      return options
    },
    /** The passkey that an answer proves, as used now; null where it proves none. */
    provenBy: async (answer: BrowserAnswer, passkeys: ReadonlyArray<Passkey>): Promise<Passkey | null> => {
      const passkey = passkeys.find(({ id }) => id === answer.id)
      if (passkey === undefined) return null
      const assertion = Assertion.decode(answer)
      if (E.isLeft(assertion)) return null
      const { verifyAuthenticationResponse } = await webAuthn()
      const verified = await orNull(() =>
        verifyAuthenticationResponse({
          ...expected('sign in'),
          response: withoutExtensions(assertion.right),
          credential: {
            id: passkey.id,
            publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
            counter: passkey.counter,
            transports: passkey.transports.filter(isTransport),
          },
        }),
      )
      if (verified?.verified !== true) return null
      return { ...passkey, counter: verified.authenticationInfo.newCounter, usedAt: teamTime() }
    },
    optionsToAdd: async ({ memberId, data: { email, name, passkeys } }: Account): Promise<object> => {
      const { generateRegistrationOptions } = await webAuthn()
      const options = await generateRegistrationOptions({
        rpName: 'Quittance',
        rpID: placeOf(publicUrl()).id,
        userID: new TextEncoder().encode(memberId),
        userName: email,
        userDisplayName: name ?? email,
        attestationType: 'none',
        excludeCredentials: passkeys.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await kept(options.challenge, memberId)
      return options
    },
    /** The new passkey of an answer; null where it is none for this member. */
    addedBy: async (answer: BrowserAnswer, memberId: string, name: string, at: UnixMs): Promise<Passkey | null> => {
      const attestation = Attestation.decode(answer)
      if (E.isLeft(attestation)) return null
      const { response, ...credential } = attestation.right
      const transports = (response.transports ?? []).filter(isTransport)
      const { verifyRegistrationResponse } = await webAuthn()
      const verified = await orNull(() =>
        verifyRegistrationResponse({
          ...expected(memberId),
          response: withoutExtensions({ ...credential, response: { ...response, transports } }),
        }),
      )
      if (verified?.verified !== true) return null
      const { id, publicKey, counter } = verified.registrationInfo.credential
      const key = Buffer.from(publicKey).toString('base64url')
      return { id, publicKey: key, counter, transports, name, addedAt: at, usedAt: null }
    },
  }
}
export type PasskeyCeremonies = ReturnType<typeof passkeyCeremonies>

/** The member whom the authenticator names in an answer; null where it names nobody. */
export const memberNamedIn = ({ response }: BrowserAnswer): string | null => {
  const handle = typeof response === 'object' && response !== null ? Object.entries(response) : []
  const named = handle.find(([field]) => field === 'userHandle')?.[1]
  return typeof named === 'string' ? Buffer.from(named, 'base64url').toString('utf8') : null
}
