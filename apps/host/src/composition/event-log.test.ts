import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { startPeer } from '@quittance/event-store/testing/peer'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from '../config.ts'
import { openPlatform } from './open-platform.ts'

describe('the log on a server', () => {
  it('is given up at the configured deadline when the server is silent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-silent-'))
    const peer = await startPeer({ path: ':memory:', port: 0 })
    peer.misbehave({ _tag: 'silent' })
    const config = configFrom({
      QUITTANCE_DATA_DIR: folder,
      QUITTANCE_EVENT_STORE: peer.connectionString,
      QUITTANCE_EVENT_STORE_DEADLINE_MS: '700',
    })
    const opened = E.isLeft(config) ? config : await openPlatform(config.right)
    await peer.stop()
    rmSync(folder, { recursive: true })
    const expected = expect.stringMatching(/^an event store that answers .No answer within (6\d\d|700) ms.$/)
    expect(opened).toEqual(E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }]))
  })

  it('receives none of the events that other applications keep on the same server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-shared-'))
    const peer = await startPeer({ path: ':memory:', port: 0 })
    const client = EventStoreDBClient.connectionString(peer.connectionString)
    const foreign = Array.from({ length: 1_000 }, () => jsonEvent({ type: 'Foreign', data: {} }))
    for (let n = 0; n < 10; n += 1) await client.appendToStream('foreign-1', foreign)
    await client.dispose()
    const config = configFrom({ QUITTANCE_DATA_DIR: folder, QUITTANCE_EVENT_STORE: peer.connectionString })
    const opened = E.isLeft(config) ? config : await openPlatform(config.right)
    if (E.isLeft(opened)) throw new Error(JSON.stringify(opened.left))
    expect(await opened.right.readiness()).toMatchObject({ status: 'ready' })
    await opened.right.close()
    await peer.stop()
    rmSync(folder, { recursive: true })
    // The last event of all, once for each read of the log.
    expect(peer.eventsSent()).toBeLessThan(30)
  })
})
