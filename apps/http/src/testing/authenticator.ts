import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const encoded = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** User present and verified; with the data of a new key. */
const [used, made] = [0x05, 0x45]

/** An authenticator with one passkey, for a page at this address: what a browser answers with it. */
export const authenticator = (serviceUrl: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const origin = `http://localhost:${new URL(serviceUrl).port}`
  let counter = 0
  const dataOf = (flags: number, more: Uint8Array = new Uint8Array(0)): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    return Buffer.concat([sha256('localhost'), Buffer.from([flags]), count, more])
  }
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: object) => ({
    id: encoded(id),
    rawId: encoded(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    register: (challenge: string) => {
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(dataOf(made, key))],
      ])
      return answer({
        clientDataJSON: encoded(clientData('webauthn.create', challenge)),
        attestationObject: encoded(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
        transports: ['internal'],
      })
    },
    signIn: (challenge: string, userId: string) => {
      const [data, client] = [dataOf(used), clientData('webauthn.get', challenge)]
      return answer({
        clientDataJSON: encoded(client),
        authenticatorData: encoded(data),
        signature: encoded(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: Buffer.from(userId).toString('base64url'),
      })
    },
  }
}
