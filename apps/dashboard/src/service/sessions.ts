import * as t from 'io-ts'
import { network } from './settings.ts'

const Session = t.type({
  member: t.type({ id: t.string, email: t.string, name: t.union([t.string, t.null]), role: t.string }),
  merchant_id: t.string,
  merchant_name: t.string,
  scopes: t.readonlyArray(t.string),
  environments: t.readonlyArray(t.union([t.literal('testnet'), t.literal('mainnet')])),
  expires_at: t.string,
})
export type Session = t.TypeOf<typeof Session>

const ask = async (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(path, {
    method,
    headers: {
      'x-environment': network.value,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const read = async (response: Response): Promise<Session | null> => {
  if (!response.ok) return null
  const decoded = t.type({ data: Session }).decode(await response.json())
  return decoded._tag === 'Right' ? decoded.right.data : null
}

export const sessions = {
  find: async () => read(await ask('GET', '/session')),
  enterSandbox: async () => read(await ask('POST', '/session/sandbox')),
  start: async (given: { readonly email: string; readonly password: string; readonly code?: string }) => {
    const session = await read(await ask('POST', '/session', given))
    if (session === null) throw new Error('refused')
    return session
  },
  end: async () => ask('DELETE', '/session'),
  isOfSandbox: async () => (await ask('GET', '/sandbox/clock')).ok,
}
