/** A KMS for trials: a thread of its own holds the keys, and answers by messages. A real one is elsewhere, and keeps them. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { isMainThread, MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads'

type Request = { readonly label: string; readonly bytes: Uint8Array | null; readonly port: MessagePort }

const serve = (): void => {
  const keys = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>()
  const keyOf = (label: string) => {
    const key = keys.get(label) ?? generateKeyPairSync('ed25519')
    keys.set(label, key)
    return key
  }
  parentPort?.on('message', ({ label, bytes, port }: Request) => {
    const { privateKey, publicKey } = keyOf(label)
    const spki = publicKey.export({ format: 'der', type: 'spki' })
    port.postMessage(Uint8Array.from(bytes === null ? spki.subarray(-32) : sign(null, bytes, privateKey)))
    port.close()
  })
}

const client = () => {
  const worker = new Worker(new URL(import.meta.url))
  worker.unref()
  const ask = async (label: string, bytes: Uint8Array | null): Promise<Uint8Array> => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ label, bytes, port: port2 }, [port2])
    const [answer] = await once(port1, 'message')
    return answer
  }
  return {
    createKey: (label: string) => ask(label, null),
    sign: ask,
    close: () => void worker.terminate(),
  }
}

const nobody = { createKey: refuse, sign: refuse, close: () => undefined }
async function refuse(): Promise<Uint8Array> {
  throw new Error('only the main thread asks')
}

export const kms = isMainThread ? client() : nobody
if (!isMainThread) serve()
