import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

/** What the browser answers for a passkey; null when the person declines, or has none. */
export const passkeyFrom = async <A>(ask: () => Promise<A>): Promise<A | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name))
      return null
    throw error
  }
}

type Options = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Options => typeof value === 'object' && value !== null

const unreadable = (name: string): Error => new Error(`the options of a passkey have no ${name}`)

const textOf = (options: Options, name: string): string => {
  const value = options[name]
  if (typeof value !== 'string') throw unreadable(name)
  return value
}

const recordOf = (options: Options, name: string): Options => {
  const value = options[name]
  if (!isRecord(value)) throw unreadable(name)
  return value
}

const recordsOf = (options: Options, name: string): ReadonlyArray<Options> => {
  const value = options[name]
  if (!Array.isArray(value) || !value.every(isRecord)) throw unreadable(name)
  return value
}

const publicKey = 'public-key' as const

/** The service asks whoever signs in to prove themselves to their device. */
export const optionsToSignIn = (options: Options): PublicKeyCredentialRequestOptionsJSON => ({
  challenge: textOf(options, 'challenge'),
  rpId: textOf(options, 'rpId'),
  userVerification: 'required',
})

/** A passkey that its device finds without a name, and none beside another of the same member on one device. */
export const optionsToRegister = (options: Options): PublicKeyCredentialCreationOptionsJSON => {
  const [rp, user] = [recordOf(options, 'rp'), recordOf(options, 'user')]
  return {
    challenge: textOf(options, 'challenge'),
    rp: { id: textOf(rp, 'id'), name: textOf(rp, 'name') },
    user: { id: textOf(user, 'id'), name: textOf(user, 'name'), displayName: textOf(user, 'displayName') },
    pubKeyCredParams: recordsOf(options, 'pubKeyCredParams').map(({ alg }) => ({ alg: Number(alg), type: publicKey })),
    excludeCredentials: recordsOf(options, 'excludeCredentials').map((each) => ({
      id: textOf(each, 'id'),
      type: publicKey,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}
