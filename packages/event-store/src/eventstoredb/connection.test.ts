import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { readLog, sampleEvent } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { loopbackTls } from '../testing/peer/loopback-tls.ts'
import type { Peer } from '../testing/peer/peer.ts'
import { stage } from './testing/stage.ts'

const { peer, store, clear } = stage()
afterEach(clear)

const append = (log: ReturnType<typeof store>, stream = 'sample-1') => log.append(stream, noEvents, [sampleEvent('a')])

const credentials = { username: 'admin', password: 'changeit' }
const appending = fileURLToPath(new URL('./testing/appending-process.ts', import.meta.url))

/** Three nodes that know each other; tests choose the leader by index. */
const cluster = async () => {
  const nodes: Peer[] = []
  let leading = 2
  const members = () => nodes.map(({ port }, place) => ({ host: '127.0.0.1', port, isLeader: place === leading }))
  for (const _ of [0, 1, 2]) nodes.push(await peer({ members }))
  const lead = (place: number): void => {
    leading = place
    const port = nodes[place]?.port ?? 0
    for (const [each, node] of nodes.entries()) {
      node.misbehave(each === place ? { _tag: 'none' } : { _tag: 'notLeader', host: '127.0.0.1', port })
    }
  }
  lead(2)
  const [first, second, third] = nodes
  if (first === undefined || second === undefined || third === undefined) throw new Error('A cluster has three nodes')
  const connectionString = `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}?tls=false`
  return { first, second, third, lead, connectionString, appendsSeen: () => nodes.map((node) => node.appendsSeen()) }
}

describe('a cluster named node by node', () => {
  it('a cluster is written at its leader, even if it is named last', async () => {
    const { first, connectionString, appendsSeen } = await cluster()
    right(await append(store(first, { connectionString }))())
    expect(appendsSeen()).toEqual([0, 0, 1])
  })

  it('a cluster is written at its leader, even if the nodes named first are gone', async () => {
    const { first, second, third, connectionString } = await cluster()
    await Promise.all([first.stop(), second.stop()])
    const log = store(third, { connectionString })
    right(await append(log)())
    expect((await readLog(log)).length).toBe(1)
  })

  it('an append reaches a new leader exactly once', async () => {
    const { first, lead, connectionString } = await cluster()
    const log = store(first, { connectionString })
    right(await append(log)())
    lead(0)
    right(await append(log, 'sample-2')())
    expect((await readLog(store(first))).map(({ stream }) => stream)).toEqual(['sample-2'])
    expect(log.metrics).toMatchObject({ appends: 2, unknownOutcomes: 0, reconnects: 1 })
  })

  it('an append to a cluster without reachable nodes is reported as unsent', async () => {
    const { first, second, third, connectionString } = await cluster()
    await Promise.all([first.stop(), second.stop(), third.stop()])
    const log = store(first, { connectionString, deadlineMs: 2_000 })
    const cause = expect.objectContaining({ message: expect.stringContaining('Failed to discover') })
    expect(await append(log)()).toEqual(E.left({ _tag: 'StoreUnavailable', cause }))
  })

  it('a preferred follower serves reads, while the leader takes writes', async () => {
    const { first, second, third, lead, connectionString, appendsSeen } = await cluster()
    for (const [node, stream] of [
      [first, 'seen-by-followers'],
      [second, 'seen-by-followers'],
      [third, 'seen-by-leader'],
    ] as const) {
      node.misbehave({ _tag: 'none' })
      right(await append(store(node), stream)())
    }
    lead(2)
    const log = store(first, { connectionString, nodePreference: 'follower' })
    expect((await readLog(log)).map(({ stream }) => stream)).toEqual(['seen-by-followers'])
    const before = appendsSeen()[2] ?? 0
    right(await append(log)())
    expect(appendsSeen()[2]).toBe(before + 1)
  })
})

describe('a TLS connection', () => {
  it('a TLS server certified by another authority gives a clear error, and nothing is sent', async () => {
    const server = await peer({ tls: loopbackTls, credentials })
    // Much longer than a busy machine needs for one refusal, since the deadline makes a pending attempt unknown.
    const log = store(server, { credentials, deadlineMs: 3_000 })
    const cause = expect.objectContaining({ message: expect.stringContaining('self-signed certificate') })
    const [sent, found] = await Promise.all([append(log)(), log.readStream('sample-1')()])
    expect([sent, found]).toEqual([1, 2].map(() => E.left({ _tag: 'StoreUnavailable', cause })))
    expect(server.appendsSeen()).toBe(0)
  })

  it('to an address prints no warning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, loopbackTls.certificate)
    const server = await peer({ tls: loopbackTls, credentials })
    const address = `esdb://admin:changeit@127.0.0.1:${server.port}?tlsCAFile=${encodeURIComponent(caFile)}`
    const child = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      appending,
      address,
      'sample-1',
      'a',
    ])
    const said: string[] = []
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => said.push(String(text)))
    expect(await once(child, 'close')).toEqual([0, null])
    rmSync(folder, { recursive: true })
    expect({ said, written: server.appendsSeen() }).toEqual({ said: [], written: 1 })
  })

  it('to an address that is not in the certificate is refused, and nothing is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, loopbackTls.certificate)
    const server = await peer({ tls: loopbackTls, credentials })
    const elsewhere = createServer((socket) => {
      const onward = connect(server.port, '127.0.0.1')
      for (const each of [socket, onward]) each.on('error', () => undefined)
      socket.pipe(onward).pipe(socket)
    }).listen(0, '127.0.0.2')
    await once(elsewhere, 'listening')
    const at = elsewhere.address()
    const port = typeof at === 'object' ? at?.port : 0
    const log = store(server, { connectionString: `esdb://127.0.0.2:${port}`, caFile, credentials, deadlineMs: 3_000 })
    const cause = expect.objectContaining({ message: expect.stringContaining("127.0.0.2 is not in the cert's list") })
    expect(await append(log)()).toEqual(E.left({ _tag: 'StoreUnavailable', cause }))
    expect(server.appendsSeen()).toBe(0)
    elsewhere.close()
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['that is not there', null],
    ['without a certificate', 'not a certificate'],
  ])('by a CA file %s is refused by the name of that file', async (_, content) => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
    const caFile = join(folder, 'ca.pem')
    if (content !== null) writeFileSync(caFile, content)
    const connectionString = 'esdb://admin:changeit@127.0.0.1:2113'
    const server = await peer()
    expect(() => store(server, { connectionString, caFile })).toThrow(caFile)
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('a connection string', () => {
  it.each([
    ['throw-on-append-failure=false', 'throwOnAppendFailure=false'],
    ['throwOnAppendFailure=true&THROWONAPPENDFAILURE=false', 'throwOnAppendFailure=false'],
    ['tlsVerifyCert=false', 'unknown setting: tlsVerifyCert'],
    ['passwort=s3cret', 'unknown setting: passwort'],
    ['nodePreference=nobody', 'Unexpected "nobody"'],
    ['keepAliveTimeout=soon', 'Unexpected "soon"'],
  ])('with %s is refused, and its password told to nobody', async (settings, message) => {
    const server = await peer()
    const warned: unknown[] = []
    const { warn } = console
    console.warn = (text: unknown) => void warned.push(text)
    const connectionString = `esdb://admin:hunter2@127.0.0.1:${server.port}?tls=false&${settings}`
    let thrown: unknown
    try {
      store(server, { connectionString })
    } catch (error) {
      thrown = error
    }
    console.warn = warn
    expect(thrown).toEqual(expect.objectContaining({ message: expect.stringContaining(message) }))
    expect(`${thrown} ${JSON.stringify(thrown)} ${warned}`).not.toContain('hunter2')
  })
})
