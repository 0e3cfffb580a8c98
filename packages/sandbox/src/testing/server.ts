import { rpc } from '@stellar/stellar-sdk'
import { listen } from '../rpc/index.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { sandboxInMemory } from './fixture.ts'

/** A sandbox behind a real socket, and the SDK's client of it. */
export type Served = {
  readonly sandbox: Sandbox
  readonly url: string
  readonly client: rpc.Server
  /** Posts a raw body and answers status and parsed response. */
  readonly post: (body: string) => Promise<{ readonly status: number; readonly answer: unknown }>
  readonly close: () => Promise<void>
}

export const serve = async (sandbox: Sandbox = sandboxInMemory()): Promise<Served> => {
  const { url, close } = await listen(sandbox)
  return {
    sandbox,
    url,
    client: new rpc.Server(url, { allowHttp: true }),
    post: async (body) => {
      const response = await fetch(url, { method: 'POST', body })
      const text = await response.text()
      return { status: response.status, answer: text === '' ? undefined : JSON.parse(text) }
    },
    close,
  }
}
