import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Runs as its own process, which alone holds the keys: it makes them, and signs. */
export type KmsRequest =
  | { readonly _tag: 'create'; readonly id: number; readonly label: string }
  | { readonly _tag: 'sign'; readonly id: number; readonly label: string; readonly bytes: Uint8Array }
export type KmsAnswer = { readonly id: number; readonly bytes: Uint8Array }

const keys = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>()

process.on('message', (request: KmsRequest) => {
  const key = keys.get(request.label) ?? generateKeyPairSync('ed25519')
  keys.set(request.label, key)
  const bytes =
    request._tag === 'create'
      ? key.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
      : sign(null, request.bytes, key.privateKey)
  process.send?.({ id: request.id, bytes: Uint8Array.from(bytes) } satisfies KmsAnswer)
})
