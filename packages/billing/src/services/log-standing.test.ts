import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asText, count, LedgerSequence, type LogMark, type NewEvent, unixMs } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { openDatabase, type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { fileMark, newestEvent, notingNewest, readMarkFile, sqliteMark } from '../stores/log-marks.ts'
import { done, present } from '../testing/outcomes.ts'
import { temporaryFolder } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront } from '../testing/store-front.ts'
import { logStandings } from './log-standing.ts'

const durability = 'relaxedLosesCommitsOnPowerLoss'
const clock = { now: () => unixMs(1_000) }
const sound = { _tag: 'Sound' }

let events = 0
const event = (): NewEvent => ({
  id: `event-${++events}`,
  type: 'Tested',
  schemaVersion: 1,
  data: { events },
  context: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: 'command',
    correlationId: 'command',
    causationId: null,
    actor: 'test',
    occurredAt: 1_000,
  },
})

/** A deployment whose processes die and start again over the same files. */
const openFiles = () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log.db')
  const markPath = join(folder.path, 'log-mark.json')
  const open = () => {
    const store = sqliteEventStore({ path, clock: clock.now, projections: [], durability })
    const vault = openDatabase(join(folder.path, 'vault.db'), { durability })
    const newest = newestEvent()
    const noted = notingNewest(store, newest)
    const keepers = { vault: sqliteMark(vault), file: fileMark(markPath) }
    const append = async (stream: string, size: number) => {
      const { head } = await done(noted.readStream(stream))
      await done(noted.append(stream, head, Array.from({ length: size }, event)))
    }
    const close = (): void => {
      store.close()
      vault.close()
    }
    return { store, vault, keepers, append, close, standing: logStandings(noted, newest, keepers, clock, randomUUID) }
  }
  return { markPath, open, remove: folder.remove }
}

const placeIn = ({ reader }: SqliteEventStore, mark: LogMark): number =>
  Number(
    reader
      .prepare('SELECT position FROM events WHERE stream = ? AND revision = ? AND hash = ?')
      .get(mark.stream, mark.revision, mark.hash)?.position ?? Number.NaN,
  )

describe('the marks of a log', () => {
  let files: ReturnType<typeof openFiles>
  beforeEach(() => {
    files = openFiles()
  })
  afterEach(() => files.remove())

  it('are kept in the vault before anything leaves, and in a file for its owner alone', async () => {
    const { append, standing, keepers, close } = files.open()
    await append('payment-1', 2)
    expect(E.isRight(await standing.permit())).toBe(true)
    const mark = { stream: 'payment-1', revision: 1, position: '2', hash: expect.any(String), at: 1_000 }
    expect(await keepers.vault.kept()).toEqual(mark)
    expect(readMarkFile(files.markPath)).toEqual(mark)
    expect(statSync(files.markPath).mode & 0o777).toBe(0o600)
    close()
  })

  it.each([
    ['older than the log, as after a power failure', (_: string, older: string) => older],
    ['torn', (newer: string) => newer.slice(0, 40)],
    ['empty', () => ''],
  ])('leave a log sound when the file is %s', async (_, after) => {
    const first = files.open()
    await first.append('payment-1', 1)
    await first.standing.check(true)
    const older = readFileSync(files.markPath, 'utf8')
    await first.append('payment-1', 3)
    await first.standing.permit()
    const newer = readFileSync(files.markPath, 'utf8')
    first.close()
    writeFileSync(files.markPath, after(newer, older))
    const next = files.open()
    expect(await done(next.standing.check())).toEqual(sound)
    await next.append('payment-1', 1)
    await next.standing.check(true)
    expect(readMarkFile(files.markPath)).toMatchObject({ revision: 4 })
    next.close()
  })

  it('name the event that the log lacks, and let nothing leave', async () => {
    const { append, standing, keepers, close } = files.open()
    await append('payment-1', 1)
    const lost = {
      position: asText('9'),
      stream: asText('payment-1'),
      revision: count(5),
      hash: asText('ab'),
      at: unixMs(1),
    }
    writeFileSync(files.markPath, JSON.stringify(lost))
    expect(await standing.permit()).toEqual(E.left({ _tag: 'Withheld', cause: 'log_rolled_back' }))
    expect(standing.now()).toEqual({ _tag: 'RolledBack', reasons: [{ _tag: 'EventLacking', ...lost }] })
    expect(await keepers.vault.kept()).toBeNull()
    // Found again in the log, although the file that showed it is gone.
    writeFileSync(files.markPath, '')
    expect(await done(standing.check())).toMatchObject({ _tag: 'RolledBack' })
    close()
  })

  it('let nothing leave that the log cannot be read for', async () => {
    const { append, standing, close, store } = files.open()
    await append('payment-1', 1)
    store.close()
    expect(await standing.permit()).toEqual(E.left({ _tag: 'Withheld', cause: 'store_unavailable' }))
    close()
  })

  it('let nothing leave when the mark in the vault cannot be written, but when the file cannot', async () => {
    const { append, standing, close, vault } = files.open()
    await append('payment-1', 1)
    mkdirSync(files.markPath)
    expect(await standing.permit()).toEqual(E.right(undefined))
    await append('payment-1', 1)
    vault.execute('PRAGMA query_only = ON')
    expect(await standing.permit()).toEqual(E.left({ _tag: 'Withheld', cause: 'vault_unavailable' }))
    close()
  })

  const anyStep = fc.record({
    process: fc.constantFrom(0, 1),
    what: fc.constantFrom('append', 'check', 'last check', 'permit', 'die', 'power failure'),
    stream: fc.constantFrom('one', 'two', 'three'),
    size: fc.integer({ min: 1, max: 3 }),
  })

  it('never call a log rolled back that lost nothing, and only move forward, whatever dies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 40 }), async (steps) => {
        const own = openFiles()
        const processes = [own.open(), own.open()]
        const files: Array<string> = ['']
        let reached = 0
        for (const { process, what, stream, size } of steps) {
          const at = present(processes[process])
          if (what === 'append') await at.append(stream, size)
          if (what === 'check' || what === 'last check')
            expect(await done(at.standing.check(what === 'last check'))).toEqual(sound)
          if (what === 'permit') expect(E.isRight(await at.standing.permit())).toBe(true)
          if (what === 'die') {
            at.close()
            processes[process] = own.open()
          }
          if (what === 'power failure') writeFileSync(own.markPath, present(files[size % files.length]))
          else if (readMarkFile(own.markPath) !== null) files.push(readFileSync(own.markPath, 'utf8'))
          const kept = await present(processes[0]).keepers.vault.kept()
          const place = kept === null ? 0 : placeIn(present(processes[0]).store, kept)
          expect(place).toBeGreaterThanOrEqual(reached)
          reached = place
        }
        for (const each of processes) each.close()
        own.remove()
      }),
      { numRuns: 60, seed: 20_261_123 },
    )
  })

  it('reveal every log that was cut before an event whose mark was kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 20 }), fc.nat(), async (steps, cut) => {
        const own = openFiles()
        const before = own.open()
        for (const { stream, size } of steps) await before.append(stream, size)
        await before.standing.permit()
        const { position } = before.store.logHead()
        const kept = cut % position
        before.store.writer.execute(`DELETE FROM events WHERE position > ${kept}`)
        before.close()
        const after = own.open()
        expect(await done(after.standing.check())).toMatchObject({ _tag: 'RolledBack' })
        after.close()
        own.remove()
      }),
      { numRuns: 30, seed: 20_261_123 },
    )
  })
})

describe('networks of a log that went back', () => {
  it('take no submission, and give no lumens by themselves or by a friendbot', async () => {
    const reached: Array<string> = []
    const front = await openStoreFront({}, (network) => ({
      ...network,
      gateway: {
        ...network.gateway,
        submit: (envelope) => {
          reached.push('submit')
          return network.gateway.submit(envelope)
        },
      },
      provision: (secret) => {
        reached.push('provision')
        return present(network.provision)(secret)
      },
      friendbot: () => {
        reached.push('friendbot')
        return async () => E.right(undefined)
      },
    }))
    const { networks, logStanding } = front.services
    const { gateway, provision, friendbot } = present(networks.testnet)
    reached.length = 0
    const found = { environment: 'testnet', account: front.account, transactionHash: hashOf(1) } as const
    await done(logStanding.suspect({ ...found, ledger: decoded(LedgerSequence, 1) }))
    expect(await gateway.submit('AAAA')()).toEqual(E.left({ _tag: 'Withheld', cause: 'log_rolled_back' }))
    expect(await present(provision)('S')()).toEqual(E.left({ _tag: 'ProvisionFailed', reason: 'log_rolled_back' }))
    expect(await present(friendbot)(front.account)()).toEqual(
      E.left({ _tag: 'FriendbotFailed', reason: 'log_rolled_back' }),
    )
    expect(reached).toEqual([])
    await front.close()
  })
})

describe('every submission', () => {
  it('comes after a durable mark that is no older than the release of its transaction', async () => {
    let releases: (() => Promise<number>) | null = null
    let kept: (() => Promise<number>) | null = null
    const seen: Array<{ readonly released: number; readonly marked: number }> = []
    const front = await openStoreFront({}, (network) => ({
      ...network,
      gateway: {
        ...network.gateway,
        submit: (envelope) => async () => {
          if (releases !== null && kept !== null) seen.push({ released: await releases(), marked: await kept() })
          return network.gateway.submit(envelope)()
        },
      },
    }))
    releases = async () => {
      let last = -1
      for await (const { type, position } of front.platform.log.readAll(0n))
        if (type === 'TransactionReleased') last = Number(position)
      return last
    }
    kept = async () => Number(present(await front.services.vault.logMark.kept()).position)
    const refunds = refundsIn(front)
    await refunds.ended(await done(refunds.request(await refunds.paid())))
    expect(seen.length).toBeGreaterThan(0)
    for (const { released, marked } of seen) expect(marked).toBeGreaterThanOrEqual(released)
    await front.close()
  })

  it('is not withheld by a signature whose transaction was never recorded', async () => {
    const front = await openStoreFront()
    const { account, services } = front
    await services.vault.signings.add({
      at: services.clock.now('testnet'),
      key: 'settlement',
      account,
      purpose: 'transaction',
      digest: 'cd'.repeat(32),
      actor: 'a worker that died',
    })
    expect(await done(services.logStanding.check())).toEqual(sound)
    const refunds = refundsIn(front)
    expect(await refunds.ended(await done(refunds.request(await refunds.paid())))).toMatchObject({
      status: 'succeeded',
    })
    await front.close()
  })
})
