import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { noEvents } from '@quittance/event-store'
import { type EventStoreDb, eventStoreDb } from '@quittance/event-store/eventstoredb'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { eventually } from '@quittance/http/testing/eventually'
import { inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { runWorkers } from './background-work.ts'
import { openPlatform } from './composition/open-platform.ts'
import { configFrom } from './config.ts'
import type { Platform } from './platform.ts'
import type { Readiness } from './readiness.ts'

describe('the readiness of a service with a remote log', () => {
  let folder: string
  let peer: Peer
  let platform: Platform
  let log: EventStoreDb
  let stop: AbortController
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-ready-'))
    stop = new AbortController()
    peer = await startPeer({ path: ':memory:', port: 0 })
    const config = configFrom({ QUITTANCE_DATA_DIR: folder, QUITTANCE_EVENT_STORE: peer.connectionString })
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    const opened = await openPlatform(config.right)
    if (E.isLeft(opened)) throw new Error('it does not open')
    platform = opened.right
    log = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: 5_000 })
  })
  afterEach(async () => {
    stop.abort()
    await platform.close()
    await log.close()
    await peer.stop()
    rmSync(folder, { recursive: true })
  })
  const isReady = ({ status }: Readiness): boolean => status === 'ready'

  it('answers not ready while the server of the log is silent, and recovers with the server', async () => {
    expect((await platform.readiness()).status).toBe('ready')
    peer.misbehave({ _tag: 'silent' })
    const asked = Symbol('still waiting')
    // Sooner than a call to the server is given up.
    expect(await Promise.race([platform.readiness(), pause(4_000, asked, { ref: false })])).toEqual({
      status: 'not_ready',
      store: null,
      read_models: null,
      rates: { status: 'ok', troubles: [], credits_waiting: 0 },
      payouts: { status: 'ok', troubles: [] },
      anchors: { status: 'ok', failing: [] },
      keys: { status: 'ok', lacking: 0, present: [] },
      setbacks: { status: 'ok', present: [] },
      rent: { status: 'ok', lives: expect.any(Array) },
      settlement: { status: 'ok', not_set_up: 0, not_payable: 0, merchants: [] },
      contracts: { status: 'current', contracts: expect.anything() },
      books: expect.objectContaining({ status: 'ok', violations: [] }),
      ledgers: expect.anything(),
      release: { status: 'current', reason: null },
      stopping: false,
      log: { status: 'sound', reasons: [] },
      transparency: { status: 'kept', reason: null, witnesses: {} },
      freezes: { status: 'unknown', freezes: [] },
      resets: { status: 'unknown', networks: [] },
      writes: { 'read-models.db': 'ok', 'vault.db': 'ok', 'sandbox.db': 'ok' },
    })
    peer.misbehave({ _tag: 'none' })
    expect(await eventually(platform.readiness, isReady)).toMatchObject({ store: { position: 0 } })
  })

  it('names the read model with a defect, and logs the defect once and not at every step', async () => {
    const payments = inlineProjections.find(({ name }) => name === 'payments')
    const logged: Array<unknown> = []
    let steps = 0
    const counted = platform.workers.map((worker) => ({
      ...worker,
      step: () => {
        steps += 1
        return worker.step()
      },
    }))
    const working = runWorkers(
      counted,
      { warn: () => {}, error: ({ err }: { readonly err?: unknown }) => void logged.push(err) },
      stop.signal,
    )
    const context = {
      merchantId: 'mer_1',
      environment: 'testnet',
      commandId: 'c',
      correlationId: 'c',
      causationId: null,
      actor: 'operator',
      occurredAt: 0,
    } as const
    const unheardOf = { id: 'e', type: 'PaymentForgotten', schemaVersion: 1, data: {}, context }
    expect(E.isRight(await log.append('payment-1', noEvents, [unheardOf])())).toBe(true)
    const found = await eventually(platform.readiness, ({ read_models }) => read_models?.defect !== null)
    expect(found).toMatchObject({
      status: 'not_ready',
      store: { position: 1 },
      read_models: {
        lag: 1,
        defect: 'announcements',
        models: { payments: { version: payments?.version, lag: 1 }, merchants: { lag: 1 } },
      },
    })
    await eventually(
      async () => steps,
      (count) => count > 8,
    )
    stop.abort()
    await working
    expect(logged.map(String)).toEqual([
      'ProjectionDefect: the read model announcements cannot apply event 0 of payment-1',
    ])
  })
})
