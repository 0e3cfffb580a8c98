import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import type { RemoteFailure, RemoteKeys } from '../stores/signing/remote-signer.ts'
import type { KmsAnswer, KmsRequest } from './kms-process.ts'

type Asked = { readonly label: string; readonly bytes: Uint8Array | null }

/** A KMS in a process of its own. `asked` is what it was asked; `fault` changes its answers while a test sets it. */
export const startKms = () => {
  const child = fork(fileURLToPath(new URL('./kms-process.ts', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: ['--no-warnings'],
  })
  const waiting = new Map<number, (bytes: Uint8Array) => void>()
  child.on('message', ({ id, bytes }: KmsAnswer) => waiting.get(id)?.(bytes))
  const state = {
    asked: [] as Array<Asked>,
    fault: null as ((asked: Asked, answer: Uint8Array) => Promise<E.Either<RemoteFailure, Uint8Array>>) | null,
  }
  let requests = 0
  const ask = async (request: KmsRequest): Promise<E.Either<RemoteFailure, Uint8Array>> => {
    const asked = { label: request.label, bytes: request._tag === 'sign' ? request.bytes : null }
    state.asked.push(asked)
    const answer = await new Promise<Uint8Array>((resolve) => {
      waiting.set(request.id, resolve)
      child.send(request)
    })
    return state.fault === null ? E.right(answer) : state.fault(asked, answer)
  }
  const keys: RemoteKeys = {
    createKey: (label) => () => ask({ _tag: 'create', id: ++requests, label }),
    sign: (label, bytes) => () => ask({ _tag: 'sign', id: ++requests, label, bytes }),
  }
  return {
    keys,
    state,
    close: async (): Promise<void> => {
      child.kill()
      await once(child, 'exit')
    },
  }
}
