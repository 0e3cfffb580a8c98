import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { faultyReader } from '../faults/faulty-reader.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { answerFriendbot } from './friendbot.ts'
import type { HttpResponse } from './http-response.ts'
import { answerText } from './json-rpc.ts'
import { failureFor, methodsIn } from './node-failures.ts'
import { answerPaths } from './paths.ts'

const maxBodyBytes = 512 * 1_024

/**
 * A client that is cut off while sending may miss the response, so bodies up to this size are read, though not kept.
 */
const maxHeardBytes = 16 * maxBodyBytes

/** Wallets call from other origins; a sandbox has no secrets and no sessions. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
}

/** The body as text, or why it is missing: it is too large, or the client has gone. */
const readBody = async (request: IncomingMessage): Promise<E.Either<'tooLarge' | 'gone', string>> => {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > maxHeardBytes) return E.left('gone')
      if (size <= maxBodyBytes) chunks.push(bytes)
    }
  } catch {
    return E.left('gone')
  }
  return size > maxBodyBytes ? E.left('tooLarge') : E.right(Buffer.concat(chunks).toString('utf8'))
}

const refusal = (status: number, error: string): HttpResponse => ({ status, body: { error } })

/** The response while the file of the network cannot be written. Rethrows defects. */
const unwritable = (cause: unknown): HttpResponse => {
  if (!isStoreFailure(cause)) throw cause
  return refusal(503, 'the node cannot write its ledger')
}

/** The response; undefined where the client has gone or the node stays silent. */
type Outcome = HttpResponse | 'hangUp' | undefined

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A node's responses under its fault knobs. */
const faultyNode = (sandbox: Sandbox) => {
  /** Fails or stays silent as the knobs say; answers otherwise. */
  const unlessFailing = (methods: ReadonlyArray<string>, answer: () => Outcome): Outcome => {
    const trouble = failureFor(sandbox.faults, methods)
    if (trouble === 'silence') return undefined
    return trouble === undefined ? answer() : refusal(trouble, 'the node is told to fail')
  }
  const answerCall = (text: string, friendbotUrl: string): Outcome =>
    unlessFailing(methodsIn(text), () => {
      let isLost = false
      const loseReply = () => {
        isLost = true
      }
      const read = faultyReader(sandbox.read, sandbox.faults)
      const body = answerText(text, { sandbox, read, friendbotUrl, loseReply })
      return isLost ? 'hangUp' : { status: body === undefined ? 204 : 200, body }
    })
  return { unlessFailing, answerCall }
}

/**
 * The sandbox as an in-process node: maps the text of a JSON-RPC request to the response, parsed from JSON as a client
 * would; null where the node stays silent, fails or hangs up.
 */
export const rpcInProcess = (sandbox: Sandbox): ((request: string) => unknown) => {
  const { answerCall } = faultyNode(sandbox)
  return (request) => {
    const answered = answerCall(request, 'http://sandbox/friendbot')
    if (answered === undefined || answered === 'hangUp' || answered.status !== 200) return null
    return JSON.parse(JSON.stringify(answered.body))
  }
}

/**
 * Serves the sandbox over HTTP: friendbot where the path ends in `/friendbot`, Horizon's path search where it ends in
 * `/paths/strict-receive`, JSON-RPC on any other path.
 * `friendbotUrl` is what getNetwork reports; by default it is `/friendbot` on the requested host.
 */
export const rpcHandler = (sandbox: Sandbox, options: { readonly friendbotUrl?: string } = {}): RpcHandler => {
  const { unlessFailing, answerCall } = faultyNode(sandbox)
  const answer = async (request: IncomingMessage): Promise<Outcome> => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    if (request.method === 'OPTIONS') return { status: 204, body: undefined }
    if (path.endsWith('/friendbot')) {
      if (request.method !== 'GET' && request.method !== 'POST') return refusal(405, 'friendbot takes GET and POST')
      return answerFriendbot(sandbox, new URLSearchParams(query))
    }
    if (path.endsWith('/paths/strict-receive')) {
      if (request.method !== 'GET') return refusal(405, 'a search for paths takes GET')
      return unlessFailing(['paths'], () => answerPaths(sandbox.read, new URLSearchParams(query)))
    }
    if (request.method !== 'POST') return refusal(405, 'JSON-RPC takes POST')
    const text = await readBody(request)
    if (E.isLeft(text)) return text.left === 'gone' ? undefined : refusal(413, 'the body is larger than 512 KiB')
    const friendbotUrl = options.friendbotUrl ?? `http://${request.headers.host ?? 'localhost'}/friendbot`
    return answerCall(text.right, friendbotUrl)
  }

  return async (request, response) => {
    const answered = await answer(request).catch(unwritable)
    if (answered === undefined) return
    if (answered === 'hangUp') {
      request.socket.destroy()
      return
    }
    const { status, body, contentType = 'application/json' } = answered
    const headers = body === undefined ? openToAll : { ...openToAll, 'content-type': contentType }
    response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body))
  }
}

/** Starts a server on 127.0.0.1; port 0 picks a free one. */
export const listen = async (
  sandbox: Sandbox,
  port = 0,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const handler = rpcHandler(sandbox)
  const server = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
