import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { loopbackTls } from '@quittance/event-store/testing/peer/loopback-tls'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from '../config.ts'
import { openPlatform } from './open-platform.ts'

describe('an event store over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
  const caFile = join(folder, 'ca & co.pem')
  const password = 'p:@ss/?&'
  let peer: Peer
  beforeAll(async () => {
    writeFileSync(caFile, loopbackTls.certificate)
    peer = await startPeer({
      path: ':memory:',
      port: 0,
      tls: loopbackTls,
      credentials: { username: 'quittance', password },
    })
  })
  afterAll(async () => {
    await peer.stop()
    rmSync(folder, { recursive: true })
  })
  const open = async (login: string, settings: string) => {
    const config = configFrom({
      QUITTANCE_DATA_DIR: join(folder, 'data'),
      QUITTANCE_EVENT_STORE: `esdb://${login}127.0.0.1:${peer.port}?${settings}`,
    })
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    return openPlatform(config.right)
  }
  const login = `quittance:${encodeURIComponent(password)}@`
  const trusting = `tlsCAFile=${encodeURIComponent(caFile)}&nodePreference=leader`
  const problem = (expected: unknown) => E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }])

  it('connects to an event store with the credentials and the certificate authority of the connection string', async () => {
    const opened = await open(login, trusting)
    if (E.isLeft(opened)) throw new Error(JSON.stringify(opened.left))
    expect(await opened.right.readiness()).toMatchObject({ status: 'ready', store: { position: 0 } })
    await opened.right.close()
  }, 30_000)

  it('names the event store when credentials are missing or wrong, or its authority is unknown or missing', async () => {
    const unusable = expect.stringContaining('a connection string that can be used')
    const silent = expect.stringContaining('an event store that answers')
    expect(await open('', trusting)).toEqual(problem(unusable))
    expect(await open(login, `tlsCAFile=${encodeURIComponent(join(folder, 'missing.pem'))}`)).toEqual(problem(unusable))
    expect(await open('quittance:wrong@', trusting)).toEqual(problem(silent))
    expect(await open(login, '')).toEqual(problem(silent))
  }, 60_000)
})
