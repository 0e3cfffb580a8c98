import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printVerifierKey } from '@quittance/transparency'
import { testLog } from './testing/test-log.ts'
import { type Ended, startWitness } from './testing/witness-process.ts'

const log = testLog('log.example/a', 1)

let folder: string
const started: Array<ReturnType<typeof startWitness>> = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-witness-'))
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop('SIGKILL')))
  rmSync(folder, { recursive: true })
})

const dataDir = () => join(folder, 'data')
const start = (settings: Readonly<Record<string, string>> = {}) => {
  const witness = startWitness({
    QUITTANCE_WITNESS_NAME: 'witness.example/w1',
    QUITTANCE_WITNESS_DATA_DIR: dataDir(),
    QUITTANCE_WITNESS_LOGS: printVerifierKey(log.key.key),
    ...settings,
  })
  started.push(witness)
  return witness
}
const refused = async (stderr: string, settings = {}) =>
  expect(await start(settings).ended).toEqual({ code: 1, stdout: '', stderr: `${stderr}\n` } satisfies Ended)

const post = async (url: string, body: string) => {
  const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
  return { status: answer.status, text: await answer.text() }
}
const shownBy = async (url: string) => await (await fetch(url)).text()

describe('a witness that is killed', () => {
  it('knows after each kill what it cosigned before, under the same key', async () => {
    const keys = new Set<string>()
    let size = 0
    for (const next of [5, 6, 40]) {
      const witness = start()
      const url = await witness.url
      keys.add(await shownBy(url))
      if (size > 0) expect(await post(url, await log.request(0, next))).toEqual({ status: 409, text: `${size}\n` })
      expect((await post(url, await log.request(size, next))).status).toBe(200)
      await witness.stop('SIGKILL')
      size = next
    }
    const url = await start().url
    expect((await post(url, await log.forged(40, 50))).status).toBe(422)
    expect((await post(url, await log.request(40, 50))).status).toBe(200)
    expect(keys.size).toBe(1)
  })

  it('while requests come in, it forgets none that it answered', async () => {
    const witness = start()
    const url = await witness.url
    let answered = 0
    const killed = Promise.withResolvers<void>()
    const asking = (async () => {
      for (let size = 1; size <= 100; size++) {
        const answer = await post(url, await log.request(size - 1, size)).catch(() => null)
        if (answer === null) return
        expect(answer.status).toBe(200)
        answered = size
        // Killed while further requests are under way.
        if (size === 20) void witness.stop('SIGKILL').then(() => killed.resolve())
      }
    })()
    await Promise.all([asking, killed.promise])
    const { status, text } = await post(await start().url, await log.request(99, 100))
    const stored = status === 200 ? 99 : Number(text)
    // The last request may have been stored, and its answer lost.
    expect([answered, answered + 1]).toContain(stored)
  })
})

describe('the data directory', () => {
  it('is of its owner alone', async () => {
    const witness = start()
    await post(await witness.url, await log.request(0, 5))
    const modes = readdirSync(dataDir()).map((file) => [
      file,
      (statSync(join(dataDir(), file)).mode & 0o777).toString(8),
    ])
    expect(modes.sort()).toEqual([
      ['key.pem', '600'],
      ['state.sqlite', '600'],
      ['state.sqlite-shm', '600'],
      ['state.sqlite-wal', '600'],
    ])
    expect((statSync(dataDir()).mode & 0o777).toString(8)).toBe('700')
    expect((await witness.stop('SIGTERM')).code).toBe(0)
    expect(readdirSync(dataDir()).sort()).toEqual(['key.pem', 'state.sqlite'])
  })

  it('is refused without its database, which knows what was cosigned', async () => {
    const witness = start()
    await witness.url
    await witness.stop('SIGTERM')
    rmSync(join(dataDir(), 'state.sqlite'))
    await refused(
      'state.sqlite is missing beside key.pem. A witness that forgot what it cosigned must not cosign: start a new one, with another name',
    )
  })

  it('is refused without its key, with another key, under another name, and when others may read the key', async () => {
    const witness = start()
    await witness.url
    await witness.stop('SIGTERM')
    const key = join(dataDir(), 'key.pem')
    await refused(
      'This directory belongs to the witness witness.example/w1. Another name needs another key, and so another directory',
      { QUITTANCE_WITNESS_NAME: 'witness.example/w2' },
    )
    chmodSync(key, 0o640)
    await refused('Others may read key.pem. If nobody has, restrict it: chmod 600 key.pem')
    chmodSync(key, 0o600)
    const other = start({ QUITTANCE_WITNESS_DATA_DIR: join(folder, 'other') })
    await other.url
    await other.stop('SIGTERM')
    copyFileSync(join(folder, 'other', 'key.pem'), key)
    await refused('key.pem is not the key that state.sqlite belongs to')
    writeFileSync(key, 'nonsense')
    await refused('key.pem holds no Ed25519 key')
    rmSync(key)
    await refused(
      'key.pem is missing beside state.sqlite. Without it, this witness cannot go on: start a new one, with another name',
    )
  })
})

describe('settings', () => {
  it('are all judged before a start', async () => {
    await refused(
      [
        'QUITTANCE_WITNESS_NAME must be 1 to 200 characters without spaces and plus, such as witness.example/w1',
        'QUITTANCE_WITNESS_LOGS must be verifier keys of logs, separated by commas or spaces, as their operators publish them',
        'QUITTANCE_WITNESS_PROT must be unset, since no setting has this name',
        'QUITTANCE_WITNESS_PORT must be a port from 0 to 65535',
      ].join('\n'),
      {
        QUITTANCE_WITNESS_NAME: 'a+b',
        QUITTANCE_WITNESS_LOGS: 'nonsense',
        QUITTANCE_WITNESS_PROT: '1',
        QUITTANCE_WITNESS_PORT: '65536',
      },
    )
  })

  it('logs may be listed in a file, with comments', async () => {
    const file = join(folder, 'logs')
    writeFileSync(file, `# our log\n${printVerifierKey(log.key.key)} # since 2026\n\n`)
    const witness = start({ QUITTANCE_WITNESS_LOGS: '', QUITTANCE_WITNESS_LOGS_FILE: file })
    expect((await post(await witness.url, await log.request(0, 5))).status).toBe(200)
  })

  it('logs in a file that is missing, and in two places, are refused', async () => {
    await refused(
      'QUITTANCE_WITNESS_LOGS_FILE must be a file with the verifier key of a log on each line, as their operators publish them',
      { QUITTANCE_WITNESS_LOGS: '', QUITTANCE_WITNESS_LOGS_FILE: join(folder, 'missing') },
    )
    await refused('QUITTANCE_WITNESS_LOGS_FILE must be unset, since QUITTANCE_WITNESS_LOGS is set', {
      QUITTANCE_WITNESS_LOGS_FILE: join(folder, 'missing'),
    })
  })

  it('a key that cosigns is no key of a log', async () => {
    const cosigner = printVerifierKey({ ...log.key.key, type: 'cosignature/v1' })
    const { code, stderr } = await start({ QUITTANCE_WITNESS_LOGS: cosigner }).ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('QUITTANCE_WITNESS_LOGS must be') })
  })
})
