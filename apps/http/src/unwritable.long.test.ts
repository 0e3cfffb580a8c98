import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceProcess, startBeside, startProcess } from './testing/child-process.ts'
import type { HttpResponse } from './testing/client.ts'
import { eventually } from './testing/eventually.ts'
import { lockElsewhere } from './testing/lock-holder.ts'
import { readinessAt } from './testing/readiness.ts'
import { temporaryDirectory } from './testing/service.ts'

const processMs = 120_000
const embedded = { QUITTANCE_EVENT_STORE: 'sqlite' }
const files = ['quittance.db', 'vault.db', 'sandbox.db']
const allWritable = Object.fromEntries(files.map((file) => [file, 'ok']))

const sell = ({ api }: ServiceProcess): Promise<HttpResponse> =>
  api('/checkout?type=direct', {
    body: { amount: 5, currency_code: 'XLM', customer_email: `${Math.random()}@example.org` },
    headers: { 'idempotency-key': String(Math.random()) },
  })
const fund = ({ facts }: ServiceProcess, account: string) => fetch(`${facts.friendbot_url}?addr=${account}`)
const strangers = [
  'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H',
  'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
] as const

/** What does not write goes on: more requests than time would allow if each waited for the lock. */
const readsGoOn = async ({ anyone }: ServiceProcess): Promise<void> => {
  for (let n = 0; n < 200; n++) expect((await anyone('/health')).status).toBe(200)
}
const ready = ({ url }: ServiceProcess) => readinessAt(url)
const isReady = ({ status }: Pick<HttpResponse, 'status'>): boolean => status === 200
const unready = async (service: ServiceProcess, writes: object): Promise<void> => {
  const { body } = await eventually(
    () => ready(service),
    (answer) => answer.status === 503,
  )
  expect(body).toMatchObject({ status: 'not_ready', writes })
}
const ledgerNow = async ({ api }: ServiceProcess): Promise<number> => (await api('/sandbox/clock')).body.data.ledger
/** All of it works, as if nothing had been. */
const resumed = async (service: ServiceProcess): Promise<void> => {
  const { body } = await eventually(() => ready(service), isReady)
  expect(body.writes).toEqual(allWritable)
  expect((await sell(service)).status).toBe(200)
  const before = await ledgerNow(service)
  await eventually(
    () => ledgerNow(service),
    (ledger) => ledger > before,
  )
}

describe('a service whose files another process locks', () => {
  const directory = temporaryDirectory()
  let service: ServiceProcess
  let unlock: () => Promise<void> = async () => undefined
  beforeAll(async () => {
    service = await startProcess(directory.path, embedded)
    await resumed(service)
  }, processMs)
  afterEach(() => unlock())
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    directory.remove()
  }, processMs)
  const lock = async (file: string): Promise<void> => {
    unlock = await lockElsewhere(join(directory.path, file))
  }
  const unavailable = { status: 503, body: { code: 'store_unavailable' } }

  it.each(['quittance.db', 'vault.db'])(
    'refuses sales with 503 and goes on otherwise while %s is locked, says so, and resumes by itself',
    async (file) => {
      await lock(file)
      const refused = sell(service)
      await unready(service, { ...allWritable, [file]: 'locked' })
      await readsGoOn(service)
      expect(await refused).toMatchObject(unavailable)
      await unlock()
      await resumed(service)
    },
    processMs,
  )

  it(
    'closes no ledger while sandbox.db is locked, answers 503 where it would write it, and resumes by itself',
    async () => {
      await lock('sandbox.db')
      const before = await ledgerNow(service)
      await unready(service, { ...allWritable, 'sandbox.db': 'locked' })
      await readsGoOn(service)
      expect(await ledgerNow(service)).toBe(before)
      expect(await service.api('/sandbox/advance', { body: { seconds: 5 } })).toMatchObject(unavailable)
      await unlock()
      expect((await fund(service, strangers[0])).status).toBe(200)
      await resumed(service)
    },
    processMs,
  )

  it(
    'answers a request that waits for the lock as soon as the lock is gone',
    async () => {
      await lock('quittance.db')
      const sale = sell(service)
      await readsGoOn(service)
      await unlock()
      expect((await sale).status).toBe(200)
      await resumed(service)
    },
    processMs,
  )
})

/** A disk with a data directory. */
type Disk = {
  readonly path: string
  /** The state of files that cannot be written, as `/ready` shows it. */
  readonly whenFull: 'full' | 'failing'
  readonly fill: (service: ServiceProcess) => void
  readonly makeRoom: (service: ServiceProcess) => void
  readonly remove: () => void
}

/** A file system of 24 MB in memory, with ballast; null where this user may not mount one. */
const mountedDisk = (): Disk | null => {
  const { path, remove } = temporaryDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    remove()
    return null
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    whenFull: 'full',
    fill: () => {
      const { bavail, bsize } = statfsSync(path)
      expect(() => writeFileSync(ballast, Buffer.alloc((bavail + 1) * bsize))).toThrow('ENOSPC')
    },
    makeRoom: () => rmSync(ballast),
    remove: () => {
      execFileSync('umount', ['--lazy', path])
      remove()
    },
  }
}

/** A disk on which the kernel lets the service write no byte of any file (EFBIG): that takes no privilege. */
const limitedDisk = (): Disk => {
  const limit = (most: string) => (service: ServiceProcess) =>
    void execFileSync('prlimit', [`--pid=${service.facts.pid}`, `--fsize=${most}:`])
  return { ...temporaryDirectory(), whenFull: 'failing', fill: limit('0'), makeRoom: limit('unlimited') }
}

const isMountable = (): boolean => {
  const disk = mountedDisk()
  disk?.remove()
  return disk !== null
}

it.each<readonly [string, () => Disk | null]>([
  ['takes no more bytes', limitedDisk],
  ...(isMountable() ? [['is full', mountedDisk] as const] : []),
])(
  'a service whose disk %s refuses what it cannot write with 503, says so, and resumes once there is room',
  async (_, newDisk) => {
    const disk = newDisk()
    if (disk === null) throw new Error('there was a disk before')
    const service = await startProcess(disk.path, embedded)
    try {
      await resumed(service)
      disk.fill(service)
      const refused = await eventually(
        () => sell(service),
        ({ status }) => status !== 200,
      )
      expect(refused).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
      await unready(service, Object.fromEntries(files.map((file) => [file, disk.whenFull])))
      await readsGoOn(service)
      disk.makeRoom(service)
      await resumed(service)
      expect(await service.stop()).toBe(0)
    } finally {
      await service.kill()
      disk.remove()
    }
  },
  processMs,
)

it(
  'a service answers requests while its log lines cannot be written',
  async () => {
    const directory = temporaryDirectory()
    const service = await startProcess(directory.path, { ...embedded, QUITTANCE_LOG_LEVEL: 'info' }, '/dev/full')
    await readsGoOn(service)
    expect((await sell(service)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    directory.remove()
  },
  processMs,
)

it(
  'a second service on the same data directory closes the ledgers once the first one was killed',
  async () => {
    const directory = temporaryDirectory()
    const first = await startProcess(directory.path, embedded)
    const second = await startBeside(directory.path, embedded)
    expect(second.facts.rpc_url).toBe(first.facts.rpc_url)
    await resumed(second)
    await first.kill()
    await resumed(second)
    expect((await fund(second, strangers[1])).status).toBe(200)
    const third = await startBeside(directory.path, embedded)
    expect(third.facts.rpc_url).toBe(first.facts.rpc_url)
    await second.kill()
    await resumed(third)
    expect(await third.stop()).toBe(0)
    directory.remove()
  },
  processMs,
)
