import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { believeCheckpoint, parseNote, printVerifierKey, type SignBytes, verifyNote } from '@quittance/transparency'
import { testKey } from '@quittance/transparency/testing/test-key'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { openWitness, type Witness } from './open-witness.ts'
import { witnessServer } from './server.ts'
import { testLog } from './testing/test-log.ts'

const log = testLog('log.example/a', 1)
const second = testLog('log.example/b', 2)
const nowMs = 1_767_225_600_999

const right = <A>(result: E.Either<unknown, A>): A =>
  E.getOrElse<unknown, A>((why) => {
    throw new Error(JSON.stringify(why))
  })(result)

let folder: string
let witness: Witness
let server: FastifyInstance
let url: string
const reported: Array<unknown> = []

const serve = async (served: Witness, rateLimit = 100_000) => {
  const logs = [log.key.key, second.key.key]
  const report = (cause: unknown) => reported.push(cause)
  const made = await witnessServer(served, { logs, rateLimit, clock: () => nowMs, report })
  return { made, address: await made.listen({ host: '127.0.0.1', port: 0 }) }
}

beforeEach(async () => {
  reported.length = 0
  folder = mkdtempSync(join(tmpdir(), 'quittance-witness-'))
  witness = right(openWitness(folder, 'witness.example/w1'))
  ;({ made: server, address: url } = await serve(witness))
})
afterEach(async () => {
  await server.close()
  witness.state.close()
  rmSync(folder, { recursive: true })
})

const post = async (body: string | Uint8Array, to = url) => {
  const answer = await fetch(`${to}/add-checkpoint`, { method: 'POST', body: Buffer.from(body) })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}
const statusOf = async (body: string | Uint8Array) => (await post(body)).status
const conflict = (size: number) => ({ status: 409, type: 'text/x.tlog.size', text: `${size}\n` })

describe('POST /add-checkpoint', () => {
  it('200: answers a cosignature of the checkpoint, with the time', async () => {
    const { status, text } = await post(await log.request(0, 5))
    expect(status).toBe(200)
    const note = right(parseNote(`${log.textAt(5)}\n${text}`))
    const [signature, ...others] = right(verifyNote(note, [witness.key]))
    expect(signature?.time).toBe(1_767_225_600n)
    expect(others).toEqual([])
  })

  it('200: goes on from each checkpoint to the next, and cosigns the latest again', async () => {
    for (const [oldSize, size] of [
      [0, 0],
      [0, 1],
      [1, 5],
      [5, 5],
      [5, 100],
      [100, 100],
    ] as const)
      expect(await statusOf(await log.request(oldSize, size))).toBe(200)
  })

  it('200: logs do not disturb each other', async () => {
    expect(await statusOf(await log.request(0, 5))).toBe(200)
    expect(await statusOf(await second.request(0, 7))).toBe(200)
    expect(await post(await log.request(0, 9))).toEqual(conflict(5))
    expect(await post(await second.request(0, 9))).toEqual(conflict(7))
  })

  it('400: refuses what is no request, and an old size above the new one', async () => {
    const body = await log.request(0, 5)
    expect(await statusOf('')).toBe(400)
    expect(await statusOf('hello')).toBe(400)
    expect(await statusOf(body.slice(0, -1))).toBe(400)
    expect(await statusOf(body.replaceAll('\n', '\r\n'))).toBe(400)
    expect(await statusOf(Buffer.concat([Buffer.from(body), Buffer.of(0xc3, 0x28)]))).toBe(400)
    expect(await statusOf(await log.request(6, 5))).toBe(400)
  })

  it('403: refuses a checkpoint that the log has not signed, or that was changed', async () => {
    const stranger = testKey('log.example/a', 'ed25519', 9)
    expect(await statusOf(await log.request(0, 5, stranger))).toBe(403)
    expect(await statusOf(await log.request(0, 5, second.key))).toBe(403)
    expect(await statusOf((await log.request(0, 5)).replace('\n5\n', '\n6\n'))).toBe(403)
  })

  it('404: refuses an origin that is not witnessed, and tells of no other path', async () => {
    expect(await statusOf(await log.request(0, 5, log.key, 'log.example/x'))).toBe(404)
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(404)
  })

  it('409: tells the latest size to whoever names another', async () => {
    expect(await post(await log.request(3, 5))).toEqual(conflict(0))
    await post(await log.request(0, 5))
    for (const [oldSize, size] of [
      [0, 9],
      [4, 9],
      [6, 9],
      [0, 3],
    ] as const)
      expect(await post(await log.request(oldSize, size))).toEqual(conflict(5))
  })

  it('422: refuses another history, and stores nothing of it', async () => {
    await post(await log.request(0, 5))
    expect(await statusOf(await log.forged(5, 5))).toBe(422)
    expect(await statusOf(await log.forged(5, 9))).toBe(422)
    expect(await post(await log.request(0, 9))).toEqual(conflict(5))
    expect(await statusOf(await log.request(5, 9))).toBe(200)
  })

  it('413: refuses a body above the limit', async () => {
    expect(await statusOf(Buffer.alloc(300_000, 'x'))).toBe(413)
  })

  it('429: refuses an address that asks too often', async () => {
    const { made, address } = await serve(witness, 2)
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await post('', address)).status)
    await made.close()
    expect(statuses).toEqual([400, 400, 429, 429])
  })

  it('500: tells callers nothing of what went wrong, and cosigns nothing that is not stored', async () => {
    const failing = {
      ...witness,
      state: {
        ...witness.state,
        replace: () => {
          throw new Error('the disk is full')
        },
      },
    }
    const { made, address } = await serve(failing)
    const answer = await post(await log.request(0, 5), address)
    await made.close()
    expect(answer).toEqual({ status: 500, type: 'text/plain; charset=utf-8', text: 'Something went wrong here.\n' })
    expect(reported).toEqual([new Error('the disk is full')])
    expect(await post(await log.request(3, 5))).toEqual(conflict(0))
  })

  it('a body of any media type is read, and a broken request disturbs nobody', async () => {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    const body = await log.request(0, 5)
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${url}/add-checkpoint`, { method: 'POST', body, headers })).status).toBe(200)
  })
})

describe('two requests at once', () => {
  it('one is cosigned, and the other is told its size', async () => {
    // Each has read the state before either stores.
    let arrived = 0
    const both = Promise.withResolvers<void>()
    const sign: SignBytes<never> = (bytes) => async () => {
      arrived += 1
      if (arrived === 2) both.resolve()
      await both.promise
      return await witness.sign(bytes)()
    }
    const { made, address } = await serve({ ...witness, sign })
    const answers = await Promise.all([post(await log.request(0, 5), address), post(await log.request(0, 9), address)])
    await made.close()
    expect(arrived).toBe(2)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stored = answers[0].status === 200 ? 5 : 9
    expect(answers).toContainEqual(conflict(stored))
    expect(await post(await log.request(0, 20))).toEqual(conflict(stored))
  })

  it('of forty that continue one checkpoint in different ways, one is cosigned', async () => {
    const bodies = await Promise.all(Array.from({ length: 40 }, (_, at) => log.request(0, at + 1)))
    const answers = await Promise.all(bodies.map((body) => post(body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const size = answers.findIndex(({ status }) => status === 200) + 1
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array.from({ length: 39 }, () => conflict(size)))
  })
})

describe('what a witness shows', () => {
  const checkpointOf = (origin: string) =>
    fetch(`${url}/${createHash('sha256').update(origin).digest('hex')}/checkpoint`)

  it('GET / tells its name and its verifier key', async () => {
    const shown: unknown = await (await fetch(url)).json()
    expect(shown).toEqual({ name: 'witness.example/w1', vkey: printVerifierKey(witness.key) })
  })

  it('GET <hash of the origin>/checkpoint shows the latest, signed by log and witness', async () => {
    await post(await log.request(0, 5))
    await post(await log.request(5, 9))
    const note = right(parseNote(await (await checkpointOf('log.example/a')).text()))
    const policy = { logs: [log.key.key], witnesses: [witness.key], quorum: 1 }
    expect(right(believeCheckpoint(note, policy)).checkpoint.size).toBe(9n)
    expect(note.signatures).toHaveLength(2)
  })

  it('404: it has no checkpoint of a log that never asked, or that it does not know', async () => {
    expect((await checkpointOf('log.example/b')).status).toBe(404)
    expect((await checkpointOf('log.example/x')).status).toBe(404)
    expect((await fetch(`${url}/log.example/checkpoint`)).status).toBe(404)
  })
})
