import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { seenThrough } from '../faults/seen.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { answerFriendbot } from './friendbot.ts'
import type { HttpAnswer } from './http-answer.ts'
import { answerText } from './json-rpc.ts'
import { answerPaths } from './paths.ts'
import { methodsIn, troubleFor } from './troubled.ts'

const maxBodyBytes = 512 * 1_024

/** Whoever is cut off while still talking may not hear the answer: up to here a body is heard out, though not kept. */
const maxHeardBytes = 16 * maxBodyBytes

/** Wallets call from the pages of others; a sandbox has no secrets and keeps no sessions. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
}

/** The body as text, or why there is none: it is too large, or the caller has gone. */
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

const refusal = (status: number, error: string): HttpAnswer => ({ status, body: { error } })

/** What a request comes to. Undefined: nothing, since the caller has gone, or since the node is silent. */
type Outcome = HttpAnswer | 'hangUp' | undefined

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** What a node answers while its fault knobs trouble it. */
const troubledNode = (sandbox: Sandbox) => {
  /** What a node in trouble does instead of answering: undefined is to do nothing. */
  const instead = (methods: ReadonlyArray<string>, answer: () => Outcome): Outcome => {
    const trouble = troubleFor(sandbox.faults, methods)
    if (trouble === 'silence') return undefined
    return trouble === undefined ? answer() : refusal(trouble, 'the node is told to fail')
  }
  const answerCall = (text: string, friendbotUrl: string): Outcome =>
    instead(methodsIn(text), () => {
      let isLost = false
      const loseReply = () => {
        isLost = true
      }
      const read = seenThrough(sandbox.read, sandbox.faults)
      const body = answerText(text, { sandbox, read, friendbotUrl, loseReply })
      return isLost ? 'hangUp' : { status: body === undefined ? 204 : 200, body }
    })
  return { instead, answerCall }
}

/**
 * The sandbox as a node in this process: takes the text of a JSON-RPC request to what the node answers, read from JSON
 * as a client reads it; null where the node is silent, is told to fail, or hangs up.
 */
export const rpcInProcess = (sandbox: Sandbox): ((request: string) => unknown) => {
  const { answerCall } = troubledNode(sandbox)
  return (request) => {
    const answered = answerCall(request, 'http://sandbox/friendbot')
    if (answered === undefined || answered === 'hangUp' || answered.status !== 200) return null
    return JSON.parse(JSON.stringify(answered.body))
  }
}

/**
 * Serves the sandbox over HTTP: friendbot where the path ends in `/friendbot`, Horizon's search for paths where it ends
 * in `/paths/strict-receive`, JSON-RPC on any other path.
 * `friendbotUrl` is what getNetwork tells; left out, it is `/friendbot` on the host that was asked.
 */
export const rpcHandler = (sandbox: Sandbox, options: { readonly friendbotUrl?: string } = {}): RpcHandler => {
  const { instead, answerCall } = troubledNode(sandbox)
  const answer = async (request: IncomingMessage): Promise<Outcome> => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    if (request.method === 'OPTIONS') return { status: 204, body: undefined }
    if (path.endsWith('/friendbot')) {
      if (request.method !== 'GET' && request.method !== 'POST') return refusal(405, 'friendbot takes GET and POST')
      return answerFriendbot(sandbox, new URLSearchParams(query))
    }
    if (path.endsWith('/paths/strict-receive')) {
      if (request.method !== 'GET') return refusal(405, 'a search for paths takes GET')
      return instead(['paths'], () => answerPaths(sandbox.read, new URLSearchParams(query)))
    }
    if (request.method !== 'POST') return refusal(405, 'JSON-RPC takes POST')
    const text = await readBody(request)
    if (E.isLeft(text)) return text.left === 'gone' ? undefined : refusal(413, 'the body is larger than 512 KiB')
    const friendbotUrl = options.friendbotUrl ?? `http://${request.headers.host ?? 'localhost'}/friendbot`
    return answerCall(text.right, friendbotUrl)
  }

  return async (request, response) => {
    const answered = await answer(request)
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

/** A server of its own on 127.0.0.1; port 0 picks a free one. */
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
